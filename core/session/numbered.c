/* `%12` in an expression: node 12 of the last listing (:graph, :steps, :why, ...).
 *
 * Invariant: what a definition says of it does not need the listing: its text has the expression
 * that the node is. */
#include "session/session.h"
#include "graph/provenance.h"

#include "surface/surface.h"
#include "rewrite/things.h"

/* What it was first in the outermost graph; NULL: it stands in bodies only. */
static Node *outermost(const Thing *thing)
{
    for (const Occurrence *o = thing->first; o; o = o->next)
        if (!o->body->owner)
            return o->node;
    return NULL;
}

/* ( result) or { a = ..; b = ..; result }, or NULL where the language has no words for it. */
static const char *as_block(Session *s, Node *n)
{
    Text text = {0};
    DiagTry trial;
    diag_try_begin(&trial, &s->st.diags);
    text_put(&text, "{\n");
    bool ok = listing_print(&s->st, &text, 1, &n, &(ListingOptions){.declared = true});
    bool block = strchr(text_str(&text) + 2, '\n') != NULL;
    text_put(&text, block ? "\n}" : ")");
    if (!block)
        text.at[0] = '(', text.at[1] = ' ';
    diag_try_end(&trial);
    const char *kept = ok ? arena_strndup(s->elab.arena, text.at, text.len) : NULL;
    text_free(&text);
    return kept;
}

Node *session_numbered(void *session, Expr *x)
{
    Session *s = session;
    Elab *e = &s->elab;
    if (!s->listed)
        return elab_error(e, x->span, "unknown-name", ":graph EXPR and :steps EXPR show numbers",
                          "nothing has been listed yet");
    const Thing *thing = thing_numbered(s->listed, (u32)strtoul(x->text + 1, NULL, 10));
    if (!thing)
        return elab_error(e, x->span, "unknown-name", ":graph EXPR and :steps EXPR show numbers",
                          "there is no node %s in the last listing", x->text);
    Node *n = outermost(thing);
    if (!n)
        return elab_error(e, x->span, "scope", ":trace shows values inside loops",
                          "%s is inside a loop, a branch or a function, so it has no single value",
                          x->text);
    if (n->type->kind != TYPE_TENSOR)
        return elab_error(e, x->span, "type-mismatch", "each of its results has its own number",
                          "%s has several results", x->text);
    if (e->calling)
        return elab_error(
            e, x->span, "scope", "name it first: a = %3",
            "in a function, the number would mean a different node after each listing");
    provenance_refer(&s->st, s->listed->provenance);
    const char *text = e->statement ? NULL : as_block(s, n);
    x->text = text ? text : x->text;
    return n;
}
