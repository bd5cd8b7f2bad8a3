/* HashTable, what is below MAP(K, V) and SET(K): pointers to pointers. Entries stand in the order
 * in which they came, an index of slots finds them.
 *
 * What is walked through in the order in which it was made should not cost a cache miss at each
 * turn. So in a large index keys from one stretch of memory have their slots side by side: as many
 * for each stretch as fit the keys that were there when the index was made (`spread`).
 *
 * Invariant: the entries are the first `len` of `keys` and `vals`; behind them both are NULL up to
 * `cap`. `nslots` is 0 (few entries: they are looked through) or a power of two; it is doubled when
 * half of it is used, where that can be had, else it is used up to `cap`. A slot is 0 or place + 1
 * of an entry, with bits of its hash above that number's. Addresses decide the slots, not the
 * order. */
#include "base/base.h"

enum {
    FEW = 8,
    FIRST_SLOTS = 16,
    LARGE = 1 << 12,   /* slots from which on the index is spread by stretches */
    STRETCH_BITS = 12, /* of addresses: a stretch is 4 KB */
    MOST_SPREAD = 8    /* bits: at most 256 slots for one */
};
#define NOWHERE SIZE_MAX

static u64 mixed(u64 x)
{
    x *= 0x9E3779B97F4A7C15u;
    return x ^ x >> 32;
}

static u64 key_hash(const void *key) { return mixed((u64)(uintptr_t)key); }

/* What its slot holds beside the place. */
static u32 slot_tag(const HashTable *m, u64 hash)
{
    return (u32)(hash >> 32) & ~(u32)(m->nslots - 1);
}

/* Where the search for a key begins. */
static u32 first_slot(const HashTable *m, const void *key, u64 hash)
{
    u64 at = (u64)(uintptr_t)key;
    if (m->spread)
        hash = (mixed(at >> STRETCH_BITS) << m->spread) +
               ((at & ((1 << STRETCH_BITS) - 1)) >> (STRETCH_BITS - m->spread));
    return (u32)hash & (u32)(m->nslots - 1);
}

/* The slot of the key, or the free one where it belongs. */
static size_t slot_of(const HashTable *m, const void *key)
{
    u64 h = key_hash(key);
    u32 mask = (u32)(m->nslots - 1), tag = slot_tag(m, h), i = first_slot(m, key, h);
    for (u32 v; (v = m->slots[i]) != 0; i = (i + 1) & mask)
        if ((v & ~mask) == tag && m->keys[(v & mask) - 1] == key)
            break;
    return i;
}

static size_t place_in(const HashTable *m, u32 slot) { return (slot & (m->nslots - 1)) - 1; }

static size_t place_of(const HashTable *m, const void *key)
{
    if (m->nslots) {
        u32 slot = m->slots[slot_of(m, key)];
        return slot ? place_in(m, slot) : NOWHERE;
    }
    for (size_t i = 0; i < m->len; i++)
        if (m->keys[i] == key)
            return i;
    return NOWHERE;
}

void *hashtable_get(const HashTable *m, const void *key)
{
    size_t i = m->len ? place_of(m, key) : NOWHERE;
    return i == NOWHERE ? NULL : m->vals[i];
}

bool hashtable_has(const HashTable *m, const void *key)
{
    return m->len != 0 && place_of(m, key) != NOWHERE;
}

static void put_slot(HashTable *m, size_t place)
{
    u64 h = key_hash(m->keys[place]);
    size_t mask = m->nslots - 1, i = first_slot(m, m->keys[place], h);
    while (m->slots[i])
        i = (i + 1) & mask;
    m->slots[i] = slot_tag(m, h) | (u32)(place + 1);
}

static void free_arrays(HashTable *m)
{
    free(m->keys);
    free(m->vals);
    free(m->slots);
}

/* Arrays of that many slots, empty; false where there is no memory for them. `need`: it must be
 * had. */
static bool map_arrays(HashTable *m, size_t nslots, bool need)
{
    void *(*get)(size_t, size_t) = need ? xcalloc : memory_try_zeroed;
    size_t cap = nslots ? nslots / 8 * 5 : FEW;
    *m = (HashTable){.cap = cap, .nslots = nslots};
    m->keys = get(cap, sizeof *m->keys);
    m->vals = m->keys ? get(cap, sizeof *m->vals) : NULL;
    m->slots = m->vals && nslots ? get(nslots, sizeof *m->slots) : NULL;
    bool had = m->vals && (m->slots || !nslots);
    if (!had)
        free_arrays(m);
    return had;
}

