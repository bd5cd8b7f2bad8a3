/* Names as data, and their spelling: see name.h. */
#include "graph/name.h"
#include "graph/collect.h"

#include <ctype.h>

typedef struct Made {
    Name name;
    bool mark;
    char text[];
} Made;

static const Made *made_of(const Store *st, Symbol s) { return map_get(&st->names_made, s); }

Name name_data(const Store *st, Symbol s)
{
    const Made *m = made_of(st, s);
    return m ? m->name : (Name){.base = s};
}

bool name_is_made(const Store *st, const char *s) { return made_of(st, s) != NULL; }

/* ---- spelling ---- */

/* Each kind as a word, and what stands before and after the name that it is derived from. */
static const struct {
    const char *word, *before, *after;
} kinds[] = {
    [NAME_OWN] = {"", "", ""},
    [NAME_COTANGENT] = {"d", "d_", ""},
    [NAME_GRADIENT] = {"d", "d_", ""},
    [NAME_GIVEN] = {"given", "given_", ""},
    [NAME_CARRIED] = {"carried", "carry_", ""},
    [NAME_GATHERED] = {"sum", "sum_d_", ""},
    [NAME_TANGENT] = {"dot", "dot_", ""},
    [NAME_FINAL] = {"final", "", "_last"},
    [NAME_ROW] = {"row", "", "_row"},
    [NAME_NEXT] = {"next", "next_", ""},
    [NAME_COMPLEMENT] = {"one minus", "one_minus_", ""},
    [NAME_MINUS] = {"minus", "minus_", ""},
    [NAME_TRANSPOSED] = {"transpose", "", "_T"},
    [NAME_APPLIED] = {"", "", ""},
    [NAME_REDUCED] = {"", "", ""},
    [NAME_PRODUCT] = {"", "", ""},
};

const char *name_word(NameKind kind) { return kinds[kind].word; }

Symbol name_gradient_text(Store *st, const Name *n)
{
    Name of = name_data(st, n->base);
    Text text = {0};
    text_printf(&text, "d%s", of.kind == NAME_GRADIENT ? name_gradient_text(st, &of) : n->base);
    Symbol s = symbol(st, text_str(&text));
    text_free(&text);
    return s;
}

static void put_index(Text *out, const Name *n)
{
    if (!n->letter)
        text_printf(out, "[%lld]", (long long)n->offset);
    else if (n->offset)
        text_printf(out, "[%s%+lld]", n->letter, (long long)n->offset);
    else
        text_printf(out, "[%s]", n->letter);
}

/* A part of a tuple p.W is called p_W. */
static void put_word(Text *out, const char *s)
{
    for (; *s && *s != '['; s++) {
        bool letter = isalnum((unsigned char)*s) || *s == '_' || (unsigned char)*s >= 0x80;
        text_putc(out, letter ? *s : '_');
    }
}

/* One identifier, and the index. */
static void spell(Text *out, const Name *n)
{
    bool applied = n->kind == NAME_APPLIED || n->kind == NAME_REDUCED;
    text_put(out, kinds[n->kind].before);
    if (applied)
        text_printf(out, "%s_", n->other);
    put_word(out, n->base);
    if (n->other && !applied) {
        text_putc(out, '_');
        put_word(out, n->other);
    }
    text_put(out, kinds[n->kind].after);
    if (n->tap)
        text_printf(out, "_tap_%d", n->tap);
    if (n->again)
        text_printf(out, "_%d", n->again);
    if (n->indexed)
        put_index(out, n);
}

/* ---- interning ---- */

static bool is_word(const Name *n)
{
    return n->kind == NAME_OWN && !n->tap && !n->again && !n->indexed;
}

static bool same(const void *item, const void *probe)
{
    const Name *a = &((const Made *)item)->name, *b = probe;
    return a->kind == b->kind && a->base == b->base && a->other == b->other && a->tap == b->tap &&
           a->again == b->again && a->indexed == b->indexed && a->letter == b->letter &&
           a->offset == b->offset;
}

static u64 hash_of(const Name *n)
{
    u64 h = hash_mix((u64)n->kind, (u64)(uintptr_t)n->base);
    h = hash_mix(h, (u64)(uintptr_t)n->other);
    h = hash_mix(h, (u64)n->tap << 32 | (u64)n->again << 1 | n->indexed);
    return hash_mix(h, (u64)(uintptr_t)n->letter ^ (u64)n->offset);
}

Symbol name_symbol(Store *st, Name n)
{
    if (is_word(&n))
        return n.base;
    u64 h = hash_of(&n);
    Made *m = intern_find(&st->names, h, &n, same);
    if (m)
        return m->text;
    Text text = {0};
    spell(&text, &n);
    m = store_alloc(st, sizeof *m + text.len + 1);
    m->name = n;
    memcpy(m->text, text_str(&text), text.len);
    text_free(&text);
    intern_add(&st->names, h, m);
    map_put(&st->names_made, (Symbol)m->text, m);
    return m->text;
}

/* ---- of symbols ---- */

