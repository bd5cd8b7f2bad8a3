/* The step for which a condition on names of the body holds.
 *
 * In the condition's text a name of the body becomes a name of ours, which stands for what the step
 * gives; the rest is elaborated as everywhere. */
#include "repl/commands/play.h"
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

bool play_search_bad(PlayTrack *t, i64 from, i64 *found)
{
    Store *st = t->r.st;
    Node *all = node_i64(st, 0);
    for (size_t i = 0; i < t->b.lines.len && all; i++) {
        Node *n = map_get(&t->r.copy, t->b.lines.at[i].of);
        if (!n || n->type->kind != TYPE_TENSOR || !dtype_is_float(node_dtype(n)))
            continue;
        Node *bad = count_bad(st, n);
        all = bad ? build_add(st, all, bad) : NULL;
    }
    Node *test = all ? node2(st, OP_GT, NULL, all, node_i64(st, 0)) : NULL;
    *found = -1;
    return test && loop_probe_find(&t->r, test, from, found);
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
static void put_condition(PlayTrack *t, const char *s, Env *env, Text *out)
{
    Elab *e = &t->c->r->s.elab;
    int count = 0;
    while (*s) {
        size_t n = is_letter(*s) ? name_here(&t->b, s) : 0;
        Node *node = n ? play_named(&t->b, s, n) : NULL;
        if (node) {
            size_t at = out->len;
            text_printf(out, "play_%d", count++);
            env_set(e, env, symbol(t->r.st, text_str(out) + at), value_node(e, node));
        } else {
            for (n = 0; in_word(s[n]);)
                n++;
            n = n ? n : 1;
            text_putn(out, s, n);
        }
        s += n;
    }
}

static Node *condition_node(PlayTrack *t, const char *condition)
{
    Session *s = &t->c->r->s;
    Elab *e = &s->elab;
    Text text = {0};
    elab_start(e);
    Env *around = e->env, *env = env_new(e, e->globals);
    put_condition(t, condition, env, &text);
    const Source *src = session_source(s, "condition", text_str(&text), text.len);
    Expr *x = parse_expression(source_whole(src), e->arena, s->st.diags);
    e->env = env;
    Node *n = x ? elab_node(e, x, "a condition") : NULL;
    e->env = around;
    text_free(&text);
    if (n && (n->type->kind != TYPE_TENSOR || n->type->dtype != DT_BOOL || n->type->rank)) {
        call_fail(t->c, source_whole(src), "type-mismatch", NULL,
                  "a condition is one bool: x[t] > 3");
        return NULL;
    }
    return n && derivatives_expand(t->r.st, s->rules, &s->options, 1, &n) ? n : NULL;
}

bool play_search(PlayTrack *t, const char *condition, i64 from, i64 *found)
{
    condition += strspn(condition, " ");
    condition += strncmp(condition, "until ", 6) == 0 ? 6 : 0;
    Node *n = condition_node(t, condition);
    *found = -1;
    return n && loop_probe_find(&t->r, n, from, found);
}
