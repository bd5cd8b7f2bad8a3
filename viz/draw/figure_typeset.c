/* Names and signs as a book sets them: Greek letters, numbers and words below the line, exponents
 * above it.
 *
 * Invariant: two names that differ are set differently: what another name is set as already is not
 * used for this one. */
#include "base/tex.h"
#include "viz/draw/figure.h"

#include <ctype.h>

enum { LONGEST = 48 }; /* names that are longer stand as they are */

/* A text being set. */
typedef struct {
    Text text;
    VEC(PhrasePart) parts;
} Typeset;

/* ---- all names ---- */

static int by_bytes(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

typedef VEC(const char *) NameList;

static void collect_phrase(Figure *f, NameList *all, const Phrase *p)
{
    for (int i = 0; i < p->nparts; i++)
        if (p->parts[i].kind == PHRASE_VARIABLE && p->parts[i].n <= LONGEST)
            vec_push(all,
                     arena_strndup(&f->known, p->text + p->parts[i].at, (size_t)p->parts[i].n));
}

void figure_collect_names(Figure *f)
{
    NameList all = {0};
    for (size_t k = 0; k < f->scene->nodes.len; k++)
        collect_phrase(f, &all, &f->scene->nodes.at[k].words);
    for (size_t k = 0; k < f->scene->boxes.len; k++) {
        collect_phrase(f, &all, &f->scene->boxes.at[k].title_words);
        collect_phrase(f, &all, &f->scene->boxes.at[k].subtitle_words);
    }
    f->nnames = (int)all.len;
    f->names = arena_alloc(&f->known, (all.len + 1) * sizeof *f->names);
    for (size_t i = 0; i < all.len; i++)
        f->names[i] = all.at[i];
    if (all.len)
        qsort(f->names, all.len, sizeof *f->names, by_bytes);
    vec_free(&all);
}

static bool is_taken(const Figure *f, const char *name)
{
    return f->nnames && bsearch(&name, f->names, (size_t)f->nnames, sizeof *f->names, by_bytes);
}

/* ---- one name ---- */

/* How many bytes of a name stand on the line; *below: where what stands below it begins. */
static int split_name(const char *name, int *below)
{
    int n = (int)strlen(name), digits = n;
    const char *bar = strchr(name, '_');
    if (bar && bar > name && bar[1] && !strchr(bar + 1, '_')) {
        *below = (int)(bar - name) + 1;
        return (int)(bar - name);
    }
    while (digits > 0 && isdigit((unsigned char)name[digits - 1]))
        digits--;
    bool numbered = digits > 0 && digits < n && !bar;
    *below = numbered ? digits : n;
    return *below;
}

/* Signs over a letter. */
static const char *accent_of(const char *word)
{
    static const struct {
        const char *word, *sign;
    } accents[] = {{"hat", "\u0302"}, {"bar", "\u0304"}, {"dot", "\u0307"}};
    for (size_t i = 0; i < COUNT_OF(accents); i++)
        if (strcmp(word, accents[i].word) == 0)
            return accents[i].sign;
    return NULL;
}

static void put_part(Typeset *t, PhraseKind kind, const char *s)
{
    vec_push(&t->parts, ((PhrasePart){kind, (int)t->text.len, (int)strlen(s)}));
    text_put(&t->text, s);
}

/* "beta" as its letter; another word as it is. */
static void put_base(const Figure *f, Text *out, const char *word)
{
    u32 letter = tex_greek_named(word);
    char code[] = {(char)(0xC0 | letter >> 6), (char)(0x80 | (letter & 0x3F)), 0}; /* UTF-8 */
    text_put(out, letter && !is_taken(f, code) ? code : word);
}

/* Would another name look the same: x1 and x_1? */
static bool has_double(const Figure *f, const char *name, int base, int below)
{
    char other[2 * LONGEST];
    bool barred = below > base;
    snprintf(other, sizeof other, "%.*s%s%s", base, name, barred ? "" : "_", name + below);
    return name[below] && is_taken(f, other);
}

/* Where the number that ends a name begins; its end: it has none, or is one. */
static int number_at(const char *name, int end)
{
    int at = end;
    while (at > 0 && isdigit((unsigned char)name[at - 1]))
        at--;
    return at > 0 ? at : end;
}

static void put_below(const Figure *f, Typeset *t, const char *s)
{
    Text lower = {0};
    put_base(f, &lower, s);
    put_part(t, PHRASE_BELOW, text_str(&lower));
    text_free(&lower);
}

static void put_name(const Figure *f, Typeset *t, const char *s, int n)
{
    char name[LONGEST + 1], word[LONGEST + 1];
    snprintf(name, sizeof name, "%.*s", n, s);
    int below = n, base = n <= LONGEST ? split_name(name, &below) : n;
    if (n > LONGEST || has_double(f, name, base, below)) {
        vec_push(&t->parts, ((PhrasePart){PHRASE_VARIABLE, (int)t->text.len, n}));
        text_putn(&t->text, s, (size_t)n);
        return;
    }
    const char *accent = accent_of(name + below);
    Text letters = {0};
    int number = accent ? number_at(name, base) : base; /* of x1_bar the 1 stands below */
    snprintf(word, sizeof word, "%.*s", number, name);
    put_base(f, &letters, word);
    text_put(&letters, accent ? accent : "");
    put_part(t, PHRASE_VARIABLE, text_str(&letters));
    text_free(&letters);
    snprintf(word, sizeof word, "%.*s", base - number, name + number);
    if (accent ? *word : name[below])
        put_below(f, t, accent ? word : name + below);
}

/* ---- phrases ---- */

static void put_signs(Text *out, const char *s, int n)
{
    for (int i = 0; i < n; i++)
        if (s[i] == '-')
            text_put(out, "\u2212");
        else
            text_putc(out, s[i]);
}

/* Does the text end below the line? */
static bool ends_below(const Typeset *t)
{
    for (size_t i = t->parts.len; i--;)
        if (t->parts.at[i].kind == PHRASE_BELOW)
            return t->parts.at[i].at + t->parts.at[i].n == (int)t->text.len;
    return false;
}

/* "(n)" without its brackets, "^(t + 1)" without the sign and those around all; names in it are
 * set, too. */
static void put_shifted(const Figure *f, Typeset *t, const Phrase *p, const PhrasePart *part)
{
    const char *s = p->text;
    int from = part->at, to = part->at + part->n;
    from += part->kind == PHRASE_ABOVE;
    bool closed = (s[from] == '(' || s[from] == '[') && (s[to - 1] == ')' || s[to - 1] == ']');
    from += closed;
    to -= closed;
    Text out = {0};
    text_put(&out, part->kind != PHRASE_ABOVE && ends_below(t) ? "," : "");
    for (int i = 0; i < p->nparts; i++) {
        const PhrasePart *v = &p->parts[i];
        if (v->kind != PHRASE_VARIABLE || v->at < from || v->at + v->n > to)
            continue;
        char word[LONGEST + 1];
        put_signs(&out, s + from, v->at - from);
        snprintf(word, sizeof word, "%.*s", v->n, s + v->at);
        if (v->n <= LONGEST)
            put_base(f, &out, word);
        else
            text_putn(&out, s + v->at, (size_t)v->n);
        from = v->at + v->n;
    }
    put_signs(&out, s + from, to - from);
    PhraseKind kind = part->kind == PHRASE_ABOVE ? PHRASE_ABOVE : PHRASE_BELOW;
    put_part(t, kind, text_str(&out));
    text_free(&out);
}

static void put_to(Typeset *t, const Phrase *p, int *from, int at)
{
    text_putn(&t->text, p->text + *from, (size_t)(at - *from));
    *from = at;
}

/* Is it set in another way? Briefly, words that have a usual sign are, too. */
static bool put_special(const Figure *f, Typeset *t, const Phrase *p, const PhrasePart *part)
{
    switch (part->kind) {
    case PHRASE_VARIABLE: put_name(f, t, p->text + part->at, part->n); return true;
    case PHRASE_SIGMOID: text_put(&t->text, f->brief ? "\u03C3" : ""); return f->brief;
    case PHRASE_INDEX:
        if (f->scene->lowered)
            put_shifted(f, t, p, part);
        return f->scene->lowered;
    case PHRASE_BELOW:
    case PHRASE_ABOVE: put_shifted(f, t, p, part); return true;
    default: return false;
    }
}

Phrase figure_typeset(Figure *f, const Phrase *p)
{
    Typeset t = {0};
    int from = 0;
    for (int i = 0; i < p->nparts; i++) {
        const PhrasePart *part = &p->parts[i];
        if (part->at < from)
            continue; /* within what is set already */
        put_to(&t, p, &from, part->at);
        for (int k = i; k < p->nparts && p->parts[k].at == part->at; k++)
            if (p->parts[k].kind == PHRASE_BREAK) /* in front of what stands there, too */
                vec_push(&t.parts, ((PhrasePart){PHRASE_BREAK, (int)t.text.len, p->parts[k].n}));
        if (put_special(f, &t, p, part))
            from = part->at + part->n;
    }
    text_put(&t.text, p->text + from);
    PhrasePart *parts = arena_alloc(&f->words, (t.parts.len + 1) * sizeof *parts);
    for (size_t i = 0; i < t.parts.len; i++)
        parts[i] = t.parts.at[i];
    Phrase set = {arena_strndup(&f->words, text_str(&t.text), t.text.len), parts, (int)t.parts.len};
    text_free(&t.text);
    vec_free(&t.parts);
    return set;
}
