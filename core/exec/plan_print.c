/* Listings of programs, for `:plan` and for tests.
 *
 * Invariant: the text depends on the program only; no addresses. */
#include "exec/plan_work.h"

static const char *const names[I_COUNT] = {
#define INS(NAME, FORM) [I_##NAME] = #NAME,
    INSTRUCTIONS(INS)
#undef INS
#define ELEM1(ID, NAME, ...)                                                            \
    [I_F64_##ID] = NAME ".f64", [I_F32_##ID] = NAME ".f32", [I_INT_##ID] = NAME ".i64", \
    [I_BOOL_##ID] = NAME ".bool",
#define ELEM2(ID, NAME, ...)                                                            \
    [I_F64_##ID] = NAME ".f64", [I_F32_##ID] = NAME ".f32", [I_INT_##ID] = NAME ".i64", \
    [I_BOOL_##ID] = NAME ".bool",
#include "ops/elem.def"
};

static void print_name(Text *out, InsOp op)
{
    for (const char *s = names[op]; *s; s++)
        text_putc(out, (char)(*s >= 'A' && *s <= 'Z' ? *s + 'a' - 'A' : *s));
}

static void print_reg(Text *out, const Block *b, u32 reg)
{
    if (reg == NO_REG)
        text_putc(out, '_');
    else if (reg < b->ntensors)
        text_printf(out, "t%u", reg);
    else
        text_printf(out, "r%u", reg - b->ntensors);
}

static void print_args(Text *out, const Block *b, const Arg *args, u32 n)
{
    text_putc(out, '(');
    for (u32 k = 0; k < n; k++) {
        text_put(out, k ? ", " : "");
        print_reg(out, b, args[k].reg);
        text_put(out, args[k].move ? "!" : "");
    }
    text_putc(out, ')');
}

static void print_wide(Text *out, const Block *b, const Ins *ins)
{
    const Wide *w = ins->u.wide;
    for (u32 k = 0; k < w->nout; k++) {
        text_put(out, k ? ", " : "");
        print_reg(out, b, w->out[k].reg);
        if (w->out[k].room) {
            text_put(out, " in ");
            print_reg(out, b, w->out[k].room->reg);
        }
    }
    text_printf(out, " = %s", ins->op == I_DELAY ? "delay" : node_info(w->node)->name);
    for (int k = 0; k < 2; k++)
        if (w->body[k])
            text_printf(out, "%s@%u", k ? "/" : " ", w->body[k]->id);
    print_args(out, b, w->in, w->nin);
}

static void print_leaf(Text *out, Store *st, const Node *n)
{
    Symbol name = node_name(st, n);
    if (n->op == OP_SIZE) {
        text_putc(out, ' ');
        size_print(out, n->attrs[0].size);
    } else {
        text_printf(out, " %s", name ? name : node_info(n)->name);
    }
}

static void print_plain(Text *out, Store *st, const Block *b, const Ins *ins)
{
    const char *form = ins_form((InsOp)ins->op);
    Ins copy = *ins;
    bool first = true;
    if (*form == 'd') {
        print_reg(out, b, ins->d);
        text_put(out, " = ");
        form++;
    }
    if (ins->op == I_KERNEL1 || ins->op == I_KERNEL2)
        text_printf(out, "%s.kernel", elem_info((ElemId)ins->c)->name);
    else
        print_name(out, (InsOp)ins->op);
    for (; *form; form++, first = false) {
        text_put(out, first ? " " : ", ");
        print_reg(out, b, *ins_field(&copy, *form));
    }
    if (ins->op == I_ROOM)
        text_printf(out, " for %s", node_info(ins->u.node)->name);
    if (ins->op == I_LEAF || ins->op == I_SIZE)
        print_leaf(out, st, ins->u.node);
    if (ins->op == I_DIM || ins->op == I_MASK || ins->op == I_SHIFT)
        text_printf(out, ", %lld", (long long)ins->u.k);
    if (ins->op == I_CAST)
        text_printf(out, " to %s", dtype_name((DType)(ins->u.k >> 8)));
    if (ins->op == I_ROWS)
        text_printf(out, " the next %u, on a few at a time, in one loop", ins->u.sweep->count);
    if (ins->op == I_ROWT)
        text_printf(out, ", trace %u", ins->c);
}

static void print_tiles(Text *out, const Wide *w)
{
    const Tiles *t = w->tiles;
    u32 nin = w->nin;
    static const char *const how[] = {[REPEAT_EACH] = "repeated, each element",
                                      [REPEAT_ALL] = "repeated, as a whole",
                                      [REPEAT_VIEW] = "in place"};
    for (u32 k = 0; t->repeat && k < nin; k++)
        if (t->repeat[k] || tile_defers(t, k))
            text_printf(out, "        %%%u %s\n", k,
                        t->repeat[k] ? how[t->repeat[k]] : "made as it is read");
    for (u32 i = 0; i < t->nsteps; i++) {
        const TileStep *s = &t->steps[i];
        text_printf(out, "        %%%u = %s", nin + i, node_info(s->node)->name);
        for (u32 k = 0; k < 3; k++)
            if (s->arg[k] != NO_REG)
                text_printf(out, "%s%%%u", k ? ", " : " ", s->arg[k]);
        text_putc(out, '\n');
    }
    for (u32 i = 0; i < t->nfolds; i++) {
        const Node *n = t->folds[i].node;
        int first = t->over.first, end = first + t->over.count;
        text_printf(out, "        %s %%%u", node_info(n)->name, t->folds[i].arg);
        if (end < node_rank(n->ops[0])) /* else the last ones */
            text_printf(out, t->over.count > 1 ? " over axes %d to %d" : " over axis %d", first,
                        end - 1);
        text_putc(out, '\n');
    }
    for (u32 k = 0; t->test && k < w->nout; k++)
        if (tile_tests(t, k))
            text_printf(out, "        %%%u for a check only\n", nin + t->outs[k]);
    for (u32 i = 0; i < t->nsinks; i++) {
        const TileSink *s = &t->sinks[i];
        text_printf(out, "        %s ", node_info(s->node)->name);
        if (s->base != NO_REG)
            text_printf(out, "%%%u, %%%u, ", s->base, s->place);
        text_printf(out, "%%%u\n", s->value);
    }
}

static void print_slots(Text *out, const Block *b, const char *what, const Slot *slots, u32 n)
{
    if (!n)
        return;
    text_printf(out, "    %s", what);
    for (u32 i = 0; i < n; i++) {
        text_put(out, i ? ", " : " ");
        print_reg(out, b, slots[i].reg);
    }
    text_putc(out, '\n');
}

static void print_constants(Text *out, const Block *b)
{
    for (u32 i = 0; i < b->nconstants; i++) {
        const Tensor *t = b->constants[i].value;
        text_put(out, "    ");
        print_reg(out, b, b->constants[i].reg);
        text_put(out, " : ");
        if (t->count <= 4)
            tensor_literal(out, t);
        else
            text_printf(out, "%s, %lld elements", dtype_name(t->dtype), (long long)t->count);
        text_putc(out, '\n');
    }
}

static void print_block(Text *out, Store *st, const Block *b)
{
    text_printf(out, "@%u%s: %u tensors, %u scalars\n", b->id,
                !b->loop     ? ""
                : b->reverse ? " loop, reverse"
                : b->stop    ? " loop, until"
                             : " loop",
                b->ntensors, b->nregs - b->ntensors);
    print_slots(out, b, "states", b->params, b->nstates);
    print_slots(out, b, "elements", b->params + b->nstates, b->nseqs);
    print_slots(out, b, b->loop ? "captures" : "parameters", b->params + b->nstates + b->nseqs,
                b->nparams - b->nstates - b->nseqs);
    print_constants(out, b);
    if (b->lanes)
        text_printf(out, "    lane by lane: %s on up to %d elements, then on the next\n",
                    b->lanes->done == NO_REG ? "all steps" : "steps until all of them are done",
                    (int)TILE);
    if (b->draws)
        text_put(out, "    all lanes at once: a number from each state\n");
    if (b->shifts)
        text_printf(
            out,
            "    in place: slices and joins are read and written where they lie, in %u part%s\n",
            b->shifts->nparts, b->shifts->nparts == 1 ? "" : "s");
    for (u32 i = 0; i < b->ncode; i++) {
        const Ins *ins = &b->code[i];
        text_printf(out, "%4u  ", i);
        if (ins_is_wide((InsOp)ins->op))
            print_wide(out, b, ins);
        else
            print_plain(out, st, b, ins);
        if (ins->op == I_END && b->nouts) {
            text_putc(out, ' ');
            print_args(out, b, b->outs, b->nouts);
        }
        text_putc(out, '\n');
        if (ins->op == I_FUSED || ins->op == I_SINKS)
            print_tiles(out, ins->u.wide);
    }
}

/* Blocks that are planned and then put into others (plan_choose.c) do not run. */
static void find_runs(const Block *b, bool *runs)
{
    if (runs[b->id])
        return;
    runs[b->id] = true;
    for (u32 i = 0; i < b->ncode; i++) {
        InsOp op = ins_op(&b->code[i]);
        const Wide *w = ins_is_wide(op) ? b->code[i].u.wide : NULL;
        for (int k = 0; w && k < 2; k++)
            if (w->body[k])
                find_runs(w->body[k], runs);
    }
}

void program_print(Text *out, const Program *p)
{
    bool *runs = xcalloc(p->blocks.len + 1, sizeof *runs);
    find_runs(p->root, runs);
    for (size_t i = 0; i < p->blocks.len; i++)
        if (runs[p->blocks.at[i]->id])
            print_block(out, p->st, p->blocks.at[i]);
    free(runs);
}
