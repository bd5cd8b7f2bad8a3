/* Lines that fit.
 *
 * Invariant: breaks and edges are kept in the order of their places in the text. */
#include "base/pretty.h"

enum { CONTINUED = 4 }; /* columns by which the rest of a broken line is indented */

/* ---- marked texts ---- */

void styled_free(Styled *s)
{
    text_free(&s->text);
    vec_free(&s->edges);
}

void styled_put(Text *out, Edges *edges, const Styled *more)
{
    for (size_t i = 0; edges && i < more->edges.len; i++) {
        Edge e = more->edges.at[i];
        e.at += out->len;
        vec_push(edges, e);
    }
    text_putn(out, more->text.at, more->text.len);
}

bool styled_next(StyledPart *p, const char *s, size_t end, const Edges *edges)
{
    const Edge *next = p->next < edges->len ? &edges->at[p->next] : NULL;
    p->edge = next && next->at <= p->at ? next : NULL;
    p->text = s + p->at;
    p->len = p->edge ? 0 : (next && next->at < end ? next->at : end) - p->at;
    p->next += p->edge != NULL;
    p->at += p->len;
    return p->edge || p->len;
}

/* ---- building ---- */

void pretty_put(Pretty *l, const char *s) { text_put(&l->text, s); }

void pretty_printf(Pretty *l, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    text_vprintf(&l->text, fmt, ap);
    va_end(ap);
}

static void may_break(Pretty *l, size_t at, int cost)
{
    vec_push(&l->breaks, ((__typeof__(*l->breaks.at)){at, cost}));
}

void pretty_open(Pretty *l, const char *bracket)
{
    if (*bracket == '(')
        may_break(l, l->text.len, BREAK_JOINED);
    text_put(&l->text, bracket);
    l->depth++;
}

void pretty_close(Pretty *l, const char *bracket)
{
    l->depth--;
    text_put(&l->text, bracket);
}

void pretty_blank(Pretty *l, bool late)
{
    may_break(l, l->text.len, 2 * l->depth + late);
    text_putc(&l->text, ' ');
}

/* ---- phrases ---- */

/* Of the blank that is about to be put in front of `next`. */
static int cost_of_blank(const Pretty *l, const char *next)
{
    static const char *const signs[] = {"+ ", "\u2212 ", "\u2299 ", "\u2297 ", "\u00B7 ", "/ "};
    char before = l->text.len ? l->text.at[l->text.len - 1] : '\0';
    bool good = before == ',';
    for (size_t i = 0; i < COUNT_OF(signs); i++)
        good = good || strncmp(next, signs[i], strlen(signs[i])) == 0;
    return good ? 2 * l->depth : before == '=' ? 2 * l->depth + 1 : BREAK_WORDS;
}

void pretty_words(Pretty *l, const char *s)
{
    for (; *s; s++) {
        l->depth += *s == '(' || *s == '[';
        l->depth -= *s == ')' || *s == ']';
        bool joined =
            *s == '(' || (*s == '\xA0' && l->text.len && l->text.at[l->text.len - 1] == '\xC2');
        if (*s == ' ' || joined)
            may_break(l, l->text.len, joined ? BREAK_JOINED : cost_of_blank(l, s + 1));
        text_putc(&l->text, *s);
    }
}

size_t pretty_part(Pretty *l, PhraseKind kind)
{
    vec_push(&l->parts, ((PhrasePart){kind, (int)l->text.len, 0}));
    return l->parts.len - 1;
}

void pretty_part_end(Pretty *l, size_t part)
{
    PhrasePart *p = &l->parts.at[part];
    p->n = (int)l->text.len - p->at;
}

void pretty_variable(Pretty *l, const char *s)
{
    size_t part = pretty_part(l, PHRASE_VARIABLE);
    pretty_put(l, s);
    pretty_part_end(l, part);
}

void pretty_phrase(Pretty *l, const Phrase *p)
{
    int from = (int)l->text.len;
    for (int i = 0; i < p->nparts; i++) {
        PhrasePart part = p->parts[i];
        part.at += from;
        if (part.kind != PHRASE_BREAK)
            vec_push(&l->parts, part);
        else
            may_break(l, (size_t)part.at - 1, part.n + (part.n < BREAK_WORDS ? 2 * l->depth : 0));
    }
    text_put(&l->text, p->text);
}

Phrase phrase_of(Arena *a, const Pretty *l)
{
    size_t n = l->breaks.len + l->parts.len, k = 0, b = 0;
    PhrasePart *parts = arena_alloc(a, (n + 1) * sizeof *parts);
    for (size_t i = 0; i < n; i++) {
        bool is_break =
            b < l->breaks.len && (k == l->parts.len || (int)l->breaks.at[b].at < l->parts.at[k].at);
        parts[i] =
            is_break ? (PhrasePart){PHRASE_BREAK, (int)l->breaks.at[b].at + 1, l->breaks.at[b].cost}
                     : l->parts.at[k];
        b += is_break;
        k += !is_break;
    }
    return (Phrase){arena_strndup(a, l->text.at ? l->text.at : "", l->text.len), parts, (int)n};
}

