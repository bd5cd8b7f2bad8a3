/* The step for which a condition on names of the body holds.
 *
 * In the condition's text a name of the body becomes a name of ours, which stands for what the step
 * gives; the rest is elaborated as everywhere. */
#include "session/loop_search.h"

#include "graph/name.h"

#include "ops/build.h"
#include "passes/passes.h"

/* ---- the first value that is no number ---- */

/* How many elements of n are not finite. */
static Node *count_bad(Store *st, Node *n)
{
    Node *finite = node1(st, OP_ISFINITE, NULL, n);
    Node *bad = finite ? node1(st, OP_LOGICAL_NOT, NULL, finite) : NULL;
    Node *ones = bad ? node_cast(st, bad, DT_I64) : NULL;
    return ones ? build_sum_all(st, ones) : NULL;
}

bool search_not_finite(const PlayBody *b, i64 from, i64 *found)
{
    Store *st = b->r->st;
    Node *all = node_i64(st, 0);
    for (size_t i = 0; i < b->lines.len && all; i++) {
        Node *n = map_get(&b->r->copy, b->lines.at[i].of);
        if (!n || n->type->kind != TYPE_TENSOR || !dtype_is_float(node_dtype(n)))
            continue;
        Node *bad = count_bad(st, n);
        all = bad ? build_add(st, all, bad) : NULL;
    }
    Node *test = all ? node2(st, OP_GT, NULL, all, node_i64(st, 0)) : NULL;
    *found = -1;
    return test && loop_probe_find(b->r, test, from, found);
}

/* ---- a condition ---- */

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (c & 0x80);
}

static bool in_word(char c) { return is_letter(c) || (c >= '0' && c <= '9'); }

/* The longest name of the body that the text begins with; its length, or 0. "h[3]" is "h" and a
 * part of it, "h[t]" and "d_h[t]" are names. */
static size_t name_here(const PlayBody *b, const char *s)
{
    size_t best = 0, word = 0;
    while (in_word(s[word]))
        word++;
    for (size_t i = 0; i < b->names.len; i++) {
        Symbol name = b->names.at[i];
        size_t n = strlen(name), bare = strlen(name_base(b->r->st, name));
        if (n > best && !strncmp(s, name, n) && !in_word(s[n]))
            best = n;
        if (bare > best && !strncmp(s, name, bare) && !in_word(s[bare]))
            best = bare;
    }
    return best ? best : word;
}

/* The text with names of ours, which `env` gives their meaning. */
static void put_condition(Elab *e, const PlayBody *b, const char *s, Env *env, Text *out)
{
    int count = 0;
    while (*s) {
        size_t n = is_letter(*s) ? name_here(b, s) : 0;
        Node *node = n ? play_named(b, s, n) : NULL;
        if (node) {
            size_t at = out->len;
            text_printf(out, "play_%d", count++);
            env_set(e, env, symbol(b->r->st, text_str(out) + at), value_node(e, node));
        } else {
            for (n = 0; in_word(s[n]);)
                n++;
            n = n ? n : 1;
            text_putn(out, s, n);
        }
        s += n;
    }
}

static Node *condition_node(Session *s, const PlayBody *b, const char *condition)
{
    Elab *e = &s->elab;
    Text text = {0};
    elab_start(e);
    Env *around = e->env, *env = env_new(e, e->globals);
    put_condition(e, b, condition, env, &text);
    const Source *src = session_source(s, "condition", text_str(&text), text.len);
    Expr *x = parse_expression(source_whole(src), e->arena, s->st.diags);
    e->env = env;
    Node *n = x ? elab_node(e, x, "a condition") : NULL;
    e->env = around;
    text_free(&text);
    if (n && (n->type->kind != TYPE_TENSOR || n->type->dtype != DT_BOOL || n->type->rank)) {
        diag_add(s->st.diags, "type-mismatch", source_whole(src), NULL,
                 "a condition is one bool: x[t] > 3");
        return NULL;
    }
    return n && derivatives_expand(b->r->st, s->rules, &s->options, 1, &n) ? n : NULL;
}

bool session_search_loop(Session *s, const PlayBody *b, const char *condition, i64 from, i64 *found)
{
    condition += strspn(condition, " ");
    condition += strncmp(condition, "until ", 6) == 0 ? 6 : 0;
    Node *n = condition_node(s, b, condition);
    *found = -1;
    return n && loop_probe_find(b->r, n, from, found);
}
