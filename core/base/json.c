/* The streaming JSON writer.
 *
 * Invariant: one bool is enough state, because a value always leaves `comma`
 * set and a key or an opening bracket always leaves it clear. Output is ASCII
 * control-free valid UTF-8 on one line. */
#include "base/json.h"

#include "base/utf8.h"

#include <inttypes.h>
#include <math.h>

static void put_separator(Json *j)
{
    if (j->comma)
        text_putc(j->out, ',');
    j->comma = true;
}

void json_begin(Json *j, char bracket)
{
    put_separator(j);
    text_putc(j->out, bracket);
    j->comma = false;
}

void json_end(Json *j, char bracket)
{
    text_putc(j->out, bracket);
    j->comma = true;
}

static void put_escape(Text *t, unsigned char c)
{
    switch (c) {
    case '"': text_put(t, "\\\""); break;
    case '\\': text_put(t, "\\\\"); break;
    case '\n': text_put(t, "\\n"); break;
    case '\t': text_put(t, "\\t"); break;
    case '\r': text_put(t, "\\r"); break;
    default: text_printf(t, "\\u%04x", c);
    }
}

static void put_quoted(Text *t, const char *s, size_t n)
{
    text_putc(t, '"');
    size_t done = 0; /* plain runs are copied in one go */
    for (size_t i = 0; i < n;) {
        unsigned char c = (unsigned char)s[i];
        u32 cp;
        int len = utf8_decode(s + i, n - i, &cp);
        if (len > 0 && c >= 0x20 && c != '"' && c != '\\' && c != 0x7F) {
            i += (size_t)len;
            continue;
        }
        text_putn(t, s + done, i - done);
        if (len == 0)
            text_put(t, "\xEF\xBF\xBD");
        else
            put_escape(t, c);
        done = ++i;
    }
    text_putn(t, s + done, n - done);
    text_putc(t, '"');
}

void json_key(Json *j, const char *name)
{
    put_separator(j);
    put_quoted(j->out, name, strlen(name));
    text_putc(j->out, ':');
    j->comma = false;
}

void json_string(Json *j, const char *s)
{
    if (!s) {
        json_null(j);
        return;
    }
    put_separator(j);
    put_quoted(j->out, s, strlen(s));
}

void json_int(Json *j, i64 x)
{
    put_separator(j);
    text_printf(j->out, "%" PRId64, x);
}

void json_double(Json *j, double x)
{
    put_separator(j);
    bool quoted = !isfinite(x);
    if (quoted)
        text_putc(j->out, '"');
    text_double(j->out, x);
    if (quoted)
        text_putc(j->out, '"');
}

void json_bool(Json *j, bool b)
{
    put_separator(j);
    text_put(j->out, b ? "true" : "false");
}

void json_null(Json *j)
{
    put_separator(j);
    text_put(j->out, "null");
}

void json_raw(Json *j, const char *text)
{
    put_separator(j);
    text_put(j->out, text);
}

void json_open(Json *j, const char *key, char bracket)
{
    json_key(j, key);
    json_begin(j, bracket);
}

void json_pair(Json *j, const char *key, const char *value)
{
    json_key(j, key);
    json_string(j, value);
}

void json_text(Json *j, const char *key, Text *value)
{
    json_pair(j, key, text_str(value));
    text_free(value);
}

void json_count(Json *j, const char *key, i64 value)
{
    json_key(j, key);
    json_int(j, value);
}

void json_flag(Json *j, const char *key, bool value)
{
    json_key(j, key);
    json_bool(j, value);
}
