/* What is wrong with a line of a derivation: the smallest part that a right line has otherwise.
 *
 * Invariant: at every level all other parts are proved equal to their counterparts, so the part
 * that is named explains the whole difference. */
#include "repl/teach/player.h"

#include "ops/build.h"
#include "repl/commands/show.h"
#include "surface/surface.h"

enum { MOST_PIECES = 12, PART_CHARS = 60 };

/* A term of a sum or a factor of a product. */
typedef struct {
    Node *n;
    bool minus; /* of a term */
} Piece;

typedef struct {
    Piece at[MOST_PIECES];
    int len;    /* if it is greater than MOST_PIECES, they are not compared */
    bool minus; /* of the product */
} Pieces;

typedef enum { FAULT_PART, FAULT_SIGN, FAULT_MISSING, FAULT_EXTRA } FaultKind;

typedef struct {
    Session *s;
    Node *line; /* the wrong one */
    FaultKind kind;
    bool product;
    Node *side[2]; /* the right part and the wrong one */
    Node *piece;   /* whose sign is wrong, or that is missing or extra */
} Fault;

/* ---- terms and factors ---- */

static bool is_sum(const Node *n) { return n->op == OP_ADD || n->op == OP_SUB; }

static void put_pieces(Pieces *all, Node *n, bool minus, bool product)
{
    if (n->op == OP_NEG) {
        put_pieces(all, n->ops[0], !minus, product);
    } else if (product ? n->op == OP_MUL : is_sum(n)) {
        for (u32 i = 0; i < n->nops; i++)
            put_pieces(all, n->ops[i], minus != (i && n->op == OP_SUB), product);
    } else {
        if (all->len < MOST_PIECES)
            all->at[all->len] = (Piece){n, minus};
        all->len++;
    }
}

/* The sign of a product is one of its own, not one of a factor. */
static Pieces pieces_of(Node *n, bool product)
{
    Pieces all = {0};
    put_pieces(&all, n, false, product);
    for (int i = 0; product && i < all.len && i < MOST_PIECES; i++) {
        all.minus = all.minus != all.at[i].minus;
        all.at[i].minus = false;
    }
    return all;
}

/* Leaves only the pieces that the other side does not have. */
static void cancel(Session *s, Pieces *a, Pieces *b)
{
    for (int i = 0; i < a->len; i++)
        for (int k = 0; k < b->len; k++)
            if (a->at[i].minus == b->at[k].minus && lines_equal(s, a->at[i].n, b->at[k].n)) {
                a->at[i--] = a->at[--a->len];
                b->at[k] = b->at[--b->len];
                break;
            }
}

/* The sum or product of pieces; NULL after a diagnostic. */
static Node *rebuild(Store *st, const Pieces *all, bool product)
{
    Node *n = all->at[0].minus ? build_neg(st, all->at[0].n) : all->at[0].n;
    for (int i = 1; i < all->len && n; i++) {
        Node *next = all->at[i].n;
        n = product            ? build_mul(st, n, next)
            : all->at[i].minus ? build_sub(st, n, next)
                               : build_add(st, n, next);
    }
    return n;
}

/* ---- descending ---- */

static void descend(Fault *f, Node *right, Node *wrong);

/* A number alone says little: what it is part of is named instead, unless that is the whole line.
 */
static void descend_to(Fault *f, Node *right, Node *wrong)
{
    if (!node_is_const(right) || !node_is_const(wrong))
        descend(f, right, wrong);
    else if (f->side[1] == f->line)
        f->side[0] = right, f->side[1] = wrong;
}

static void blame_piece(Fault *f, FaultKind kind, const Piece *piece)
{
    f->kind = kind;
    f->piece = piece->n;
}

static void blame_group(Fault *f, const Pieces *a, const Pieces *b)
{
    Node *right = rebuild(&f->s->st, a, f->product), *wrong = rebuild(&f->s->st, b, f->product);
    if (right && wrong)
        f->side[0] = right, f->side[1] = wrong;
}

/* What is left of each side after what they have in common; `whole`: nothing was in common. */
static void blame_pieces(Fault *f, const Pieces *a, const Pieces *b, bool whole)
{
    bool pair = a->len == 1 && b->len == 1;
    if (!a->len && b->len == 1)
        blame_piece(f, FAULT_EXTRA, &b->at[0]);
    else if (a->len == 1 && !b->len)
        blame_piece(f, FAULT_MISSING, &a->at[0]);
    else if (pair && a->at[0].minus == b->at[0].minus)
        descend_to(f, a->at[0].n, b->at[0].n);
    else if (pair && lines_equal(f->s, a->at[0].n, b->at[0].n))
        blame_piece(f, FAULT_SIGN, &b->at[0]);
    else if (!whole && a->len && b->len)
        blame_group(f, a, b);
}

