/* Printing results.  See show.h.
 *
 * Text: `y : f64[3] = [1.0, 2.0, 3.0]` for a bare name, `f64 = 2.0` for any other
 * expression, a line for each item of a tuple; a value of several lines begins on its
 * own line.  A graph is its type and its definitions in the language.  JSON has the fields
 * that the manual lists, always all of them. */
#include "repl/commands/show.h"

#include "surface/surface.h"
#include "repl/terminal/colors.h"
#include "tensor/brief.h"
#include "repl/terminal/paging.h"

#include <errno.h>
#include <unistd.h>

enum { PIECE = 1 << 16 }; /* bytes that are printed at once */

/* Whoever reads may be slow, so ^C is looked at between the pieces. */
static void put_long(Repl *r, const Text *text)
{
    const char *at = text->at, *end = at + text->len;
    fflush(stdout);
    while (at < end && !interrupted(r->s.st.interrupt)) {
        size_t left = (size_t)(end - at);
        ssize_t n = write(STDOUT_FILENO, at, left < PIECE ? left : PIECE);
        if (n < 0 && errno != EINTR)
            break;
        at += n > 0 ? n : 0;
    }
    if (at < end && interrupted(r->s.st.interrupt)) {
        fputc('\n', stdout);
        store_stopped(&r->s.st, "here");
    } else if (at < end) {
        fwrite(at, 1, (size_t)(end - at), stdout); /* fails as the piece did, and stdout knows */
    }
}

void show_put(Repl *r, Text *text)
{
    if (r && r->capture)
        text_putn(r->capture, text_str(text), text->len);
    else if (r && text->len > PIECE)
        put_long(r, text);
    else if (text->len)
        fwrite(text->at, 1, text->len, stdout);
    text_free(text);
}

void show_brief(const Repl *r, Text *out, const Tensor *t)
{
    brief_put(out, t, r->digits ? r->digits : BRIEF_DIGITS, BRIEF_ENTRIES);
}

/* ---- text ---- */

/* Of a result, as tensor_print takes them: a number alone is printed in full, as NumPy does; an
 * array is easier to read with few digits. */
static int digits_of(const Repl *r, const Tensor *t)
{
    if (r->digits == MOST_DIGITS)
        return 0;
    return r->digits ? r->digits : t->rank ? BRIEF_DIGITS : 0;
}

void show_tensor(Repl *r, Text *out, const Tensor *t)
{
    tensor_type_print(out, t);
    Text value = {.interrupt = r->s.st.interrupt};
    tensor_print(&value, t, r->threshold, digits_of(r, t));
    bool lines = strchr(text_str(&value), '\n') != NULL;
    text_printf(out, " =%s%s\n", lines ? "\n" : " ", text_str(&value));
    text_free(&value);
}

/* Is it a table, two vectors or more that have names and one length, two or more? The tensors are
 * those of its parts. */
static bool is_table(Repl *r, const Value *v, Tensor *const *tensors)
{
    for (int i = 0; i < v->nitems; i++) {
        const Value *part = value_plain(&r->s.elab, v->items[i]);
        if (!part || part->kind != V_NODE || tensors[i]->rank != 1 || tensors[i]->count < 2 ||
            tensors[i]->dtype == DT_RNG || tensors[i]->count != tensors[0]->count)
            return false;
    }
    return v->names && v->nitems > 1;
}

static void put_table(Repl *r, Text *out, const char *label, Value *v, Tensor *const *tensors,
                      int *used)
{
    int first = *used;
    text_printf(out, "%s%s", label, *label ? " : " : "");
    value_type_print_of(&r->s.elab, out, v, tensors, &first);
    text_put(out, " =\n");
    Text lines = {.interrupt = r->s.st.interrupt};
    tensor_table_print(&lines, v->nitems, v->names, tensors + *used, r->threshold, r->digits);
    text_putn(out, text_str(&lines), lines.len);
    text_free(&lines);
    *used += v->nitems;
}

