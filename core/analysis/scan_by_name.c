/* Finding a scan by name: see scan_by_name.h. */
#include "analysis/scan_by_name.h"

#include "graph/name.h"
#include "graph/control.h"
#include "graph/walk.h"

typedef enum { NOT_NAMED, OF_PART, OF_ALIKE, OF_COPY, OF_SCAN } NameOf;

typedef struct {
    const Env *globals;
    Store *st;
    NodeVec order; /* of the graph */
} Search;

bool scan_name_is(Store *st, Symbol name, const char *asked)
{
    return name && !strcmp(name_base(st, name), asked);
}

/* A derivative puts another scan, which keeps more, into the place of the one that was written: it
 * has the same states, and they start alike unless something was rewritten. */
static NameOf has_states_of(Store *st, const Node *scan, const Node *written)
{
    const Symbol *names = scan_roles(st, scan).names, *asked = scan_roles(st, written).names;
    ScanShape is = scan_shape(scan), was = scan_shape(written);
    bool alike = true;
    for (int i = 0; i < was.nstates; i++) {
        int k = 0;
        while (k < is.nstates && (!names[k] || names[k] != asked[i]))
            k++;
        if (k == is.nstates)
            return NOT_NAMED;
        alike = alike && is.inits[k] == was.inits[i];
    }
    return !was.nstates ? NOT_NAMED : alike ? OF_COPY : OF_ALIKE;
}

/* Is it what the definition stands for, or what came of that? */
static NameOf is_defined(const Search *s, const Node *scan, const Value *v)
{
    if (v && v->kind == V_RECORD)
        return v->record->scan == scan ? OF_SCAN : has_states_of(s->st, scan, v->record->scan);
    bool result = v && v->kind == V_NODE && v->node->op == OP_PROJ && v->node->ops[0] == scan;
    return result ? OF_SCAN : NOT_NAMED;
}

static NameOf is_named(const Search *s, const Node *scan, const char *name)
{
    NameOf defined = is_defined(s, scan, env_own(s->globals, symbol(s->st, name)));
    Symbol own = node_name(s->st, scan);
    if (defined != NOT_NAMED)
        return defined;
    if (own && !strcmp(own, name))
        return OF_SCAN;
    ScanRoles roles = scan_roles(s->st, scan);
    ScanShape shape = scan_shape(scan);
    for (int i = 0; i < shape.nstates; i++)
        if (scan_name_is(s->st, roles.names[i], name))
            return OF_PART;
    for (int i = 0; i < shape.nouts; i++)
        if (scan_name_is(s->st, roles.outs[i], name))
            return OF_PART;
    for (size_t i = 0; i < s->order.len; i++) {
        const Node *p = s->order.at[i];
        Symbol result = p->op == OP_PROJ && p->ops[0] == scan ? node_name(s->st, p) : NULL;
        if (result && !strcmp(result, name))
            return OF_PART;
    }
    return NOT_NAMED;
}

/* ---- what there is ---- */

void scan_names_add(Store *st, ScanNames *names, Symbol name)
{
    name = name ? name_spelling(st, name_base(st, name)) : NULL;
    for (size_t i = 0; i < names->len; i++)
        if (names->at[i] == name)
            return;
    if (name)
        vec_push(names, name);
}

static void names_of(const Search *s, const Node *scan, ScanNames *names)
{
    ScanRoles roles = scan_roles(s->st, scan);
    ScanShape shape = scan_shape(scan);
    for (int i = 0; i < s->globals->len; i++)
        if (s->globals->at[i].value->kind == V_RECORD &&
            is_defined(s, scan, s->globals->at[i].value))
            scan_names_add(s->st, names, s->globals->at[i].name);
    for (int i = 0; i < shape.nstates; i++)
        scan_names_add(s->st, names, roles.names[i]);
    for (int i = 0; i < shape.nouts; i++)
        scan_names_add(s->st, names, roles.outs[i]);
}

void scan_names(Store *st, const Env *globals, int n, Node *const *roots, ScanNames *names)
{
    Search s = {.globals = globals, .st = st};
    nodes_topo(n, roots, &s.order);
    for (size_t i = 0; i < s.order.len; i++)
        if (s.order.at[i]->op == OP_SCAN)
            names_of(&s, s.order.at[i], names);
    vec_free(&s.order);
}

Node *scan_by_name(Store *st, const Env *globals, int n, Node *const *roots, const char *name)
{
    Search s = {.globals = globals, .st = st};
    Node *found = NULL;
    NameOf best = NOT_NAMED;
    nodes_topo(n, roots, &s.order);
    for (size_t i = s.order.len; i-- > 0 && best != OF_SCAN;) {
        Node *at = s.order.at[i];
        NameOf named = at->op != OP_SCAN ? NOT_NAMED : name ? is_named(&s, at, name) : OF_SCAN;
        if (named > best) {
            best = named;
            found = at;
        }
    }
    vec_free(&s.order);
    return found;
}
