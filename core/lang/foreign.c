/* Names that people bring from NumPy, Python and their relatives, and what to write here. Only
 * asked when a name is unknown, so users may define any of them. */
#include "lang/foreign.h"

#include "lang/elab.h"

typedef struct {
    const char *words; /* blank-separated */
    const char *hint;
} Habit;

static const Habit names[] = {
    {"np numpy jnp jax torch tf math scipy",
     "functions stand alone, without a module: sum(x), log(x)"},
    {"help", "commands begin with a colon: :help, or :help NAME"},
    {"exit quit", "commands begin with a colon: :quit"},
    {"tutorial", "`:help start` shows the first steps"},
    {"ls dir vars whos", "the names of your own are listed by :vars"},
    {"ans", "ans is the last value that the prompt printed; there is none yet"},
    {"len", "write size(x, 0) for the length, size(x) for the number of elements"},
    {"rank", "the rank is part of the type: see :type x"},
    {"numel", "write size(x)"},
    {"topk", "write top_k(x, k)"},
    {"percentile", "write quantile(x, q / 100)"},
    {"svdvals svdvl", "write svd(A)[1]"},
    {"eigvals eig eigen", "of symmetric matrices there are eigh(A) and eigvalsh(A)"},
    {"swish", "write silu(x)"},
    {"print", "an expression alone on its line prints its value"},
    {"type dtype", "the command :type x tells the type"},
    {"int int64 long", "write i64(x)"},
    {"int32", "write i32(x)"},
    {"float float64 double", "write f64(x)"},
    {"float32", "write f32(x)"},
    {"astype cast", "a cast is a function named by the dtype: f32(x)"},
    {"array asarray tensor", "an array is written [1, 2, 3]"},
    {"True TRUE", "write true"},
    {"False FALSE", "write false"},
    {"NULL null nil nothing NA undefined", "there is no value for nothing; not a number is nan"},
    {"rand randn randint runif rnorm",
     "random numbers come from a state: u, r = uniform(rng(0), 3), then r for the next ones"},
    {"lambda", "a function without a name is written x -> e"},
    {"end", "nothing ends with a word: the body of a loop stands in braces"},
    {"echo cat puts disp show println printf", "an expression alone on its line prints its value"},
    {"julia ghci", "a pasted prompt? Leave out what stands before the expression"},
    {"c", "an array is written [1, 2, 3]"},
    {"sd std stddev", "write sqrt(var(x))"},
    {"seq", "write arange(n), or linspace(a, b, n)"},
    {"map_fn lapply sapply", "write map(v -> e, xs), or vmap(f)(xs)"},
    {"NaN NAN", "write nan"},
    {"Inf infinity Infinity", "write inf"},
    {"PI", "write pi"},
    {"range", "numbers are arange(n); a loop is scan t for n { ... }"},
    {"concatenate hstack vstack append cat", "write concat((a, b), axis=0)"},
    {"power", "write x ^ y"},
    {"square", "write sqr(x) or x ^ 2"},
    {"absolute fabs", "write abs(x)"},
    {"arcsin", "write asin(x)"},
    {"arccos", "write acos(x)"},
    {"arctan", "write atan(x)"},
    {"arctan2", "write atan2(y, x)"},
    {"arcsinh", "write asinh(x)"},
    {"arccosh", "write acosh(x)"},
    {"arctanh", "write atanh(x)"},
    {"ln", "write log(x)"},
    {"multiply", "write x * y"},
    {"divide true_divide", "write x / y"},
    {"subtract", "write x - y"},
    {"negative", "write -x"},
    {"floor_divide", "write x // y"},
    {"remainder fmod", "write x % y"},
    {"equal", "write x == y"},
    {"logical_and", "write a and b"},
    {"logical_or", "write a or b"},
    {"logical_not", "write not a"},
    {"invert", "write bitwise_not(x), or not x of bools"},
    {"average", "write mean(x)"},
    {"amax nanmax", "write max(x)"},
    {"amin nanmin", "write min(x)"},
    {"nansum", "write sum(where(isnan(x), 0, x))"},
    {"identity", "write eye(n)"},
    {"newaxis", "write None, or expand_dims(x, axis)"},
    {"permute permute_dims", "write transpose(x, axes=(...))"},
    {"T t mT", "write x' for the transpose"},
    {"ravel flatten view", "write reshape(x, -1)"},
    {"linalg", "its functions stand alone: solve, inv, det, cholesky, norm"},
    {"random", "random numbers come from a state: u, r = uniform(rng(0), shape)"},
    {"select cond", "write where(c, a, b), or if c then a else b"},
    {"while_loop fori_loop",
     "a loop is written scan t for n from s = s0 { s[t] = ... s[t-1] ... }"},
    {"gradient backward", "write grad(loss, x)"},
    {"jit", "nothing is needed: every expression is rewritten and planned as a whole"},
    {"detach", "write stop_gradient(x)"},
    {"digitize", "write searchsorted(a, x)"},
    {"copy clone item", "values never change, so nothing has to be copied"},
};

static const Habit dtypes[] = {
    {"float double real number num numeric Float64 Double Real float64 tensor Tensor array",
     "write f64, with sizes f64[n]; the dtypes are bool i32 i64 f32 f64 rng"},
    {"single Float32 Float float32", "write f32"},
    {"int integer long Int Integer Int64 int64", "write i64"},
    {"int32 Int32", "write i32"},
    {"boolean Bool logical", "write bool"},
    {"str string String char", "there are no texts among the values"},
};

static const Habit parameters[] = {
    {"dims dim", "write axis=0 or axis=(0, 1), counted from 0"},
    {"keepdim", "write keepdims=true"},
    {"size newshape", "write shape="},
    {"initial", "add it to the result"},
    {"out", "values never change: what is computed is a new one"},
};

static const char *hint_of(const Habit *habits, size_t count, const char *word)
{
    size_t n = strlen(word);
    for (size_t i = 0; i < count; i++)
        for (const char *s = habits[i].words; (s = strstr(s, word)); s += n)
            if ((s == habits[i].words || s[-1] == ' ') && (s[n] == ' ' || !s[n]))
                return habits[i].hint;
    return NULL;
}

const char *foreign_hint_of(const char *word) { return hint_of(names, COUNT_OF(names), word); }

const char *foreign_dtype_of(const char *word) { return hint_of(dtypes, COUNT_OF(dtypes), word); }

const char *foreign_parameter_of(const char *word)
{
    return hint_of(parameters, COUNT_OF(parameters), word);
}