/* The name without its index, which goes to *index. */
static Symbol split(Store *st, Symbol name, Name *index)
{
    Name n = *index = name_data(st, name);
    n.indexed = false;
    n.letter = NULL;
    n.offset = 0;
    return name_symbol(st, n);
}

static Name with_index(Name n, const Name *index)
{
    n.indexed = index->indexed;
    n.letter = index->letter;
    n.offset = index->offset;
    return n;
}

Symbol name_derived(Store *st, NameKind kind, Symbol name)
{
    return name_applied(st, kind, NULL, name);
}

Symbol name_applied(Store *st, NameKind kind, const char *op, Symbol name)
{
    if (!name)
        return NULL;
    Name index, n = {.kind = kind, .base = split(st, name, &index)};
    n.other = op ? symbol(st, op) : NULL;
    return name_symbol(st, with_index(n, &index));
}

Symbol name_product(Store *st, Symbol a, Symbol b)
{
    Name i, j, n = {.kind = NAME_PRODUCT, .base = split(st, a, &i), .other = split(st, b, &j)};
    if (i.indexed && j.indexed && (i.letter != j.letter || i.offset != j.offset))
        return NULL;
    return name_symbol(st, with_index(n, i.indexed ? &i : &j));
}

Symbol name_base(Store *st, Symbol name)
{
    Name index;
    return name ? split(st, name, &index) : NULL;
}

Symbol name_with_index(Store *st, Symbol name, Symbol of)
{
    Name index = name_data(st, of);
    return name_symbol(st, with_index(name_data(st, name), &index));
}

Symbol name_at(Store *st, Symbol name, Symbol letter, i64 offset)
{
    Name n = name_data(st, name);
    n.indexed = true;
    n.letter = letter;
    n.offset = offset;
    return name_symbol(st, n);
}

Symbol name_tap(Store *st, Symbol name, int k)
{
    if (!name)
        return NULL;
    Name n = name_data(st, name);
    n.tap = k;
    return name_symbol(st, n);
}

Symbol name_again(Store *st, Symbol name, int again)
{
    if (!name)
        return NULL;
    Name n = name_data(st, name);
    if (n.again) { /* the second of what is itself a second one */
        Name index;
        n = with_index((Name){.base = split(st, name, &index)}, &n);
    }
    n.again = again;
    return name_symbol(st, n);
}

Symbol name_shifted(Store *st, Symbol name, i64 by)
{
    if (!name_has_index(st, name))
        return name;
    Name n = name_data(st, name);
    n.offset += by;
    return name_symbol(st, n);
}

Symbol name_in_row(Store *st, Symbol name, i64 row)
{
    Name n = name_data(st, name);
    i64 at = row + (n.letter ? n.offset : 0);
    return at >= 0 ? name_at(st, name, NULL, at) : NULL;
}

Symbol name_of_row(Store *st, Symbol rows, const Symbol *near, int n)
{
    if (!rows || name_data(st, rows).indexed)
        return rows;
    for (int i = 0; i < n; i++)
        if (name_has_index(st, near[i]))
            return name_at(st, rows, name_data(st, near[i]).letter, 0);
    return name_at(st, rows, symbol(st, "t"), 0);
}

bool name_is_word(const Store *st, Symbol name)
{
    Name n = name_data(st, name);
    bool kind = n.kind == NAME_OWN || n.kind == NAME_GRADIENT;
    return kind && !n.tap && !n.again && !n.indexed;
}

bool name_has_index(const Store *st, Symbol name) { return name && name_data(st, name).letter; }

bool name_is_cotangent(const Store *st, Symbol name)
{
    NameKind kind = name ? name_data(st, name).kind : NAME_OWN;
    return kind == NAME_COTANGENT || kind == NAME_GIVEN || kind == NAME_CARRIED ||
           kind == NAME_GATHERED;
}

Symbol name_spelling(Store *st, Symbol name) { return made_of(st, name) ? symbol(st, name) : name; }

/* ---- the collector ---- */

bool name_collect(Collection *c, Symbol s)
{
    Made *m = map_get(&c->st->names_made, s);
    if (!m)
        return false;
    if (m->mark)
        return true;
    m->mark = true;
    collect_symbol(c, m->name.base);
    collect_symbol(c, m->name.other);
    collect_symbol(c, m->name.letter);
    return true;
}

static size_t bytes_of(const Made *m) { return sizeof *m + strlen(m->text) + 1; }

void names_sweep(Collection *c)
{
    Intern old = c->st->names;
    c->st->names = (Intern){0};
    map_clear(&c->st->names_made);
    for (size_t i = 0; i < old.cap; i++) {
        Made *m = old.items[i];
        if (!m)
            continue;
        if (m->mark) {
            m->mark = false;
            intern_add(&c->st->names, old.hashes[i], m);
            map_put(&c->st->names_made, (Symbol)m->text, m);
            continue;
        }
        c->bytes += bytes_of(m);
        c->st->bytes -= bytes_of(m);
        free(m);
    }
    intern_free(&old);
}
