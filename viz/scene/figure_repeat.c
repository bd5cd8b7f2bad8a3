/* A chain of equal layers as one frame: "×100: i = 1, …, 100", in it the first group, with i in
 * place of its number.
 *
 * Invariant: what enters the first group enters the frame under the name that the groups have for
 * it; what leaves has the name that the last group gives it. */
#include "viz/scene/figure_layers.h"

#include <ctype.h>

enum { MOST_CHAINS = 64 };

typedef struct {
    Fig *f;
    Layers l;
    Scene *out;
    i64 first;          /* number of the first group */
    const char *letter; /* of the index */
    int frame, *node_of, *box_of;
} Repeat;

/* ---- names with an index ---- */

/* Does a name or index in a text say this letter? */
static bool says(const Phrase *p, char letter)
{
    for (int i = 0; i < p->nparts; i++) {
        const PhrasePart *t = &p->parts[i];
        bool named = t->kind == PHRASE_VARIABLE || t->kind == PHRASE_INDEX;
        for (int k = t->at; named && k < t->at + t->n; k++)
            if (p->text[k] == letter && (k == t->at || !isalnum((unsigned char)p->text[k - 1])) &&
                (k + 1 == t->at + t->n || !isalnum((unsigned char)p->text[k + 1])))
                return true;
    }
    return false;
}

/* One that is no name, nor the index of another loop. */
static const char *free_letter(const Scene *s)
{
    static const char *const letters[] = {"i", "j", "k", "l", "s"};
    for (size_t i = 0; i < COUNT_OF(letters); i++) {
        bool taken = false;
        for (size_t k = 0; k < s->nodes.len && !taken; k++)
            taken = says(&s->nodes.at[k].words, *letters[i]);
        if (!taken)
            return letters[i];
    }
    return "layer";
}

/* The number that the index begins with: that of what the first group gives, else of what it
 * reads; 1 if nothing counts. */
static i64 first_number(const Layers *l)
{
    int first = l->items.at[l->start].tokens, end = l->items.at[l->start + l->period].tokens;
    for (size_t i = 0; i < l->links.len; i++)
        if (l->links.at[i].token >= 0 && layers_counts(l, l->links.at[i].token))
            return layers_token(l, l->links.at[i].token, 1)->number - 1;
    for (int t = first; t < end; t++)
        if (layers_counts(l, t))
            return layers_token(l, t, 1)->number - 1;
    return 1;
}

static void put_part(Pretty *w, PhraseKind kind, const char *s, int n)
{
    size_t part = pretty_part(w, kind);
    text_putn(&w->text, s, (size_t)n);
    pretty_part_end(w, part);
}

/* "W" of W_1 and "W" of W1 would be one. */
static int base_length(const Layers *l, const Token *t)
{
    int n = t->stem - 1;
    bool barred = n > 0 && t->text[n] == '_';
    for (size_t i = 0; i < l->tokens.len && barred; i++)
        barred =
            l->tokens.at[i].stem != n || strncmp(l->tokens.at[i].text, t->text, (size_t)n) != 0;
    return barred ? n : t->stem;
}

/* A token of the first group: "W" and below the line "(i-1)". */
static void put_token(const Repeat *r, Pretty *w, int token, int shift)
{
    const Token *one = layers_token(&r->l, token, 1);
    if (!layers_counts(&r->l, token)) {
        pretty_variable(w, one->text);
        return;
    }
    i64 by = one->number - 1 - r->first + shift;
    Text index = {0};
    text_printf(&index, "(%s", r->letter);
    if (by)
        text_printf(&index, "%s%lld", by < 0 ? "-" : "+", (long long)(by < 0 ? -by : by));
    text_put(&index, ")");
    put_part(w, PHRASE_VARIABLE, one->text, base_length(&r->l, one));
    put_part(w, PHRASE_BELOW, text_str(&index), (int)index.len);
    text_free(&index);
}

