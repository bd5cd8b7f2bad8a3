#!/usr/bin/env bash
# Runs each fuzzer of tests/fuzz for some seconds, a minute in all by default: text of programs, of graphs and
# of rules, token soup and .npy files. None may crash, hang, leak or leave the session unusable;
# what is printed of a graph must read back as the same graph.
#
#   fuzz.sh [SECONDS]   in all (default 60)
#
# Takes the fuzzers with the sanitizers (build/asan, made by `make test`), else those of build/.
# They make mutations of valid inputs, always the same ones. `make fuzz` runs for as long as you
# like and lets the coverage lead. Each fuzzer counts as one test; the last line: N passed, N failed
set -uo pipefail
cd "$(dirname "$0")/.." || exit 70

seconds=${1:-60}
gradus=$PWD/build/gradus
programs=$PWD/build/asan/tests
[[ -x $programs/fuzz_graph ]] || programs=$PWD/build/tests
[[ -x $programs/fuzz_graph ]] || make --no-print-directory fuzzers >/dev/null
export ASAN_OPTIONS=detect_leaks=1:allocator_may_return_null=1 UBSAN_OPTIONS=print_stacktrace=1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
if "$programs/fuzz_npy" -cases=1 2>&1 | grep -q 'LeakSanitizer has encountered a fatal error'; then
    ASAN_OPTIONS=${ASAN_OPTIONS/detect_leaks=1/detect_leaks=0}
fi

# ---- valid inputs to start from ----

head='x : f64[3] = [0.5, -1, 2]; k : i64 = 3; A : f64[2, 2] = [[1, 2], [3, 4]]; y : f64[n]; r = rng(7)'
n=0
while IFS= read -r line; do
    n=$((n + 1))
    printf '%s\n%s\n' "$head" "$line" >"$folder/$n.gr"
    "$gradus" -e "$head" -e ":graph $line" >"$folder/$n.graph" 2>/dev/null || rm -f "$folder/$n.graph"
done <<'LINES'
sum(exp(x) * x + 2, axis=0, keepdims=true)
(scan t for k from s = 0.0 { s[t] = s[t-1] * 0.5 + sin(x[0]); until s[t] > 1 }).final
grad((scan t over x from s = 1.0 checkpoint 2 { s[t] = tanh(s[t-1]) * x[t] }).final, x)
(scan t over x, b = x from u = 0.0, v = [1.0, 2.0] { u[t] = u[t+1] + x[t]; w = 2 * b[t]; o[t] = w * w; v[t] = v[t+1] + v[t+2] }).o
if k > 2 then solve(A, [1.0, 2]) else cholesky(A)[0]
vmap((a, b) -> a @ b, in_axes=(0, None))(A, [1.0, 2.0])
(x with [1:] += 2) + x[::-1] * x[[2, 0, 1]] - where(x > 0, x, nan)
y * 2 + concat((y, y))[:size(y)] + 0.0 * f64(i32(y))
{ u, r1 = uniform(r, 3); i, _ = randint(r1, 0, 5, (2,)); (u, i, einsum("ij,j->i", A, A[0])) }
jvp(softmax(x), x, cumsum(x)); hessian(sum(x ^ 3), x); logsumexp(A, axis=(0, 1)); pad(A, ((1, 2), (0, 0)))
(x -> { f = z -> z * x; f(x) })(2.5) + slogdet(A)[1] + mean(sort(x)) - f32(norm(A'))
LINES
for text in 'ones((2, 3))' '[1, 2, 3]' 'true' 'f32([[0.5], [nan]])' 'zeros((0, 4), dtype=i32)'; do
    n=$((n + 1))
    "$gradus" -e "save($text, \"$folder/$n.npy\")" || exit 70
done

# ---- each fuzzer ----

passed=0
failed=0

# fuzz PERCENT NAME FILE...: for its part of the time
fuzz() {
    local time=$((seconds * $1 / 100 + 1)) name=$2 last=build/tests/$2.input count
    shift 2
    if timeout $((time * 5 + 60)) "$programs/$name" -cases=1000000 -seconds="$time" -keep="$last" "$@" >"$folder/log" 2>&1 &&
        count=$(sed -n 's/^\([0-9]*\) passed, 0 failed$/\1/p' "$folder/log") && [[ ${count:-0} -gt 0 ]]; then
        passed=$((passed + 1))
        printf '%s: %d inputs\n' "$name" "$count"
        rm -f "$last"
    else
        failed=$((failed + 1))
        printf '%s failed on the input that is kept in %s:\n' "$name" "$last"
        head -c 600 "$last"
        printf '\n'
        tail -n 30 "$folder/log"
    fi
}

fuzz 30 fuzz_tokens
fuzz 20 fuzz_graph "$folder"/*.graph
fuzz 30 fuzz_program "$folder"/*.gr examples/*.gr
fuzz 15 fuzz_rules core/rewrite/rules/*.rules
fuzz 5 fuzz_npy "$folder"/*.npy

printf '%d passed, %d failed\n' "$passed" "$failed"
[[ $failed -eq 0 ]]
