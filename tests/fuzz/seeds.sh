#!/usr/bin/env bash
# seeds.sh GRADUS FOLDER: valid inputs from which the fuzzers start, made with the program GRADUS;
# those of each fuzzer in a folder of its name. fuzz_tokens needs none.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 70

gradus=$1
folder=$2
mkdir -p "$folder"/{fuzz_program,fuzz_rules,fuzz_npy,fuzz_tables} || exit 3
cp examples/*.gr "$folder/fuzz_program"
cp core/rewrite/rules/*.rules "$folder/fuzz_rules"

head='x : f64[3] = [0.5, -1, 2]; k : i64 = 3; A : f64[2, 2] = [[1, 2], [3, 4]]; y : f64[n]; r = rng(7)'
n=0
while IFS= read -r line; do
    n=$((n + 1))
    printf '%s\n%s\n' "$head" "$line" >"$folder/fuzz_program/$n"
    "$gradus" -e "$head" -e ":graph $line pass=lower" >"$folder/fuzz_program/lowered_$n" || exit 70
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
(jvp(softmax(x), x, cumsum(x)), hessian(sum(x ^ 3), x), logsumexp(A, axis=(0, 1)), pad(A, ((1, 2), (0, 0))))
(x -> { f = z -> z * x; f(x) })(2.5) + slogdet(A)[1] + mean(sort(x)) - f32(norm(A'))
LINES
for text in 'ones((2, 3))' '[1, 2, 3]' 'true' 'f32([[0.5], [nan]])' 'zeros((0, 4), dtype=i32)'; do
    n=$((n + 1))
    "$gradus" -e "save($text, \"$folder/fuzz_npy/$n.npy\")" || exit 70
done

printf 'a,b c,"d"\n1,2.5,true\n-3,NA,false\n,1e-3,true\n' >"$folder/fuzz_tables/1.csv"
printf '# words\nname;n\nred;1\n"blue ""sky""";2\nred;3\n;4\n' >"$folder/fuzz_tables/2.csv"
printf '1 2  3\n4\t5 6\n' >"$folder/fuzz_tables/3.csv"
"$gradus" -e "save((x=[1.5, 2], y=[[true], [false]]), \"$folder/fuzz_tables/4.npz\")" || exit 70
