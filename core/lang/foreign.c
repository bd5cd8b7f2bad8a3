/* What to write instead of names, types and parameters that people bring from other systems. */
#include "lang/foreign.h"

#include "lang/elab.h"

typedef struct {
    const char *words; /* blank-separated */
    const char *write; /* what to write instead; NULL: that is said in `more`, or there is none */
    const char *more;
} Habit;

static const Habit names[] = {
#define HABIT(WORDS, WRITE, MORE) {WORDS, WRITE, MORE},
#include "lang/foreign.def"
};

static const Habit dtypes[] = {
    {"float double real number num numeric Float64 Double Real float64 tensor Tensor array", NULL,
     "write f64, with sizes f64[n]; the dtypes are bool i32 i64 f32 f64 rng"},
    {"single Float32 Float float32", NULL, "write f32"},
    {"int integer long Int Integer Int64 int64", NULL, "write i64"},
    {"int32 Int32", NULL, "write i32"},
    {"boolean Bool logical", NULL, "write bool"},
    {"str string String char", NULL, "Gradus has no string type"},
};

static const Habit parameters[] = {
    {"dims dim", NULL, "write axis=0 or axis=(0, 1), counted from 0"},
    {"keepdim", NULL, "write keepdims=true"},
    {"size newshape", NULL, "write shape="},
    {"initial", NULL, "add it to the result"},
    {"out", NULL, "values never change: every operation gives a new one"},
};

/* max(a, b) elsewhere: the second argument is no axis. */
static const Habit axes[] = {
    {"max", NULL, "the larger of two values is maximum(a, b)"},
    {"min", NULL, "the smaller of two values is minimum(a, b)"},
    {"any", NULL, "for two bools, write a or b"},
    {"all", NULL, "for two bools, write a and b"},
    {"sum", NULL, "for two values, write a + b"},
    {"prod", NULL, "for two values, write a * b"},
};

static const Habit *habit_of(const Habit *habits, size_t count, const char *word)
{
    size_t n = strlen(word);
    for (size_t i = 0; i < count; i++)
        for (const char *s = habits[i].words; (s = strstr(s, word)); s += n)
            if ((s == habits[i].words || s[-1] == ' ') && (s[n] == ' ' || !s[n]))
                return &habits[i];
    return NULL;
}

bool foreign_name(const char *word, char hint[FOREIGN_HINT])
{
    const Habit *h = habit_of(names, COUNT_OF(names), word);
    *hint = 0;
    if (h && h->write)
        snprintf(hint, FOREIGN_HINT, h->more ? "write %s; %s" : "write %s", h->write, h->more);
    else if (h && h->more)
        snprintf(hint, FOREIGN_HINT, "%s", h->more);
    return h != NULL;
}

static const char *hint_of(const Habit *habits, size_t count, const char *word)
{
    const Habit *h = habit_of(habits, count, word);
    return h ? h->more : NULL;
}

const char *foreign_dtype_of(const char *word) { return hint_of(dtypes, COUNT_OF(dtypes), word); }

const char *foreign_parameter_of(const char *word)
{
    return hint_of(parameters, COUNT_OF(parameters), word);
}

const char *foreign_axis_of(const char *function)
{
    return hint_of(axes, COUNT_OF(axes), function);
}
