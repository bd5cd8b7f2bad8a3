/* Words for LaTeX; see tex.h. */
#include "base/tex.h"

#include "base/utf8.h"

/* What LaTeX cannot take as it is. Other letters need LuaLaTeX, XeLaTeX or fonts of theirs. */
static const struct {
    u32 letter;
    const char *tex;
} letters[] = {
    {'\\', "\\textbackslash{}"},
    {'{', "\\{"},
    {'}', "\\}"},
    {'$', "\\$"},
    {'&', "\\&"},
    {'#', "\\#"},
    {'_', "\\_"},
    {'%', "\\%"},
    {'^', "\\textasciicircum{}"},
    {'~', "\\textasciitilde{}"},
    {'<', "$<$"},
    {'>', "$>$"},
    {'|', "$|$"},
    {'"', "''"},
    {'-', "{-}"},
    {0x2212, "$-$"},
    {0x2202, "$\\partial$"},
    {0x2207, "$\\nabla$"},
    {0x2026, "\\ldots{}"},
    {0x22EE, "$\\vdots$"},
    {0x22EF, "$\\cdots$"},
    {0xD7, "$\\times$"},
    {0x2192, "$\\to$"},
    {0xB7, "$\\cdot$"},
    {0x2264, "$\\le$"},
    {0x2265, "$\\ge$"},
    {0x221E, "$\\infty$"},
    {0xB2, "$^2$"},
    {0xB3, "$^3$"},
    {0xA0, "\\ "},
    {0xF7, "$\\div$"},
    {0x2009, "\\,"},
    {0xB9, "\\textsuperscript{1}"},
    {0x207B, "\\textsuperscript{$-$}"},
    {0x302, "\\llap{$\\hat{\\phantom{x}}$}"},
    {0x304, "\\llap{$\\bar{\\phantom{x}}$}"},
    {0x2080, "$_0$"},
    {0x207A, "\\textsuperscript{+}"},
    {0x2032, "$'$"},
    {0x307, "\\llap{$\\dot{\\phantom{x}}$}"},
    {0x2260, "$\\ne$"},
    {0x2297, "$\\otimes$"},
    {0x2299, "$\\odot$"},
    {0x1D40, "$^\\top$"},
    {0x3A3, "$\\Sigma$"},
    {0x3B4, "$\\delta$"},
    {0x3C3, "$\\sigma$"},
};

/* Greek, from capital alpha and from small alpha on; NULL: as a Latin letter, or none. */
static const char *const greek[2][25] = {
    {NULL,    NULL,     "Gamma",   "Delta", NULL, NULL,  NULL,   "Theta", NULL,
     NULL,    "Lambda", NULL,      NULL,    "Xi", NULL,  "Pi",   NULL,    NULL,
     "Sigma", NULL,     "Upsilon", "Phi",   NULL, "Psi", "Omega"},
    {"alpha", "beta",   "gamma",   "delta",  "varepsilon", "zeta", "eta",  "theta", "iota",
     "kappa", "lambda", "mu",      "nu",     "xi",         NULL,   "pi",   "rho",   "varsigma",
     "sigma", "tau",    "upsilon", "varphi", "chi",        "psi",  "omega"}};

const char *tex_greek(u32 c)
{
    return c >= 0x391 && c <= 0x3A9   ? greek[0][c - 0x391]
           : c >= 0x3B1 && c <= 0x3C9 ? greek[1][c - 0x3B1]
                                      : NULL;
}

u32 tex_greek_named(const char *word)
{
    static const char *const others[] = {"epsilon", "phi"}; /* beside their variants above */
    static const u32 codes[] = {0x3B5, 0x3C6};
    for (size_t i = 0; i < COUNT_OF(others); i++)
        if (!strcmp(word, others[i]))
            return codes[i];
    for (u32 row = 0; row < 2; row++)
        for (u32 k = 0; k < COUNT_OF(greek[0]); k++)
            if (greek[row][k] && !strcmp(word, greek[row][k]))
                return (row ? 0x3B1 : 0x391) + k;
    return 0;
}

/* False: pdfTeX has no such letter. */
static bool put_letter(Text *out, u32 c, const char *s, size_t len)
{
    const char *name = tex_greek(c);
    if (name) {
        text_printf(out, "$\\%s$", name);
        return true;
    }
    for (size_t i = 0; i < COUNT_OF(letters); i++)
        if (letters[i].letter == c) {
            text_put(out, letters[i].tex);
            return true;
        }
    text_putn(out, s, len);
    return c <= 0x7E;
}

bool tex_words(Text *out, const char *s)
{
    bool known = true;
    for (size_t n = strlen(s), len; n; s += len, n -= len) {
        u32 c;
        len = (size_t)utf8_decode(s, n, &c);
        if (len)
            known = put_letter(out, c, s, len) && known;
        else
            text_putc(out, '?');
        len = len ? len : 1;
    }
    return known;
}
