/* :derivation: the steps of an expression as a list for documents, in Markdown or HTML.
 *
 * Invariant: every step of the log is there, those inside bodies below their owner; text of the
 * program enters as escaped code and nowhere else. */
#include "rewrite/things.h"
#include "graph/print.h"
#include "repl/commands/commands.h"
#include "rewrite/history.h"

enum { EXPRESSION = 160 }; /* characters of an expression as a whole; a longer one is left out */

typedef struct {
    Exploration *x;
    Text *out;
    bool html;
    PtrMap shown; /* bodies' logs: each is listed once */
    u32 count;    /* of all steps */
    Text whole;   /* the expression as it was shown last */
} Writer;

/* ---- text ---- */

static void put_escaped(Writer *w, const char *s)
{
    static const char special[] = "\\`*_[]<>#|&"; /* Markdown takes a backslash before each */
    for (; *s; s++) {
        const char *name = *s == '<' ? "&lt;" : *s == '>' ? "&gt;" : *s == '&' ? "&amp;" : NULL;
        if (w->html && name) {
            text_put(w->out, name);
            continue;
        }
        if (!w->html && strchr(special, *s))
            text_putc(w->out, '\\');
        text_putc(w->out, *s);
    }
}

/* In Markdown between more backticks than the code has in a row. */
static void put_code(Writer *w, const char *s)
{
    size_t most = 0, row = 0;
    for (const char *at = s; *at; at++) {
        row = *at == '`' ? row + 1 : 0;
        most = row > most ? row : most;
    }
    if (w->html) {
        text_put(w->out, "<code>");
        put_escaped(w, s);
        text_put(w->out, "</code>");
        return;
    }
    for (size_t i = 0; i <= most; i++)
        text_putc(w->out, '`');
    text_printf(w->out, most ? " %s " : "%s", s);
    for (size_t i = 0; i <= most; i++)
        text_putc(w->out, '`');
}

static void put_heading(Writer *w, int level, const char *s)
{
    if (w->html)
        text_printf(w->out, "<h%d>", level);
    else
        text_printf(w->out, "%.*s ", level, "######");
    put_escaped(w, s);
    if (w->html)
        text_printf(w->out, "</h%d>\n", level);
    else
        text_put(w->out, "\n\n");
}

static void put_paragraph(Writer *w, const char *s)
{
    text_put(w->out, w->html ? "<p>" : "");
    put_escaped(w, s);
    text_put(w->out, w->html ? "</p>\n" : "\n\n");
}

/* "before", and the code; in Markdown a point of the list below a step. */
static void put_pair(Writer *w, int indent, const char *what, const char *code)
{
    if (w->html)
        text_printf(w->out, "<dt>%s</dt><dd>", what);
    else
        text_printf(w->out, "%*s- %s ", indent, "", what);
    put_code(w, code);
    text_put(w->out, w->html ? "</dd>\n" : "\n");
}

/* ---- steps ---- */

static void put_log(Writer *w, const StepLog *log, u32 from, u32 count, const char *number,
                    int indent);

/* The expression after so many steps, if it is short and another than before. */
static void put_state(Writer *w, u32 k, int indent)
{
    Exploration *x = w->x;
    Node **roots = xcalloc((size_t)x->nroots + 1, sizeof *roots);
    Text t = {0};
    if (x->nroots == 1 && exploration_replay(x, k, roots))
        node_source_limited(x->st, &t, roots[0], false, EXPRESSION + 1);
    bool whole = t.len && t.len <= EXPRESSION && !strstr(text_str(&t), "…") &&
                 !strchr(text_str(&t), '\n') && strcmp(text_str(&t), text_str(&w->whole)) != 0;
    if (whole) {
        put_pair(w, indent, "whole", text_str(&t));
        w->whole.len = 0;
        text_put(&w->whole, text_str(&t));
    }
    text_free(&t);
    free(roots);
}

static void put_inside(Writer *w, const Step *s, const char *number, int indent)
{
    if (!s->inner || s->again || map_has(&w->shown, s->inner) || !s->inner->at.len)
        return;
    map_put(&w->shown, s->inner, w);
    const Graph *outer = w->x->numbering.within;
    w->x->numbering.within = s->inner_before;
    u32 n = (u32)s->inner->at.len;
    if (w->html)
        text_printf(w->out, "<details open><summary>%u step%s inside</summary>\n<ol>\n", n,
                    n == 1 ? "" : "s");
    put_log(w, s->inner, 0, n, number, indent);
    if (w->html)
        text_put(w->out, "</ol></details>\n");
    w->x->numbering.within = outer;
}

