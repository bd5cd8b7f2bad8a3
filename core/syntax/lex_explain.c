/* What is wrong with a token, and what to write instead. */
#include "syntax/lex.h"

#include "base/utf8.h"

/* What to write instead of an operator or sign that other languages and editors use. */
static const char *instead_of(const char *s, size_t n)
{
    static const char *const table[][2] = {
        {"**", "the power operator is `^`"},
        {"&&", "write `and`"},
        {"||", "write `or`"},
        {"!",
         "write `not x`; unequal is `!=`; shell commands do not run here: ^Z leaves for the shell, "
         "`fg` comes back"},
        {"~=", "write `!=`"},
        {"&=", "write `x := x & e`"},
        {"|=", "write `x := x | e`"},
        {"|>", "write `f(x)`"},
        {"===", "write `==`"},
        {"<>", "write `!=`"},
        {"-=", "write `x := x - e`"},
        {"*=", "write `x := x * e`"},
        {"/=", "write `x := x / e`"},
        {"\\",
         "a function is written `x -> e`, the solution of A x = b `solve(A, b)`; a line goes on "
         "by itself after an operator or inside brackets"},
        {"<-", "a definition is written `x = e`; less than minus: `x < (-e)`"},
        {".*", "operators work element by element: `A * A`; the product of matrices is `A @ A`"},
        {"./", "operators work element by element: `A / B`"},
        {".^", "operators work element by element: `A ^ 2`"},
        {".+", "operators work element by element: `A + B`"},
        {".-", "operators work element by element: `A - B`"},
        {".(", "functions work element by element: `sin(x)`"},
        {"%*%", "the product of matrices is `A @ B`"},
        {"%%", "the remainder is `a % b`"},
        {"%/%", "division downwards is `a // b`"},
        {"\xE2\x88\x92", "write `-`"},
        {"\xC3\x97", "write `*`"},
        {"\xC2\xB7", "write `*`"},
        {"\xC3\xB7", "write `/`"},
        {"\xE2\x89\xA4", "write `<=`"},
        {"\xE2\x89\xA5", "write `>=`"},
        {"\xE2\x89\xA0", "write `!=`"},
        {"\xE2\x86\x92", "write `->`"},
        {"\xE2\x80\x9C", "write `\"`"},
        {"\xE2\x80\x9D", "write `\"`"},
        {"\xC2\xA0", "this is a no-break space; write an ordinary one"},
        {"\xC2\xB2", "write `^ 2`"},
        {"\xC2\xB3", "write `^ 3`"},
    };
    for (size_t i = 0; i < COUNT_OF(table); i++)
        if (strlen(table[i][0]) == n && memcmp(table[i][0], s, n) == 0)
            return table[i][1];
    return NULL;
}

static void explain_byte(const Source *src, Token t, Span span, Diags *ds)
{
    u8 c = (u8)src->text[t.start];
    Text more = {0};
    if (t.end - t.start > 1)
        text_printf(&more, " (and %u more bytes of the kind)", t.end - t.start - 1);
    if (c == 0)
        diag_add(ds, "syntax", span, "is this a text file?", "NUL byte 0x00 in the text%s",
                 text_str(&more));
    else if (c >= 0x80)
        diag_add(ds, "syntax", span, "save the text as UTF-8",
                 "byte 0x%02x is not valid UTF-8 here%s", c, text_str(&more));
    else
        diag_add(ds, "syntax", span, NULL, "control byte 0x%02x in the text%s", c, text_str(&more));
    text_free(&more);
}

void lex_explain(const Source *src, Token t, Diags *ds)
{
    Span span = {src, t.start, t.end};
    const char *s = src->text + t.start;
    int n = (int)(t.end - t.start > 24 ? 24 : t.end - t.start);
    u32 cp = 0;
    switch ((TokenKind)t.kind) {
    case T_BAD_BYTE: explain_byte(src, t, span, ds); break;
    case T_BAD_CHAR:
        utf8_decode(s, t.end - t.start, &cp);
        diag_add(ds, "syntax", span, instead_of(s, t.end - t.start),
                 "the character U+%04X cannot be used here", (unsigned)cp);
        break;
    case T_BAD_STRING:
        diag_add(ds, "syntax", span,
                 "strings end on the line they begin on; `x'` with one quote is a transpose",
                 "this string has no closing `\"`");
        break;
    case T_BAD_ESCAPE:
        diag_add(ds, "syntax", span, "the escapes are \\\" \\\\ \\n \\t",
                 "unknown escape in a string");
        break;
    case T_BAD_NUMBER:
        diag_add(
            ds, "syntax", span,
            n > 1 && (s[n - 1] == 'j' || s[n - 1] == 'i')
                ? "complex numbers are named tuples, (re=1.0, im=2.0): see `:help complex`"
                : "numbers look like 12, 1_000, 1.5, .5, 1e-3, 0xff or 0b101; a product needs `*`",
            "`%.*s` is not a number", n, s);
        break;
    default:
        diag_add(ds, "syntax", span, instead_of(s, t.end - t.start),
                 "`%.*s` is not an operator of this language", n, s);
    }
}
