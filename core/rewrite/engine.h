/* The engine, for passes: sweeps through a graph and the graphs in it, and what they share. Rules
 * do not see it (site.h). */
#ifndef GRADUS_ENGINE_H
#define GRADUS_ENGINE_H

#include "graph/node_map.h"
#include "rewrite/judged.h"
#include "rewrite/options.h"
#include "rewrite/steps.h"

typedef MAP(const Graph *, struct Body *) BodyMap;

/* What is known of nodes of an exploration: the groups none of whose rules fires at the node, and
 * those none of which fires anywhere below it either, where no loop or branch is below it. Rules
 * see a node and what is below it, those of tuples which results are used, nothing else, so this
 * stays true. */
typedef struct {
    NODE_MAP(u64) marks; /* deep and normal groups */
    NODE_MAP(const IntList *)
    uses; /* of a tuple: which of its results are used where this holds (engine_used) */
} Settled;
void settled_free(Settled *s);
/* No rule of the groups fires at n or anywhere below it. */
bool settled_deep(const Settled *s, const Node *n, u32 groups);
/* The groups none of whose rules fires at n, of which results these are used. */
u32 settled_normal(const Settled *s, const Node *n, const IntList *uses);
/* None of these groups does. */
void settled_mark(Settled *s, const Node *n, u32 groups, const IntList *uses);

/* All that some roots reach, operands first, and what is among it: found once, and again when the
 * roots are others. */
typedef struct {
    NodeVec roots, order;
    u64 ops[OP_COUNT / 64 + 1]; /* a bit for each operator that is there */
    bool tuples;
    bool graphs; /* some node owns one, */
    bool bodies; /* one that was not fused */
} Reach;
void reached_free(Reach *r);

struct Engine {
    Store *st;
    const RuleSet *rs;
    const Options *options;
    const char *pass;
    char *told;         /* what a pass that only looks has seen, or NULL; of the PassRun then */
    const Phase *phase; /* what takes part; NULL where `sweep` says */
    int nroots;
    Node **roots;
    StepLog *log;                   /* NULL: nothing is recorded */
    Step unrecorded;                /* what is written about a step then */
    NODE_MAP(Node *) memo;          /* node -> its normal form in this sweep */
    NODE_MAP(Node *) pending;       /* node -> replacement, already recorded */
    Judged judged;                  /* of this graph in this sweep, as far as somebody asked */
    NODE_MAP(const IntList *) used; /* of tuple nodes: their used results as in engine_used */
    RuleCounts *counts;             /* what rules were tried and fired */
    LogList *logs;                  /* owns the logs of bodies */
    BodyMap *bodies;                /* rewritten bodies, shared by one pass */
    Engine *outer;
    StopReason stop;
    Facts *facts;     /* of the whole pass */
    Settled *settled; /* of the whole exploration */
    Reach *reached;   /* of this engine's roots; outside of bodies kept for the whole exploration */
    u32 mask;         /* the bits of the groups of the phase */
    u32 steps;        /* in this pass, bodies included */
    u32 first_node;   /* how many nodes had been built when it began */
    NodeVec order;    /* everything, for global rules */
    int depth;
    bool (*sweep)(Engine *e); /* how the pass goes through a graph and its bodies; NULL: by rules */
    bool derivatives;         /* such a sweep goes through the graphs of derivatives, too */
    bool tells;               /* bodies are told what their owner knows of their parameters */
    void *ctx;                /* the sweep's own */
    const Node *owner;        /* of the graph that this engine rewrites; NULL: the outer one */
    const Graph *body;        /* that graph, as the owner has it */
    const Node *inside;       /* the owner whose graphs are being rewritten */
    bool changed, failed;
    bool derived;       /* inside the function of a derivative, however deep */
    Refusals *refusals; /* NULL: nobody asks why rules do not fire */
    struct {
        BodyMap bodies;
        Facts facts;
        Settled settled;
        LogList logs;
        RuleCounts counts;
        Reach reached;
    } own;         /* of the outermost engine; those of bodies share it */
    Diags *report; /* for what must not pass silently: a derivative that cannot be expanded */
};
/* An engine on these roots, which it rewrites in place; it has its own of all that engines share.
 * The caller may set `log` and `logs`, `counts`, `settled`, `reached`, `refusals`. It must stay
 * where it is. */
