/* Commands on the session: files, contexts, memory, leaving. */
#include "repl/commands/commands.h"
#include "repl/commands/derivation_by_hand.h"
#include "repl/commands/show.h"
#include "session/definitions.h"
#include "session/describe.h"
#include "session/save.h"
#include "session/undo.h"

/* ---- :load ---- */

bool command_load(Call *c)
{
    Repl *r = c->r;
    if (c->file)
        return repl_run_file(r, c->file, c->file_span);
    if (r->depth)
        return call_fail(c, c->span, "usage", ":load FILE",
                         ":load without a file is for the prompt, not for files");
    if (!r->files.len)
        return call_fail(c, c->span, "usage", ":load FILE", "no file was loaded yet");
    bool ok = true;
    for (size_t i = 0, n = r->files.len; i < n && ok; i++)
        ok = repl_run_file(r, r->files.at[i], c->span);
    return ok;
}

/* ---- :save ---- */

/* What was switched, as `:set` lines: last, so that the rules they name are there. */
void settings_put(const Repl *r, Text *out)
{
    Setting number;
    for (size_t k = 0; setting_number(r, k, &number); k++)
        if (number.value != number.usual) {
            text_printf(out, ":set %s ", number.name);
            text_double(out, number.value);
            text_putc(out, '\n');
        }
    options_save(r->s.rules, &r->s.options, out);
}

bool command_save(Call *c)
{
    Repl *r = c->r;
    Text out = {0};
    size_t n;
    u32 moves = 0;
    bool rules = repl_is_rules(c->file), ok = true;
    if (rules) {
        n = rules_save(r->s.rules, &out);
    } else {
        n = session_print(&r->s, &out) + r->rules.len;
        for (size_t i = 0; i < r->rules.len; i++)
            text_printf(&out, ":rule %s\n", r->rules.at[i]);
        settings_put(r, &out);
        ok = hand_print(&r->s, &out, &moves) ||
             call_fail(c, c->file_span, "no-move",
                       "`:move EXPR` starts over with the current expression",
                       "the derivation cannot be saved: names that it began with mean something "
                       "else now");
    }
    ok = ok && call_put_file(c, &out, NULL);
    text_free(&out);
    if (!ok)
        return false;
    report_say(&c->report, rules ? "{=file}{rules rule}" : "{=file}{- statement}", text_of(c->file),
               int_of((i64)n));
    if (moves)
        report_say(&c->report, " and {moves move}", int_of(moves));
    report_say(&c->report, " in {-}", text_of(c->file));
    return true;
}

/* ---- :vars ---- */

enum { MEANING = 60 }; /* characters of a definition that are shown */

static const char *kind_of(const Leaf *leaf, const Value *v)
{
    if (leaf)
        return leaf->shared ? "shared" : "input";
    return v->kind == V_FUNCTION || v->kind == V_DERIVED ? "function" : "definition";
}

/* The value of an input or shared variable, of a tuple part by part; nothing where one has none. */
static bool put_held(Call *c, Text *out, const Definition *d)
{
    Session *s = &c->r->s;
    for (int i = 0; i < d->nleaves; i++)
        if (!session_value_held(s, session_leaf(s, d->leaves[i])))
            return false;
    size_t from = 0;
    for (int i = 0; i < d->nleaves; from = d->gaps[i++]) {
        text_putn(out, d->form + from, d->gaps[i] - from);
        show_brief(c->r, out, session_value_held(s, session_leaf(s, d->leaves[i])));
    }
    text_put(out, d->form ? d->form + from : "");
    return d->nleaves > 0;
}

static void add_name(Call *c, Rows *rows, const Definition *d, Symbol name)
{
    Session *s = &c->r->s;
    Value *v = env_own(s->elab.globals, name);
    const Leaf *leaf = d->leaf ? session_leaf(s, d->leaf) : NULL;
    if (!v)
        return;
    Text type = {0}, value = {0};
    value_type_print(&c->r->s.elab, &type, v);
    put_held(c, &value, d);
    if (!leaf)
        definition_put_meaning(&value, d->text, MEANING);
    rows_add(rows, text_of(name), text_of(kind_of(leaf, v)), text_built(&c->report, &type),
             text_built(&c->report, &value));
}

