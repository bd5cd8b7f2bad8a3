/* Commands on the session: files, settings, contexts, memory, leaving. */
#include "repl/commands.h"
#include "repl/show.h"

#include <errno.h>

/* ---- :load, :reload ---- */

bool command_load(Call *c) { return repl_run_file(c->r, c->file, c->file_span); }

bool command_reload(Call *c)
{
    Repl *r = c->r;
    if (r->depth)
        return call_fail(c, c->span, "usage", NULL, ":reload is for the prompt, not for files");
    if (!r->files.len)
        return call_fail(c, c->span, "usage", ":load FILE", "no file was loaded yet");
    bool ok = true;
    for (size_t i = 0, n = r->files.len; i < n && ok; i++)
        ok = repl_run_file(r, r->files.at[i], c->span);
    return ok;
}

/* ---- :save ---- */

/* "x : f64[n]" of the declaration, without its value. */
static void put_declaration(Text *out, const SavedLine *line)
{
    if (line->stmt) {
        Stmt bare = *line->stmt;
        bare.value = NULL;
        ast_print_stmt(out, &bare);
    } else {
        text_printf(out, "%s : ", line->leaf->attrs[0].name);
        type_print(out, line->leaf->type);
    }
}

/* Sizes without a name, as `?` was given one, cannot be written but as `?`. */
static void put_leaf(Repl *r, Text *out, const SavedLine *line)
{
    put_declaration(out, line);
    if (line->leaf->op == OP_SHARED) {
        Tensor *t = map_get(&r->s.contexts.at[0]->values, line->leaf);
        text_put(out, " = ");
        if (t)
            tensor_literal(out, t);
    }
    text_putc(out, '\n');
}

static void put_values(Repl *r, Text *out)
{
    for (size_t i = 0; i < r->s.leaves.len; i++) {
        const Leaf *leaf = &r->s.leaves.at[i];
        Value *now = env_own(r->s.elab.globals, leaf->name);
        if (leaf->shared || !leaf->value || !now || now->node != leaf->node)
            continue;
        text_printf(out, "%s := ", leaf->name);
        tensor_literal(out, leaf->value);
        text_putc(out, '\n');
    }
    for (size_t k = 1; k < r->s.contexts.len; k++)
        for (size_t i = 0; i < r->s.leaves.len; i++) {
            const Leaf *leaf = &r->s.leaves.at[i];
            Tensor *t = leaf->shared ? map_get(&r->s.contexts.at[k]->values, leaf->node) : NULL;
            if (!t)
                continue;
            text_printf(out, "in %s { %s := ", r->s.contexts.at[k]->name, leaf->name);
            tensor_literal(out, t);
            text_put(out, " }\n");
        }
}

bool command_save(Call *c)
{
    Repl *r = c->r;
    Text out = {0};
    for (size_t i = 0; i < r->saved.len; i++) {
        const SavedLine *line = &r->saved.at[i];
        if (line->leaf) {
            put_leaf(r, &out, line);
            continue;
        }
        for (const char *doc = line->stmt->doc; doc && *doc;) {
            size_t n = strcspn(doc, "\n");
            text_printf(&out, "# %.*s\n", (int)n, doc);
            doc += n + (doc[n] == '\n');
        }
        ast_print_stmt(&out, line->stmt);
        text_putc(&out, '\n');
    }
    put_values(r, &out);
    FILE *f = fopen(c->file, "w");
    bool ok = f && fwrite(text_str(&out), 1, out.len, f) == out.len;
    int error = errno;
    if (f && fclose(f) != 0 && ok) {
        ok = false;
        error = errno;
    }
    text_free(&out);
    if (!ok)
        return call_fail(c, c->file_span, "io", NULL, "%s cannot be written: %s", c->file,
                         strerror(error));
    text_printf(&c->out, "%zu declarations and definitions in %s\n", r->saved.len, c->file);
    json_key(&c->data, "file");
    json_string(&c->data, c->file);
    return true;
}

/* ---- :set ---- */

static void show_settings(Call *c)
{
    Repl *r = c->r;
    RuleSet *rs = &r->s.rules;
    static const char *const colors[] = {"auto", "always", "never"};
    Text allowed = {0};
    Table t = {.columns = 2};
    hazard_print(&allowed, rs->allowed);
    const struct {
        const char *name;
        double value;
    } numbers[] = {{"steps", rs->step_limit},
                   {"nodes", rs->node_limit},
                   {"seconds", rs->time_limit},
                   {"memory", (double)r->s.st.heap.limit},
                   {"print", (double)r->threshold}};
    table_cell(&t, "allow");
    table_cell(&t, "%s", text_str(&allowed));
    json_key(&c->data, "allow");
    json_string(&c->data, text_str(&allowed));
    for (size_t i = 0; i < COUNT_OF(numbers); i++) {
        table_cell(&t, "%s", numbers[i].name);
        table_cell(&t, "%.10g", numbers[i].value);
        json_key(&c->data, numbers[i].name);
        json_double(&c->data, numbers[i].value);
    }
    table_cell(&t, "color");
    table_cell(&t, "%s", colors[r->color_mode]);
    table_print(&t, &c->out, 0);
    for (size_t i = 0; i < rs->all.len; i++)
        if (rs->all.at[i]->off)
            text_printf(&c->out, "rule %s off\n", rs->all.at[i]->name);
    for (size_t i = 0; i < rs->pipeline.len; i++)
        if (rs->pipeline.at[i].off)
            text_printf(&c->out, "pass %s off\n", rs->pipeline.at[i].name);
    text_free(&allowed);
}

