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

void sources_clear(Sources *s)
{
    map_clear(&s->stop);
    map_clear(&s->places);
    s->nodes.len = 0;
}

void sources_free(Sources *s)
{
    vec_free(&s->nodes);
    map_free(&s->stop);
    map_free(&s->places);
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

void algebra_read_over(Algebra *a, const Type *whole, const Sources *from, u32 work)
{
    map_clear(&a->of);
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
        of->form = form_of_atom(a, atom_leaf(a, n), n->type);
        map_put(&a->of, n, of);
    }
}
