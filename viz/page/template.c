/* Pages from templates; see template.h. */
#include "viz/page/template.h"

#include "base/utf8.h"

/* Copies the page up to a mark and returns what follows it. */
static const char *put_until(Text *out, const char *at, const char *mark)
{
    const char *s = strstr(at, mark);
    if (!s)
        die("the page has no mark %s", mark);
    text_putn(out, at, (size_t)(s - at));
    return s + strlen(mark);
}

void template_put(Text *out, const char *page, const char *title, const char *css, const Text *data,
                  int nscripts, const char *const *scripts)
{
    const char *at = put_until(out, page, "@TITLE@");
    xml_put(out, title);
    at = put_until(out, at, "@CSS@");
    text_put(out, css);
    at = put_until(out, at, "@DATA@");
    for (size_t i = 0; i < data->len; i++)
        if (data->at[i] == '<')
            text_put(out, "\\u003c");
        else
            text_putc(out, data->at[i]);
    at = put_until(out, at, "@JS@");
    for (int i = 0; i < nscripts; i++)
        text_put(out, scripts[i]);
    text_put(out, at);
}