/* `label` is what stands before the type: "y", "[0]", "y[1]", "y.W". */
static void put_value(Repl *r, Text *out, const char *label, Value *v, Tensor *const *tensors,
                      int *used)
{
    v = value_plain(&r->s.elab, v);
    if (v && v->kind == V_TUPLE && is_table(r, v, tensors + *used)) {
        put_table(r, out, label, v, tensors, used);
        return;
    }
    if (v && v->kind == V_TUPLE) {
        for (int i = 0; i < v->nitems; i++) {
            Text item = {0};
            if (v->names)
                text_printf(&item, "%s.%s", label, v->names[i]);
            else
                text_printf(&item, "%s[%d]", label, i);
            put_value(r, out, text_str(&item), v->items[i], tensors, used);
            text_free(&item);
        }
        if (v->nitems == 0)
            text_printf(out, "%s%s() = ()\n", label, *label ? " : " : "");
        return;
    }
    text_printf(out, "%s%s", label, *label ? " : " : "");
    show_tensor(r, out, tensors[(*used)++]);
}

static void put_graph(Repl *r, Text *out, const Result *res)
{
    text_printf(out, "%s%s", res->name ? res->name : "", res->name ? " : " : "");
    value_type_print(&r->s.elab, out, res->value);
    Node *first = NULL;
    if (session_missing(&r->s, res->n, res->roots, &first) && first) {
        text_put(out, "    # ");
        if (first->op == OP_SIZE)
            size_print(out, first->attrs[0].size);
        else
            text_put(out, first->attrs[0].name);
        text_put(out, " has no value");
    }
    text_putc(out, '\n');
    Text lines = {0};
    listing_print(&r->s.st, &lines, res->n, res->roots, &(ListingOptions){.declared = true});
    text_putc(&lines, '\n');
    put_indented(out, text_str(&lines), lines.len, 2);
    text_free(&lines);
}

/* `f(x, scale=1) : function`, or `y : f64[n]` for a definition at the prompt. */
static void put_binding(Repl *r, Text *out, const Result *res)
{
    Value *v = res->value;
    if (!v && res->name && (res->stmt->kind == S_DEFINE || res->stmt->kind == S_FUNCTION))
        v = env_own(r->s.elab.globals, res->name);
    if (!v || (res->stmt->kind == S_DEFINE && res->stmt->nnames > 1))
        return;
    text_printf(out, "%s%s", res->name ? res->name : "", res->name ? " : " : "");
    value_type_print(&r->s.elab, out, v);
    text_putc(out, '\n');
}

void show_result_text(Repl *r, Text *out, const Result *res)
{
    int used = 0;
    if (res->definition && res->kind != RESULT_VALUE)
        put_binding(r, out, res);
    else if (res->kind == RESULT_VALUE)
        put_value(r, out, res->name ? res->name : "", res->value, res->tensors, &used);
    else if (res->kind == RESULT_GRAPH)
        put_graph(r, out, res);
    else if (res->kind == RESULT_FUNCTION)
        put_binding(r, out, res);
}

/* ---- JSON ---- */

static void json_head(Json *j, const char *kind, const char *name)
{
    json_begin(j, '{');
    json_pair(j, "kind", kind);
    json_pair(j, "name", name);
}

static void json_tensor(Json *j, const Tensor *t)
{
    json_pair(j, "dtype", dtype_name(t->dtype));
    json_open(j, "shape", '[');
    for (int i = 0; i < t->rank; i++)
        json_int(j, t->shape[i]);
    json_end(j, ']');
    json_key(j, "value");
    json_elements(j, t);
}

static void json_value(Repl *r, Json *j, const char *name, Value *v, Tensor *const *tensors,
                       int *used)
{
    v = value_plain(&r->s.elab, v);
    Text type = {0};
    int first = *used;
    value_type_print_of(&r->s.elab, &type, v, tensors, &first);
    json_head(j, "value", name);
    json_text(j, "type", &type);
    if (v && v->kind == V_TUPLE) {
        if (v->names)
            json_open(j, "names", '[');
        for (int i = 0; v->names && i < v->nitems; i++)
            json_string(j, v->names[i]);
        if (v->names)
            json_end(j, ']');
        json_open(j, "values", '[');
        for (int i = 0; i < v->nitems; i++)
            json_value(r, j, NULL, v->items[i], tensors, used);
        json_end(j, ']');
    } else {
        json_tensor(j, tensors[(*used)++]);
    }
    json_end(j, '}');
}

