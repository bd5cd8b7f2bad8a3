/* Where nodes of a picture lead: addresses from a template with {op}, {name} and {id}.
 *
 * Invariant: a node that lacks what its address would contain leads nowhere. */
#include "graph/op.h"
#include "viz/scene/scene.h"

bool link_leads_somewhere(const char *url)
{
    static const char *const schemes[] = {"http://", "https://"};
    for (size_t i = 0; i < COUNT_OF(schemes); i++)
        if (!strncmp(url, schemes[i], strlen(schemes[i])))
            return url[strlen(schemes[i])] != 0;
    size_t n = strcspn(url, ":/?#");
    bool seen = *url && url[n] != ':' && strncmp(url, "//", 2) != 0;
    for (const char *s = url; *s; s++)
        seen = seen && (unsigned char)*s > ' ';
    return seen;
}

/* Percent signs for all that an address has a meaning for. */
static void put_in_url(Text *out, const char *s)
{
    for (; *s; s++) {
        unsigned char x = (unsigned char)*s;
        bool plain = (x >= 'a' && x <= 'z') || (x >= 'A' && x <= 'Z') || (x >= '0' && x <= '9') ||
                     strchr("-_.~", x);
        text_printf(out, plain ? "%c" : "%%%02X", x);
    }
}

/* What stands for {op}, {name}, {id} of a node. */
typedef enum { LINK_PUT, LINK_LACKS, LINK_UNKNOWN } LinkWord;

/* What a node is called, without an index: h of "h[t] = tanh(..)"; nothing: it has no name. */
static void put_own_name(Text *out, const SceneNode *n)
{
    const PhrasePart *given = scene_node_given(n);
    if (!n->label || (!given && n->role == ROLE_NONE) || strcmp(n->label, "0") == 0)
        return;
    size_t len = strcspn(n->label, "[");
    text_putn(out, n->label, given && (size_t)given->n < len ? (size_t)given->n : len);
}

static LinkWord put_link_word(Text *out, const SceneNode *n, const char *word, size_t len)
{
    static const char *const words[] = {"op", "name", "id"};
    OpId op = n->op ? op_by_name(n->op) : OP_COUNT;
    Text t = {0};
    size_t k = 0;
    while (k < COUNT_OF(words) && (strlen(words[k]) != len || strncmp(words[k], word, len)))
        k++;
    if (k == 0 && op != OP_COUNT && op_table[op].cls != CLASS_STRUCTURAL)
        text_put(&t, n->op);
    else if (k == 1)
        put_own_name(&t, n);
    else if (k == 2 && n->id)
        text_printf(&t, "%lld", (long long)n->id);
    put_in_url(out, text_str(&t));
    bool put = t.len > 0;
    text_free(&t);
    return k == COUNT_OF(words) ? LINK_UNKNOWN : put ? LINK_PUT : LINK_LACKS;
}

/* The address of a node in *out; empty: it lacks a part. What the template has that cannot be, or
 * NULL. */
static const char *put_link(Text *out, const SceneNode *n, const char *template)
{
    bool whole = true;
    for (const char *at = template; *at; at++) {
        size_t len = *at == '{' ? strcspn(at, "}") : 0;
        LinkWord word = !len       ? LINK_PUT
                        : !at[len] ? LINK_UNKNOWN
                                   : put_link_word(out, n, at + 1, len - 1);
        if (word == LINK_UNKNOWN)
            return at;
        if (!len)
            text_putc(out, *at);
        whole = whole && word == LINK_PUT;
        at += len;
    }
    out->len = whole ? out->len : 0;
    return NULL;
}

const char *scene_set_links(Scene *s, const char *template)
{
    const char *wrong = NULL;
    for (int k = 1; !wrong && (size_t)k <= s->nodes.len; k++) {
        Text link = {0};
        wrong = put_link(&link, scene_node_at(s, k), template);
        if (link.len && !wrong)
            scene_set_link(s, k, text_str(&link));
        text_free(&link);
    }
    return wrong;
}
