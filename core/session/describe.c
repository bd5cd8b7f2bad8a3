/* Functions, described from the tables.
 *
 * Which dtypes a function takes is found by calling it with each; so it cannot differ
 * from what the function does. */
#include "grad/derivation.h"
#include "lang/composite.h"
#include "ops/elem.h"
#include "session/describe.h"
#include "tensor/kernels.h"

/* ---- chapters ---- */

static size_t group_count(void)
{
    size_t n = 0;
    while (builtin_group(n))
        n++;
    return n;
}

const char *describe_chapter(size_t k)
{
    if (k < group_count())
        return builtin_group(k)->title;
    return k == group_count() ? "Functions of the prelude" : NULL;
}

const char *describe_function_name(Session *scratch, size_t chapter, size_t k)
{
    const BuiltinGroup *group = builtin_group(chapter);
    const Env *globals = scratch->elab.globals;
    for (size_t i = 0; group && i < builtin_count; i++)
        if (builtin_group_of(&builtins[i]) == group && k-- == 0)
            return builtins[i].name;
    for (int i = 0; !group && i < globals->len; i++)
        if (globals->at[i].value->kind == V_FUNCTION && !builtin_by_name(globals->at[i].name) &&
            k-- == 0)
            return globals->at[i].name;
    return NULL;
}

/* ---- which dtypes it takes ---- */

/* NAME(ARG, ARG) with an argument for each parameter that needs one, or the sign of the operator
 * between them. */
static void put_call(Text *out, const Builtin *b, OpId op, const char *arg)
{
    char form[16];
    if (op != OP_COUNT && strchr(op_form(op, form), ' ')) {
        for (const char *s = form; *s; s++)
            if (s[0] == '%' && s[1] >= '0' && s[1] <= '9')
                text_put(out, arg), s++;
            else
                text_putc(out, *s);
        return;
    }
    text_printf(out, "%s(", b->name);
    for (const char *s = b->signature; *s;) {
        size_t len = strcspn(s, ",");
        bool condition = strncmp(s, "condition", len) == 0;
        if (!memchr(s, '=', len))
            text_printf(out, "%s%s", s > b->signature ? ", " : "", condition ? "true" : arg);
        s += len + strspn(s + len, ", ");
    }
    text_putc(out, ')');
}

/* "f64" or "(f64, i64)": the dtypes of what a call with arguments of dtype d gives; false if it
 * does not take them. */
static bool result_dtypes(Session *scratch, const Builtin *b, OpId op, DType d, Text *out)
{
    static const char *const values[] = {"1", "[[1]]"};
    bool found = false;
    for (size_t k = 0; k < COUNT_OF(values) && !found; k++) {
        Text arg = {0}, call = {0}, type = {0};
        text_printf(&arg, "%s(%s)", dtype_name(d), values[k]);
        put_call(&call, b, op, text_str(&arg));
        const Source *src = session_source(scratch, "<dtypes>", text_str(&call), call.len);
        Value *v = session_value(scratch, source_whole(src));
        found = v != NULL;
        diags_clear(&scratch->diags);
        if (v)
            value_type_print(&scratch->elab, &type, v);
        bool inside = false;
        for (const char *c = text_str(&type); *c; c++) {
            inside = inside || *c == '[';
            if (!inside)
                text_putc(out, *c);
            inside = inside && *c != ']';
        }
        text_free(&arg);
        text_free(&call);
        text_free(&type);
    }
    return found;
}

/* "bool, i32, i64 give f64; f32, f64 stay": neighbours with one result together. */
static void put_types(Session *scratch, const Builtin *b, OpId op, Text *out)
{
    static const DType dtypes[] = {DT_BOOL, DT_I32, DT_I64, DT_F32, DT_F64};
    Text group = {0};
    char *given = NULL; /* of the group; "" for what stays */
    for (size_t i = 0; i <= COUNT_OF(dtypes); i++) {
        Text got = {0};
        bool takes = i < COUNT_OF(dtypes) && result_dtypes(scratch, b, op, dtypes[i], &got);
        const char *name_i = i < COUNT_OF(dtypes) ? dtype_name(dtypes[i]) : "";
        const char *now = strcmp(text_str(&got), name_i) == 0 ? "" : text_str(&got);
        if (group.len && (!takes || strcmp(now, given) != 0)) {
            bool one = strchr(text_str(&group), ',') == NULL;
            text_printf(out, "%s%s", out->len ? "; " : "", text_str(&group));
            text_printf(out, *given ? " give%s %s" : " stay%s", one ? "s" : "", given);
            group.len = 0;
        }
        if (takes) {
            text_printf(&group, "%s%s", group.len ? ", " : "", name_i);
            free(given);
            given = xstrdup(now);
        }
        text_free(&got);
    }
    free(given);
    text_free(&group);
}