static bool set_allow(Call *c)
{
    const char *word;
    Span span;
    u32 classes = HAZARD_DEFAULT;
    bool any = false;
    for (; call_word(c, &word, &span); any = true) {
        u32 bits = strcmp(word, "default") == 0 ? HAZARD_DEFAULT : hazard_parse(word, strlen(word));
        if (!bits)
            return call_fail(c, span, "unknown-name", "the classes are E Z R N+ N- D S C",
                             "there is no class %s of rules", word);
        classes |= bits;
    }
    if (!any)
        return call_fail(c, c->span, "usage", ":set allow Z", "which classes?");
    c->r->s.rules.allowed = classes;
    session_forget(&c->r->s);
    return true;
}

static bool on_or_off(Call *c, bool *off)
{
    const char *word;
    Span span = c->span;
    if (!call_word(c, &word, &span))
        return call_fail(c, span, "usage", NULL, "on or off?");
    *off = strcmp(word, "off") == 0;
    return *off || strcmp(word, "on") == 0 ||
           call_fail(c, span, "usage", NULL, "this is on or off, not %s", word);
}

static bool set_rule(Call *c)
{
    const char *name;
    Span span;
    bool off;
    RuleSet *rs = &c->r->s.rules;
    if (!call_word(c, &name, &span))
        return call_fail(c, c->span, "usage", ":set rule NAME off", "which rule?");
    Rule *rule = rule_by_name(rs, name);
    if (!rule) {
        VEC(const char *) names = {0};
        for (size_t i = 0; i < rs->all.len; i++)
            vec_push(&names, rs->all.at[i]->name);
        const char *close = closest_name(name, names.at, names.len);
        Text hint = {0};
        text_printf(&hint, close ? "did you mean %s?" : ":rules lists them", close);
        call_fail(c, span, "unknown-name", text_str(&hint), "there is no rule %s", name);
        text_free(&hint);
        vec_free(&names);
        return false;
    }
    if (!on_or_off(c, &off))
        return false;
    rule->off = off;
    session_forget(&c->r->s);
    return true;
}

static bool set_pass(Call *c)
{
    const char *name;
    Span span;
    bool off, known = false;
    RuleSet *rs = &c->r->s.rules;
    if (!call_word(c, &name, &span))
        return call_fail(c, c->span, "usage", ":set pass NAME off", "which pass?");
    for (size_t i = 0; i < rs->pipeline.len; i++)
        known = known || strcmp(rs->pipeline.at[i].name, name) == 0;
    if (!known)
        return call_fail(c, span, "unknown-name", ":passes lists them", "there is no pass %s",
                         name);
    if (!on_or_off(c, &off))
        return false;
    for (size_t i = 0; i < rs->pipeline.len; i++)
        if (strcmp(rs->pipeline.at[i].name, name) == 0)
            rs->pipeline.at[i].off = off;
    session_forget(&c->r->s);
    return true;
}

static bool set_number(Call *c, double low, double high, double *out)
{
    const char *word;
    Span span = c->span;
    char *end = NULL;
    if (!call_word(c, &word, &span))
        return call_fail(c, span, "usage", NULL, "which value?");
    *out = strtod(word, &end);
    if (end == word || *end || !(*out >= low && *out <= high))
        return call_fail(c, span, "usage", NULL, "this takes a number from %.10g to %.10g", low,
                         high);
    return true;
}

static bool set_color(Call *c)
{
    const char *word;
    Span span = c->span;
    ColorMode mode;
    if (!call_word(c, &word, &span) || !term_color_mode(word, &mode))
        return call_fail(c, span, "usage", NULL, "color is auto, always or never");
    repl_set_color(c->r, mode);
    return true;
}

static bool set_named_number(Call *c, const char *name, bool *known)
{
    RuleSet *rs = &c->r->s.rules;
    double x = 0;
    bool ok = true;
    *known = true;
    if (strcmp(name, "print") == 0) {
        if ((ok = set_number(c, 0, 1e15, &x)))
            c->r->threshold = (i64)x;
    } else if (strcmp(name, "memory") == 0) {
        if ((ok = set_number(c, 0, 1e18, &x)))
            c->r->s.st.heap.limit = (size_t)x;
    } else if (strcmp(name, "steps") == 0) {
        if ((ok = set_number(c, 0, 4e9, &x)))
            rs->step_limit = (u32)x;
    } else if (strcmp(name, "nodes") == 0) {
        if ((ok = set_number(c, 0, 4e9, &x)))
            rs->node_limit = (u32)x;
    } else if (strcmp(name, "seconds") == 0) {
        if ((ok = set_number(c, 0, 1e9, &x)))
            rs->time_limit = x;
    } else {
        *known = false;
    }
    if (*known && ok)
        session_forget(&c->r->s);
    return ok;
}

