/* A scan that is looked at step by step.  See looking.h. */
#include "repl/commands/looking.h"

#include "tensor/brief.h"
#include "passes/passes.h"

/* ---- tables ---- */

static bool find_layout(Looking *l)
{
    Repl *r = l->c->r;
    i64 width, digits;
    if (!call_number(l->c, "width", repl_width(r), LEAST_WIDTH, MOST_WIDTH, &width) ||
        !call_number(l->c, "digits", r->digits ? r->digits : BRIEF_DIGITS, 1, MOST_DIGITS, &digits))
        return false;
    l->width = (int)width;
    l->digits = (int)digits;
    return true;
}

void looking_put_part(Looking *l)
{
    if (l->part)
        grid_note(&l->c->out,
                  "… marks values that do not fit: a larger width= or fewer digits= makes room, an "
                  "index, as in S.h[3], shows a value whole, --json has all",
                  l->width);
}

/* ---- begin ---- */

bool looking_loss(Looking *l)
{
    Type *t = l->roots[0]->type;
    if (l->nroots == 1 && t->kind == TYPE_TENSOR && t->rank == 0 && dtype_is_float(t->dtype))
        return true;
    return call_fail(l->c, l->c->rest, "type-mismatch", "sum(...) makes a scalar of an array",
                     "a gradient is of one real number");
}

/* `at=`: where it begins, and how many. */
static bool find_first(Looking *l, i64 rows, i64 most)
{
    LoopRange at;
    if (!call_range(l->c, "at", l->steps ? l->steps - 1 : 0, &at))
        return false;
    l->from = at.given ? at.from : -1;
    l->rows = at.given && !at.open ? at.to - at.from + 1 : rows;
    return l->rows <= most || call_fail(l->c, call_option(l->c, "at")->span, "usage", NULL,
                                        "at most %lld steps are shown at once", (long long)most);
}

bool looking_begin(Looking *l, i64 rows, i64 most)
{
    l->nroots = call_roots(l->c, &l->roots);
    l->e = session_evaluator(&l->c->r->s);
    if (l->nroots < 1 ||
        !derivatives_expand(l->st, l->e.rules, l->e.options, l->nroots, l->roots) ||
        !(l->scan = looking_scan(l)) || !probe_steps(&l->e, l->scan, &l->steps, &l->stopped))
        return false;
    l->s = scan_shape(l->scan);
    return find_first(l, rows, most) && find_layout(l);
}

void looking_show(Looking *l, i64 first)
{
    i64 left = l->steps - first;
    l->first = first;
    l->k = (int)(left < l->rows ? left : l->rows);
}

void looking_end(Looking *l) { free(l->roots); }

/* ---- what is left out ---- */

/* "… 40 steps before these (at=20..)" */
static bool put_rest(Text *out, bool more, i64 n, const char *where, i64 from)
{
    if (n > 0)
        text_printf(out, "%s %lld%s step%s%s (at=%lld..)", more ? "," : "…", (long long)n,
                    *where || more ? "" : " more", n == 1 ? "" : "s", where, (long long)from);
    return more || n > 0;
}

static i64 page_before(const Looking *l) { return l->first > l->rows ? l->first - l->rows : 0; }

static void put_note(Looking *l, Text *note)
{
    if (note->len)
        grid_note(&l->c->out, text_str(note), l->width);
    text_free(note);
}

void looking_put_end(Looking *l)
{
    Text note = {0}, *out = &note;
    i64 end = l->first + l->k;
    bool said = put_rest(out, false, l->first, " before", page_before(l));
    said = put_rest(out, said, l->steps - end, said ? " after" : "", end);
    if (l->stopped)
        text_printf(out, "%suntil stopped it after step %lld", said ? "; " : "",
                    (long long)l->steps);
    if (!l->steps)
        text_put(out, "the loop takes no steps");
    put_note(l, &note);
    report_say(&l->c->report, "{=steps}{=stopped}{=from}", int_of(l->steps), flag_of(l->stopped),
               int_of(l->first));
}

void looking_put_way_back(Looking *l)
{
    Text note = {0};
    i64 end = l->first + l->k;
    bool said = put_rest(&note, false, l->steps - end, " after", end);
    put_rest(&note, said, l->first, said ? " before" : "", page_before(l));
    put_note(l, &note);
    report_field(&l->c->report, "backward_from", int_of(l->first));
}
