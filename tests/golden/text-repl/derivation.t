# A derivation as a document: what is asked for wrongly.
x : f64[n]
:export x x.txt steps=on
:export x
:export x "a b.md" steps=on
:export log(1 + x) no/such/folder/x.html steps=on
:export log(1 + x) open.md open=1 steps=on
---
input.gr:3:11: error: :export writes no such file as x.txt
    :export x x.txt steps=on
              ^^^^^
  hint: end it in .c, .py, .tex, .typ, .md or .html
input.gr:4:1: error: :export needs a file that ends in .c, .py, .tex, .typ, .md or .html
    :export x
    ^^^^^^^
  hint: :export [EXPR] FILE.c|.py|.tex|.typ|.md|.html [to=c|numpy|numba|jax|torch|latex|typst|document] [steps=on] [open=K|all] [values=on] [grad=native] [blas=on] [allow=O]
a b.md: 0 steps
input.gr:6:20: error: no/such/folder/x.html cannot be written: No such file or directory
    :export log(1 + x) no/such/folder/x.html steps=on
                       ^^^^^^^^^^^^^^^^^^^^^
input.gr:7:33: error: no step 1 opens
    :export log(1 + x) open.md open=1 steps=on
                                    ^
  hint: these open, where they have more than one part: expand-vmap, expand-derivative, batch-dots, lower-scan, same-loop, fuse-loops, merge-loops, fuse, simplify, simplify-whole
exit 3
