/* Names: finding a scan by that of its definition, of one of its states or of one of its outputs,
 * and choosing among the values that are shown. */
#include "graph/name.h"
#include "repl/commands/looking.h"

typedef enum { NOT_NAMED, OF_PART, OF_ALIKE, OF_COPY, OF_SCAN } NameOf;

typedef struct {
    const Env *globals;
    Store *st;
    NodeVec order; /* of the graph */
} Search;

/* Is it h, h[t] or h[t-1] for "h"? The name may be NULL. */
static bool is_called(Store *st, Symbol name, const char *asked)
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
        if (is_called(s->st, roles.names[i], name))
            return OF_PART;
    for (int i = 0; i < shape.nouts; i++)
        if (is_called(s->st, roles.outs[i], name))
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

typedef VEC(const char *) Names;

/* Without its index; a text that is no name, as it is. */
static void add_name(Store *st, Names *names, Symbol name)
{
    name = name ? name_spelling(st, name_base(st, name)) : NULL;
    for (size_t i = 0; i < names->len; i++)
        if (names->at[i] == name)
            return;
    if (name)
        vec_push(names, name);
}

static void names_of(const Search *s, const Node *scan, Names *names)
{
    ScanRoles roles = scan_roles(s->st, scan);
    ScanShape shape = scan_shape(scan);
    for (int i = 0; i < s->globals->len; i++)
        if (s->globals->at[i].value->kind == V_RECORD &&
            is_defined(s, scan, s->globals->at[i].value))
            add_name(s->st, names, s->globals->at[i].name);
    for (int i = 0; i < shape.nstates; i++)
        add_name(s->st, names, roles.names[i]);
    for (int i = 0; i < shape.nouts; i++)
        add_name(s->st, names, roles.outs[i]);
}

/* The name that was perhaps meant, else all that there are; NULL: there is none. */
static const char *names_hint(Call *c, const char *asked, const Names *names, const char *these)
{
    Text hint = {0};
    const char *close = closest_name(asked, names->at, names->len);
    if (close)
        text_printf(&hint, "did you mean %s?", close);
    for (size_t i = 0; i < names->len && !close; i++)
        text_printf(&hint, "%s%s", i ? ", " : these, names->at[i]);
    return names->len ? report_take(&c->report, &hint) : NULL;
}

static void unknown_scan(Call *c, const Search *s, const Option *asked)
{
    Names names = {0};
    for (size_t i = 0; i < s->order.len; i++)
        if (s->order.at[i]->op == OP_SCAN)
            names_of(s, s->order.at[i], &names);
    const char *hint = names_hint(c, asked->value, &names, "scans are found by these names: ");
    call_fail(c, asked->span, "unknown-name", hint ? hint : "there is no scan outside other loops",
              "there is no scan %s outside other loops here", asked->value);
    vec_free(&names);
}

Node *looking_scan(Looking *l)
{
    const Option *name = call_option(l->c, "scan");
    Search s = {.globals = l->c->r->s.elab.globals, .st = l->st};
    Node *found = NULL;
    NameOf best = NOT_NAMED;
    nodes_topo(l->nroots, l->roots, &s.order);
    for (size_t i = s.order.len; i-- > 0 && best != OF_SCAN;) {
        Node *n = s.order.at[i];
        NameOf named = n->op != OP_SCAN ? NOT_NAMED : name ? is_named(&s, n, name->value) : OF_SCAN;
        if (named > best) {
            best = named;
            found = n;
        }
    }
    if (!found && name)
        unknown_scan(l->c, &s, name);
    else if (!found)
        call_fail(l->c, l->c->rest, "no-scan", NULL, "there is no scan in this expression");
    vec_free(&s.order);
    return found;
}

/* ---- only= ---- */

static bool unknown_label(Looking *l, const Option *only, const char *asked,
                          const WatchedVec *values)
{
    Names names = {0};
    for (size_t i = 0; i < values->len; i++)
        add_name(l->st, &names, values->at[i].label);
    call_fail(l->c, only->span, "unknown-name", names_hint(l->c, asked, &names, "there are "),
              "nothing that is shown here is called %s", asked);
    vec_free(&names);
    return false;
}

bool looking_choose(Looking *l, WatchedVec *values)
{
    const Option *only = call_option(l->c, "only");
    if (!only)
        return true;
    bool *chosen = xcalloc(values->len + 1, 1), ok = true;
    size_t kept = 0;
    for (const char *s = only->value; *s && ok; s += s[strcspn(s, ",")] == ',') {
        char *asked = arena_strndup(&l->c->arena, s, strcspn(s, ","));
        bool found = false;
        for (size_t i = 0; i < values->len; i++)
            if (is_called(l->st, values->at[i].label, asked) || !strcmp(values->at[i].label, asked))
                chosen[i] = found = true;
        ok = found || unknown_label(l, only, asked, values);
        s += strlen(asked);
    }
    for (size_t i = 0; i < values->len; i++)
        if (chosen[i])
            values->at[kept++] = values->at[i];
    values->len = kept;
    free(chosen);
    return ok;
}