/* What shared variables hold in each of several contexts. */
static void tell_contexts(Call *c)
{
    Session *s = &c->r->s;
    if (s->contexts.len < 2)
        return;
    json_open(&c->data, "contexts", '[');
    for (size_t k = 0; k < s->contexts.len; k++) {
        json_begin(&c->data, '{');
        report_say(&c->report, "in {name}:\n", text_of(s->contexts.at[k]->name));
        json_open(&c->data, "values", '{');
        for (size_t i = 0; i < s->leaves.len; i++) {
            const Leaf *leaf = &s->leaves.at[i];
            Tensor *t = leaf->shared ? map_get(&s->contexts.at[k]->values, leaf->node) : NULL;
            if (!t)
                continue;
            text_printf(&c->out, "  %s : ", leaf->name);
            show_tensor(c->r, &c->out, t);
            report_field(&c->report, leaf->name, tensor_of(t));
        }
        json_end(&c->data, '}');
        json_end(&c->data, '}');
    }
    json_end(&c->data, ']');
}

bool command_vars(Call *c)
{
    static const Column columns[] = {{"", "name"}, {"", "kind"}, {"", "type"}, {"", "brief"}};
    Session *s = &c->r->s;
    Rows rows = rows_begin(&c->report, columns, COUNT_OF(columns));
    for (const Definition *d = s->first_definition; d; d = d->after)
        for (int i = 0; i < d->nnames; i++)
            if (map_get(&s->defined, d->names[i]) == d && !d->last_value)
                add_name(c, &rows, d, d->names[i]);
    if (!rows.table.cells.len)
        text_put(&c->out, "no name is yours yet: `x = 1` makes one\n");
    rows_put(&rows, "vars");
    tell_contexts(c);
    return true;
}

/* ---- :undo, :reset ---- */

static void put_undone_name(Call *c, Symbol name)
{
    const Definition *d = map_get(&c->r->s.defined, name);
    Text held = {0};
    report_say(&c->report, "{}", text_of(name));
    text_put(&c->out, d ? " is again: " : " has no meaning any more");
    text_put(&c->out, d ? d->text : "");
    if (d && put_held(c, &held, d))
        text_printf(&c->out, " = %s", text_str(&held));
    text_free(&held);
    text_putc(&c->out, '\n');
}

static void put_undone_move(Call *c)
{
    const struct ByHand *h = c->r->s.by_hand;
    if (!h) {
        text_put(&c->out, "the interactive derivation has ended\n");
        return;
    }
    report_say(&c->report, "again on the branch {branch}, after {moves move}\n",
               text_of(h->branches.at[h->branch].name), int_of(hand_length(h, hand_state(h))));
    call_hand_steps(c);
    put_goal(c);
}

bool command_undo(Call *c)
{
    Undone undone = {.hand = false};
    i64 count, done = 0;
    if (!call_positional(c, 1, 1000, &count))
        return false;
    while (done < count && session_undo(&c->r->s, &undone))
        done++;
    if (!done)
        return call_fail(c, c->span, "usage", NULL, "there is nothing to undo");
    json_open(&c->data, "names", '[');
    for (size_t i = undone.names.len; i-- > 0;)
        put_undone_name(c, undone.names.at[i]);
    json_end(&c->data, ']');
    if (undone.hand)
        put_undone_move(c);
    text_putn(&c->out, text_str(&undone.settings), undone.settings.len);
    text_free(&undone.settings);
    vec_free(&undone.names);
    return true;
}

bool command_reset(Call *c)
{
    if (c->r->depth || c->r->listener.diag)
        return call_fail(c, c->span, "usage", NULL, ":reset is for the prompt, not for files");
    c->r->reset = true;
    return true;
}

/* ---- :history, :quit ---- */

bool command_history(Call *c)
{
    i64 n;
    if (!call_positional(c, 20, 1000000, &n))
        return false;
    if (!c->r->line)
        return call_fail(c, c->span, "usage", NULL, "only what is typed at the prompt is kept");
    int count = 0;
    while (line_history(c->r->line, count))
        count++;
    json_open(&c->data, "entries", '[');
    for (int i = count > n ? count - (int)n : 0; i < count; i++)
        report_say(&c->report, "{}\n", text_of(line_history(c->r->line, i)));
    json_end(&c->data, ']');
    return true;
}

bool command_quit(Call *c)
{
    i64 code;
    if (!call_positional(c, -1, 255, &code))
        return false;
    if (code >= 0)
        c->r->status = (int)code;
    else if (c->r->prompting)
        c->r->status = EXIT_FINE;
    c->r->quit = true;
    return true;
}
