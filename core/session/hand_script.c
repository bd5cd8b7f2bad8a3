/* The derivation by hand as statements that replay it, with all its branches.
 *
 * Invariant: what is written is read back as the same start, and each branch ends in a check of the
 * graph that comes of it: by the expression that it is if that can be written in one line, else by
 * a digest. What several branches have in common is written once. */
#include "session/save.h"

#include "session/by_hand.h"
#include "session/definitions.h"
#include "surface/surface.h"

void hand_digest(Text *out, int n, Node *const *roots)
{
    u64 hash = 0;
    for (int i = 0; i < n; i++)
        hash = hash_mix(hash, roots[i]->shash);
    text_printf(out, "%016llx", (unsigned long long)hash);
}

/* Do the words of an expression, read now, mean these roots? Says nothing if they do not. */
static bool means(Session *s, const char *text, int n, Node *const *roots)
{
    const Source *src = session_source(s, "script", text, strlen(text));
    DiagTry trial; /* what reading it says is of no interest */
    Node **mine = NULL;
    diag_try_begin(&trial, &s->st.diags);
    Span all = {src, 0, (u32)src->len};
    Value *v = *text && !strchr(text, '\n') ? session_value(s, all) : NULL;
    int count = v ? session_roots(s, v, all, &mine) : -1;
    diag_try_end(&trial);
    bool same = count == n && memcmp(mine, roots, (size_t)n * sizeof *roots) == 0;
    free(mine);
    return same;
}

/* The lines of a listing as one: definitions as a block, those of a loop with `;` between. */
static void put_joined(Text *out, const char *lines)
{
    bool several = strchr(lines, '\n') != NULL;
    text_put(out, several ? "{ " : "");
    for (size_t n; *lines; lines += n + (lines[n] == '\n')) {
        n = strcspn(lines, "\n");
        size_t blanks = strspn(lines, " ");
        text_putn(out, lines + blanks, n - blanks);
        const char *next = lines + n + strspn(lines + n, "\n ");
        bool opens = n && lines[n - 1] == '{', closes = *next == '}' || !*next;
        text_put(out, !*next ? "" : opens || closes ? " " : "; ");
    }
    text_put(out, several ? " }" : "");
}

/* In one line, with nothing but inputs by name; nothing if the language cannot say it. */
static void put_expression(Session *s, Text *out, int n, Node *const *roots)
{
    enum { NO_BREAKS = 1000000 };
    Text t = {0};
    DiagTry trial;
    diag_try_begin(&trial, &s->st.diags);
    if (listing_print(&s->st, &t, n, roots,
                      &(ListingOptions){.declared = true, .width = NO_BREAKS}))
        put_joined(out, text_str(&t));
    diag_try_end(&trial);
    text_free(&t);
}

/* May the text mean something else when the script runs: does it say `ans` or %12, or a name that
 * was given anew since the derivation began? */
static bool is_of_the_moment(Session *s, const struct ByHand *h)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
    const char *at = h->text;
    for (size_t n; *at; at += n) {
        n = strspn(at, letters);
        if (*at == '%' && at[1] >= '0' && at[1] <= '9')
            return true;
        const Definition *d = n ? map_get(&s->defined, symbol_n(&s->st, at, n)) : NULL;
        if (d && (d->last_value || d->serial > h->began))
            return true;
        n += n == 0;
    }
    return false;
}

static bool put_start(Session *s, Text *out, const struct ByHand *h)
{
    Text t = {0};
    const Exploration *x = h->start;
    bool typed = !is_of_the_moment(s, h);
    if (!typed)
        put_expression(s, &t, x->nroots, x->start);
    bool ok = typed || means(s, text_str(&t), x->nroots, x->start);
    const char *expr = typed ? h->text : text_str(&t);
    bool number = !expr[strspn(expr, "-0123456789")]; /* alone it would be that of a move */
    text_printf(out, number ? ":move (%s)\n" : ":move %s\n", expr);
    text_free(&t);
    return ok;
}

static void put_move(Text *out, const HandState *s)
{
    text_printf(out, ":move rule=%s", s->rule);
    if (s->at)
        text_printf(out, " at=%%%u", s->at);
    if (s->nth)
        text_printf(out, " nth=%u", s->nth);
    text_putc(out, '\n');
}

static void put_check(Session *s, Text *out, const struct ByHand *h, u32 state)
{
    Node *const *roots = hand_roots(h, state);
    int n = h->start->nroots;
    Text t = {0};
    put_expression(s, &t, n, roots);
    text_put(out, ":expect ");
    if (means(s, text_str(&t), n, roots)) {
        text_put(out, text_str(&t));
    } else {
        text_put(out, "digest=");
        hand_digest(out, n, roots);
    }
    text_putc(out, '\n');
    text_free(&t);
}

/* ---- branches ---- */

static const u32 OFF = UINT32_MAX;

typedef struct {
    Session *session;
    Text *out;
    const struct ByHand *h;
    bool *written; /* by branch */
    u32 moves;
} Script;

/* The state after `at` on the way to `end`; `at` if that is the end; OFF: it is not on the way. */
static u32 next_on_way(const struct ByHand *h, u32 end, u32 at)
{
    u32 next = end;
    while (end != at && h->states.at[end].move) {
        next = end;
        end = h->states.at[end].parent;
    }
    return end == at ? next : OFF;
}

static void go_to_branch(Script *s, u32 k)
{
    text_printf(s->out, ":move branch=%s\n", s->h->branches.at[k].name);
}

/* From a state on its way to its end. Branches that leave the way begin where they do so; those
 * that do where this one began are its owner's. */
static void put_branch(Script *s, u32 k, u32 at)
{
    const struct ByHand *h = s->h;
    u32 end = h->branches.at[k].state, first = k ? at : OFF;
    s->written[k] = true;
    for (u32 next = at;; at = next) {
        next = next_on_way(h, end, at);
        for (u32 j = 0; j < h->branches.len && at != first; j++) {
            u32 other = s->written[j] ? OFF : next_on_way(h, h->branches.at[j].state, at);
            if (other == OFF || (other != at && other == next))
                continue;
            go_to_branch(s, j);
            put_branch(s, j, at);
            go_to_branch(s, k); /* which still stands where the other one left */
        }
        if (next == at)
            break;
        put_move(s->out, &h->states.at[next]);
        s->moves++;
    }
    put_check(s->session, s->out, h, end);
}

bool hand_print(Session *s, Text *out, u32 *moves)
{
    const struct ByHand *h = s->by_hand;
    *moves = 0;
    if (!h)
        return true;
    text_printf(out, "\n# an interactive derivation and its result\n");
    if (!put_start(s, out, h))
        return false;
    Script script = {.session = s, .out = out, .h = h};
    script.written = xcalloc(h->branches.len + 1, sizeof *script.written);
    put_branch(&script, 0, 0);
    if (h->branch)
        go_to_branch(&script, h->branch);
    *moves = script.moves;
    free(script.written);
    return true;
}