bool command_set(Call *c)
{
    static const char *const names[] = {"allow", "rule",    "pass",   "steps", "nodes",
                                        "print", "seconds", "memory", "color"};
    const char *name, *more;
    Span span;
    if (!call_word(c, &name, &span)) {
        show_settings(c);
        return true;
    }
    bool known = true, ok;
    if (strcmp(name, "allow") == 0)
        ok = set_allow(c);
    else if (strcmp(name, "rule") == 0)
        ok = set_rule(c);
    else if (strcmp(name, "pass") == 0)
        ok = set_pass(c);
    else if (strcmp(name, "color") == 0)
        ok = set_color(c);
    else
        ok = set_named_number(c, name, &known);
    if (!known) {
        const char *close = closest_name(name, names, COUNT_OF(names));
        Text hint = {0};
        text_printf(&hint, close ? "did you mean %s?" : ":help set lists them", close);
        call_fail(c, span, "unknown-name", text_str(&hint), "there is no setting %s", name);
        text_free(&hint);
        return false;
    }
    if (ok && call_word(c, &more, &span))
        return call_fail(c, span, "usage", NULL, "this is one too many");
    return ok;
}

/* ---- :contexts, :history, :gc, :quit ---- */

bool command_contexts(Call *c)
{
    Session *s = &c->r->s;
    json_key(&c->data, "contexts");
    json_begin(&c->data, '[');
    for (size_t k = 0; k < s->contexts.len; k++) {
        text_printf(&c->out, "%s\n", s->contexts.at[k]->name);
        json_begin(&c->data, '{');
        json_key(&c->data, "name");
        json_string(&c->data, s->contexts.at[k]->name);
        json_key(&c->data, "values");
        json_begin(&c->data, '{');
        for (size_t i = 0; i < s->leaves.len; i++) {
            const Leaf *leaf = &s->leaves.at[i];
            Tensor *t = leaf->shared ? map_get(&s->contexts.at[k]->values, leaf->node) : NULL;
            if (!t)
                continue;
            Text value = {0}, json = {0};
            tensor_print(&value, t, c->r->threshold);
            tensor_json(&json, t);
            text_printf(&c->out, "  %s : ", leaf->name);
            show_tensor_type(&c->out, t);
            text_printf(&c->out, " =%s%s\n", strchr(text_str(&value), '\n') ? "\n" : " ",
                        text_str(&value));
            json_key(&c->data, leaf->name);
            json_raw(&c->data, text_str(&json));
            text_free(&value);
            text_free(&json);
        }
        json_end(&c->data, '}');
        json_end(&c->data, '}');
    }
    json_end(&c->data, ']');
    return true;
}

/* The first word as a whole number. */
static bool word_count(Call *c, i64 fallback, i64 limit, i64 *out)
{
    const char *word;
    Span span;
    *out = fallback;
    if (!call_word(c, &word, &span))
        return true;
    char *end;
    *out = strtoll(word, &end, 10);
    return (!*end && end != word && *out >= 0 && *out <= limit) ||
           call_fail(c, span, "usage", NULL, "this takes a whole number from 0 to %lld",
                     (long long)limit);
}

bool command_history(Call *c)
{
    i64 n;
    if (!word_count(c, 20, 1000000, &n))
        return false;
    if (!c->r->line)
        return call_fail(c, c->span, "usage", NULL, "only what is typed at the prompt is kept");
    int count = 0;
    while (line_history(c->r->line, count))
        count++;
    json_key(&c->data, "entries");
    json_begin(&c->data, '[');
    for (int i = count > n ? count - (int)n : 0; i < count; i++) {
        const char *entry = line_history(c->r->line, i);
        text_printf(&c->out, "%s\n", entry);
        json_string(&c->data, entry);
    }
    json_end(&c->data, ']');
    return true;
}

bool command_gc(Call *c)
{
    Store *st = &c->r->s.st;
    session_forget(&c->r->s);
    heap_free(&st->heap);
    text_printf(
        &c->out,
        "compiled programs and spare buffers are given back; %u nodes in %.1f MB stay, tensors "
        "take %.1f MB\n",
        st->node_count, (double)st->arena.total / 1e6, (double)st->heap.live / 1e6);
    json_key(&c->data, "nodes");
    json_int(&c->data, st->node_count);
    json_key(&c->data, "graph_bytes");
    json_int(&c->data, (i64)st->arena.total);
    json_key(&c->data, "tensor_bytes");
    json_int(&c->data, (i64)st->heap.live);
    return true;
}

bool command_quit(Call *c)
{
    i64 code;
    if (!word_count(c, -1, 255, &code))
        return false;
    if (code >= 0)
        c->r->status = (int)code;
    else if (c->r->prompting)
        c->r->status = EXIT_FINE;
    c->r->quit = true;
    return true;
}