static void put_head(Writer *w, const Step *s, const char *number, int indent)
{
    Text why = {0}, classes = {0};
    put_why(&why, s);
    hazard_print(&classes, step_classes(s));
    if (w->html)
        text_printf(w->out, "<li><span class=\"number\">%s</span> <b>", number);
    else
        text_printf(w->out, "%*s- %s **", indent, "", number);
    put_escaped(w, step_rule(s));
    text_put(w->out, w->html ? "</b> <span class=\"classes\">[" : "** [");
    put_escaped(w, text_str(&classes));
    text_put(w->out, w->html ? "]</span> " : "] ");
    put_escaped(w, text_str(&why));
    text_putc(w->out, '\n');
    text_free(&why);
    text_free(&classes);
}

static void put_step(Writer *w, const Step *s, const char *number, u32 top, int indent)
{
    Text before = {0}, after = {0};
    w->count++;
    put_head(w, s, number, indent);
    put_side(&before, w->x->st, s, false, &w->x->numbering);
    put_side(&after, w->x->st, s, true, &w->x->numbering);
    text_put(w->out, w->html ? "<dl>\n" : "");
    put_pair(w, indent + 2, "before", text_str(&before));
    put_pair(w, indent + 2, "after", text_str(&after));
    if (top)
        put_state(w, top, indent + 2);
    text_put(w->out, w->html ? "</dl>\n" : "");
    put_inside(w, s, number, indent + 2);
    text_put(w->out, w->html ? "</li>\n" : "");
    text_free(&before);
    text_free(&after);
}

static void put_log(Writer *w, const StepLog *log, u32 from, u32 count, const char *number,
                    int indent)
{
    for (u32 i = from; i < from + count && i < log->at.len; i++) {
        Text own = {0};
        text_printf(&own, "%s%s%u", number, *number ? "." : "", i + 1);
        put_step(w, &log->at.at[i], text_str(&own), *number ? 0 : i + 1, indent);
        text_free(&own);
    }
}

static const char *pass_doc(const char *name)
{
    for (size_t i = 0; i < pass_count(); i++)
        if (strcmp(pass_table[i].name, name) == 0)
            return pass_table[i].doc;
    return "";
}

static void put_passes(Writer *w)
{
    for (size_t i = 0; i < w->x->passes.len; i++) {
        const PassRun *p = &w->x->passes.at[i];
        if (!p->steps)
            continue;
        put_heading(w, 2, p->name);
        put_paragraph(w, pass_doc(p->name));
        text_put(w->out, w->html ? "<ol>\n" : "");
        put_log(w, &w->x->log, p->first_step, p->steps, "", 0);
        text_put(w->out, w->html ? "</ol>\n" : "\n");
    }
    if (!w->x->log.at.len)
        put_paragraph(w, "There is nothing to rewrite.");
}

/* ---- the document ---- */

static const char style[] =
    ":root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:60em;margin:"
    "2em auto;padding:0 1em}ol{list-style:none;padding-left:1.2em}li{margin:.7em 0}dl{display:grid;"
    "grid-template-columns:4.5em 1fr;margin:.2em 0 .2em 1.5em}dd{margin:0;overflow-wrap:anywhere}"
    "dt,.number,.classes{opacity:.75}code{font:14px ui-monospace,monospace}"
    "summary{margin-left:1.5em}";

static void put_document(Writer *w, const char *expression)
{
    Text title = {0}, result = {0};
    text_printf(&title, "Derivation of %s", expression);
    if (w->html) {
        text_put(w->out,
                 "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n<title>");
        put_escaped(w, text_str(&title));
        text_printf(w->out,
                    "</title>\n<meta name=\"viewport\" content=\"width=device-width\">\n"
                    "<style>%s</style></head>\n<body><main>\n",
                    style);
    }
    put_heading(w, 1, text_str(&title));
    put_passes(w);
    put_heading(w, 2, "result");
    for (int i = 0; i < w->x->nroots; i++) {
        node_source(w->x->st, &result, w->x->roots[i], false);
        text_put(w->out, w->html ? "<p>" : i ? "\n" : "");
        put_code(w, text_str(&result));
        text_put(w->out, w->html ? "</p>\n" : "\n");
        result.len = 0;
    }
    text_put(w->out, w->html ? "</main></body></html>\n" : "");
    text_free(&title);
    text_free(&result);
}

bool command_derivation(Call *c)
{
    const char *dot = strrchr(c->file, '.');
    bool html = dot && strcasecmp(dot, ".html") == 0, markdown = dot && strcasecmp(dot, ".md") == 0;
    if (!html && !markdown)
        return call_fail(c, c->file_span, "usage", "name it .md or .html",
                         "%s does not say what kind of list it is", c->file);
    Text out = {0};
    Writer w = {.x = call_explore(c), .out = &out, .html = html};
    bool ok = w.x != NULL;
    if (ok) {
        things_of_states(w.x);
        put_document(&w, c->text);
        ok = call_put_file(c, &out, NULL);
    }
    if (ok)
        report_say(&c->report, "{file}: {steps step}", text_of(c->file), int_of(w.count));
    map_free(&w.shown);
    text_free(&w.whole);
    text_free(&out);
    return ok;
}
