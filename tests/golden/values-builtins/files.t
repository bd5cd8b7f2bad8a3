# Files of numbers.
x : f64[2, 2] = [[1, 2], [3, nan]]
save(x, "x.npy")
load("x.npy")
save(arange(3) > 1, "b.npy")
b = load("b.npy")
b
x := zeros((2, 2))
load("x.npy")
shared W : f32[2] = [1, 2]
in alt { W := W * 2 ; save(W, "w.npy") }
load("w.npy")
u : f64[3]
save(u * 2, "u.npy")
save(x)
save(x, x)
save((x, x), "t.npy")
save(rng(1), "r.npy")
save(x, "")
save(x, "none/x.npy")
f(t) = save(t, "f.npy")
f(x)
map(r -> save(r, "m.npy"), x)
if true then save(x, "i.npy") else 1
load("none.npy")
load(x)
load()
---
f64[2, 2] =
[[  1.0,   2.0],
 [  3.0, nan]]
b : bool[3] = [false, false, true]
f64[2, 2] =
[[  1.0,   2.0],
 [  3.0, nan]]
f32[2] = [2.0, 4.0]
input.gr:14:6: error: u has no value
    save(u * 2, "u.npy")
         ^^^^^
  hint: give it one with :=
input.gr:15:1: error: save(x, path) needs a value for path
    save(x)
    ^^^^^^^
input.gr:16:9: error: save takes the name of a file here
    save(x, x)
            ^
  hint: write it in quotes: "a.npy"
input.gr:17:6: error: a .npy file holds one array, but this is (f64[2, 2], f64[2, 2])
    save((x, x), "t.npy")
         ^^^^^^
  hint: save it as .npz, or as .csv if its parts are columns
input.gr:18:6: error: rng cannot be saved in a file of numbers
    save(rng(1), "r.npy")
         ^^^^^^
input.gr:19:9: error: the name of the file is empty
    save(x, "")
            ^^
input.gr:20:9: error: none/x.npy: No such file or directory
    save(x, "none/x.npy")
            ^^^^^^^^^^^^
input.gr:21:8: error: save is a separate statement: it must be alone on its line
    f(t) = save(t, "f.npy")
           ^^^^^^^^^^^^^^^^
  hint: give the value a name and save that
input.gr:22:1: note: in this call of f
    f(x)
    ^^^^
input.gr:23:10: error: save is a separate statement: it must be alone on its line
    map(r -> save(r, "m.npy"), x)
             ^^^^^^^^^^^^^^^^
  hint: give the value a name and save that
input.gr:23:1: note: in this call of map
    map(r -> save(r, "m.npy"), x)
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
input.gr:24:14: error: save is a separate statement: it must be alone on its line
    if true then save(x, "i.npy") else 1
                 ^^^^^^^^^^^^^^^^
  hint: give the value a name and save that
input.gr:25:6: error: none.npy: No such file or directory
    load("none.npy")
         ^^^^^^^^^^
input.gr:26:6: error: load takes the name of a file here
    load(x)
         ^
  hint: write it in quotes: "a.npy"
input.gr:27:1: error: load(path, separator=None, header=None, text=None) needs a value for path
    load()
    ^^^^^^
exit 3
