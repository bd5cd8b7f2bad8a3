/* See figure_layers.h.
 *
 * Invariant: whatever else differs, a shape or a value that is told, an operand, a ring, ends the
 * chain; so one group, with what is said of the index, says all of it. */
#include "viz/scene/figure_layers.h"

#include <ctype.h>
#include <limits.h>

enum { LEAST_LAYERS = 3, LONGEST_PERIOD = 64, MOST_DIGITS = 9 };

/* ---- items ---- */

static Token token_of(Store *st, const Phrase *p, int part, int node)
{
    const PhrasePart *t = &p->parts[part];
    Token token = {.text = symbol_n(st, p->text + t->at, (size_t)t->n), .stem = -1, .node = node};
    int end = t->n, at = end;
    while (at > 0 && isdigit((unsigned char)token.text[at - 1]))
        at--;
    bool plain = at + 1 == end || token.text[at] != '0';
    if (at > 0 && at < end && plain && end - at <= MOST_DIGITS) {
        token.stem = at;
        token.number = strtol(token.text + at, NULL, 10);
    }
    return token;
}

/* A text without its tokens, which are noted. */
static void put_shape(Layers *l, Text *out, const Phrase *p, const char *label, int node)
{
    int from = 0;
    for (int i = 0; p->text && i < p->nparts; i++) {
        const PhrasePart *t = &p->parts[i];
        if (t->kind != PHRASE_VARIABLE || t->at < from)
            continue;
        vec_push(&l->tokens, token_of(l->st, p, i, node));
        text_putn(out, p->text + from, (size_t)(t->at - from));
        text_put(out, "\x01");
        from = t->at + t->n;
    }
    text_put(out, p->text ? p->text + from : label ? label : "");
    text_put(out, "\x02");
}

static void put_plain(Text *out, const char *s)
{
    text_put(out, s ? s : "");
    text_put(out, "\x02");
}

static void put_node(Layers *l, Text *out, int k)
{
    const SceneNode *n = scene_node_at(l->s, k);
    l->of_node[k].token = (int)l->tokens.len;
    text_printf(out, "n%d %d %d %d %d %lld ", n->cls, n->role, n->lit, n->focus, n->shade,
                (long long)n->id);
    text_printf(out, "%d ", n->box ? l->of_box[n->box].place : 0);
    put_plain(out, n->op);
    put_plain(out, n->detail);
    put_plain(out, n->value);
    put_plain(out, n->grad);
    put_plain(out, n->amount);
    put_shape(l, out, &n->words, n->label, k);
}

static void put_box(Layers *l, Text *out, int k)
{
    const SceneBox *b = scene_box_at(l->s, k);
    l->of_box[k].token = (int)l->tokens.len;
    text_printf(out, "b%d %d %d %d %d ", b->kind, b->lit, b->focus, b->repeat, b->closed);
    text_printf(out, "%d ", b->parent ? l->of_box[b->parent].place : 0);
    put_shape(l, out, &b->title_words, b->title, 0);
    put_shape(l, out, &b->subtitle_words, b->subtitle, 0);
}

static int by_order(const void *a, const void *b)
{
    const Item *x = a, *y = b;
    return x->order != y->order ? (x->order > y->order) - (x->order < y->order)
                                : (x->box > y->box) - (x->box < y->box);
}

/* Frames stand where their first node does. */
static void list_items(Layers *l)
{
    int boxes = (int)l->s->boxes.len, *first = xcalloc((size_t)boxes + 1, sizeof *first);
    for (int k = (int)l->s->nodes.len; k; k--)
        first[scene_outermost(l->s, scene_node_at(l->s, k)->box)] = k;
    for (int k = 1; k <= boxes; k++)
        if (!scene_box_at(l->s, k)->parent)
            vec_push(&l->items, ((Item){.box = k, .order = first[k]}));
    for (int k = 1; k <= (int)l->s->nodes.len; k++)
        if (!scene_node_at(l->s, k)->box)
            vec_push(&l->items, ((Item){.node = k, .order = k}));
    qsort(l->items.at, l->items.len, sizeof *l->items.at, by_order);
    free(first);
}

