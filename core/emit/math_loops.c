/* Loops as recurrences: what states are before the first step, for which t, the equations, when
 * they end.  Rows are counted from 0 as in the language, so h_{-1} is h before the first step. */
#include "emit/math.h"

/* ---- how many steps ---- */

static bool shape_of(const Expr *e, ScanShape *s)
{
    const Node *n = e->scan->of;
    if (!n || n->op != OP_SCAN)
        return false;
    *s = scan_shape(n);
    return true;
}

/* The number of steps plus `more`, or NULL where it has no text. */
static const char *steps_plus(MathWriter *w, const Expr *e, i64 more)
{
    ScanShape s;
    i64 n;
    const char *text = NULL;
    if (shape_of(e, &s)) {
        if (node_const_i64(s.n, &n))
            return n == SCAN_UNBOUNDED ? NULL : math_text(w, "%lld", (long long)(n + more));
        text = math_size(w, size_of_node(w->st, s.n), LEVEL_ADD);
    }
    if (!text && e->scan->count)
        text = math_at(w, math_expr(w, e->scan->count, NULL), LEVEL_ADD);
    if (!text)
        return NULL;
    return more ? math_text(w, "%s %s %lld", text, more < 0 ? "-" : "+", llabs((long long)more))
                : text;
}

static bool runs_back(const Expr *e)
{
    ScanShape s;
    return shape_of(e, &s) ? s.reverse : e->scan->reverse || e->scan->down;
}

/* "t = 0, ..., n - 1" */
static const char *range(MathWriter *w, const Expr *e)
{
    const char *index = math_name(w, e->scan->index).text;
    const char *last = steps_plus(w, e, -1), *dots = math_form(w, M_DOTS, NULL, NULL, NULL);
    if (!last && runs_back(e))
        return math_text(w, "%s = %s, %s, 0", index, math_word(w, M_WORD, "end"), dots);
    if (!last)
        return math_text(w, "%s = 0, 1, 2, %s", index, dots);
    if (!strcmp(last, "0"))
        return math_text(w, "%s = 0", index);
    if (!strcmp(last, "1"))
        return math_text(w, runs_back(e) ? "%s = 1, 0" : "%s = 0, 1", index);
    return runs_back(e) ? math_text(w, "%s = %s, %s, 0", index, last, dots)
                        : math_text(w, "%s = 0, %s, %s", index, dots, last);
}

/* What else its header says: that it may stop before, what its derivative keeps of it. */
static const char *header(MathWriter *w, const Expr *e)
{
    const ScanExpr *s = e->scan;
    if (s->grows)
        return math_text(w, " %s", math_word(w, M_TEXT, "at most"));
    if (!s->checkpoint && !s->checkpoint_auto)
        return "";
    const char *how =
        s->checkpoint ? math_expr(w, s->checkpoint, NULL).text : math_word(w, M_WORD, "auto");
    return math_text(w, ", %s",
                     math_form(w, M_EQUAL, math_word(w, M_WORD, "checkpoint"), how, NULL));
}

/* ---- parts ---- */

static const char *tap(MathWriter *w, const ScanExpr *s, i64 offset)
{
    const char *index = math_name(w, s->index).text;
    return offset
               ? math_text(w, "%s %s %lld", index, offset < 0 ? "-" : "+", llabs((long long)offset))
               : index;
}

/* The offset of the left side of a state's equation. */
static i64 target_offset(const ScanExpr *s, const char *state)
{
    for (int i = 0; i < s->nitems; i++)
        for (int k = 0; k < s->items[i].ntargets; k++)
            if (!strcmp(s->items[i].targets[k].name, state))
                return s->items[i].targets[k].offset;
    return 0;
}

/* h_{-1} = h0; of a state that reads several rows, all those before the first. */
static void put_state(MathWriter *w, const Expr *e, const MathLoop *loop, const Bind *b)
{
    Piece value = math_expr(w, b->init, NULL);
    i64 offset = target_offset(e->scan, b->name);
    const char *at =
        runs_back(e) ? steps_plus(w, e, offset) : math_text(w, "%lld", (long long)offset - 1);
    Piece name = math_part(w, loop->scan, loop->record, b->name);
    at = at ? at : math_row_number(w, math_word(w, M_WORD, "end"), (int)offset + 1);
    math_row(w, math_behind(w, math_text(w, "%s = ", math_indexed(w, name, at).text), value));
}

