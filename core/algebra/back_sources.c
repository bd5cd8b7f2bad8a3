/* What a form is of: its sources, and nodes read as forms over them. */
#include "algebra/back_parts.h"

void sources_add(Sources *s, Node *n)
{
    if (map_has(&s->stop, n))
        return;
    map_put(&s->stop, n, n);
    vec_push(&s->nodes, n);
    map_put(&s->places, n, (u32)s->nodes.len);
}

static bool are_mirrored(const Node *n, const Node *of)
{
    return n->op == of->op && n->type == of->type && n->ops[0]->op == OP_NEG &&
           n->ops[0]->ops[0] == of->ops[0];
}

void sources_relate(Sources *s)
{
    enum { MOST = 64 }; /* each is compared with each */
    for (size_t i = 0; i < s->nodes.len && s->nodes.len <= MOST; i++) {
        FormMirror m = op_mirror(s->nodes.at[i]->op);
        for (size_t k = 0; k < s->nodes.len && m && m != MIRROR_LESS; k++)
            if (are_mirrored(s->nodes.at[i], s->nodes.at[k]))
                map_put(&s->mirrored, s->nodes.at[i], s->nodes.at[k]);
    }
}

void sources_clear(Sources *s)
{
    map_clear(&s->stop);
    map_clear(&s->places);
    map_clear(&s->mirrored);
    s->nodes.len = 0;
    s->number = 0;
}

void sources_free(Sources *s)
{
    vec_free(&s->nodes);
    map_free(&s->stop);
    map_free(&s->places);
    map_free(&s->mirrored);
}

u32 source_place(const Sources *s, const FormAtom *a)
{
    if (a->kind == ATOM_LENGTH)
        return 0;
    u32 place = a->node ? map_get(&s->places, (Node *)(uintptr_t)a->node) : 0;
    return place ? place : (u32)s->nodes.len + 1;
}

u32 algebra_worked(const Algebra *a, u32 work)
{
    u32 left = a->work < FORM_MOST_WORK ? FORM_MOST_WORK - a->work : 0;
    return left < work ? work - left : 0;
}

static FormOf form_of_source(Algebra *a, Node *n, const Sources *from)
{
    Node *of = map_get(&from->mirrored, n);
    Node *leaf = of ? of : n;
    const Form *f = form_of_atom(a, atom_leaf(a, leaf), n->type);
    a->classes = 0;
    return (FormOf){of && f ? form_reflected(a, n->op, f, NULL) : f, a->classes};
}

void algebra_read_over(Algebra *a, const Type *whole, const Sources *from, u32 work)
{
    map_clear(&a->of);
    keys_over(a, &from->nodes, &from->places);
    a->whole = whole;
    a->work = FORM_MOST_WORK - work;
    a->most_work = FORM_MOST_WORK;
    a->limited = (FormLimit){0};
    a->gone.len = 0;
    for (size_t i = 0; i < from->nodes.len; i++) {
        Node *n = from->nodes.at[i];
        if (n->type->kind != TYPE_TENSOR || n->type->dtype == DT_RNG)
            continue;
        FormOf *of = arena_alloc(&a->arena, sizeof *of);
        *of = form_of_source(a, n, from);
        map_put(&a->of, n, of);
    }
}