/* Everything's item, and its number there. */
static void place_all(Layers *l)
{
    int *count = xcalloc(l->items.len + 1, sizeof *count);
    for (size_t i = 0; i < l->items.len; i++)
        *(l->items.at[i].box ? &l->of_box[l->items.at[i].box] : &l->of_node[l->items.at[i].node]) =
            (Spot){.item = (int)i};
    for (int k = 1; k <= (int)l->s->boxes.len; k++) {
        int item = l->of_box[scene_outermost(l->s, k)].item;
        l->of_box[k] = (Spot){item, -++count[item], 0};
    }
    memset(count, 0, l->items.len * sizeof *count);
    for (int k = 1; k <= (int)l->s->nodes.len; k++) {
        int box = scene_node_at(l->s, k)->box;
        int item = box ? l->of_box[box].item : l->of_node[k].item;
        l->of_node[k] = (Spot){item, ++count[item], 0};
    }
    free(count);
}

Spot layers_end(const Layers *l, const SceneEdge *e, bool to)
{
    int box = to ? e->to_box : e->from_box;
    return box ? l->of_box[box] : l->of_node[to ? e->to : e->from];
}

/* An edge but for the items at its ends. */
static bool is_like(const Layers *l, int a, int b)
{
    const SceneEdge *x = scene_edge_at(l->s, a), *y = scene_edge_at(l->s, b);
    const char *p = x->label ? x->label : "", *q = y->label ? y->label : "";
    return x->kind == y->kind && x->line == y->line && strcmp(p, q) == 0 &&
           layers_end(l, x, true).place == layers_end(l, y, true).place &&
           layers_end(l, x, false).place == layers_end(l, y, false).place;
}

static void sort_edges(Layers *l)
{
    size_t edges = l->s->edges.len, items = l->items.len;
    l->reads = xcalloc(edges + 1, sizeof *l->reads);
    l->reads_at = xcalloc(items + 2, sizeof *l->reads_at);
    l->entry = xcalloc(edges + 1, sizeof *l->entry);
    int *next = xcalloc(items + 1, sizeof *next);
    for (int k = 1; k <= (int)edges; k++) {
        Item *from = &l->items.at[layers_end(l, scene_edge_at(l->s, k), false).item];
        int to = layers_end(l, scene_edge_at(l->s, k), true).item;
        l->reads_at[to + 1]++;
        from->reach = to > from->reach ? to : from->reach;
    }
    for (size_t i = 0; i < items; i++) {
        l->reads_at[i + 1] += l->reads_at[i];
        next[i] = l->reads_at[i];
    }
    for (int k = 1; k <= (int)edges; k++)
        l->reads[next[layers_end(l, scene_edge_at(l->s, k), true).item]++] = k;
    free(next);
}

static void describe(Layers *l)
{
    for (size_t i = 0; i < l->items.len; i++) {
        Item *item = &l->items.at[i];
        Text shape = {0};
        item->tokens = (int)l->tokens.len;
        for (int k = 1; item->box && k <= (int)l->s->boxes.len; k++)
            if (l->of_box[k].item == (int)i)
                put_box(l, &shape, k);
        for (int k = item->order; k <= (int)l->s->nodes.len && k; k++) {
            if (l->of_node[k].item != (int)i)
                continue;
            put_node(l, &shape, k);
            item->reach = scene_node_at(l->s, k)->output ? INT_MAX : item->reach;
            if (item->node)
                break;
        }
        item->shape = symbol(l->st, text_str(&shape));
        text_free(&shape);
    }
}

/* ---- groups ---- */

int layers_group(const Layers *l, int item)
{
    int k = item < l->start ? -1 : (item - l->start) / l->period;
    return k < l->n ? k : -1;
}

static int tokens_end(const Layers *l, int item)
{
    return (size_t)item + 1 < l->items.len ? l->items.at[item + 1].tokens : (int)l->tokens.len;
}

/* How many tokens a group has: all the same. */
static int stride(const Layers *l)
{
    return tokens_end(l, l->start + l->period - 1) - l->items.at[l->start].tokens;
}

const Token *layers_token(const Layers *l, int token, int k)
{
    return &l->tokens.at[token + k * stride(l)];
}

static bool follows(const Token *a, const Token *b, int by)
{
    return a->stem >= 0 && a->stem == b->stem && b->number == a->number + by &&
           strncmp(a->text, b->text, (size_t)a->stem) == 0;
}

bool layers_counts(const Layers *l, int token)
{
    return follows(layers_token(l, token, 1), layers_token(l, token, 2), 1);
}

