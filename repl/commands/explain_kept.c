/* :explain: what loops keep for those that run backward, and why; see explain.h and
 * core/analysis/saved_values.h. */
#include "repl/commands/explain.h"
#include "graph/provenance.h"

#include "analysis/saved_values.h"
#include "graph/names.h"
#include "graph/print.h"
#include "surface/surface.h"

typedef struct {
    Explain *e;
    SavedValues saved;
    NodeSet counted; /* traces, each once though several loops may read it */
    SET(const SavedValue *) told;
    i64 count;
    Size *bytes;
} Keeping;

/* Its words, on one line, cut if they are many. */
static void put_source(Text *out, const Span *s)
{
    enum { MOST = 19 };
    Text words = {0};
    for (u32 i = s->start; i < s->end; i++) {
        char c = s->src->text[i];
        bool blank = c == '\n' || c == ' ' || c == '\t';
        if (!blank || (words.len && words.at[words.len - 1] != ' '))
            text_putc(&words, blank ? ' ' : c);
    }
    size_t n = words.len <= MOST ? words.len : MOST - 1;
    while (n && n < words.len && ((unsigned char)words.at[n] & 0xC0) == 0x80)
        n--;
    text_printf(out, "`%.*s%s`", (int)n, text_str(&words), n < words.len ? "…" : "");
    text_free(&words);
}

static void put_reasons(Store *st, Text *out, const NodeVec *reasons)
{
    const Span *s = node_span(st, reasons->at[0]);
    put_source(out, s);
    text_putc(out, ' ');
    span_put_line(out, *s);
    if (reasons->len > 1)
        text_printf(out, ", +%zu", reasons->len - 1);
}

static void put_reason(Store *st, Text *out, const SavedValue *one, const NodeVec *reasons)
{
    if (reasons->len)
        put_reasons(st, out, reasons);
    else
        text_put(out, one->direct   ? "read at each step"
                      : one->inside ? "what it captures is made from it"
                                    : "read");
    if (!one->inside)
        text_put(out, ", after the loop");
}

static void put_row(Keeping *k, const SavedValue *one, Node *back, const char *why)
{
    Explain *e = k->e;
    Report *r = &e->c->report;
    Text type = {0}, size = {0};
    bool known = true;
    double count = size_value(&e->numbers, one->bytes, &known);
    size_put_type(&e->numbers, &type, one->type);
    size_put_bytes(&e->numbers, &size, one->bytes);
    report_item(r, "{=of}{=for}{=name}{=type}{=bytes}{=size}{=why}", explain_called(e, one->loop),
                back ? explain_called(e, back) : text_of(NULL), text_of(one->name),
                text_built(r, &type), known ? int_of((i64)count) : absent(), text_built(r, &size),
                text_of(why));
    if (map_has(&k->counted, one->trace))
        return;
    set_add(&k->counted, one->trace);
    k->count++;
    k->bytes = size_add(e->st, k->bytes, one->bytes);
}

/* What is read off one value of the source is told together. */
static void put_kept(Keeping *k, const SavedFor *all, size_t from)
{
    Explain *e = k->e;
    const SavedValue *first = &all->values.at[from];
    Text line = {0}, type = {0}, why = {0};
    NodeVec reasons = {0};
    Size *bytes = size_const(e->st, 0);
    u32 count = 0;
    saved_reasons(&k->saved, first->source, &reasons);
    put_reason(e->st, &why, first, &reasons);
    for (size_t i = from; i < all->values.len; i++) {
        const SavedValue *one = &all->values.at[i];
        if (map_has(&k->told, one) ||
            (i > from && (!one->source || one->source != first->source ||
                          one->type != first->type || one->loop != first->loop)))
            continue;
        set_add(&k->told, one);
        text_printf(&line, "%s%s", count++ ? ", " : "", one->name ? one->name : "a value");
        bytes = size_add(e->st, bytes, one->bytes);
        put_row(k, one, all->back, text_str(&why));
    }
    size_put_type(&e->numbers, &type, first->type);
    text_printf(&line, "  %s, ", text_str(&type));
    size_put_bytes(&e->numbers, &line, bytes);
    text_printf(&line, ": %s", text_str(&why));
    explain_point(e, 1, &line);
    text_free(&type);
    text_free(&why);
    vec_free(&reasons);
}

/* ---- outside of loops ---- */