static Phrase token_phrase(Repeat *r, int token, int shift)
{
    Pretty w = {0};
    if (token >= 0)
        put_token(r, &w, token, shift);
    return *figure_keep(r->f, &w);
}

static Phrase name_phrase(Repeat *r, const char *name)
{
    Pretty w = {0};
    pretty_variable(&w, name);
    return *figure_keep(r->f, &w);
}

/* Where byte `at` of a text is after its tokens were replaced: they end at these bytes, before and
 * after. */
typedef struct {
    int before, after;
} TokenEnd;
typedef VEC(TokenEnd) TokenEnds;

static int moved_to(const TokenEnds *m, int at)
{
    int by = 0;
    for (size_t i = 0; i < m->len && m->at[i].before <= at; i++)
        by = m->at[i].after - m->at[i].before;
    return at + by;
}

/* A text of the first group with the index; *token: its first one, then the one behind its last. */
static Phrase indexed(Repeat *r, const Phrase *p, int *token)
{
    Pretty w = {0};
    TokenEnds moved = {0};
    VEC(int) ends = {0}; /* before, of parts around tokens; -1: of others */
    int from = 0;
    for (int i = 0; i < p->nparts; i++) {
        const PhrasePart *t = &p->parts[i];
        if (t->at < from) /* within a token */
            continue;
        text_putn(&w.text, p->text + from, (size_t)(t->at - from));
        from = t->at;
        if (t->kind == PHRASE_VARIABLE) {
            put_token(r, &w, (*token)++, 0);
            from += t->n;
            vec_push(&moved, ((TokenEnd){from, (int)w.text.len}));
        } else {
            vec_push(&w.parts, ((PhrasePart){t->kind, (int)w.text.len, t->n}));
        }
        while (ends.len < w.parts.len)
            vec_push(&ends,
                     t->kind == PHRASE_VARIABLE || t->kind == PHRASE_BREAK ? -1 : t->at + t->n);
    }
    if (!p->text) /* there is none */
        return *p;
    text_put(&w.text, p->text + from);
    for (size_t i = 0; i < ends.len; i++)
        if (ends.at[i] >= 0)
            w.parts.at[i].n = moved_to(&moved, ends.at[i]) - w.parts.at[i].at;
    vec_free(&moved);
    vec_free(&ends);
    return *figure_keep(r->f, &w);
}

/* ---- the frame ---- */

static const Phrase *title_of(Repeat *r)
{
    Layers *l = &r->l;
    bool any = false;
    int first = l->items.at[l->start].tokens, end = l->items.at[l->start + l->period].tokens;
    for (int t = first; t < end; t++)
        any = any || layers_counts(l, t);
    Pretty title = {0};
    pretty_printf(&title, "\u00d7%d", l->n);
    if (any) {
        pretty_words(&title, ": ");
        pretty_variable(&title, r->letter);
        pretty_printf(&title, " = %lld, \u2026, %lld", (long long)r->first, /* in one line */
                      (long long)(r->first + l->n - 1));
    }
    return figure_keep(r->f, &title);
}

static int put_end(Repeat *r, int box, SceneRole role, const Phrase *text)
{
    return scene_node(r->out, &(SceneNode){.op = scene_role_words[role],
                                           .words = *text,
                                           .label = text->text,
                                           .role = role,
                                           .box = box});
}

static void put_edge(Repeat *r, int from, int to, SceneEdgeKind kind, int line)
{
    scene_edge(r->out, &(SceneEdge){.from = from, .to = to, .kind = kind, .line = line});
}

static void put_frame(Repeat *r)
{
    const Phrase *title = title_of(r);
    r->frame = scene_box(r->out, &(SceneBox){.kind = BOX_LAYERS,
                                             .repeat = r->l.n,
                                             .title = title->text,
                                             .title_words = *title});
}