Phrase phrase_copy(Arena *a, const Phrase *p)
{
    if (!p->text)
        return (Phrase){0};
    PhrasePart *parts = arena_alloc(a, ((size_t)p->nparts + 1) * sizeof *parts);
    for (int i = 0; i < p->nparts; i++)
        parts[i] = p->parts[i];
    return (Phrase){arena_strndup(a, p->text, strlen(p->text)), parts, p->nparts};
}

void pretty_literal(Pretty *l, const char *s)
{
    for (; *s; s++) {
        l->depth += *s == '(' || *s == '[';
        l->depth -= *s == ')' || *s == ']';
        if (*s == ' ' && l->text.len && l->text.at[l->text.len - 1] == ',')
            pretty_blank(l, false);
        else
            text_putc(&l->text, *s);
    }
}

void pretty_line(Pretty *l) { text_printf(&l->text, "\n%*s", l->indent, ""); }

void pretty_edge(Pretty *l, bool opens, const void *of)
{
    vec_push(&l->edges, ((Edge){l->text.len, opens, of}));
}

void pretty_free(Pretty *l)
{
    text_free(&l->text);
    vec_free(&l->breaks);
    vec_free(&l->edges);
    vec_free(&l->parts);
}

/* ---- writing ---- */

int pretty_columns(const char *s, size_t len)
{
    int n = 0;
    for (size_t i = 0; i < len; i++)
        n += ((u8)s[i] & 0xC0) != 0x80;
    return n;
}

typedef struct {
    Text *out;
    Edges *edges; /* or NULL */
    const Pretty *l;
    size_t at;         /* of the text, written so far */
    size_t edge, hole; /* the next ones */
} Writer;

static void put_until(Writer *w, size_t end)
{
    const Pretty *l = w->l;
    for (; w->edges && w->edge < l->edges.len && l->edges.at[w->edge].at <= end; w->edge++) {
        Edge e = l->edges.at[w->edge];
        if (e.at == end && e.opens && end < l->text.len)
            break; /* behind the newline */
        e.at += w->out->len - w->at;
        vec_push(w->edges, e);
    }
    text_putn(w->out, l->text.at + w->at, end - w->at);
    w->at = end;
}

/* The best place to break the first `width` columns of what is left of a line, behind `least`;
 * *columns: what stands before it; 0: none. */
static size_t break_at(Writer *w, size_t end, int width, int least, int *columns)
{
    const Pretty *l = w->l;
    size_t best = 0, i = w->at;
    int best_cost = INT32_MAX, column = 0;
    while (w->hole < l->breaks.len && l->breaks.at[w->hole].at < w->at)
        w->hole++;
    for (size_t k = w->hole; k < l->breaks.len && l->breaks.at[k].at < end; k++) {
        size_t at = l->breaks.at[k].at;
        column += pretty_columns(l->text.at + i, at - i);
        i = at;
        if (column >= width)
            break;
        int cost = l->breaks.at[k].cost;
        if (column >= least && cost <= best_cost && cost < BREAK_WORDS) {
            best = at;
            best_cost = cost;
            *columns = column;
        }
    }
    return best;
}

static void put_line(Writer *w, size_t end, int width)
{
    const char *s = w->l->text.at + w->at;
    int indent = (int)strspn(s, " "), lead = 0, before = 0;
    int left = pretty_columns(s, end - w->at);
    while (left + lead > width) {
        int least = (lead ? 0 : indent) + width / 4;
        size_t at = break_at(w, end, width - lead, least, &before);
        if (!at)
            break;
        put_until(w, at);
        lead = indent + CONTINUED;
        text_printf(w->out, "\n%*s", lead, "");
        w->at++; /* the blank */
        left -= before + 1;
    }
    put_until(w, end);
}

void pretty_write(Text *out, Edges *edges, const Pretty *l, int width)
{
    Writer w = {.out = out, .edges = edges, .l = l};
    while (w.at < l->text.len) {
        const char *newline = width ? memchr(l->text.at + w.at, '\n', l->text.len - w.at) : NULL;
        size_t end = newline ? (size_t)(newline - l->text.at) : l->text.len;
        put_line(&w, end, width ? width : INT32_MAX);
        if (newline) {
            text_putc(out, '\n');
            w.at++;
        }
    }
}

size_t pretty_fitting(const char *s, int room)
{
    size_t blank = 0, i = 0;
    int used = 0;
    for (; s[i]; i++) {
        bool wide = ((unsigned char)s[i] & 0xC0) != 0x80;
        if (used + wide > room && blank)
            return blank;
        used += wide;
        if (s[i] == ' ' && used > 1)
            blank = i;
    }
    return i;
}