/* Of groups from 1 on: does an edge of the second item do what the one of the first, which is
 * `by` items before it, does? */
static bool reads_alike(const Layers *l, int a, int b, int by, int first)
{
    int from = layers_end(l, scene_edge_at(l->s, a), false).item,
        other = layers_end(l, scene_edge_at(l->s, b), false).item;
    return is_like(l, a, b) &&
           (from < l->start ? other == from : from >= first && other == from + by);
}

/* Does group k do what group 1 does? */
static bool group_goes_on(const Layers *l, int k)
{
    int by = (k - 1) * l->period;
    for (int i = l->start + l->period; i < l->start + 2 * l->period; i++) {
        const int *a = &l->reads_at[i], *b = &l->reads_at[i + by];
        if (l->items.at[i].shape != l->items.at[i + by].shape || a[1] - a[0] != b[1] - b[0])
            return false;
        for (int e = 0; e < a[1] - a[0]; e++)
            if (!reads_alike(l, l->reads[a[0] + e], l->reads[b[0] + e], by, l->start))
                return false;
    }
    int first = l->items.at[l->start].tokens;
    for (int t = first; t < first + stride(l); t++) {
        const Token *one = layers_token(l, t, 1), *other = layers_token(l, t, k);
        if (one->text != other->text && !follows(one, other, k - 1))
            return false;
    }
    return true;
}

/* Is group k read by itself and the one after it alone? */
static bool is_passed_on(const Layers *l, int k)
{
    for (int i = l->start + k * l->period; i < l->start + (k + 1) * l->period; i++)
        if (l->items.at[i].reach >= l->start + (k + 2) * l->period)
            return false;
    return true;
}

/* ---- what goes from group to group ---- */

/* The token that names what a line carries, or -1. Lists, whose lines have names of their own,
 * stand in frames. */
static int name_of(const Layers *l, int node)
{
    const SceneNode *n = scene_node_at(l->s, node);
    int token = l->of_node[node].token;
    bool named = scene_node_given(n) || n->role != ROLE_NONE;
    return named && (size_t)token < l->tokens.len && l->tokens.at[token].node == node ? token : -1;
}

/* What stands in the first group where the second names what it reads of the first. */
static Symbol start_of(const Layers *l, int item, int token)
{
    Symbol name = token < 0 ? NULL : l->tokens.at[token].text;
    for (int t = l->items.at[item].tokens; name && t < tokens_end(l, item); t++)
        if (layers_token(l, t, 1)->text == name)
            return l->tokens.at[t].text;
    return NULL;
}

/* Notes what edge e of group 1 reads of group 0; entry: the like of group 0, or 0. */
static bool add_link(Layers *l, int e, int entry)
{
    const SceneEdge *x = scene_edge_at(l->s, e);
    int item = layers_end(l, x, true).item - l->period, token;
    if (x->from_box || x->line > 1)
        return false;
    token = name_of(l, x->from);
    Link new = {.node = x->from, .line = x->line, .token = token, .entry = entry};
    new.start = start_of(l, item, token);
    for (size_t i = 0; i < l->links.len; i++) {
        Link *old = &l->links.at[i];
        if (old->node != new.node || old->line != new.line)
            continue;
        const SceneEdge *a = old->entry ? scene_edge_at(l->s, old->entry) : NULL,
                        *b = entry ? scene_edge_at(l->s, entry) : NULL;
        bool same = a && b ? a->from == b->from && a->from_box == b->from_box && a->line == b->line
                           : a == b;
        return same && old->start == new.start;
    }
    vec_push(&l->links, new);
    return entry || new.start;
}

static int source_group(const Layers *l, int e)
{
    return layers_group(l, layers_end(l, scene_edge_at(l->s, e), false).item);
}

/* The next place in the sorted edges, before `end`, of one that comes from no group before. */
static int after_links(const Layers *l, int at, int end)
{
    while (at < end && source_group(l, l->reads[at]) == 0)
        at++;
    return at;
}

/* The edges of an item of group 0 against those of its like in group 1: what is the same in both,
 * and of the others what brings the one what the other reads of group 0. */