/* Its name, or as it was written. */
static char *plain_name(Keeping *k, const SavedPlain *p)
{
    enum { NAME = 40 };
    Store *st = k->e->st;
    Text out = {0};
    Symbol name = node_name_in(st, p->within, p->value);
    const Span *span = node_span(st, p->value);
    if (name)
        text_put(&out, name);
    else if (span)
        put_source(&out, span);
    else
        node_source_within(st, &out, p->value, NAME, p->within);
    text_join_lines(&out);
    return report_take(&k->e->c->report, &out);
}

static void put_plain(Keeping *k, const SavedPlain *p)
{
    Explain *e = k->e;
    Report *r = &e->c->report;
    Text type = {0}, size = {0}, why = {0};
    bool known = true;
    double count = size_value(&e->numbers, p->bytes, &known);
    char *name = plain_name(k, p);
    size_put_type(&e->numbers, &type, p->type);
    size_put_bytes(&e->numbers, &size, p->bytes);
    put_reasons(e->st, &why, &p->reasons);
    explain_item(e, 0, "{=of}{=for}{name}  {type}, {=bytes}{size}: {why}", text_of(NULL),
                 text_of(NULL), text_of(name), text_built(r, &type),
                 known ? int_of((i64)count) : absent(), text_built(r, &size), text_built(r, &why));
    k->count++;
    k->bytes = size_add(e->st, k->bytes, p->bytes);
}

/* ---- by loop ---- */

static void put_values(Keeping *k, const SavedFor *all)
{
    for (size_t i = 0; i < all->values.len; i++)
        if (!map_has(&k->told, &all->values.at[i]))
            put_kept(k, all, i);
}

static void put_back_loop(Keeping *k, const SavedFor *f)
{
    Explain *e = k->e;
    Text again = {0};
    put_operators(&again, &f->again);
    if (f->values.len || again.len)
        explain_say(e, 0, "for %s", explain_called(e, f->back).text);
    put_values(k, f);
    if (again.len)
        explain_say(e, 1, "computed again at each step: %s", text_str(&again));
    text_free(&again);
}

/* Only what derivatives read for sure. */
static void put_alone(Keeping *k, const SavedFor *f)
{
    for (size_t i = 0; i < f->values.len; i++) {
        const SavedValue *one = &f->values.at[i];
        NodeVec reasons = {0};
        saved_reasons(&k->saved, one->source, &reasons);
        if (reasons.len && !map_has(&k->told, one))
            put_kept(k, f, i);
        vec_free(&reasons);
    }
}

static void put_policy(Keeping *k, const WrittenLoop *w)
{
    Text line = {0};
    i64 every = scan_shape(w->scan).checkpoint;
    if (every == CHECKPOINT_NONE)
        return;
    put_called(&line, k->e->st, w->scan, &k->e->x->numbering);
    if (every == CHECKPOINT_AUTO)
        text_put(&line, ", checkpoint auto: one state in about the square root of the steps is "
                        "kept, the rest computed again");
    else if (every == CHECKPOINT_STATES)
        text_put(&line, ", checkpoint 1: its states are kept, the rest computed again");
    else
        text_printf(&line, ", checkpoint %lld: every %lldth state is kept, the rest computed again",
                    (long long)every, (long long)every);
    explain_point(k->e, 0, &line);
}

void explain_kept(Explain *e, int n, Node *const *roots)
{
    Keeping k = {.e = e, .bytes = size_const(e->st, 0)};
    const SavedValues *saved = &k.saved;
    saved_find(&k.saved, e->st, n, roots, e->x->nroots, e->x->start);
    explain_heading(e, "saved for the backward pass, and whose derivative reads it (+1: one more)");
    for (size_t i = 0; i < saved->written.len; i++)
        put_policy(&k, &saved->written.at[i]);
    json_open(&e->c->data, "kept", '[');
    for (size_t i = 0; i < saved->loops.len; i++)
        (saved->loops.at[i].back ? put_back_loop : put_alone)(&k, &saved->loops.at[i]);
    for (size_t i = 0; i < saved->plain.len; i++)
        put_plain(&k, &saved->plain.at[i]);
    if (k.count > 1) {
        Text size = {0};
        size_put_bytes(&e->numbers, &size, k.bytes);
        explain_say(e, 0, "%lld values, in all %s", (long long)k.count, text_str(&size));
        text_free(&size);
    } else if (!k.count) {
        explain_say(e, 0, "nothing: no derivative reads a value that is computed before");
    }
    json_end(&e->c->data, ']');
    saved_free(&k.saved);
    map_free(&k.counted);
    map_free(&k.told);
}
