/* A document as LaTeX, with packages that every distribution has.
 *
 * Invariant: text is escaped so that no letter means anything to TeX; what a line of code was
 * stays one paragraph, broken at blanks. */
#include "surface/surface.h"
#include "emit/document.h"

static const char preamble[] =
    "% Packages: fontenc, geometry, xcolor, enumitem.\n"
    "% pdflatex sets Latin letters; lualatex or xelatex, any that the font has.\n"
    "\\documentclass{article}\n"
    "\\usepackage[T1]{fontenc}\n"
    "\\usepackage[margin=2.2cm]{geometry}\n"
    "\\usepackage{xcolor}\n"
    "\\usepackage{enumitem}\n"
    "\\definecolor{gradusdel}{HTML}{F5B5B5}\n"
    "\\definecolor{gradusins}{HTML}{A5DCAE}\n"
    "\\definecolor{gradusfaint}{HTML}{555555}\n"
    "\\setlength{\\parindent}{0pt}\n"
    "\\setlength{\\parskip}{3pt}\n"
    "\\setlength{\\fboxsep}{1pt}\n"
    "\\setlistdepth{9}\n"
    "\\renewlist{itemize}{itemize}{9}\n"
    "\\setlist[itemize]{label={},leftmargin=1em,labelwidth=0pt,labelsep=0pt}\n"
    "\\newcommand{\\gradusdel}[1]{\\colorbox{gradusdel}{\\strut #1}}\n"
    "\\newcommand{\\gradusins}[1]{\\colorbox{gradusins}{\\strut #1}}\n"
    "\\newcommand{\\gradusline}[1]{{\\raggedright\\small\\ttfamily"
    "\\hangindent=3em\\hangafter=1 #1\\par}}\n"
    "\\begin{document}\n";

/* One letter; two that could make a ligature are kept apart. */
static void put_letter(Text *out, char c)
{
    static const char signs[] = "\\~^{}$&#_%-<>'`\"";
    static const char *const written[] = {"\\textbackslash{}",
                                          "\\textasciitilde{}",
                                          "\\textasciicircum{}",
                                          "\\{",
                                          "\\}",
                                          "\\$",
                                          "\\&",
                                          "\\#",
                                          "\\_",
                                          "\\%",
                                          "{-}",
                                          "{<}",
                                          "{>}",
                                          "{'}",
                                          "{`}",
                                          "{\\textquotedbl}"};
    const char *at = strchr(signs, c);
    if (at)
        text_put(out, written[at - signs]);
    else
        text_putc(out, c);
}

static void put_escaped(Text *out, const char *s)
{
    static const char dots[] = "…";
    for (; *s; s++)
        if (strncmp(s, dots, sizeof dots - 1) == 0) {
            text_put(out, "\\ldots{}");
            s += sizeof dots - 2;
        } else {
            put_letter(out, *s);
        }
}

static void put_runs(Text *out, const Block *b)
{
    static const char *const opens[] = {"", "\\textbf{", "\\textcolor{gradusfaint}{", "\\texttt{"};
    for (size_t i = 0; i < b->runs.len; i++) {
        const Run *r = &b->runs.at[i];
        text_printf(out, "%s%s", i ? " " : "", opens[r->style]);
        put_escaped(out, r->text);
        text_put(out, r->style == RUN_PLAIN ? "" : "}");
    }
}

/* Words that differ, each in a box, so that the line can break between them. */
static void put_line(Text *out, const ChangeLine *l)
{
    bool marked = false, boxed = false;
    StyledPart p = {0};
    for (; l->text[p.at] == ' '; p.at++)
        text_putc(out, '~');
    while (styled_next(&p, l->text, strlen(l->text), &l->marks)) {
        marked = p.edge ? p.edge->opens : marked;
        for (size_t i = 0; i < p.len; i++) {
            bool box = marked && p.text[i] != ' ';
            if (box && !boxed)
                text_put(out, l->sign == '-' ? "\\gradusdel{" : "\\gradusins{");
            text_put(out, boxed && !box ? "}" : "");
            boxed = box;
            put_letter(out, p.text[i]);
        }
        text_put(out, boxed ? "}" : "");
        boxed = false;
    }
}

static void put_lines(Text *out, const Block *b)
{
    for (size_t i = 0; i < b->lines.of.len; i++) {
        const ChangeLine *l = &b->lines.of.at[i];
        text_put(out, "\\gradusline{");
        if (b->kind == BLOCK_DIFF) {
            text_printf(out, "%s~", l->sign == '-' ? "{-}" : l->sign == '+' ? "+" : "~");
        }
        text_put(out, *l->text ? "" : "~");
        put_line(out, l);
        text_put(out, "}\n");
    }
}

static void put_around(Text *out, const char *before, const Block *b, const char *after)
{
    text_put(out, before);
    put_runs(out, b);
    text_put(out, after);
}

static void put_block(Text *out, const Block *b, bool first, bool last)
{
    switch (b->kind) {
    case BLOCK_TITLE: put_around(out, "\\section*{", b, "}\n"); break;
    case BLOCK_SECTION: put_around(out, "\\subsection*{", b, "}\n"); break;
    case BLOCK_PARAGRAPH: put_around(out, "", b, "\\par\n"); break;
    case BLOCK_CODE:
    case BLOCK_DIFF: put_lines(out, b); break;
    case BLOCK_ITEM:
        put_around(out, first ? "\\begin{itemize}\n\\item " : "\\item ", b, "\\par\n");
        break;
    case BLOCK_END: text_put(out, last ? "\\end{itemize}\n" : ""); break;
    }
}

void document_put_latex(Text *out, const Document *d)
{
    size_t n = d->blocks.len;
    const Block *at = d->blocks.at;
    text_put(out, preamble);
    for (size_t i = 0; i < n; i++)
        put_block(out, &at[i], i == 0 || at[i - 1].kind != BLOCK_END,
                  i + 1 == n || at[i + 1].kind != BLOCK_ITEM);
    text_put(out, "\\end{document}\n");
}