static bool enters(Layers *l, int item)
{
    VEC(int) own = {0}, links = {0};
    const int *a = &l->reads_at[item], *b = &l->reads_at[item + l->period];
    int at = b[0];
    bool ok = l->items.at[item].shape == l->items.at[item + l->period].shape;
    for (int i = b[0]; i < b[1]; i++) {
        if (source_group(l, l->reads[i]) == 0)
            vec_push(&links, l->reads[i]);
    }
    for (int i = a[0]; i < a[1] && ok; i++) {
        int e = l->reads[i], from = layers_end(l, scene_edge_at(l->s, e), false).item;
        at = after_links(l, at, b[1]);
        if (at < b[1] && reads_alike(l, e, l->reads[at], l->period, l->start))
            at++;
        else if (from < l->start)
            vec_push(&own, e);
        else
            ok = false;
    }
    at = after_links(l, at, b[1]);
    ok = ok && at == b[1] && (!own.len || own.len == links.len);
    for (size_t i = 0; i < links.len && ok; i++) {
        int entry = own.len ? own.at[i] : 0;
        const SceneEdge *x = scene_edge_at(l->s, links.at[i]);
        ok = add_link(l, links.at[i], entry) &&
             (!entry || layers_end(l, scene_edge_at(l->s, entry), true).place ==
                            layers_end(l, x, true).place);
        l->entry[entry] = true;
        vec_push(&l->entries, entry);
    }
    vec_free(&own);
    vec_free(&links);
    return ok;
}

/* A token of group 0 goes on in group 1, or is what enters there by its name. */
static bool starts(const Layers *l, int token)
{
    const Token *zero = &l->tokens.at[token], *one = layers_token(l, token, 1);
    bool counts = layers_counts(l, token);
    if (counts ? follows(zero, one, 1) : zero->text == one->text)
        return true;
    for (size_t i = 0; i < l->links.len && counts; i++) {
        const Link *k = &l->links.at[i];
        if (k->token >= 0 && l->tokens.at[k->token].text == one->text && k->start == zero->text)
            return true;
    }
    return false;
}

static void forget(Layers *l)
{
    for (size_t i = 0; i < l->entries.len; i++)
        l->entry[l->entries.at[i]] = false;
    l->entries.len = l->links.len = 0;
}

/* How many groups the chain from `start` has; 0: it is none. */
static int count_groups(Layers *l, int start, int period)
{
    l->start = start;
    l->period = period;
    l->n = INT_MAX / 2 / period;
    forget(l);
    int most = ((int)l->items.len - start) / period, n = 1;
    bool ok = most >= LEAST_LAYERS && is_passed_on(l, 0);
    for (int i = start; i < start + period && ok; i++)
        ok = enters(l, i);
    if (!ok || !l->links.len || !group_goes_on(l, 2))
        return 0;
    int first = l->items.at[start].tokens;
    for (int t = first; t < first + stride(l) && ok; t++)
        ok = starts(l, t);
    while (ok && n < most && (n < 2 || group_goes_on(l, n)) && is_passed_on(l, n - 1))
        n++;
    return ok && n >= LEAST_LAYERS ? n : 0;
}

bool layers_find(Store *st, const Scene *s, Layers *out)
{
    *out = (Layers){.st = st, .s = s};
    out->of_node = xcalloc(s->nodes.len + 1, sizeof *out->of_node);
    out->of_box = xcalloc(s->boxes.len + 1, sizeof *out->of_box);
    list_items(out);
    place_all(out);
    sort_edges(out);
    describe(out);
    int items = (int)out->items.len, start = 0, period = 0, n = 0;
    for (int p = 1; p <= LONGEST_PERIOD && LEAST_LAYERS * p <= items; p++)
        for (int i = 0; i + LEAST_LAYERS * p <= items; i++) {
            if (out->items.at[i].shape != out->items.at[i + p].shape)
                continue;
            int found = count_groups(out, i, p);
            if (found * p > n * period) {
                start = i;
                period = p;
                n = found;
            }
            i += found ? (found - 1) * p : 0;
        }
    if (n)
        count_groups(out, start, period);
    out->n = n;
    return n > 0;
}

void layers_free(Layers *l)
{
    vec_free(&l->items);
    vec_free(&l->tokens);
    vec_free(&l->links);
    vec_free(&l->entries);
    free(l->of_node);
    free(l->of_box);
    free(l->reads);
    free(l->reads_at);
    free(l->entry);
}