static void put_derivative(Store *st, OpId op, Text *out)
{
    if (!*elem_info(elem_of(op))->dx) {
        text_put(out, "none");
        return;
    }
    elem_put_differential(st, out, op);
    if (!elem_differential_reads_result(st, op))
        return;
    text_put(out, ", y = ");
    elem_put_applied(out, op);
}

/* ---- all of it ---- */

static void put_facts(OpId op, Text *out)
{
    static const struct {
        u32 flag;
        const char *words;
    } facts[] = {{PARTIAL, "may fail at run time"},
                 {COMMUTES, "operands in any order"},
                 {EXPENSIVE, "its result is saved for backward loops"}};
    for (size_t i = 0; i < COUNT_OF(facts); i++)
        if (op_table[op].flags & facts[i].flag)
            text_printf(out, "%s%s", out->len ? "; " : "", facts[i].words);
}

static void describe_builtin(Session *scratch, const Builtin *b, Description *d)
{
    static const char *const tried[] = {"elementwise", "reduce", "sort", "linalg", "cast"};
    const char *group = builtin_group_of(b)->name;
    bool elem = d->op != OP_COUNT && d->op >= OP_NEG;
    char form[16];
    bool sign = elem && *op_form(d->op, form);
    d->cls = d->op != OP_COUNT ? class_name(op_table[d->op].cls) : group;
    text_printf(&d->call, "%s(%s)", b->name, b->signature);
    if (sign) {
        text_put(&d->doc, "Written `");
        elem_put_applied(&d->doc, d->op);
        text_put(&d->doc, "`.  ");
    }
    text_put(&d->doc, b->doc);
    for (size_t i = 0; i < COUNT_OF(tried); i++)
        if (strcmp(group, tried[i]) == 0)
            put_types(scratch, b, d->op, &d->types);
    if (elem)
        put_derivative(&scratch->st, d->op, &d->derivative);
    const Stmt *text = d->op != OP_COUNT ? composite_text(&scratch->st, d->op, false) : NULL;
    if (text) {
        Stmt s = *text;
        s.kind = S_FUNCTION;
        s.doc = NULL;
        ast_print_stmt(&d->definition, &s);
        text_put(&d->derivative, op_table[d->op].rule);
    }
}

bool describe_function(Session *scratch, const char *name, Description *d)
{
    const Builtin *b = builtin_by_name(name);
    Value *v = env_own(scratch->elab.globals, symbol(&scratch->st, name));
    *d = (Description){.op = op_by_name(name)};
    if (b) {
        d->name = b->name;
        describe_builtin(scratch, b, d);
    } else if (v && v->kind == V_FUNCTION) {
        d->name = v->text;
        d->function = v;
        d->cls = d->op != OP_COUNT ? class_name(op_table[d->op].cls) : "prelude";
        text_put(&d->call, name);
        value_signature_print(&d->call, v);
        text_put(&d->doc, v->doc ? v->doc : "");
    } else {
        return false;
    }
    if (d->op != OP_COUNT)
        put_facts(d->op, &d->facts);
    if (!manual_example(name, &d->example))
        d->example = (ManualExample){.see = {"", 0}, .program = {"", 0}};
    return true;
}

void description_free(Description *d)
{
    text_free(&d->call);
    text_free(&d->doc);
    text_free(&d->types);
    text_free(&d->derivative);
    text_free(&d->definition);
    text_free(&d->facts);
}

void definition_put_meaning(Text *out, const char *text, size_t most_shown)
{
    while (*text == '#') {
        text += strcspn(text, "\n");
        text += *text == '\n';
    }
    for (int depth = 0; *text && (*text != '=' || depth); text++)
        depth += (*text == '(') - (*text == ')');
    text += strspn(text, "= ");
    size_t len = strcspn(text, "\n"), most = len;
    for (size_t i = 0, shown = 0; i < len && most == len; i++) {
        bool begins = (text[i] & 0xC0) != 0x80; /* a character */
        most = begins && shown == most_shown ? i : len;
        shown += begins;
    }
    text_putn(out, text, most);
    text_put(out, text[most] ? "…" : "");
}
