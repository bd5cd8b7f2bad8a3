/* The parts of a group, and the numbers of its turns as they are told.
 *
 * A net with its gradient is gone through twice: forward, and after the loss back again. These are
 * two parts, each with a frame of its own. What belongs together may have been found turns apart,
 * and from the end: a turn is what the author wrote in one line, the first is what comes first.
 *
 * Invariant: turns are numbered without gaps. */
#include "viz/page/page_trial.h"

/* ---- parts ---- */

/* Marks what can be reached from what is marked. */
static void flood(const Trial *t, bool *marked)
{
    const Field *f = t->f;
    VEC(int) queue = {0};
    for (int c = 0; c < f->n; c++)
        if (marked[c])
            vec_push(&queue, c);
    for (size_t i = 0; i < queue.len; i++)
        for (int k = f->start[queue.at[i]]; k < f->start[queue.at[i] + 1]; k++) {
            int to = f->ties[k].cell;
            if (f->ties[k].in || marked[to])
                continue;
            marked[to] = true;
            vec_push(&queue, to);
        }
    vec_free(&queue);
}

/* Which roles come after something outside that the group leads to, as seen from the middle turn:
 * those are its second part. */
static bool *late_roles(const Trial *t, int *count)
{
    const Field *f = t->f;
    bool *marked = xcalloc((size_t)f->n + 1, sizeof *marked),
         *late = xcalloc(t->roles.len + 1, sizeof *late);
    for (int c = 0; c < f->n; c++)
        marked[c] = t->seat[c].role >= 0 && t->seat[c].turn == t->turns / 2;
    flood(t, marked);
    for (int c = 0; c < f->n; c++)
        marked[c] = marked[c] && t->seat[c].role < 0;
    flood(t, marked);
    *count = 0;
    for (size_t r = 0; r < t->roles.len; r++) {
        int there = 0, after = 0;
        for (int i = 0; i < t->turns; i++) {
            int c = t->roles.at[r][i];
            there += c >= 0;
            after += c >= 0 && marked[c];
        }
        late[r] = 2 * after > there;
        *count += late[r];
    }
    free(marked);
    return late;
}

/* ---- groups ---- */

/* Gives what stands inside a box the roles after `role`, in order; the next free one. */
static int stand_inside(const Union *u, Repeats *out, int box, Stand s)
{
    for (size_t i = 0; i < u->boxes.len; i++)
        if (u->boxes.at[i].box == box) {
            out->boxes[i] = s;
            s.role = stand_inside(u, out, (int)i + 1, (Stand){s.group, s.part, s.turn, s.role + 1});
        }
    for (size_t i = 0; i < u->nodes.len; i++)
        if (u->nodes.at[i].box == box) {
            out->nodes[i] = s;
            s.role++;
        }
    return s.role;
}

static void stand(const Field *f, Repeats *out, int c, Stand s, int *roles)
{
    int slot = f->slot[c], end = s.role + 1;
    if (slot > 0) {
        out->nodes[slot - 1] = s;
    } else {
        out->boxes[-slot - 1] = s;
        end = stand_inside(f->u, out, -slot, (Stand){s.group, s.part, s.turn, s.role + 1});
    }
    *roles = end > *roles ? end : *roles;
}

/* ---- turns ---- */

/* Turns of roles as they are told: what belongs together may have been found turns apart. */
typedef struct {
    const Trial *t;
    const bool *late;
    int *shift; /* of each role */
} Order;

static int turn_of(const Order *o, int c)
{
    Seat s = o->t->seat[c];
    return s.turn + o->shift[s.role];
}

/* Within a part, turns are those of the role that is read most, such as what a layer hands on: what
 * it is made of belongs to its turn, then what reads it. */
typedef struct {
    VEC(int) done;
    bool *known; /* by role */
} Walk;

static int ties_of(const Trial *t, int c, bool in)
{
    int n = 0;
    for (int k = c < 0 ? 0 : t->f->start[c]; c >= 0 && k < t->f->start[c + 1]; k++)
        n += t->f->ties[k].in == in && t->seat[t->f->ties[k].cell].role >= 0;
    return n;
}

/* Did the author name it? */
static bool is_named(const Field *f, int c)
{
    const Slot *s = f->slot[c] > 0 ? &f->u->nodes.at[f->slot[c] - 1] : NULL;
    return s && scene_node_given(&s->shows.at[0]);
}

/* Of the roles of a part that are left, the one that is read most, those with names first; -1: none
 * is left. */
static int best_root(const Order *o, const Walk *w, bool late)
{
    const Trial *t = o->t;
    int best = -1, most = -1;
    for (int r = 0; r < (int)t->roles.len; r++) {
        int c = w->known[r] || o->late[r] != late ? -1 : t->roles.at[r][trial_middle(t, r)];
        int read = c < 0 ? -1 : ties_of(t, c, false);
        read += read > 0 && is_named(t->f, c) ? t->f->n : 0;
        if (read > most) {
            best = r;
            most = read;
        }
    }
    return best;
}

