/* Definitions that matter; see definitions.h.
 *
 * Invariant: `names` of those in the list are symbols that the session keeps; a name's entry in
 * s->defined is in the list. A note is held back until a stale definition is used or the text ends:
 * a file that defines everything again, in order, is told nothing. */
#include "session/definitions.h"
#include "graph/provenance.h"

/* ---- the list ---- */

static void unlink_use(Use *u)
{
    if (u->before)
        u->before->after = u->after;
    else
        u->used->users = u->after;
    if (u->after)
        u->after->before = u->before;
}

static void unlink_definition(Session *s, Definition *d)
{
    *(d->before ? &d->before->after : &s->first_definition) = d->after;
    *(d->after ? &d->after->before : &s->last_definition) = d->before;
}

static void definition_free(Definition *d)
{
    free(d->text);
    free(d->names);
    free(d->leaves);
    free(d->form);
    free(d->dimensions);
    free(d->gaps);
    free(d);
}

/* Frees what no longer matters, and what mattered only to it. */
static void let_go(Session *s, Definition *d)
{
    VEC(Definition *) todo = {0};
    vec_push(&todo, d);
    while (todo.len) {
        d = todo.at[--todo.len];
        if (d->current || d->users || d->kept)
            continue;
        for (Use *u = d->uses, *next; u; u = next) {
            next = u->next;
            unlink_use(u);
            vec_push(&todo, u->used);
            free(u);
        }
        d->uses = NULL;
        unlink_definition(s, d);
        for (size_t i = 0; i < todo.len; i++) /* pushed twice, if it was used under two names */
            if (todo.at[i] == d)
                todo.at[i--] = todo.at[--todo.len];
        definition_free(d);
    }
    vec_free(&todo);
}

void definitions_free(Session *s)
{
    for (Definition *d = s->first_definition, *next; d; d = next) {
        next = d->after;
        for (Use *u = d->uses, *more; u; u = more) {
            more = u->next;
            free(u);
        }
        definition_free(d);
    }
    map_free(&s->defined);
    vec_free(&s->used);
    vec_free(&s->pending);
}

/* ---- what a statement uses ---- */

void definitions_start(Session *s)
{
    s->used.len = 0;
    s->use_stamp++;
    if (s->chapter) /* not that of what an earlier one explored */
        provenance_enter(&s->st, s->chapter->provenance);
}

bool definitions_used(void *session, Symbol name)
{
    Session *s = session;
    if (map_has(&s->failed_anew, name))
        return false;
    Definition *d = map_get(&s->defined, name);
    if (!d)
        d = definitions_last(s, name);
    if (d)
        provenance_refer(&s->st, d->provenance);
    if (!d || d->stamp == s->use_stamp)
        return true;
    d->stamp = s->use_stamp;
    vec_push(&s->used, d);
    if (d->stale)
        definitions_tell(s);
    return true;
}

Symbol definitions_older(void *session, Symbol name)
{
    enum { FAR = 1000 }; /* definitions that are gone through: it is only for a hint */
    Session *s = session;
    const Definition *now = map_get(&s->defined, name);
    typedef struct {
        Definition *d, *from;
    } Way;
    VEC(Way) todo = {0};
    Symbol found = NULL;
    for (size_t i = 0; i < s->used.len; i++)
        vec_push(&todo, ((Way){s->used.at[i], s->used.at[i]}));
    for (size_t i = 0; i < todo.len && i < FAR && !found; i++) {
        const Definition *d = todo.at[i].d;
        for (int k = 0; k < d->nnames; k++)
            if (d != now && d->names[k] == name && todo.at[i].from != d)
                found = todo.at[i].from->names[0];
        for (Use *u = d->uses; u; u = u->next)
            vec_push(&todo, ((Way){u->used, todo.at[i].from}));
    }
    vec_free(&todo);
    return found;
}

/* ---- what an older meaning is still used by ---- */

static int by_age(const void *pa, const void *pb)
{
    const StaleUse *a = pa, *b = pb;
    return a->serial < b->serial ? -1 : a->serial > b->serial;
}

enum { LISTED = 64 }; /* more uses of an old meaning nobody reads of */

