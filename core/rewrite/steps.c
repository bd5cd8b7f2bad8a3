/* The record of steps. */
#include "rewrite/bounds.h"
#include "graph/provenance.h"
#include "rewrite/things.h"

#include "graph/collect.h"
#include "graph/print.h"

u32 hazard_parse(const char *text, size_t n)
{
    u32 bits = 0;
    for (size_t i = 0; i < n;) {
        size_t len = 0;
        while (i + len < n && !strchr(" ,", text[i + len]))
            len++;
        bool found = len == 0;
        for (size_t k = 0; k < hazard_class_count; k++)
            if (len && strlen(hazard_classes[k].name) == len &&
                !strncmp(hazard_classes[k].name, text + i, len))
                bits |= hazard_classes[k].bit, found = true;
        if (!found)
            return 0;
        i += len + 1;
    }
    return bits;
}

void hazard_print(Text *out, u32 classes)
{
    bool first = true;
    for (size_t k = 0; k < hazard_class_count; k++)
        if (classes & hazard_classes[k].bit) {
            text_printf(out, "%s%s", first ? "" : " ", hazard_classes[k].name);
            first = false;
        }
    if (classes & HAZARD_UNTRIED)
        text_put(out, first ? "untried" : " untried");
}

const char *stop_name(StopReason r)
{
    static const char *const names[] = {
        "done",           "limit of steps", "limit of iterations", "limit of nodes",
        "limit of tries", "interrupted",    "out of memory",       "off",
        "so far"};
    return names[r];
}

const char *step_rule(const Step *s) { return s->rule ? s->rule->name : "inner"; }

const char *step_mark(const Step *s)
{
    return step_classes(s) & HAZARD_UNTRIED ? " (untried)" : "";
}

u32 step_classes(const Step *s)
{
    u32 c = (s->rule ? rule_shown_classes(s->rule) : 0) | s->extra;
    for (size_t i = 0; s->inner && i < s->inner->at.len; i++)
        c |= step_classes(&s->inner->at.at[i]);
    return c;
}

static void add_fired(RulesFired *out, const Step *s)
{
    const char *rule = step_rule(s);
    size_t i = 0;
    while (i < out->len && strcmp(out->at[i].rule, rule) != 0)
        i++;
    if (i == out->len)
        vec_push(out, ((RuleFired){.rule = rule}));
    out->at[i].times++;
    out->at[i].classes |= (s->rule ? s->rule->classes : 0) | s->extra;
}

static void find_fired(const StepLog *log, LogSet *seen, RulesFired *out)
{
    for (size_t i = 0; i < log->at.len; i++) {
        const Step *s = &log->at.at[i];
        if (!seen || !s->inner)
            add_fired(out, s);
        else if (set_add(seen, s->inner))
            find_fired(s->inner, seen, out);
    }
}

void steplog_fired(const StepLog *log, bool inside, RulesFired *out)
{
    LogSet seen = {0};
    find_fired(log, inside ? &seen : NULL, out);
    map_free(&seen);
}

void loglist_free(LogList *l)
{
    for (size_t i = 0; i < l->len; i++) {
        steplog_free(l->at[i]);
        free(l->at[i]);
    }
    vec_free(l);
}

LogMark steplog_mark(const StepLog *log)
{
    return (LogMark){log->at.len, log->moves.len, log->sweeps.len};
}

void steplog_cut(StepLog *log, LogMark mark)
{
    log->at.len = mark.steps;
    log->moves.len = mark.moves;
    log->sweeps.len = mark.sweeps;
    node_map_clear(&log->last);
    for (size_t i = 0; i < log->at.len; i++)
        for (int k = 0; k < log->at.at[i].nchanges; k++)
            node_map_put(&log->last, log->at.at[i].changes[k].before, (u32)i + 1);
}

void steplog_free(StepLog *log)
{
    vec_free(&log->at);
    vec_free(&log->moves);
    vec_free(&log->sweeps);
    node_map_free(&log->last);
    arena_free(&log->arena);
}

/* ---- what it refers to ---- */

static void mark_nodes(Collection *c, int n, Node *const *nodes)
{
    for (int i = 0; i < n; i++)
        collect_node(c, nodes[i]);
}

