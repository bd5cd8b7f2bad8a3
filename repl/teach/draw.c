/* Numbers that questions draw, and texts made with them.
 *
 * Invariant: what is drawn depends only on the seed, the place of the question and the name. */
#include "repl/teach/lesson.h"

#include <math.h>

/* Keeps a text after the end of the page. */
static Part keep(Lesson *l, const char *text, size_t len)
{
    Source *page = &l->page;
    Part p = {page->len, page->len + len};
    page->text = xrealloc(page->text, page->len + len + 1);
    memcpy(page->text + page->len, text, len);
    page->len += len;
    page->text[page->len] = '\0';
    return p;
}

static void put_draw(Text *out, const Lesson *l, const NumberDraw *d, u64 seed)
{
    const char *name = l->page.text + d->name.start;
    size_t n = d->name.end - d->name.start;
    u64 k = hash_mix(hash_bytes(name, n, seed), 7) % (u64)d->count;
    text_printf(out, "%.*s = %.*f", (int)n, name, d->decimals,
                d->from + (double)k / pow(10, d->decimals));
}

void lesson_draw(Lesson *l, const char *seed)
{
    for (size_t i = 1; i < l->items.len && l->draws; i++) {
        const Question *q = &l->items.at[i].question;
        Text code = {0};
        for (size_t k = 0; k < q->draws.len; k++) {
            text_put(&code, k ? "; " : "");
            put_draw(&code, l, &q->draws.at[k], hash_bytes(seed, strlen(seed), i));
        }
        if (code.len)
            l->items.at[i - 1].text = keep(l, text_str(&code), code.len);
        text_free(&code);
    }
}

char *lesson_drawn(const Lesson *l, const Item *question)
{
    const Item *block = question->question.draws.len ? question - 1 : NULL;
    return block ? part_text(&l->page, block->text) : xstrdup("");
}

/* ---- {EXPR} in texts ---- */

/* Where the expression after a `{` ends; 0: this is not one, as in a scan's "{ x[t] = .. }". */
static size_t hole_end(const char *text, Part p, size_t open)
{
    if (open + 1 >= p.end || strchr(" \t\n}", text[open + 1]))
        return 0;
    for (size_t i = open + 1; i < p.end; i++)
        if (text[i] == '}')
            return i;
    return 0;
}

/* Puts the value of one expression of the page. */
static bool put_value(Lesson *l, Text *out, Part expr)
{
    Answer a;
    Question q = {.kind = ASK_VALUE, .answer = expr};
    bool ok = answer_work_out(&a, &l->judge, &l->page, &q, expr);
    text_put(out, ok && a.text ? a.text : "");
    answer_free(&a);
    return ok;
}

static bool fill_part(Lesson *l, Part *p)
{
    Text out = {0};
    bool ok = true, any = false;
    for (size_t i = p->start; i < p->end; i++) {
        size_t end = l->page.text[i] == '{' ? hole_end(l->page.text, *p, i) : 0;
        if (end) {
            ok = put_value(l, &out, (Part){i + 1, end}) && ok;
            any = true;
            i = end;
        } else {
            text_putc(&out, l->page.text[i]);
        }
    }
    if (any)
        *p = keep(l, text_str(&out), out.len);
    text_free(&out);
    return ok;
}

bool lesson_fill(Lesson *l, Item *question)
{
    Question *q = &question->question;
    bool ok = fill_part(l, &q->asked);
    for (size_t i = 0; i < q->hints.len; i++)
        ok = fill_part(l, &q->hints.at[i]) && ok;
    for (size_t i = 0; i < q->right.len; i++)
        ok = fill_part(l, &q->right.at[i]) && ok;
    for (size_t i = 0; i < q->choices.len; i++)
        ok = fill_part(l, &q->choices.at[i]) && ok;
    for (size_t i = 0; i < q->wrong.len; i++)
        ok = fill_part(l, &q->wrong.at[i].text) && ok;
    return ok;
}