/* `old` gave the name its meaning until now; who was built from it, directly or not, is stale. */
static void note_stale(Session *s, Definition *old, Symbol name)
{
    VEC(Definition *) todo = {0};
    u64 stamp = ++s->use_stamp;
    size_t first = s->pending.len;
    vec_push(&todo, old);
    for (size_t i = 0; i < todo.len && i < LISTED; i++)
        for (Use *u = todo.at[i]->users; u && todo.len < LISTED; u = u->after) {
            if (u->user->stamp == stamp)
                continue;
            u->user->stamp = stamp;
            vec_push(&todo, u->user);
            for (int k = 0; k < u->user->nnames; k++) {
                if (u->user->names[k] == name || map_get(&s->defined, u->user->names[k]) != u->user)
                    continue;
                u->user->stale = true;
                vec_push(&s->pending, ((StaleUse){.of = name,
                                                  .by = u->user->names[k],
                                                  .serial = u->user->serial,
                                                  .span = s->st.span}));
            }
        }
    if (s->pending.len > first)
        qsort(s->pending.at + first, s->pending.len - first, sizeof *s->pending.at, by_age);
    vec_free(&todo);
}

void definitions_tell(Session *s)
{
    for (size_t i = 0, to; i < s->pending.len; i = to) {
        Text users = {0};
        Symbol of = s->pending.at[i].of;
        Span span = s->pending.at[i].span;
        for (to = i; to < s->pending.len && s->pending.at[to].of == of &&
                     s->pending.at[to].span.start == span.start;
             to++) {
            Definition *d = map_get(&s->defined, s->pending.at[to].by);
            if (!d || d->serial != s->pending.at[to].serial)
                continue; /* defined again since */
            d->stale = false;
            text_printf(&users, "%s%s", users.len ? ", " : "", s->pending.at[to].by);
        }
        if (users.len)
            diag_note(s->st.diags, "stale", span,
                      "these definitions still refer to the previous `%s`: %s", of,
                      text_str(&users));
        text_free(&users);
    }
    s->pending.len = 0;
}

/* ---- adding ---- */

/* At the end of the list, built from nothing so far. */
static Definition *append_bare(Session *s, Text *text, int nnames)
{
    Definition *d = xcalloc(1, sizeof *d);
    d->serial = ++s->definition_count;
    d->provenance = s->chapter ? s->chapter->provenance : s->st.provenance;
    d->text = text_take(text);
    d->names = xcalloc((size_t)nnames + 1, sizeof *d->names);
    d->before = s->last_definition;
    *(d->before ? &d->before->after : &s->first_definition) = d;
    s->last_definition = d;
    return d;
}

static Definition *append(Session *s, Text *text, int nnames)
{
    Definition *d = append_bare(s, text, nnames);
    for (size_t i = 0; i < s->used.len; i++) {
        Use *u = xcalloc(1, sizeof *u);
        *u = (Use){.user = d, .used = s->used.at[i], .next = d->uses};
        u->after = u->used->users;
        if (u->after)
            u->after->before = u;
        u->used->users = u;
        d->uses = u;
    }
    return d;
}

/* `same`: it means what it meant. */
static void give_name(Session *s, Definition *d, Symbol name, bool same)
{
    Definition *old = map_get(&s->defined, name);
    d->names[d->nnames++] = name;
    d->current++;
    map_put(&s->defined, name, d);
    if (!old)
        return;
    old->current--;
    if (!same && old != d && !old->last_value)
        note_stale(s, old, name);
    let_go(s, old);
}

void definitions_add(Session *s, const Stmt *stmt)
{
    Text text = {0};
    int named = 0;
    for (int i = 0; i < stmt->nnames; i++)
        named += strcmp(stmt->names[i].name, "_") != 0;
    if (!named)
        return;
    ast_print_stmt(&text, stmt);
    Definition *d = append(s, &text, stmt->nnames);
    d->current++; /* until all names are given */
    for (int i = 0; i < stmt->nnames; i++) {
        Symbol name = symbol(&s->st, stmt->names[i].name);
        if (!strcmp(name, "_"))
            continue;
        const Definition *old = map_get(&s->defined, name);
        bool same =
            s->same_value || (old && stmt->kind == S_FUNCTION && !strcmp(old->text, d->text));
        give_name(s, d, name, same);
    }
    d->current--;
    s->used.len = 0; /* some of them may be gone */
}

/* "(W=, b=)"; *gap and those behind it become where its tensors stand. Returns the next gap. */
static size_t *put_form(Text *out, size_t *gap, const Value *v)
{
    if (v->kind != V_TUPLE) {
        *gap = out->len;
        return gap + 1;
    }
    for (int i = 0; i < v->nitems; i++) {
        text_put(out, i ? ", " : "(");
        text_printf(out, v->names ? "%s=" : "", v->names ? v->names[i] : "");
        gap = put_form(out, gap, v->items[i]);
    }
    text_put(out, v->nitems == 1 && !v->names ? ",)" : ")");
    return gap;
}

