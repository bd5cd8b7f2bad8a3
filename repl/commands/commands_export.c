/* :export: an expression as a program in another language.
 *
 * Invariant: what is exported is a state of the exploration, so that :steps tells how the program
 * came to be what it is. */
#include "emit/emit.h"
#include "repl/commands/commands.h"

#include <ctype.h>

/* The state that is exported where nothing else is asked for: derivatives are expanded, loops stand
 * as they were written. */
static const char usual_pass[] = "loops";

static bool is_identifier(const char *s)
{
    if (!isalpha((unsigned char)*s) && *s != '_')
        return false;
    while (isalnum((unsigned char)*s) || *s == '_')
        s++;
    return !*s;
}

static bool exported_state(Call *c, const Exploration *x, u32 *k)
{
    *k = 0;
    if (call_option(c, "pass"))
        return call_state(c, x, k);
    for (size_t i = 0; i < x->passes.len; i++)
        if (strcmp(x->passes.at[i].name, usual_pass) == 0)
            *k = x->passes.at[i].first_step + x->passes.at[i].steps;
    return true;
}

static Tensor *value_of_leaf(void *session, const Node *leaf)
{
    return session_leaf_value(session, leaf);
}

static i64 value_of_size(void *session, Symbol name)
{
    i64 k = 0;
    session_size(session, name, &k);
    return k;
}

/* With values=yes each input needs one. */
static bool has_values(Call *c, int n, Node *const *roots)
{
    Node *missing;
    return !session_missing(&c->r->s, n, roots, &missing) ||
           call_fail(c, c->rest, "no-value", "give it one with :=", "%s has no value",
                     missing->op == OP_SIZE ? "a size" : missing->attrs[0].name);
}

static i64 lines_of(const char *text)
{
    i64 n = 0;
    for (const char *c = text; (c = strchr(c, '\n')); c++)
        n++;
    return n;
}

bool command_export(Call *c)
{
    static const char *const yes_no[] = {"no", "yes"};
    int target = PYTHON_NUMPY, values = 0;
    u32 k;
    if (!call_choice(c, "to", python_targets, PYTHON_TARGETS, &target) ||
        !call_choice(c, "values", yes_no, 2, &values))
        return false;
    const char *text = arena_strndup(&c->arena, c->text, strlen(c->text));
    Exploration *x = call_explore(c);
    if (!x || !exported_state(c, x, &k))
        return false;
    Place place = {1, {k}};
    Node **roots = call_roots_at(c, x, "pass", &place);
    if (!roots)
        return false;
    Session *s = &c->r->s;
    bool named = is_identifier(text);
    EmitRequest rq = {.st = &s->st,
                      .nroots = x->nroots,
                      .roots = roots,
                      .name = named ? text : "f",
                      .origin = text,
                      .result = named ? text : NULL,
                      .value = values ? value_of_leaf : NULL,
                      .size = value_of_size,
                      .ctx = s};
    Text program = {0};
    s->st.span = c->rest;
    bool ok = (!values || has_values(c, x->nroots, roots)) &&
              emit_python(&rq, (PythonTarget)target, &program) && call_put_file(c, &program, NULL);
    if (ok)
        report_say(&c->report, "wrote {file}: {target}, {lines} lines", text_of(c->file),
                   text_of(python_targets[target]), int_of(lines_of(text_str(&program))));
    text_free(&program);
    free(roots);
    return ok;
}