/* A graph, or the signature of a function. */
static void json_graph(Repl *r, Json *j, const Result *res)
{
    Text type = {0}, text = {0};
    json_head(j, "graph", res->name);
    value_type_print(&r->s.elab, &type, res->value);
    if (res->kind == RESULT_GRAPH)
        listing_print(&r->s.st, &text, res->n, res->roots, NULL), text_putc(&text, '\n');
    else
        put_binding(r, &text, res);
    json_text(j, "type", &type);
    json_text(j, "text", &text);
    json_end(j, '}');
}

static void show_result_json(Repl *r, Text *out, const Result *res)
{
    Json j = {.out = out};
    int used = 0;
    if (res->kind == RESULT_VALUE)
        json_value(r, &j, res->name, res->value, res->tensors, &used);
    else if (res->kind == RESULT_GRAPH || res->kind == RESULT_FUNCTION)
        json_graph(r, &j, res);
    if (out->len)
        text_putc(out, '\n');
}

void show_result(Repl *r, const Result *res)
{
    if (res->definition && (r->json || !r->at_prompt))
        return;
    Text out = {.interrupt = r->s.st.interrupt};
    if (r->json)
        show_result_json(r, &out, res);
    else
        show_result_text(r, &out, res);
    if (store_stopped(&r->s.st, "here")) { /* parts may be missing */
        text_free(&out);
        return;
    }
    bool colored = res->kind == RESULT_GRAPH && !r->json && !r->capture &&
                   term_color(r->color_mode, STDOUT_FILENO);
    if (colored) {
        Text plain = out;
        out = (Text){0};
        put_colored(&out, text_str(&plain), true);
        text_free(&plain);
    }
    show_put(r, &out);
}

/* ---- commands and diagnostics ---- */

void show_command(Repl *r, const char *command, Report *report)
{
    Text text = {0}, out = {0};
    bool screen = !r->json && !r->capture && term_is_tty(STDOUT_FILENO);
    report_write(report, &text, screen || r->width ? repl_width(r) : 0,
                 screen && term_color(r->color_mode, STDOUT_FILENO));
    if (text.len && text.at[text.len - 1] != '\n')
        text_putc(&text, '\n');
    if (!r->json) {
        if (screen && strcmp(command, "help") == 0) {
            paging_wrap(&out, text_str(&text), repl_width(r));
            text_free(&text);
            text = out;
        }
        bool paged = r->prompting && !r->capture && paging_show(&text);
        if (!paged)
            show_put(r, &text);
        return;
    }
    Json j = {.out = &out};
    json_begin(&j, '{');
    json_pair(&j, "kind", "command");
    json_pair(&j, "command", command);
    json_text(&j, "text", &text);
    json_key(&j, "data");
    json_raw(&j, text_str(report->data->out));
    json_end(&j, '}');
    text_putc(&out, '\n');
    show_put(r, &out);
}

/* The place is of what was just typed, which stands above: the caret tells enough. */
static bool is_typed(const Repl *r, Span s)
{
    char name[32];
    snprintf(name, sizeof name, "<input %u>", r->entries);
    return r->prompting && s.src && s.src->name && strcmp(s.src->name, name) == 0;
}

void show_diag(Repl *r, const Diag *d)
{
    Text out = {0};
    Source unnamed;
    Diag typed = *d;
    if (r->json && !d->note) {
        diag_json(&out, d);
        text_putc(&out, '\n');
        show_put(r, &out);
        return;
    }
    if (is_typed(r, d->span)) {
        unnamed = *d->span.src;
        unnamed.name = NULL;
        typed.span.src = &unnamed;
    }
    diag_render(&out, &typed, r->color);
    fflush(stdout);
    fwrite(text_str(&out), 1, out.len, stderr);
    text_free(&out);
}
