/* Whether a scene tells all of what it shows, and one thing by one name. */
#ifndef GRADUS_SCENE_CHECK_H
#define GRADUS_SCENE_CHECK_H

#include "graph/store.h"
#include "viz/scene/scene.h"

typedef enum {
    FAULT_NAME,    /* of a figure: a name that is read stands at no line, box, formula or input */
    FAULT_VALUE,   /* of a figure: two values in one box have one name */
    FAULT_INPUT,   /* an input or shared variable of the graph stands nowhere */
    FAULT_OPERAND, /* an operator that is drawn by itself has fewer lines than operands */
    FAULT_END,     /* a next state or result that nothing leads to, a state that nothing goes back
                      to, or, but for a figure's zeros, one without an initial value */
    SCENE_RULES
} SceneRule;
extern const char *const scene_rule_words[SCENE_RULES];

typedef struct {
    SceneRule rule;
    int node; /* of the scene; 0: none */
    const char *what;
} SceneFault;

typedef struct {
    Arena arena;
    VEC(SceneFault) at;
} SceneFaults;

/* What is wrong with a scene of these roots, in the order of the scene. The caller frees it. Parts
 * that are closed or left out by a focus are not looked for: give it whole scenes. */
SceneFaults scene_check(Store *st, const Scene *s, int nroots, Node *const *roots);
void scene_faults_free(SceneFaults *f);

#endif