static void compare_pieces(Fault *f, bool product)
{
    Pieces a = pieces_of(f->side[0], product), b = pieces_of(f->side[1], product);
    bool sign = a.minus != b.minus;
    int before = a.len, most = a.len > b.len ? a.len : b.len;
    if (most < 2 || most > MOST_PIECES)
        return;
    f->product = product;
    cancel(f->s, &a, &b);
    if (!sign)
        blame_pieces(f, &a, &b, a.len == before);
    else if (!a.len && !b.len)
        blame_piece(f, FAULT_SIGN, &(Piece){f->side[1], false});
}

/* The one operand in which they differ, if all others are equal. */
static void compare_operands(Fault *f)
{
    Node *a = f->side[0], *b = f->side[1];
    int differs = -1;
    if (node_operator_hash(a) != node_operator_hash(b) || a->nops != b->nops ||
        node_graphs(a, (int[4]){0}) > 0)
        return;
    for (u32 i = 0; i < a->nops; i++) {
        if (lines_equal(f->s, a->ops[i], b->ops[i]))
            continue;
        if (differs >= 0)
            return;
        differs = (int)i;
    }
    if (differs >= 0 && a->ops[differs]->type == b->ops[differs]->type)
        descend_to(f, a->ops[differs], b->ops[differs]);
}

static void descend(Fault *f, Node *right, Node *wrong)
{
    f->side[0] = right;
    f->side[1] = wrong;
    if (is_sum(right) || is_sum(wrong))
        compare_pieces(f, false);
    else if (right->op == OP_MUL || wrong->op == OP_MUL || right->op == OP_NEG ||
             wrong->op == OP_NEG)
        compare_pieces(f, true);
    else
        compare_operands(f);
}

/* ---- saying it ---- */

/* A number as it may have been typed: 2, not 2.0. */
static char *part_of_line(Session *s, Node *n)
{
    Text t = {0};
    node_source_limited(&s->st, &t, n, true, PART_CHARS);
    if (node_is_const(n) && t.len > 2 && !strcmp(text_str(&t) + t.len - 2, ".0"))
        t.at[t.len - 2] = 0;
    return text_take(&t);
}

static void say(Player *p, const Fault *f, bool reveal)
{
    const char *piece = f->product ? "factor" : "term";
    char *right = part_of_line(f->s, f->side[0]), *wrong = part_of_line(f->s, f->side[1]);
    char *one = part_of_line(f->s, f->piece ? f->piece : f->side[1]);
    bool inside = f->side[1] != f->line && f->piece != f->side[1];
    const char *in = inside ? " in " : "", *what = inside ? wrong : "";
    if (f->kind == FAULT_SIGN)
        player_say(p, "The mistake is the sign of %s%s%s.\n", one, in, what);
    else if (f->kind == FAULT_EXTRA)
        player_say(p, "The mistake is the extra %s %s%s%s.\n", piece, one, in, what);
    else if (f->kind == FAULT_MISSING && reveal)
        player_say(p, "The mistake is the missing %s %s%s%s.\n", piece, one, in, what);
    else if (f->kind == FAULT_MISSING)
        player_say(p, "The mistake is a missing %s%s%s.\n", piece, in, what);
    else if (reveal)
        player_say(p, "The mistake is where %s became %s.\n", right, wrong);
    else
        player_say(p, "The mistake is in %s.\n", wrong);
    free(right);
    free(wrong);
    free(one);
}

/* False if the whole line is to blame. */
static bool find(Fault *f, Session *s, Node *right, Node *wrong)
{
    *f = (Fault){.s = s, .line = wrong};
    if (right->type == wrong->type)
        descend(f, right, wrong);
    return f->side[1] && (f->kind != FAULT_PART || f->side[1] != wrong);
}

void put_fault(Player *p, Node *before, Node *end, Node *now)
{
    Session *s = &p->session.s;
    Fault f;
    if (find(&f, s, before, now))
        say(p, &f, true);
    else if (end && find(&f, s, end, now))
        say(p, &f, false);
}
