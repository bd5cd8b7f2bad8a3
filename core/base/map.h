/* Typed maps and sets over the hash table of map.c.
 *
 * MAP(K, V) is a map from keys of type K to values of type V, as VEC(T) is an array: a type to be
 * named by a typedef where functions pass it on. K and V are pointers or integers that fit one; a
 * key is never NULL or 0. SET(K) is a set, to which set_add adds. What is put and asked for is
 * checked against K and V, and nobody casts. {0} is empty.
 *
 * To go through one: map_key and map_val at i < m.len, in the order in which the keys came as long
 * as none is removed. */
#ifndef GRADUS_MAP_H
#define GRADUS_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
    size_t len, cap, nslots;
    const void **keys;
    void **vals;
    uint32_t *slots, spread; /* where a key is: see map.c */
} HashTable;

#define MAP(K, V)        \
    union {              \
        size_t len;      \
        HashTable table; \
        K *key_type;     \
        V *val_type;     \
    }
struct InSet; /* so that map_put takes no set */
#define SET(K) MAP(K, struct InSet *)

/* Keys or values of several kinds. */
typedef MAP(const void *, void *) PtrMap;

/* NULL or 0 if absent. */
#define map_get(m, key) \
    ((__typeof__(*(m)->val_type))(uintptr_t)hashtable_get(&(m)->table, MAP_KEY(m, key)))
#define map_has(m, key) hashtable_has(&(m)->table, MAP_KEY(m, key))
#define map_put(m, key, val)                    \
    hashtable_put(&(m)->table, MAP_KEY(m, key), \
                  (void *)(uintptr_t)(__typeof__(*(m)->val_type)){val})
#define map_remove(m, key) hashtable_remove(&(m)->table, MAP_KEY(m, key))
/* Only keys that `keep` tells of stay; `drop`, if not NULL, frees the values of the others. */
#define map_keep(m, keep, drop) hashtable_keep(&(m)->table, keep, drop)
#define map_clear(m) hashtable_clear(&(m)->table) /* keeps its memory */
#define map_free(m) hashtable_free(&(m)->table)
#define map_key(m, i) ((__typeof__(*(m)->key_type))(uintptr_t)(m)->table.keys[i])
#define map_val(m, i) ((__typeof__(*(m)->val_type))(uintptr_t)(m)->table.vals[i])

/* Was it not in the set yet? */
#define set_add(m, key) hashtable_add(&(m)->table, MAP_KEY(m, key), (void *)(uintptr_t) true)

/* Below the macros. */
#define MAP_KEY(m, key) ((const void *)(uintptr_t)(1 ? (key) : *(m)->key_type))
void *hashtable_get(const HashTable *t, const void *key);
bool hashtable_has(const HashTable *t, const void *key);
void hashtable_put(HashTable *t, const void *key, void *val);
bool hashtable_add(HashTable *t, const void *key, void *val); /* false: it has one, which stays */
void hashtable_remove(HashTable *t, const void *key);
void hashtable_keep(HashTable *t, bool (*keep)(const void *key), void (*drop)(void *val));
void hashtable_clear(HashTable *t);
void hashtable_free(HashTable *t);

#endif
