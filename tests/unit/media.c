/* A graph in each way that pictures and formulas have, as text. */
#include "media.h"

#include "emit/export.h"
#include "surface/surface.h"
#include "viz/scene/figure.h"
#include "viz/scene/scene_build.h"

const char *const media_words[MEDIA] = {
    [IN_FORMULAS] = "formula", [IN_FIGURES] = "figure", [IN_LISTS] = "list of a figure",
    [IN_DRAWINGS] = "drawing", [IN_LATEX] = "LaTeX",    [IN_TYPST] = "Typst"};

/* ---- formulas of figures ---- */

/* Inputs are called by letters. */
static const Phrase *called(void *context, Node *n, bool *loose)
{
    Phrase *letters = context;
    (void)loose;
    if (n->op != OP_INPUT)
        return NULL;
    Phrase *p = &letters[(unsigned char)*n->attrs[0].name];
    p->text = n->attrs[0].name;
    return p;
}

static void put_formula(Store *st, Node *n, Text *out)
{
    Phrase letters[256] = {0};
    Pretty l = {0};
    reading_print(&l, st, n, &(Reading){called, letters}, 600);
    text_printf(out, "%s; ", text_str(&l.text));
    pretty_free(&l);
}

/* ---- scenes ---- */

static const char *text_or_nothing(const char *s) { return s ? s : ""; }

/* Its words and lines. */
static void put_scene(const Scene *s, Text *out)
{
    for (size_t i = 0; i < s->boxes.len; i++)
        text_printf(out, "[%s %s %s %d] ", scene_box_words[s->boxes.at[i].kind],
                    text_or_nothing(s->boxes.at[i].title), text_or_nothing(s->boxes.at[i].subtitle),
                    s->boxes.at[i].parent);
    for (size_t i = 0; i < s->nodes.len; i++)
        text_printf(out, "%s : %s = %s, %d; ", text_or_nothing(s->nodes.at[i].label),
                    text_or_nothing(s->nodes.at[i].detail), text_or_nothing(s->nodes.at[i].value),
                    s->nodes.at[i].box);
    for (size_t i = 0; i < s->edges.len; i++)
        text_printf(out, "%d %d %s %s %s; ", s->edges.at[i].from, s->edges.at[i].to,
                    text_or_nothing(s->edges.at[i].label), text_or_nothing(s->edges.at[i].head),
                    text_or_nothing(s->edges.at[i].tail));
    text_put(out, text_or_nothing(s->notation));
}

static void put_drawing(Store *st, int n, Node *const *roots, Text *out)
{
    Numbering num = {0};
    Scene *s = scene_from_graph(st, &num, n, roots, &(SceneOptions){.title = ""});
    put_scene(s, out);
    scene_free(s);
    map_free(&num.of);
}

static void put_figure(Store *st, int n, Node *const *roots, int folded, Text *out)
{
    Scene *s = figure_from_graph(st, n, roots, "", &(FigureOptions){.folded = folded});
    put_scene(s, out);
    scene_free(s);
}

/* ---- files of formulas ---- */

/* From the row after that of the inputs on. */
static void put_rows(const char *file, Text *out)
{
    const char *rows = strstr(file, "  & ");
    const char *second = rows ? strstr(rows, "\n  & ") : NULL;
    text_put(out, second ? second : text_or_nothing(rows));
}

static void put_formulas(Store *st, int n, Node *const *roots, bool typst, Text *out)
{
    Export x = {.st = st, .n = n, .roots = roots, .source = "", .function = "f"};
    Text file = {0};
    if ((typst ? export_typst : export_latex)(&x, &file))
        put_rows(text_str(&file), out);
    text_free(&file);
    text_free(&x.why);
}

char *medium_text(Store *st, Medium m, int n, Node *const *roots)
{
    Text out = {0};
    switch (m) {
    case IN_FORMULAS:
        for (int i = 0; i < n; i++)
            put_formula(st, roots[i], &out);
        break;
    case IN_FIGURES: put_figure(st, n, roots, 0, &out); break;
    case IN_LISTS: put_figure(st, n, roots, FIGURE_FOLDS, &out); break;
    case IN_DRAWINGS: put_drawing(st, n, roots, &out); break;
    default: put_formulas(st, n, roots, m == IN_TYPST, &out);
    }
    return text_take(&out);
}