/* How many stretches the keys are from, or somewhat less; 0: there is no memory to count them. */
static size_t count_stretches(const HashTable *m)
{
    enum { WORD = 64 };
    u64 *met = memory_try_zeroed(m->nslots / WORD, sizeof *met);
    size_t count = 0;
    for (size_t i = 0; met && i < m->len; i++) {
        u64 h = mixed((u64)(uintptr_t)m->keys[i] >> STRETCH_BITS) & (m->nslots - 1);
        u64 bit = 1ull << h % WORD;
        count += !(met[h / WORD] & bit);
        met[h / WORD] |= bit;
    }
    free(met);
    return count;
}

/* Twice as many slots for a stretch as there are keys from it. Where there are very many or one,
 * all are scattered. */
static u32 find_spread(const HashTable *m)
{
    size_t stretches = m->nslots >= LARGE ? count_stretches(m) : 0;
    u32 bits = 0;
    while (stretches && bits <= MOST_SPREAD && stretches << bits < 2 * m->len)
        bits++;
    return bits > 1 && bits <= MOST_SPREAD ? bits : 0;
}

static void map_grow(HashTable *m)
{
    HashTable old = *m;
    size_t nslots = old.nslots ? 2 * old.nslots : old.cap ? FIRST_SLOTS : 0;
    if (nslots > UINT32_MAX / 2)
        die("map too large");
    if (!map_arrays(m, nslots, old.len == old.cap)) {
        *m = old;
        return;
    }
    if (old.len) {
        memcpy(m->keys, old.keys, old.len * sizeof *old.keys);
        memcpy(m->vals, old.vals, old.len * sizeof *old.vals);
    }
    m->len = old.len;
    free_arrays(&old);
    m->spread = find_spread(m);
    for (size_t i = 0; i < m->len && m->nslots; i++)
        put_slot(m, i);
}

/* The place of the key, which now has one; *fresh: it had none, and its value is the caller's to
 * set. */
static size_t take_place(HashTable *m, const void *key, bool *fresh)
{
    if (!key)
        die("map key is NULL");
    size_t i = m->len ? place_of(m, key) : NOWHERE;
    *fresh = i == NOWHERE;
    if (!*fresh)
        return i;
    if (m->len >= (m->nslots ? m->nslots / 2 : m->cap))
        map_grow(m);
    m->keys[m->len] = key;
    if (m->nslots)
        put_slot(m, m->len);
    return m->len++;
}

void hashtable_put(HashTable *m, const void *key, void *val)
{
    bool fresh;
    size_t i = take_place(m, key, &fresh);
    m->vals[i] = val;
}

bool hashtable_add(HashTable *m, const void *key, void *val)
{
    bool fresh;
    size_t i = take_place(m, key, &fresh);
    if (fresh)
        m->vals[i] = val;
    return fresh;
}

/* What stands behind a slot in the same run moves up, so that no search ends too early. */
static void free_slot(HashTable *m, size_t i)
{
    size_t mask = m->nslots - 1;
    m->slots[i] = 0;
    while (m->slots[i = (i + 1) & mask]) {
        size_t place = place_in(m, m->slots[i]);
        m->slots[i] = 0;
        put_slot(m, place);
    }
}

/* The last entry takes its place. */
void hashtable_remove(HashTable *m, const void *key)
{
    size_t i = m->len ? place_of(m, key) : NOWHERE, last = m->len - 1;
    if (i == NOWHERE)
        return;
    size_t freed = m->nslots ? slot_of(m, key) : 0;
    if (m->nslots && i != last) {
        u32 *slot = &m->slots[slot_of(m, m->keys[last])];
        *slot = (*slot & ~(u32)(m->nslots - 1)) | (u32)(i + 1);
    }
    m->keys[i] = m->keys[last];
    m->vals[i] = m->vals[last];
    m->keys[last] = NULL;
    m->vals[last] = NULL;
    m->len--;
    if (m->nslots)
        free_slot(m, freed);
}

void hashtable_free(HashTable *m)
{
    free_arrays(m);
    *m = (HashTable){0};
}

void hashtable_clear(HashTable *m)
{
    if (m->len) {
        memset(m->keys, 0, m->len * sizeof *m->keys);
        memset(m->vals, 0, m->len * sizeof *m->vals);
    }
    if (m->nslots)
        memset(m->slots, 0, m->nslots * sizeof *m->slots);
    m->len = 0;
}

void hashtable_keep(HashTable *m, bool (*keep)(const void *key), void (*drop)(void *val))
{
    HashTable kept = {0};
    for (size_t i = 0; i < m->len; i++)
        if (keep(m->keys[i]))
            hashtable_put(&kept, m->keys[i], m->vals[i]);
        else if (drop)
            drop(m->vals[i]);
    hashtable_free(m);
    *m = kept;
}
