/* Dispatch of commands: finding the row, what the command is about, printing.  How the line is
 * taken apart is in arguments.c. */
#include "base/file.h"
#include "graph/provenance.h"
#include "rewrite/things.h"
#include "rewrite/history.h"
#include "repl/commands/commands.h"
#include "repl/commands/derivation_by_hand.h"
#include "repl/commands/arguments.h"
#include "repl/commands/draw_options.h"
#include "repl/commands/renamed.h"
#include "repl/commands/show.h"
#include "viz/scene/draw.h"

#include <sys/stat.h>
#include "session/saturated.h"
#include "surface/surface.h"

#include <errno.h>

const Command commands[] = {
#define C(NAME, GROUP, ARGS, ALSO, HELP, MORE) \
    {#NAME, GROUP_##GROUP, ARGS, ALSO, command_##NAME, HELP, MORE},
#include "repl/commands/commands.def"
#undef C
};
const size_t command_count = COUNT_OF(commands);

bool call_fail(Call *c, Span span, const char *code, const char *hint, const char *fmt, ...)
{
    Text message = {0};
    va_list ap;
    va_start(ap, fmt);
    text_vprintf(&message, fmt, ap);
    va_end(ap);
    diag_add(c->r->s.st.diags, code, span, hint, "%s", text_str(&message));
    text_free(&message);
    return false;
}

bool call_without_(Call *c, size_t n, const char *const *keys, const char *hint, const char *why)
{
    for (size_t i = 0; i < n; i++)
        if (call_option(c, keys[i]))
            return call_fail(c, call_option(c, keys[i])->span, "usage", hint, "%s= %s", keys[i],
                             why);
    return true;
}

bool call_unknown(Call *c, Span span, const char *what, const char *name, const char *const *names,
                  size_t n, const char *otherwise)
{
    const char *close = closest_name(name, names, n);
    return call_fail(c, span, "unknown-name",
                     close ? report_format(&c->report, "did you mean %s?", close) : otherwise,
                     "%s %s", what, name);
}

bool call_each_name(Call *c, const Option *o,
                    bool (*take)(Call *c, const char *name, Span span, void *ctx), void *ctx)
{
    Span span = o->span;
    for (const char *s = o->value;;) {
        size_t n = strcspn(s, ",");
        span.end = span.start + (u32)n;
        if (!n)
            return call_fail(c, o->span, "usage", NULL, "a name is missing in %s=%s", o->key,
                             o->value);
        if (!take(c, arena_strndup(&c->arena, s, n), span, ctx))
            return false;
        if (!s[n])
            return true;
        s += n + 1;
        span.start += (u32)n + 1;
    }
}

static bool put_file(Call *c, const char *name, const Text *bytes, const char *about)
{
    const Listener *to = &c->r->listener;
    c->collected = to->file != NULL;
    if (store_stopped(&c->r->s.st, "here"))
        return false; /* parts may be missing */
    if (to->file)
        return to->file(to->ctx, name, bytes, about, c->file_span);
    return write_file(name, bytes->at, bytes->len, c->r->s.st.interrupt) ||
           call_fail(c, c->file_span, "io", NULL, "%s cannot be written: %s", name,
                     strerror(errno));
}

bool call_put_file(Call *c, const Text *bytes, const char *about)
{
    return put_file(c, c->file, bytes, about);
}

bool call_file_is_folder(const Call *c) { return c->file && c->file[strlen(c->file) - 1] == '/'; }

bool call_put_file_in(Call *c, const char *name, const Text *bytes)
{
    bool there = c->r->listener.file || mkdir(c->file, 0777) == 0 || errno == EEXIST;
    return there ? put_file(c, report_format(&c->report, "%s%s", c->file, name), bytes, NULL)
                 : call_fail(c, c->file_span, "io", NULL, "the folder %s cannot be made: %s",
                             c->file, strerror(errno));
}

Marks call_marks(const Call *c)
{
    const Repl *r = c->r;
    bool color = !r->capture && !r->json && term_color(r->color_mode, STDOUT_FILENO);
    return color ? MARKS_COLOR : MARKS_SIGNS;
}

/* ---- finding a command ---- */

/* It has another name now. */
static bool renamed(Repl *r, const Stmt *stmt, Span span)
{
    Arena arena = {0};
    const char *name;
    char *line = renamed_command(&arena, stmt->command, stmt->rest, &name);
    Text hint = {0};
    if (line) {
        text_printf(&hint, *line ? "type `%s`" : "memory is freed by itself", line);
        diag_add(r->s.st.diags, "renamed", span, text_str(&hint), "the command :%s was removed",
                 name);
    }
    text_free(&hint);
    arena_free(&arena);
    return line != NULL;
}

static void unknown_command(Repl *r, const char *word, Span span)
{
    const char *names[COUNT_OF(commands)];
    for (size_t i = 0; i < command_count; i++)
        names[i] = commands[i].name;
    const char *close = closest_name(word, names, command_count);
    Text hint = {0};
    text_printf(&hint, close ? "did you mean :%s?" : ":help lists the commands", close);
    diag_add(r->s.st.diags, "unknown-command", span, text_str(&hint), "there is no command :%s",
             word);
    text_free(&hint);
}

/* What a short beginning of several commands means: the one that is used most. Nothing that cannot
 * be taken back. */
static const char often[] = "help type graph steps draw why explain vars load set undo quit move";

/* The first of these that the word begins; NULL: none. */
static const Command *used_most(const char *word)
{
    for (const char *s = often; *s; s += *s == ' ') {
        size_t n = strcspn(s, " ");
        for (size_t i = 0; *word && i < command_count && strncmp(s, word, strlen(word)) == 0; i++)
            if (strlen(commands[i].name) == n && strncmp(commands[i].name, s, n) == 0)
                return &commands[i];
        s += n;
    }
    return NULL;
}

const Command *command_named(Repl *r, const char *word, const Stmt *typed)
{
    const Command *found = NULL;
    Text several = {0};
    Span span = typed ? typed->span : (Span){0};
    span.end = span.start + 1 + (u32)strlen(word);
    int count = 0;
    for (size_t i = 0; i < command_count; i++) {
        bool whole = strcmp(commands[i].name, word) == 0;
        if (strncmp(commands[i].name, word, strlen(word)) != 0 ||
            (!whole &&
             commands[i].run == command_reset)) /* nothing brings back what that forgets */
            continue;
        found = &commands[i];
        if (whole) {
            count = 1;
            break;
        }
        text_printf(&several, "%s:%s", count++ ? ", " : "", found->name);
    }
    if (count > 1 && used_most(word)) {
        found = used_most(word);
        Text told = {0};
        if (typed && r->at_prompt && !r->json)
            text_printf(&told, "(:%s is :%s; also %s)\n", word, found->name, text_str(&several));
        show_put(r, &told);
        count = 1;
    }
    if (count > 1 && typed)
        diag_add(r->s.st.diags, "unknown-command", span, NULL, ":%s could be %s", word,
                 text_str(&several));
    if (count == 0 && typed && !renamed(r, typed, span))
        unknown_command(r, word, span);
    text_free(&several);
    return count == 1 ? found : NULL;
}

/* ---- arguments for the functions of commands ---- */

const Option *call_option(const Call *c, const char *key)
{
    for (int i = 0; i < c->noptions; i++)
        if (strcmp(c->options[i].key, key) == 0)
            return &c->options[i];
    return NULL;
}

static DeclaredOption declared(const Call *c, const char *key)
{
    DeclaredOption o;
    if (!declared_find(c->info, key, strlen(key), &o))
        die(":%s does not declare %s=", c->info->name, key);
    return o;
}

bool call_switch(const Call *c, const char *key)
{
    const Option *o = call_option(c, key);
    DeclaredOption d = declared(c, key);
    return o ? o->choice : span_is(d.values, d.extent, "off");
}

int call_choice(const Call *c, const char *key, int fallback)
{
    const Option *o = call_option(c, key);
    return o ? o->choice : fallback;
}

bool call_number(Call *c, const char *key, i64 fallback, i64 least, i64 most, i64 *out)
{
    const Option *o = call_option(c, key);
    *out = o ? strtoll(o->value + (*o->value == '%'), NULL, 10) : fallback;
    return !o || (*out >= least && *out <= most) ||
           call_fail(c, o->span, "usage", NULL, "%s= goes from %lld to %lld", key, (long long)least,
                     (long long)most);
}

bool call_count(Call *c, const char *key, i64 fallback, i64 limit, i64 *out)
{
    const Option *o = call_option(c, key);
    *out = o ? strtoll(o->value + (*o->value == '%'), NULL, 10) : fallback;
    return !o || *out <= limit ||
           call_fail(c, o->span, "usage", NULL, "%s= goes up to %lld here", key, (long long)limit);
}

bool call_range(Call *c, const char *key, i64 last, LoopRange *out)
{
    const Option *o = call_option(c, key);
    const char *dots = o ? strstr(o->value, "..") : NULL;
    *out = (LoopRange){.given = o != NULL};
    if (!o)
        return true;
    out->from = out->to = strtoll(o->value, NULL, 10);
    out->open = dots && !dots[2];
    if (dots)
        out->to = out->open ? last : strtoll(dots + 2, NULL, 10);
    if (out->from > last)
        return call_fail(c, o->span, "usage", NULL, "the last step is %lld, so %s= goes up to that",
                         (long long)last, key);
    if (out->to < out->from)
        return call_fail(c, o->span, "usage", NULL,
                         "%s= goes from the smaller to the larger number", key);
    out->to = out->to > last ? last : out->to;
    return true;
}

bool call_positional(Call *c, i64 fallback, i64 limit, i64 *out)
{
    *out = c->number < 0 ? fallback : c->number;
    return *out <= limit || call_fail(c, c->number_span, "usage", NULL,
                                      "this takes a whole number from 0 to %lld", (long long)limit);
}

bool call_has_expr(const Call *c) { return *c->text != '\0'; }

/* ---- what a command is about ---- */

/* The expression of one that was evaluated, not explored. */
static char *source_text(Call *c, const Exploration *x)
{
    enum { MOST = 200 };
    Text t = {0};
    for (int i = 0; i < x->nroots; i++) {
        text_put(&t, i ? ", " : "");
        node_source_limited(x->st, &t, x->start[i], true, MOST);
    }
    return report_take(&c->report, &t);
}

/* form=J: that of :saturate instead of its first one. */
static Exploration *recent_form(Call *c, const Option *o)
{
    i64 form;
    u32 count = session_form_count(&c->r->s);
    if (!count) {
        call_fail(c, o->span, "usage", "`:saturate EXPR best=5`, then form=2",
                  "form= takes one of the forms that :saturate found, if that came last");
        return NULL;
    }
    if (!call_number(c, "form", 1, 1, count, &form))
        return NULL;
    c->r->s.st.span = c->span;
    return session_form(&c->r->s, (u32)form);
}

/* What was explored most recently, for a command without an expression; NULL after a diagnostic. */
static Exploration *recent(Call *c)
{
    Session *s = &c->r->s;
    Exploration *x = s->recent ? s->recent : s->by_hand ? call_hand_steps(c) : session_last(s);
    if (!x) {
        call_fail(c, c->span, "usage",
                  report_format(&c->report, ":%s %s", c->info->name, c->info->args),
                  ":%s needs an expression, because nothing was explored yet", c->info->name);
        return NULL;
    }
    if (!c->recent)
        c->text = s->recent ? report_format(&c->report, "%s", s->recent_text) : source_text(c, x);
    c->recent = true;
    c->rest = c->span;
    session_note_last(s, x);
    if (session_last_outdated(s))
        diag_note(s->st.diags, "outdated", c->span,
                  "as explored before the settings changed; `:steps EXPR` explores again");
    const Option *form = call_option(c, "form");
    return form ? recent_form(c, form) : x;
}

static bool is_recent(const Call *c) { return c->recent || !call_has_expr(c); }

Value *call_value(Call *c)
{
    Exploration *x = is_recent(c) ? recent(c) : NULL;
    Elab *e = &c->r->s.elab;
    if (!is_recent(c))
        return session_value(&c->r->s, c->rest);
    if (!x)
        return NULL;
    Value **items = arena_alloc(&c->arena, ((size_t)x->nroots + 1) * sizeof *items);
    for (int i = 0; i < x->nroots; i++)
        items[i] = value_node(e, x->start[i]);
    return x->nroots == 1 ? items[0] : value_tuple(e, x->nroots, items);
}

int call_roots(Call *c, Node ***roots)
{
    if (is_recent(c)) {
        Exploration *x = recent(c);
        size_t size = x ? ((size_t)x->nroots + 1) * sizeof **roots : 0;
        if (x)
            memcpy(*roots = xcalloc(1, size), x->start, size - sizeof **roots);
        return x ? x->nroots : -1;
    }
    return session_roots_at(&c->r->s, c->rest, roots);
}

Exploration *call_steps(Call *c)
{
    Session *s = &c->r->s;
    Node **roots = NULL;
    Exploration *x;
    if (is_recent(c)) {
        x = recent(c);
    } else {
        int n = call_roots(c, &roots);
        if (n < 0)
            return NULL;
        s->st.span = c->rest;
        x = session_explore(s, n, roots);
        free(roots);
    }
    if (!x)
        return NULL;
    session_note_recent(s, x, c->text);
    return s->listed = x;
}

Exploration *call_explore(Call *c)
{
    const Exploration *listed = is_recent(c) ? c->r->s.listed : NULL;
    Exploration *x = call_steps(c);
    if (x)
        provenance_enter(x->st, x->provenance);
    if (x && x != listed) /* else its nodes keep the numbers that were shown */
        things_renumber(x);
    return x;
}

/* ---- running ---- */

static bool run_call(Call *c, const Stmt *stmt)
{
    c->rest = stmt->rest_span;
    c->text = arena_strndup(&c->arena, stmt->rest, strlen(stmt->rest));
    c->rest.end = c->rest.start + (u32)strlen(stmt->rest);
    c->out.interrupt = c->data_text.interrupt = c->r->s.st.interrupt;
    c->data.out = &c->data_text;
    c->report = (Report){.text = &c->out, .data = &c->data, .arena = &c->arena};
    if (!arguments_read(c))
        return false;
    const Option *form = call_option(c, "form");
    if (form && call_has_expr(c))
        return call_fail(c, form->span, "usage",
                         report_format(&c->report, "`:saturate %s best=5`, then `:%s form=%s`",
                                       c->text, c->info->name, form->value),
                         "form= is about the forms that :saturate found: without an expression");
    json_begin(&c->data, '{');
    bool ok = c->info->run(c);
    json_end(&c->data, '}');
    return ok;
}

void command_run(Repl *r, const Stmt *stmt)
{
    Call c = {.r = r, .span = stmt->span, .info = command_named(r, stmt->command, stmt)};
    c.span.end = c.span.start + 1 + (u32)strlen(stmt->command);
    if (!c.info)
        return;
    bool ok = run_call(&c, stmt);
    ok = !store_stopped(&r->s.st, "here") && ok; /* parts may be missing, whatever it says */
    bool says = c.out.len || c.report.tables.len || c.data_text.len > 2;
    if (ok && says && !c.collected)
        show_command(r, c.info->name, &c.report);
    if (ok && c.image.len)
        show_put(r, &c.image);
    report_free(&c.report);
    text_free(&c.out);
    text_free(&c.image);
    text_free(&c.data_text);
    arena_free(&c.arena);
}
