/* :export: an expression as a program in another language.
 *
 * Invariant: what is exported is a state of the exploration, so that :steps tells how the program
 * came to be what it is. */
#include "emit/emit.h"
#include "emit/export.h"
#include "graph/print.h"
#include "lang/composite.h"
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

/* ---- targets: what writes a program ---- */

typedef struct {
    Call *c;
    Exploration *x;
    Node **roots;
    const char *text; /* the expression */
    bool values;
    int target; /* of Python: PythonTarget */
} Job;

static bool write_python(Job *job, Text *program)
{
    Session *s = &job->c->r->s;
    bool named = is_identifier(job->text);
    EmitRequest rq = {.st = &s->st,
                      .nroots = job->x->nroots,
                      .roots = job->roots,
                      .name = named ? job->text : "f",
                      .origin = job->text,
                      .result = named ? job->text : NULL,
                      .value = job->values ? value_of_leaf : NULL,
                      .size = value_of_size,
                      .ctx = s};
    return emit_python(&rq, (PythonTarget)job->target, program);
}

static bool known_size(void *session, Symbol name, i64 *out)
{
    return session_size(session, name, out);
}

/* The function bears the name of the expression, else of the file. */
static const char *c_function(Job *job)
{
    const char *slash = strrchr(job->c->file, '/'), *from = slash ? slash + 1 : job->c->file;
    char *name = arena_strndup(&job->c->arena, from, strcspn(from, "."));
    for (char *p = name; *p; p++)
        if (!isalnum((unsigned char)*p))
            *p = '_';
    return is_identifier(job->text) ? job->text : is_identifier(name) ? name : "f";
}

static bool write_c(Job *job, Text *program)
{
    Session *s = &job->c->r->s;
    Text definitions = {0};
    bool ok = composites_open(&s->st, job->x->nroots, job->roots, job->roots) &&
              listing_print(&s->st, &definitions, job->x->nroots, job->x->start, NULL);
    Export x = {.st = &s->st,
                .n = job->x->nroots,
                .roots = job->roots,
                .source = job->text,
                .definitions = text_str(&definitions),
                .function = c_function(job),
                .values = job->values,
                .leaf = value_of_leaf,
                .size = known_size,
                .ctx = s};
    if (ok && !export_c(&x, program)) {
        const Span *at = x.fault ? node_span(x.fault) : NULL;
        ok = call_fail(job->c, at ? *at : job->c->rest, "export", NULL, "C cannot say: %s",
                       text_str(&x.why));
    }
    text_free(&x.why);
    text_free(&definitions);
    return ok;
}

/* By to=, else by the end of the file's name; the targets of Python, then C. */
static bool choose_target(Call *c, int *target, const char **name)
{
    const char *names[PYTHON_TARGETS + 1], *end = strrchr(c->file, '.');
    for (int i = 0; i < PYTHON_TARGETS; i++)
        names[i] = python_targets[i];
    names[PYTHON_TARGETS] = "c";
    *target = end && !strcmp(end, ".c") ? (int)PYTHON_TARGETS : (int)PYTHON_NUMPY;
    if (!call_choice(c, "to", names, PYTHON_TARGETS + 1, target))
        return false;
    *name = names[*target];
    return true;
}

bool command_export(Call *c)
{
    static const char *const yes_no[] = {"no", "yes"};
    int target, values = 0;
    const char *name;
    u32 k;
    if (!choose_target(c, &target, &name) || !call_choice(c, "values", yes_no, 2, &values))
        return false;
    const char *text = arena_strndup(&c->arena, c->text, strlen(c->text));
    Exploration *x = call_explore(c);
    if (!x || !exported_state(c, x, &k))
        return false;
    Place place = {1, {k}};
    Node **roots = call_roots_at(c, x, "pass", &place);
    if (!roots)
        return false;
    Job job = {c, x, roots, text, values == 1, target};
    Text program = {0};
    c->r->s.st.span = c->rest;
    bool ok = (!values || has_values(c, x->nroots, roots)) &&
              (target == PYTHON_TARGETS ? write_c : write_python)(&job, &program) &&
              call_put_file(c, &program, NULL);
    if (ok)
        report_say(&c->report, "wrote {file}: {target}, {lines} lines", text_of(c->file),
                   text_of(name), int_of(lines_of(text_str(&program))));
    text_free(&program);
    free(roots);
    return ok;
}