static void bring_along(const Order *o, Walk *w, int role, bool in)
{
    const Trial *t = o->t;
    int c = t->roles.at[role][trial_middle(t, role)];
    for (int k = c < 0 ? 0 : t->f->start[c]; c >= 0 && k < t->f->start[c + 1]; k++) {
        const Tie *tie = &t->f->ties[k];
        int by = t->seat[tie->cell].role;
        if (tie->in != in || by < 0 || w->known[by] || o->late[by] != o->late[role])
            continue;
        o->shift[by] += turn_of(o, c) - turn_of(o, tie->cell);
        w->known[by] = true;
        vec_push(&w->done, by);
    }
}

static void align_part(const Order *o, Walk *w, bool late)
{
    for (int root; (root = best_root(o, w, late)) >= 0;) {
        size_t in = w->done.len, out = in;
        w->known[root] = true;
        vec_push(&w->done, root);
        while (out < w->done.len)
            if (in < w->done.len)
                bring_along(o, w, w->done.at[in++], true);
            else
                bring_along(o, w, w->done.at[out++], false);
    }
}

/* How far ties between the parts lead, in the mean. */
static int shift_between(const Order *o)
{
    const Trial *t = o->t;
    int sum = 0, count = 0;
    for (int c = 0; c < t->f->n; c++)
        for (int k = t->f->start[c];
             t->seat[c].role >= 0 && !o->late[t->seat[c].role] && k < t->f->start[c + 1]; k++) {
            int by = t->f->ties[k].cell, role = t->seat[by].role;
            if (role < 0 || !o->late[role])
                continue;
            sum += turn_of(o, by) - turn_of(o, c);
            count++;
        }
    return count ? sum / count : 0;
}

static void align(const Order *o)
{
    Walk w = {.known = xcalloc(o->t->roles.len + 1, sizeof(bool))};
    align_part(o, &w, false);
    align_part(o, &w, true);
    int between = shift_between(o);
    for (int r = 0; r < (int)o->t->roles.len; r++)
        if (o->late[r])
            o->shift[r] -= between;
    free(w.known);
    vec_free(&w.done);
}

/* Do values of the first part flow towards earlier turns? */
static bool runs_back(const Order *o)
{
    const Trial *t = o->t;
    i64 sum = 0;
    for (int c = 0; c < t->f->n; c++)
        for (int k = t->f->start[c];
             t->seat[c].role >= 0 && !o->late[t->seat[c].role] && k < t->f->start[c + 1]; k++) {
            const Tie *tie = &t->f->ties[k];
            if (!tie->in && t->seat[tie->cell].role >= 0 && !o->late[t->seat[tie->cell].role])
                sum += turn_of(o, tie->cell) - turn_of(o, c);
        }
    return sum < 0;
}

/* The turn of each cell, from 0 and without gaps; how many there are. */
static int number_turns(const Order *o, int *turns)
{
    int n = o->t->f->n, least = 0, most = 0, count = 0;
    for (int c = 0; c < n; c++)
        if (o->t->seat[c].role >= 0) {
            int i = turn_of(o, c);
            least = i < least ? i : least;
            most = i > most ? i : most;
        }
    int *number = xcalloc((size_t)(most - least) + 2, sizeof *number);
    for (int c = 0; c < n; c++)
        if (o->t->seat[c].role >= 0)
            number[turn_of(o, c) - least] = 1;
    for (int i = 0; i <= most - least; i++) {
        int there = number[i];
        number[i] = count;
        count += there;
    }
    bool back = runs_back(o);
    for (int c = 0; c < n; c++)
        if (o->t->seat[c].role >= 0) {
            int i = number[turn_of(o, c) - least];
            turns[c] = back ? count - 1 - i : i;
        }
    free(number);
    return count;
}

void group_put(Field *f, const Trial *t, Repeats *out)
{
    int late_count, roles = 0, group = (int)out->groups.len + 1;
    bool *late = late_roles(t, &late_count);
    bool both = late_count > 0 && late_count < (int)t->roles.len;
    int *turns = xcalloc((size_t)f->n + 1, sizeof *turns),
        *shift = xcalloc(t->roles.len + 1, sizeof *shift);
    Order o = {t, late, shift};
    align(&o);
    int count = number_turns(&o, turns);
    for (size_t r = 0; r < t->roles.len; r++) {
        int first = roles;
        for (int i = 0; i < t->turns; i++) {
            int c = t->roles.at[r][i];
            if (c < 0)
                continue;
            stand(f, out, c, (Stand){group, both && late[r], turns[c], first}, &roles);
            f->taken[c] = true;
        }
    }
    vec_push(&out->groups, ((Group){f->box, count, roles, both ? 2 : 1}));
    free(turns);
    free(shift);
    free(late);
}