void engine_open(Engine *e, Store *st, const RuleSet *rs, const Options *options, const char *pass,
                 int nroots, Node **roots);
void engine_close(Engine *e);
/* Is that firing, whose changes are in the site, to be left out? */
bool engine_skips(Engine *e, const Rule *r, const Site *site);
/* engine_try, with its time counted if options ask for it. */
bool engine_try_timed(Engine *e, const Rule *r, Site *site, u32 *extra);
/* Runs a phase: sweeps until nothing changes, `sweeps` of them at most at a time. */
bool engine_phase(Engine *e, const Phase *phase, int sweeps);
/* The same with a sweep of the pass's own, in bodies, too; `derivatives`: also in the graphs of
 * derivatives. */
bool engine_sweep_with(Engine *e, bool (*sweep)(Engine *e), int sweeps, bool derivatives);
/* The global rules of that group, as often as they fire; false if none does (merge.c). */
bool engine_merge(Engine *e, const char *group);
bool engine_join(Engine *e); /* those after the sweeps: of the first group in which one fires */
bool engine_within_limits(Engine *e);
/* Applies what was put to the whole graph as one step; looking for it began at `since`. */
bool engine_apply(Site *site, const Rule *rule, double since);
/* For sweeps that look at a graph as a whole before they change it: one walk over `order` (all that
 * the roots reach, operands first). Each node is rebuilt with what its operands have become, its
 * bodies are swept, then `f` says what stands in its place: `now` itself, or what it recorded a
 * step for. */
typedef Node *(*WalkFn)(Engine *e, size_t place, Node *now, void *ctx);
bool engine_walk(Engine *e, const NodeVec *order, WalkFn f, void *ctx);
Node *engine_became(const Engine *e, Node *was); /* in this walk, so far */
void engine_put(Engine *e, Node *was, Node *now);
/* Tries a rule at a site of its own: what it put is in site->changes. */
bool engine_try(const Rule *r, Site *site, u32 *extra);
/* What was put at a site, as a step; of several nodes some may stand below others; work on it began
 * at `since`. */
void engine_record(Site *site, const Rule *rule, double since);
/* The same for one node. */
void engine_put_one(Engine *e, const Rule *rule, Node *was, Node *now, double since);
/* With classes beyond the rule's, and what let it fire (or NULL). */
void engine_put_as(Engine *e, const Rule *rule, const Change *c, u32 extra, const char *why,
                   double since);
/* What its roots reach. Valid until the next change of the graph. */
const Reach *engine_reached(Engine *e);
/* As nodes_any of its roots. */
bool engine_any(Engine *e, bool (*is)(const Node *n));
/* May a rule of the groups fire at some node, or is there a body to look into? */
bool engine_concerned(Engine *e, u32 groups);
/* The results of a tuple node that the current graph uses, however many it has: a set of bits, 64
 * to an item, interned; NULL: all, or it is not known. */
const IntList *engine_used(Engine *e, const Node *tuple);
void engine_count_uses(Engine *e); /* of its roots */
/* `to` takes the place of `from`, perhaps of others, too. */
void engine_carry_uses(Engine *e, const Node *from, const Node *to);
/* Is something decided by the value of n, which stands in this graph (judged.c)? */
bool engine_judged(Engine *e, Node *n);
/* What takes the place of a judged node is judged. */
void engine_carry_judged(Engine *e, const Node *from, Node *to);
/* May the step be made that a rule found, by its classes and those that only this match has? */
bool engine_may_take(Engine *e, const Rule *r, Site *site, u32 extra);
const Rule *engine_rule(Engine *e, const char *name); /* enabled and allowed, else NULL */

#endif
