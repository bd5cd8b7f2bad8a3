# A derivation as a document: what is asked for wrongly.
x : f64[n]
:derivation x x.txt
:derivation x
:derivation x "a b.md"
:derivation log(1 + x) no/such/folder/x.html
:derivation log(1 + x) open.md open=1
---
input.gr:3:1: error: :derivation needs a file
    :derivation x x.txt
    ^^^^^^^^^^^
  hint: :derivation [EXPR] FILE [open=K|all]
input.gr:4:1: error: :derivation needs a file
    :derivation x
    ^^^^^^^^^^^
  hint: :derivation [EXPR] FILE [open=K|all]
a b.md: 0 steps
input.gr:6:24: error: no/such/folder/x.html cannot be written: No such file or directory
    :derivation log(1 + x) no/such/folder/x.html
                           ^^^^^^^^^^^^^^^^^^^^^
input.gr:7:37: error: no step 1 opens
    :derivation log(1 + x) open.md open=1
                                        ^
  hint: these open, where they have more than one part: expand-vmap, expand-derivative, batch-dots, lower-scan, same-loop, fuse-loops, merge-loops, fuse
exit 3