static void mark_step(Collection *c, const Step *s)
{
    for (int k = 0; k < s->nchanges; k++) {
        collect_node(c, s->changes[k].before);
        collect_node(c, s->changes[k].after);
    }
    for (u32 k = 0; k < s->nrecords; k++) { /* what is recorded may be gone from the graph */
        collect_node(c, s->records[k].of);
        collect_node(c, s->records[k].is);
    }
    collect_graph(c, s->inner_before);
    collect_graph(c, s->inner_after);
    if (s->inner_before && s->inner) /* its sweeps have as many roots */
        for (size_t k = 0; k < s->inner->sweeps.len; k++)
            mark_nodes(c, s->inner_before->nouts, s->inner->sweeps.at[k].roots);
}

static void mark_log(Collection *c, const StepLog *log, int nroots)
{
    for (size_t i = 0; i < log->at.len; i++)
        mark_step(c, &log->at.at[i]);
    for (size_t i = 0; i < log->moves.len; i++) {
        collect_node(c, log->moves.at[i].before);
        collect_node(c, log->moves.at[i].after);
    }
    for (size_t i = 0; i < log->sweeps.len && nroots; i++)
        mark_nodes(c, nroots, log->sweeps.at[i].roots);
}

static void mark_opened(Collection *c, const Opened *o)
{
    mark_nodes(c, o->n, o->start);
    mark_log(c, &o->log, 0);
    for (size_t i = 0; i < o->inner.len; i++)
        mark_log(c, o->inner.at[i], 0);
}

static void mark_numbered(Collection *c, const Numbering *num)
{
    for (size_t i = 0; i < num->of.len; i++) {
        const void *key = map_key(&num->of, i);
        Graph *g = numbering_graph(key);
        if (g)
            collect_graph(c, g);
        else
            collect_node(c, key);
    }
}

/* What has a number keeps it, and what was numbered between steps stays with it. */
void exploration_collect(Exploration *x, Collection *c)
{
    mark_nodes(c, x->nroots, x->start);
    mark_nodes(c, x->nroots, x->roots);
    mark_log(c, &x->log, x->nroots);
    for (size_t i = 0; i < x->inner_logs.len; i++)
        mark_log(c, x->inner_logs.at[i], 0);
    for (size_t i = 0; i < x->opened.len; i++)
        mark_opened(c, map_val(&x->opened, i));
    provenance_collect(c, x->provenance);
    mark_numbered(c, &x->numbering);
    if (x->things)
        things_collect(x->things, c);
}

const Opened *exploration_opened(Exploration *x, const Step *s)
{
    Opened *o = map_get(&x->opened, s);
    if (o || !step_opens(s))
        return o && o->log.at.len ? o : NULL;
    o = xmalloc(sizeof *o);
    bool ok = step_open(x->st, s, o);
    if (!ok || store_stops(x->st)) { /* so that nobody tries again */
        opened_free(o);
        *o = (Opened){.n = 0};
    }
    if (store_stops(x->st)) { /* what was cut short says nothing */
        free(o);
        return NULL;
    }
    map_put(&x->opened, s, o);
    return o->log.at.len ? o : NULL;
}

void rule_counts_add(RuleCounts *c, const Rule *r, u32 times)
{
    while (c->fired.len <= r->id)
        vec_push(&c->fired, 0);
    c->fired.at[r->id] += times;
}

void rule_counts_time(RuleCounts *c, const Rule *r, bool fired, double seconds)
{
    while (c->times.len <= r->id)
        vec_push(&c->times, ((RuleTime){0}));
    RuleTime *t = &c->times.at[r->id];
    *(fired ? &t->fired : &t->failed) += 1;
    *(fired ? &t->seconds : &t->failed_seconds) += seconds;
}

void rule_counts_free(RuleCounts *c)
{
    vec_free(&c->fired);
    vec_free(&c->times);
}

void exploration_clear(Exploration *x)
{
    if (x->st && x->st->provenance == x->provenance)
        provenance_enter(x->st, x->around);
    steplog_free(&x->log);
    loglist_free(&x->inner_logs);
    for (size_t i = 0; i < x->passes.len; i++)
        free(x->passes.at[i].told);
    vec_free(&x->passes);
    rule_counts_free(&x->counts);
    things_free(x->things);
    map_free(&x->numbering.of);
    for (size_t i = 0; i < x->opened.len; i++) {
        opened_free(map_val(&x->opened, i));
        free(map_val(&x->opened, i));
    }
    map_free(&x->opened);
    free(x->start);
    free(x->roots);
}

void exploration_free(Exploration *x)
{
    if (x)
        exploration_clear(x);
    free(x);
}