static void put_boxes(Repeat *r)
{
    const Layers *l = &r->l;
    for (int k = 1; k <= (int)l->s->boxes.len; k++) {
        SceneBox b = *scene_box_at(l->s, k);
        int group = layers_group(l, l->of_box[k].item), token = l->of_box[k].token;
        if (group > 0)
            continue;
        if (group == 0) {
            b.title_words = indexed(r, &b.title_words, &token);
            b.subtitle_words = indexed(r, &b.subtitle_words, &token);
        }
        b.parent = b.parent ? r->box_of[b.parent] : group == 0 ? r->frame : 0;
        r->box_of[k] = scene_box(r->out, &b);
    }
}

/* What enters, and outside what enters the first group by its name alone. */
static void put_entries(Repeat *r)
{
    for (size_t i = 0; i < r->l.links.len; i++) {
        Link *k = &r->l.links.at[i];
        Phrase text = token_phrase(r, k->token, -1);
        k->in = put_end(r, r->frame, ROLE_PARAM, &text);
        if (k->entry)
            continue;
        Phrase start = name_phrase(r, k->start);
        put_edge(r, put_end(r, 0, ROLE_INPUT, &start), k->in, EDGE_STATE, 0);
    }
}

/* The like of a node some groups further on, or back. */
static int like_of(const Layers *l, int node, int groups)
{
    Spot spot = l->of_node[node];
    int k = 1, item = spot.item + groups * l->period;
    while (l->of_node[k].item != item || l->of_node[k].place != spot.place)
        k++;
    return k;
}

/* Does more than an end outside read it, which says the name? */
static bool is_read(const Scene *s, int node)
{
    for (size_t i = 0; i < s->edges.len; i++) {
        const SceneEdge *e = &s->edges.at[i];
        const SceneNode *to = e->to_box ? NULL : scene_node_at(s, e->to);
        bool end = e->kind == EDGE_LOOPBACK || (to && to->role == ROLE_OUTPUT && !to->box);
        if (!e->from_box && e->from == node && !end)
            return true;
    }
    return false;
}

/* What leaves, by the name that the last group has for it, if no end says it; of a result, to its
 * end outside. */
static void put_exits(Repeat *r)
{
    Layers *l = &r->l;
    for (size_t i = 0; i < l->links.len; i++) {
        Link *k = &l->links.at[i];
        int last = like_of(l, k->node, l->n - 1), output = scene_node_at(l->s, last)->output;
        bool named = k->token >= 0;
        Phrase text = named ? name_phrase(r, layers_token(l, k->token, l->n - 1)->text)
                            : (Phrase){.text = ""};
        bool read = is_read(l->s, last);
        k->out = put_end(r, r->frame, ROLE_OUTPUT, read ? &text : &(Phrase){.text = ""});
        put_edge(r, r->node_of[k->node], k->out, EDGE_STATE, k->line);
        if (!output)
            continue;
        int end = put_end(r, 0, ROLE_OUTPUT, &text);
        scene_node_at(r->out, end)->output = output;
        put_edge(r, k->out, end, EDGE_STATE, 0);
    }
}

static void put_nodes(Repeat *r)
{
    const Layers *l = &r->l;
    bool entered = false;
    for (int k = 1; k <= (int)l->s->nodes.len; k++) {
        SceneNode n = *scene_node_at(l->s, k);
        int group = layers_group(l, l->of_node[k].item), token = l->of_node[k].token;
        if (group > 0)
            continue;
        if (group == 0) {
            if (!entered)
                put_entries(r);
            entered = true;
            n.words = indexed(r, &n.words, &token);
            n.box = n.box ? r->box_of[n.box] : r->frame;
        } else {
            n.box = r->box_of[n.box];
        }
        r->node_of[k] = scene_node(r->out, &n);
    }
    put_exits(r);
}

static const Link *link_of(const Layers *l, const SceneEdge *e, int node)
{
    for (size_t i = 0; i < l->links.len; i++)
        if (l->links.at[i].node == node && l->links.at[i].line == e->line)
            return &l->links.at[i];
    return NULL;
}

