/* Forms of what :saturate found last: see saturated.h. */
#include "session/saturated.h"

static void *copy_of(const void *from, size_t bytes)
{
    void *to = xmalloc(bytes + 1);
    if (bytes)
        memcpy(to, from, bytes);
    return to;
}

void session_saturated_free(Session *s)
{
    Saturated *k = s->saturated;
    if (!k)
        return;
    free(k->sizes);
    free(k->ops);
    free(k->rules);
    free(k);
    s->saturated = NULL;
}

void session_note_saturated(Session *s, const Saturating *how, const SaturatedForms *found,
                            Exploration *x)
{
    session_saturated_free(s);
    Saturated *k = s->saturated = xcalloc(1, sizeof *k);
    *k = (Saturated){.x = x, .form = 1, .forms = (u32)found->at.len, .how = *how};
    k->how.sizes = k->sizes = copy_of(how->sizes, how->nsizes * sizeof *how->sizes);
    k->how.ops = k->ops = copy_of(how->ops, how->nops * sizeof *how->ops);
    k->how.rules = k->rules = how->rules ? xstrdup(how->rules) : NULL;
    k->how.several = NULL;
}

u32 session_form_count(const Session *s)
{
    return s->saturated && s->saturated->x ? s->saturated->forms : 0;
}

Exploration *session_form(Session *s, u32 form)
{
    Saturated *k = s->saturated;
    if (k->form == form)
        return k->x;
    Growth growth;
    SaturatedForms forms = {.wanted = k->forms, .chosen = form - 1};
    Saturating how = k->how;
    how.several = &forms;
    Exploration *x = session_saturate(s, &how, k->x->nroots, k->x->start, &growth);
    if (x && forms.at.len < form) {
        diag_add(&s->diags, "usage", s->st.span, "`:saturate EXPR best=K` lists the current forms",
                 "the settings have changed, and there is no form %u any more", form);
        x = NULL;
    }
    growth_free(&growth);
    several_free(&forms);
    if (x) {
        k->x = x;
        k->form = form;
    }
    return x;
}
