# Terms of equal values that nothing proves equal: rules, as :rule takes them.
:discover abs minimum size=4 variables=2
:discover exp * + size=5
# each was tried: what is printed is taken
:rule found-1 [E]: minimum(x, abs(x)) => x
:discover abs minimum size=4 variables=1
# what holds for some signs only, and what is nearly true
:discover sqrt - / size=4 variables=2
:discover // + of=integers size=3
:discover * // of=integers size=5 variables=1 all=on
# several kinds of variables; an operator that does not take them
:discover sum * of=reals,vectors size=4
:discover + @ of=matrices size=4 variables=2
:discover @ + size=3
:discover and or not of=truth size=5 variables=2
# limits
:discover maximum minimum abs - size=4 most=2
:discover + size=10
:discover
:discover + of=numbers
:discover + of=,
---
:rule found-1 [N+]: minimum(0.0, abs(x)) => zeros_like(x)
41 terms with 20 different values; of 19 pairs of equal value 18 were proved
314 terms with 202 different values; of 37 pairs of equal value 37 were proved
found-1 [E]: both sides agree on 1000 instances; a rule of the pass canonicalize now
:rule found-2 [N+]: minimum(0.0, abs(x)) => zeros_like(x)
18 terms with 9 different values; of 14 pairs of equal value 13 were proved
:rule found-2 [R N+ O]: sqrt(x) / x => sqrt(1.0 / x)
nearly true:
  1.0 / sqrt(x) => sqrt(1.0 / x)
    for x = -0.0 the left side is -inf, the right side nan
136 terms with 75 different values; of 28 pairs of equal value 26 were proved
:rule found-2 [S]: 0 // i:int => zeros_like(i)
38 terms with 23 different values; of 4 pairs of equal value 3 were proved
:rule found-2 [S]: 0 // i:int => zeros_like(i)
:rule found-3 [D]: i:int * (1 // i) => 1 // i if nonnegative(i)
:rule found-4 [D]: 1 // (1 // i:int) => i // (1 // i) if nonnegative(i)
nearly true:
  i // (i * i) => 1 // i
    for i = 3037000500 the left side is -1, the right side is 0
  i * i // i => i
    for i = 3037000500 the left side is -3037000500, the right side is 3037000500
  1 // (i * i) => 1 // i if i >= 0
    for i = 8557366396457965568 the left side is -1, the right side 0
  1 // i // i => 1 // (i * i)
    for i = 3037000500 the left side is 0, the right side is -1
29 terms with 11 different values; of 18 pairs of equal value 11 were proved
53 terms with 30 different values; of 11 pairs of equal value 11 were proved
9 terms with 9 different values; of 0 pairs of equal value 0 were proved
17 terms with 14 different values; of 1 pair of equal value 1 were proved
@ took no operands of these kinds: of= says what variables are
112 terms with 14 different values; of 69 pairs of equal value 69 were proved
:rule found-2 [N+]: minimum(0.0, abs(x)) => zeros_like(x)
332 terms with 155 different values; of 79 pairs of equal value 78 were proved
input.gr:18:18: error: size= goes from 2 to 9
    :discover + size=10
                     ^^
input.gr:19:1: error: :discover needs operators of which terms are made
    :discover
    ^^^^^^^^^
  hint: :discover exp + *
input.gr:20:16: error: no kind of variable is called numbers
    :discover + of=numbers
                   ^^^^^^^
  hint: of=reals, vectors, matrices, integers or truth
input.gr:21:16: error: of= names what variables stand for
    :discover + of=,
                   ^
  hint: of=reals
exit 1
