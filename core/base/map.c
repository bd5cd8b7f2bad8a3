/* PtrMap: pointers to pointers by open addressing with linear probing.
 *
 * Invariant: `cap` is 0 or a power of two, at most three quarters of the slots
 * are used (a table that cannot grow is used up to one free slot in 16), and a free slot has key
 * NULL. Addresses decide the slots, so nobody
 * may let the order of slots show. */
#include "base/base.h"

static size_t slot_of(const PtrMap *m, const void *key)
{
    size_t mask = m->cap - 1;
    u64 h = (u64)(uintptr_t)key * 0x9E3779B97F4A7C15u;
    size_t i = (size_t)(h ^ h >> 32) & mask;
    while (m->keys[i] && m->keys[i] != key)
        i = (i + 1) & mask;
    return i;
}

void *map_get(const PtrMap *m, const void *key)
{
    if (m->len == 0)
        return NULL;
    size_t i = slot_of(m, key);
    return m->keys[i] ? m->vals[i] : NULL;
}

bool map_has(const PtrMap *m, const void *key)
{
    return m->len != 0 && m->keys[slot_of(m, key)] != NULL;
}

/* Two arrays of `cap` slots. Where there is no memory for larger ones, and still room: false. */
static bool map_slots(PtrMap *m, size_t cap)
{
    bool room = m->len + 1 < m->cap / 16 * 15;
    const void **keys = room ? memory_try_zeroed(cap, sizeof *keys) : xcalloc(cap, sizeof *keys);
    void **vals = !keys  ? NULL
                  : room ? memory_try_zeroed(cap, sizeof *vals)
                         : xcalloc(cap, sizeof *vals);
    if (!vals) {
        free(keys);
        return false;
    }
    m->keys = keys;
    m->vals = vals;
    m->cap = cap;
    return true;
}

static void map_grow(PtrMap *m)
{
    PtrMap old = *m;
    if (!map_slots(m, old.cap ? old.cap * 2 : 16))
        return;
    for (size_t i = 0; i < old.cap; i++) {
        if (!old.keys[i])
            continue;
        size_t j = slot_of(m, old.keys[i]);
        m->keys[j] = old.keys[i];
        m->vals[j] = old.vals[i];
    }
    free(old.keys);
    free(old.vals);
}

void map_put(PtrMap *m, const void *key, void *val)
{
    if (!key)
        die("map key is NULL");
    if (m->len + 1 > m->cap / 4 * 3)
        map_grow(m);
    size_t i = slot_of(m, key);
    m->len += m->keys[i] == NULL;
    m->keys[i] = key;
    m->vals[i] = val;
}

/* What stands behind it in the same run of slots moves up, so that no search ends too early. */
void map_remove(PtrMap *m, const void *key)
{
    if (!map_has(m, key))
        return;
    size_t mask = m->cap - 1, hole = slot_of(m, key), i = hole;
    m->keys[hole] = NULL;
    m->len--;
    while (m->keys[i = (i + 1) & mask]) {
        const void *moved = m->keys[i];
        void *val = m->vals[i];
        m->keys[i] = NULL;
        size_t to = slot_of(m, moved);
        m->keys[to] = moved;
        m->vals[to] = val;
    }
}

void map_free(PtrMap *m)
{
    free(m->keys);
    free(m->vals);
    *m = (PtrMap){0};
}

void map_clear(PtrMap *m)
{
    if (m->cap)
        memset(m->keys, 0, m->cap * sizeof *m->keys);
    m->len = 0;
}