/* x = E: a sequence with a name of its own. */
static void put_sequence(MathWriter *w, const MathLoop *loop, const Bind *b)
{
    bool other = b->init && (b->init->kind != E_NAME || strcmp(b->init->text, b->name));
    if (!other || b->indexed)
        return;
    Piece init = math_expr(w, b->init, NULL);
    const char *name = math_part(w, loop->scan, loop->record, b->name).text;
    if (strcmp(name, init.text) && !init.first)
        math_row(w, math_behind(w, math_text(w, "%s = ", name), init));
}

/* h_{t-1} = E_t: one that is called by another row, or is a trace whose rows are. */
static void put_shifted(MathWriter *w, const MathLoop *loop, const Bind *b)
{
    if (!b->init)
        return;
    w->loop = loop->outer;
    Piece value = math_expr(w, b->init, NULL);
    w->loop = loop;
    if (!b->indexed && !value.first)
        return;
    Piece right = math_indexed(w, value, tap(w, loop->scan, value.first));
    Piece name = math_part(w, loop->scan, loop->record, b->name);
    const char *left = math_indexed(w, name, tap(w, loop->scan, b->offset)).text;
    if (strcmp(left, right.text))
        math_row(w, math_behind(w, math_text(w, "%s = ", left), right));
}

static const char *target_text(MathWriter *w, const MathLoop *loop, const Target *t)
{
    Piece p = math_part(w, loop->scan, loop->record, t->name);
    return t->indexed ? math_indexed(w, p, tap(w, loop->scan, t->offset)).text : p.text;
}

static void put_item(MathWriter *w, const MathLoop *loop, const ScanItem *item)
{
    bool named_loop =
        item->ntargets == 1 && !item->targets[0].indexed && item->value->kind == E_SCAN;
    if (named_loop) {
        math_loop(w, item->value, item->targets[0].name);
        return;
    }
    if (item->until || item->check) {
        const Expr *condition =
            item->check && item->value->nargs ? item->value->args[0].value : item->value;
        MathForm word = item->check ? M_WHERE : loop->scan->loop ? M_WHILE : M_UNTIL;
        Piece p = math_expr(w, condition, NULL);
        if (item->check && item->value->nargs > 1)
            p = math_beside(w, p, "", math_expr(w, item->value->args[1].value, NULL));
        math_row(w, math_behind(w, math_form(w, word, NULL, NULL, NULL), p));
        return;
    }
    const char *left = "";
    for (int k = 0; k < item->ntargets; k++)
        left = math_text(w, "%s%s%s", left, k ? ", " : "", target_text(w, loop, &item->targets[k]));
    if (item->ntargets > 1)
        left = math_form(w, M_PARENTHESES, left, NULL, NULL);
    math_row(w, math_equation(w, left, math_expr(w, item->value, NULL)));
}

/* ---- what it is as a value ---- */

/* Is the name that of rows that the loop gives? */
static bool is_kept(const ScanExpr *s, const Target *t)
{
    bool kept = !s->has_keep;
    for (int i = 0; i < s->nkeep; i++)
        kept = kept || !strcmp(s->keep[i].name, t->name);
    return kept && t->indexed;
}

/* (h_t)_t, or a tuple of these. */
static Piece traces(MathWriter *w, const MathLoop *loop)
{
    const char *text = "", *index = math_name(w, loop->scan->index).text;
    int n = 0;
    for (int i = 0; i < loop->scan->nitems; i++)
        for (int k = 0; k < loop->scan->items[i].ntargets; k++) {
            const Target *t = &loop->scan->items[i].targets[k];
            if (!is_kept(loop->scan, t))
                continue;
            const char *rows = math_form(w, M_PARENTHESES, target_text(w, loop, t), NULL, NULL);
            text = math_text(w, "%s%s%s", text, n++ ? ", " : "",
                             math_form(w, M_SUBSCRIPT, rows, index, NULL));
        }
    if (n != 1)
        text = math_form(w, M_PARENTHESES, text, NULL, NULL);
    return math_piece(text, LEVEL_POSTFIX);
}