/* The names of all dimensions of the leaves, each followed by a line break. */
static char *dimensions_text(const Session *s, const NodeVec *nodes)
{
    Text text = {0};
    for (size_t i = 0; i < nodes->len; i++) {
        const Symbol *names = leaf_dimensions(&s->st, nodes->at[i]);
        for (int k = 0; k < nodes->at[i]->type->rank; k++)
            text_printf(&text, "%s\n", names && names[k] ? names[k] : "");
    }
    return text_take(&text);
}

/* The leaves of d have the names again that they had in it. */
static void restore_dimensions(Session *s, const Definition *d)
{
    const char *at = d->dimensions;
    for (int i = 0; i < d->nleaves && at; i++) {
        Node *leaf = (Node *)(uintptr_t)d->leaves[i];
        Symbol names[MAX_RANK];
        bool any = false;
        for (int k = 0; k < leaf->type->rank; k++) {
            size_t n = strcspn(at, "\n");
            names[k] = n ? symbol_n(&s->st, at, n) : NULL;
            any = any || n;
            at += n + 1;
        }
        leaf_name_dimensions(&s->st, leaf, any ? names : NULL);
    }
}

static bool same_leaves(const Definition *d, const NodeVec *nodes, const char *form,
                        const char *dimensions)
{
    bool same = d->leaf && d->nleaves == (int)nodes->len && !strcmp(d->form, form) &&
                !strcmp(d->dimensions, dimensions);
    for (int i = 0; same && i < d->nleaves; i++)
        same = d->leaves[i] == nodes->at[i];
    return same;
}

void definitions_add_leaves(Session *s, const Stmt *stmt, Symbol name, Value *v)
{
    Text text = {0}, form = {0};
    NodeVec nodes = {0};
    const Definition *old = map_get(&s->defined, name);
    value_nodes(&s->elab, v, &nodes);
    size_t *gaps = xcalloc(nodes.len + 1, sizeof *gaps);
    put_form(&form, gaps, v);
    char *dimensions = dimensions_text(s, &nodes);
    if (old && same_leaves(old, &nodes, text_str(&form), dimensions)) { /* as it is: kept */
        vec_free(&nodes);
        free(dimensions);
        text_free(&form);
        free(gaps);
        return;
    }
    if (stmt->kind == S_INPUT || stmt->kind == S_SHARED) {
        Stmt bare = *stmt;
        bare.value = NULL;
        ast_print_stmt(&text, &bare);
    } else {
        text_printf(&text, "%s : %s", name, tuple_structure(&s->elab, v));
    }
    s->used.len = 0; /* its value is written as numbers */
    Definition *d = append(s, &text, 1);
    d->nleaves = (int)nodes.len;
    d->leaves = xcalloc(nodes.len + 1, sizeof *d->leaves);
    for (size_t i = 0; i < nodes.len; i++)
        d->leaves[i] = nodes.at[i];
    d->leaf = nodes.at[0];
    d->form = text_take(&form);
    d->dimensions = dimensions;
    d->gaps = gaps;
    vec_free(&nodes);
    give_name(s, d, name, false);
}

Definition *definitions_add_last(Session *s, Symbol name, Text *text)
{
    Definition *d = append_bare(s, text, 1);
    d->last_value = true;
    give_name(s, d, name, true);
    return d;
}

void definitions_forget(Session *s, Definition *d, Symbol name)
{
    map_remove(&s->defined, name);
    d->current--;
    let_go(s, d);
}

void definitions_keep(Definition *d) { d->kept++; }

void definitions_unkeep(Session *s, Definition *d)
{
    d->kept--;
    let_go(s, d);
}

void definitions_restore(Session *s, Symbol name, Definition *d)
{
    Definition *now = map_get(&s->defined, name);
    size_t n = 0;
    if (d == now)
        return;
    if (d) {
        d->current++;
        map_put(&s->defined, name, d);
        restore_dimensions(s, d);
    } else {
        map_remove(&s->defined, name);
    }
    for (size_t i = 0; i < s->pending.len; i++) /* they use what it means again */
        if (s->pending.at[i].of != name)
            s->pending.at[n++] = s->pending.at[i];
    s->pending.len = n;
    if (now) {
        now->current--;
        let_go(s, now);
    }
}

void definitions_counting(const Session *s, DefinitionSet *out)
{
    for (const Definition *d = s->last_definition; d; d = d->before) {
        bool counts = d->current > 0;
        for (const Use *u = d->users; u && !counts; u = u->after)
            counts = map_has(out, u->user);
        if (counts)
            set_add(out, d);
    }
}
