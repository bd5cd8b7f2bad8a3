/* Loops in segments whose number of steps nobody knows: `checkpoint auto` under `until`.
 *
 *   scan, until c     =>     a scan of segments of 1, 2, 3, ... steps, until one of them ends by c
 *
 * Segment j runs from the state that the one before it left; so n steps take about sqrt(2 n)
 * segments, the longest of as many steps, and nothing has to be counted first. That is 2.8 sqrt(n)
 * states in all for one further run of the loop, where counting first and cutting evenly
 * (checkpoint.c) keeps 2 sqrt(n) for two. It is the schedule to which those of P. Stumm and A.
 * Walther, "New algorithms for optimal online checkpointing", SISC 2010, come down where every
 * step may be run forward twice: (s+1)(s+2)/2 steps from s states; but a segment that was run again
 * keeps its states besides.
 *
 * Conditions: only final values are asked for, as the rows of segments that end anywhere do not
 * make a tensor; forward; no sequence but ranges, as the cotangent of a sequence that is cut at
 * changing places costs all of it at each segment; a state that is no scalar, as otherwise the
 * segments' own counters are most of what is kept, and a further run costs next to nothing. */
#include "grad/scan_parts.h"

#include "ops/scan_edit.h"

enum { LENGTH, DONE, STOPPED, OWN }; /* states of the outer loop besides those of the inner one */

typedef struct {
    Store *st;
    ScanShape s; /* of the loop that is cut, without traces */
    ScanRoles roles;
    NewScan outer;
    Node *inner;
} Online;

bool scan_is_online(const ScanShape *s, Node *const *used)
{
    bool ok = s->checkpoint == CHECKPOINT_AUTO && s->stop && !s->reverse, wide = false;
    for (int i = 0; i < s->nseqs; i++)
        ok = ok && rows_are_range(s->seqs[i]);
    for (int i = s->nstates; i < s->steps; i++)
        ok = ok && !used[i];
    for (int i = 0; i < s->nstates; i++)
        wide = wide || node_rank(s->inits[i]) > 0;
    return ok && wide;
}

/* The loop without its traces. */
static Node *bare(Store *st, Node *scan)
{
    ScanEdit ed;
    if (!scan_open(st, scan, &ed))
        return NULL;
    for (int i = 0; i < ed.s.nouts; i++)
        ed.outs[i].drop = true;
    ed.s.checkpoint = CHECKPOINT_NONE;
    Node *r = scan_close(&ed);
    scan_edit_free(&ed);
    return r;
}

static Node *inside(Online *o, Node *value, Symbol name)
{
    if (value->op == OP_CONST)
        return value;
    Node *hole = node_temp(o->st, value->type, name);
    vec_push(&o->outer.holes, hole);
    vec_push(&o->outer.captures, value);
    return hole;
}

static bool is_unbounded(const Node *n)
{
    i64 count;
    return node_const_i64(n, &count) && count == SCAN_UNBOUNDED;
}

/* The segment: at most as many steps as are left. */
static bool inner_scan(Online *o, Node *n)
{
    Store *st = o->st;
    int count = o->s.nstates;
    Node **own = o->outer.states.at + count;
    Node *left[] = {own[LENGTH], build_sub(st, n, own[DONE])};
    Node *len = is_unbounded(n) ? own[LENGTH]
                : left[1]       ? build_elementwise(st, OP_MINIMUM, 2, left)
                                : NULL;
    NodeVec seqs = {0}, captures = {0};
    bool ok = len != NULL;
    for (int i = 0; i < o->s.nseqs && ok; i++) {
        Node *rows = rows_part(st, o->s.seqs[i], own[DONE], len);
        ok = rows != NULL;
        vec_push(&seqs, rows);
    }
    for (int i = 0; i < o->s.ncaptures; i++)
        vec_push(&captures, inside(o, o->s.captures[i], o->roles.names[count + o->s.nseqs + i]));
    ScanShape inner = o->s;
    inner.n = len;
    inner.inits = o->outer.states.at;
    inner.seqs = seqs.at;
    inner.captures = captures.at;
    o->inner = ok ? scan_node(st, &inner) : NULL;
    if (o->inner)
        scan_note_roles(st, o->inner, &o->roles);
    vec_free(&seqs);
    vec_free(&captures);
    return o->inner != NULL;
}

static bool outer_body(Online *o)
{
    Store *st = o->st;
    for (int i = 0; i < o->s.nstates; i++)
        vec_push(&o->outer.states, node_temp(st, o->s.inits[i]->type, o->roles.names[i]));
    vec_push(&o->outer.states, node_temp(st, type_scalar(st, DT_I64), symbol(st, "length")));
    vec_push(&o->outer.states, node_temp(st, type_scalar(st, DT_I64), symbol(st, "done")));
    vec_push(&o->outer.states, node_temp(st, type_scalar(st, DT_BOOL), symbol(st, "stopped")));
    Node *n = inside(o, o->s.n, symbol(st, "n"));
    if (!inner_scan(o, n))
        return false;
    Node **own = o->outer.states.at + o->s.nstates;
    Node *length = build_add(st, own[LENGTH], node_i64(st, 1));
    Node *taken = node_proj(st, o->inner, o->s.steps);
    Node *done = taken ? build_add(st, own[DONE], taken) : NULL;
    Node *stopped = node_proj(st, o->inner, o->s.steps + 1);
    Node *all = done ? node2(st, OP_GE, NULL, done, n) : NULL;
    Node *ends[] = {stopped, all};
    Node *stop = is_unbounded(n)  ? stopped
                 : all && stopped ? build_elementwise(st, OP_LOGICAL_OR, 2, ends)
                                  : NULL;
    for (int i = 0; i < o->s.nstates; i++)
        vec_push(&o->outer.outs, node_proj(st, o->inner, i));
    vec_push(&o->outer.outs, length);
    vec_push(&o->outer.outs, done);
    vec_push(&o->outer.outs, stopped);
    vec_push(&o->outer.outs, stop);
    return true;
}

static Node *outer_scan(Online *o)
{
    Store *st = o->st;
    ScanShape flags = {.n = o->s.n, .stop = true, .checkpoint = CHECKPOINT_STATES};
    for (int i = 0; i < o->s.nstates; i++)
        vec_push(&o->outer.inits, o->s.inits[i]);
    vec_push(&o->outer.inits, node_i64(st, 1));
    vec_push(&o->outer.inits, node_i64(st, 0));
    vec_push(&o->outer.inits, node_bool(st, false));
    return scan_make(st, &o->outer, &flags);
}

bool scan_online(Store *st, Node *scan, Node **results)
{
    ScanShape whole = scan_shape(scan);
    Node *plain = bare(st, scan), *outer = NULL;
    u32 temps = st->temp_count;
    if (plain) {
        Online o = {.st = st, .s = scan_shape(plain), .roles = scan_roles(st, plain)};
        if (outer_body(&o) && (outer = outer_scan(&o)))
            node_set_name(st, outer, node_name(st, scan));
        new_scan_free(&o.outer);
    }
    st->temp_count = temps;
    for (int i = 0; i < whole.nresults && outer; i++)
        results[i] = i < whole.nstates ? node_proj(st, outer, i)
                     : i >= whole.steps
                         ? node_proj(st, outer, whole.nstates + DONE + i - whole.steps)
                         : node_proj(st, scan, i); /* nobody reads it */
    return outer != NULL;
}
