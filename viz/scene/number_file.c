/* Numbers by nodes; see number_file.h. */
#include "viz/scene/number_file.h"

#include <math.h>

typedef struct {
    const char *at, *start;
} Reader;

static char next_sign(Reader *r)
{
    r->at += strspn(r->at, " \t\r\n");
    return *r->at;
}

static int line_of(const Reader *r)
{
    int line = 1;
    for (const char *s = r->start; s < r->at; s++)
        line += *s == '\n';
    return line;
}

/* A text in quotes, with \" and \\ in it, to *out. */
static bool read_key(Reader *r, Text *out)
{
    if (next_sign(r) != '"')
        return false;
    for (r->at++; *r->at && *r->at != '"'; r->at++) {
        r->at += *r->at == '\\' && r->at[1];
        text_putc(out, *r->at);
    }
    return *r->at++ == '"';
}

static void add_number(FileNumbers *all, char *name, double x, int line)
{
    char *end = NULL;
    i64 id = *name == '%' ? strtoll(name + 1, &end, 10) : 0;
    bool number = end && end > name + 1 && !*end;
    vec_push(all, ((FileNumber){.name = name, .id = number ? id : 0, .x = x, .line = line}));
}

static const char *read_pair(Reader *r, FileNumbers *out)
{
    Text name = {0};
    if (!read_key(r, &name) || next_sign(r) != ':') {
        text_free(&name);
        return "a name in quotes and : are expected";
    }
    char *end;
    r->at++;
    next_sign(r);
    double x = strtod(r->at, &end);
    bool ok = end > r->at && isfinite(x);
    if (ok)
        add_number(out, text_take(&name), x, line_of(r));
    r->at = ok ? end : r->at;
    text_free(&name);
    return ok ? NULL : "a finite number has to follow the name";
}

const char *numbers_read(const char *text, FileNumbers *out, int *line)
{
    Reader r = {text, text};
    const char *wrong = next_sign(&r) != '{' ? "{ is expected" : NULL;
    for (char c = '{'; !wrong && c != '}';) {
        r.at++;
        if (c == '{' && next_sign(&r) == '}')
            break;
        wrong = read_pair(&r, out);
        c = wrong ? '}' : next_sign(&r);
        if (c != ',' && c != '}')
            wrong = ", or } is expected";
    }
    *line = line_of(&r);
    return wrong;
}

double numbers_find(FileNumbers *all, const SceneNode *n)
{
    double x = NAN;
    for (size_t i = 0; i < all->len; i++) {
        FileNumber *f = &all->at[i];
        if (f->id ? n->id != f->id : !scene_node_bears(n, f->name))
            continue;
        f->found = true;
        x = f->x;
    }
    return x;
}

void numbers_free(FileNumbers *all)
{
    for (size_t i = 0; i < all->len; i++)
        free(all->at[i].name);
    vec_free(all);
}