static void put_link(Repeat *r, const SceneEdge *e, const Link *k)
{
    const Layers *l = &r->l;
    SceneEdge new = {.from = k->in, .kind = e->kind};
    Spot to = layers_end(l, e, true);
    int item = to.item - l->period;
    for (int b = 1; e->to_box && b <= (int)l->s->boxes.len; b++)
        if (l->of_box[b].item == item && l->of_box[b].place == to.place)
            new.to_box = r->box_of[b];
    new.to = e->to_box ? 0 : r->node_of[like_of(l, e->to, -1)];
    scene_edge(r->out, &new);
}

static void put_all_edges(Repeat *r)
{
    const Layers *l = &r->l;
    for (int k = 1; k <= (int)l->s->edges.len; k++) {
        SceneEdge e = *scene_edge_at(l->s, k);
        int from = layers_group(l, layers_end(l, &e, false).item),
            to = layers_group(l, layers_end(l, &e, true).item);
        if (from == 0 && to == 1)
            put_link(r, &e, link_of(l, &e, e.from));
        if (to > 0 || (from > 0 && from < l->n - 1) || (from == 0 && to != 0))
            continue;
        if (from == l->n - 1) { /* from the frame on */
            const Link *link = link_of(l, &e, like_of(l, e.from, 1 - l->n));
            e.from = link->out;
            e.line = 0;
        } else {
            e.from = e.from ? r->node_of[e.from] : 0;
            e.from_box = r->box_of[e.from_box];
        }
        if (l->entry[k]) {
            for (size_t i = 0; i < l->links.len; i++)
                if (l->links.at[i].entry == k)
                    put_edge(r, e.from, l->links.at[i].in, EDGE_STATE, e.line);
            continue;
        }
        bool captured = to == 0 && from < 0;
        e.to = captured ? 0 : r->node_of[e.to];
        e.to_box = captured ? r->frame : r->box_of[e.to_box];
        e.kind = captured ? EDGE_CAPTURE : e.kind;
        scene_edge(r->out, &e);
    }
}

/* Does all that leaves the last group go on from group to group, too? */
static bool leaves_by_links(const Layers *l)
{
    int last = l->start + (l->n - 1) * l->period;
    for (int k = 1; k <= (int)l->s->edges.len; k++) {
        const SceneEdge *e = scene_edge_at(l->s, k);
        bool out = layers_group(l, layers_end(l, e, false).item) == l->n - 1 &&
                   layers_group(l, layers_end(l, e, true).item) < 0;
        if (out && (e->from_box || !link_of(l, e, like_of(l, e->from, 1 - l->n))))
            return false;
    }
    for (int k = 1; k <= (int)l->s->nodes.len; k++)
        if (scene_node_at(l->s, k)->output && l->of_node[k].item >= last &&
            l->of_node[k].item < last + l->period &&
            !link_of(l, &(SceneEdge){.line = 0}, like_of(l, k, 1 - l->n)))
            return false;
    return true;
}

/* The scene with its longest chain as one frame, or NULL: it has none. */
static Scene *fold_chain(Fig *f, const Scene *s)
{
    Repeat r = {.f = f};
    if (layers_find(f->st, s, &r.l) && leaves_by_links(&r.l)) {
        r.out = scene_new(s->title);
        r.out->style = s->style;
        scene_set_note(r.out, s->note);
        r.letter = free_letter(s);
        r.first = first_number(&r.l);
        r.node_of = xcalloc(s->nodes.len + 1, sizeof *r.node_of);
        r.box_of = xcalloc(s->boxes.len + 1, sizeof *r.box_of);
        put_frame(&r);
        put_boxes(&r);
        put_nodes(&r);
        put_all_edges(&r);
        free(r.node_of);
        free(r.box_of);
    }
    layers_free(&r.l);
    return r.out;
}

Scene *figure_fold_layers(Fig *f, Scene *whole)
{
    for (int i = 0; i < MOST_CHAINS; i++) {
        Scene *next = fold_chain(f, whole);
        if (!next)
            break;
        scene_free(whole);
        whole = next;
    }
    return whole;
}
