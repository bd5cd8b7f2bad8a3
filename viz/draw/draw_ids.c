/* Numbers for the objects of a Graphviz graph, given out in order of creation.
 *
 * By default cgraph takes the address of an object's name as its number and keeps
 * subgraphs sorted by it, so that the order of clusters, and with it layouts and
 * DOT text, would change from run to run.
 *
 * Invariant: even numbers belong to names (the same name, the same number), odd
 * ones to objects without a name. */
#include "viz/draw/picture.h"

#include <graphviz/cgraph.h>

typedef struct {
    Agraph_t *g;
    MAP(const char *, size_t) numbers; /* interned name -> its place in `names`, from 1 */
    VEC(char *) names;
    IDTYPE unnamed;
} Ids;

static void *ids_open(Agraph_t *g, Agdisc_t *disc)
{
    (void)disc;
    Ids *ids = xcalloc(1, sizeof *ids);
    ids->g = g;
    ids->unnamed = 1;
    return ids;
}

static long ids_map(void *state, int kind, char *name, IDTYPE *id, int create)
{
    (void)kind;
    Ids *ids = state;
    if (!name) {
        *id = ids->unnamed;
        ids->unnamed += 2;
        return 1;
    }
    char *interned = create ? agstrdup(ids->g, name) : agstrbind(ids->g, name);
    if (!interned)
        return 0;
    size_t number = map_get(&ids->numbers, interned);
    if (number == 0) {
        if (!create)
            return 0;
        vec_push(&ids->names, interned);
        number = ids->names.len;
        map_put(&ids->numbers, interned, number);
    }
    *id = 2 * (IDTYPE)number;
    return 1;
}

static long ids_alloc(void *state, int kind, IDTYPE id)
{
    (void)state, (void)kind, (void)id;
    return 0; /* nobody chooses numbers from outside */
}

static void ids_forget(void *state, int kind, IDTYPE id)
{
    (void)state, (void)kind, (void)id; /* names stay taken until the graph is closed */
}

static char *ids_print(void *state, int kind, IDTYPE id)
{
    (void)kind;
    const Ids *ids = state;
    return id % 2 == 0 && id / 2 >= 1 && id / 2 <= ids->names.len ? ids->names.at[id / 2 - 1]
                                                                  : NULL;
}

static void ids_close(void *state)
{
    Ids *ids = state;
    map_free(&ids->numbers);
    vec_free(&ids->names);
    free(ids);
}

static void ids_register(void *state, int kind, void *object)
{
    (void)state, (void)kind, (void)object;
}

/* ---- memory, never NULL ---- */

static void *memory_open(Agdisc_t *disc)
{
    (void)disc;
    return NULL;
}

static void *memory_new(void *state, size_t bytes)
{
    (void)state;
    return xcalloc(1, bytes);
}

static void *memory_resize(void *state, void *old, size_t from, size_t to)
{
    (void)state;
    char *p = xrealloc(old, to);
    if (to > from)
        memset(p + from, 0, to - from);
    return p;
}

static void memory_free(void *state, void *p)
{
    (void)state;
    free(p);
}

/* ---- graphs ---- */

void *dot_open(const char *name)
{
    /* never written to, but the type of agopen says it could be; the graph keeps the pointer */
    static Agiddisc_t numbers = {ids_open,  ids_map,   ids_alloc,   ids_forget,
                                 ids_print, ids_close, ids_register};
    static Agmemdisc_t memory = {memory_open, memory_new, memory_resize, memory_free, NULL};
    Agdisc_t disc = {&memory, &numbers, &AgIoDisc};
    return agopen((char *)(uintptr_t)name, Agdirected, &disc);
}