static void put_body(MathWriter *w, const Expr *e, const MathLoop *loop)
{
    const ScanExpr *s = e->scan;
    math_row(w, math_piece(math_text(w, "%s%s%s", math_form(w, M_FOR, NULL, NULL, NULL),
                                     range(w, e), header(w, e)),
                           LEVEL_ANY));
    w->depth++;
    for (int i = 0; i < s->nover; i++)
        put_shifted(w, loop, &s->over[i]);
    const Node *n = s->of;
    GraphPlace inside = {n, n ? n->attrs[0].graph : NULL, w->place};
    w->place = n ? &inside : w->place;
    for (int i = 0; i < s->nitems; i++)
        put_item(w, loop, &s->items[i]);
    w->place = inside.outer;
    w->depth--;
}

Piece math_loop(MathWriter *w, const Expr *e, const char *record)
{
    MathLoop loop = {e->scan, record, w->loop};
    for (int i = 0; i < e->scan->nover; i++)
        put_sequence(w, &loop, &e->scan->over[i]);
    for (int i = 0; i < e->scan->nfrom; i++)
        put_state(w, e, &loop, &e->scan->from[i]);
    w->loop = &loop;
    put_body(w, e, &loop);
    Piece all = traces(w, &loop);
    w->loop = loop.outer;
    if (!record)
        return all;
    Piece name = math_name(w, record);
    if (map_has(&w->whole, math_symbol(w, record)))
        math_row(w, math_behind(w, math_text(w, "%s = ", name.text), all));
    return name;
}

/* ---- fields ---- */

static bool is_last(const char *field) { return !strcmp(field, "final") || !strcmp(field, "last"); }

static Piece final_of(MathWriter *w, const ScanExpr *s, const char *record, const char *state)
{
    Piece p = math_part(w, s, record, state);
    return math_indexed(w, p, math_word(w, M_WORD, "final"));
}

/* The last state, or a tuple of all last ones. */
static Piece finals_of(MathWriter *w, const ScanExpr *s, const char *record)
{
    const char *text = "";
    if (s->nfrom == 1)
        return final_of(w, s, record, s->from[0].name);
    for (int i = 0; i < s->nfrom; i++)
        text = math_text(w, "%s%s%s", text, i ? ", " : "",
                         final_of(w, s, record, s->from[i].name).text);
    return math_piece(math_form(w, M_PARENTHESES, text, NULL, NULL), LEVEL_POSTFIX);
}

/* The loop that a base is, with its rows before if it has no name; NULL: it is none. */
static const ScanExpr *loop_of(MathWriter *w, const Expr *base, const char **record)
{
    *record = NULL;
    if (base->kind == E_SCAN) {
        math_loop(w, base, NULL);
        return base->scan;
    }
    if (base->kind != E_NAME)
        return NULL;
    *record = base->text;
    return map_get(&w->records, math_symbol(w, base->text));
}

Piece math_field(MathWriter *w, const Expr *e)
{
    const Expr *base = e->items[0];
    const char *record;
    bool of_final = base->kind == E_FIELD && is_last(base->text);
    const ScanExpr *s = loop_of(w, of_final ? base->items[0] : base, &record);
    if (s && of_final)
        return final_of(w, s, record, e->text);
    if (s && is_last(e->text))
        return finals_of(w, s, record);
    if (s && strcmp(e->text, "steps") && strcmp(e->text, "stopped")) {
        Piece p = math_part(w, s, record, e->text);
        p.trace = true;
        p.first = (int)target_offset(s, e->text);
        return p;
    }
    if (s && !record)
        return math_piece(math_word(w, M_WORD, e->text), LEVEL_POSTFIX);
    return math_indexed(w, math_expr(w, base, NULL), math_word(w, M_WORD, e->text));
}
