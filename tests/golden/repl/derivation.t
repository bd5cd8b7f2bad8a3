# A derivation as a list; the files are written and looked at in tests/drawings.py.
x : f64[n]
:derivation x x.txt
:derivation x
:derivation x "a b.md"
:derivation log(1 + x) no/such/folder/x.html
---
input.gr:3:1: error: :derivation needs a file
    :derivation x x.txt
    ^^^^^^^^^^^
  hint: :derivation EXPR FILE
input.gr:4:1: error: :derivation needs a file
    :derivation x
    ^^^^^^^^^^^
  hint: :derivation EXPR FILE
a b.md: 0 steps
input.gr:6:24: error: no/such/folder/x.html cannot be written: No such file or directory
    :derivation log(1 + x) no/such/folder/x.html
                           ^^^^^^^^^^^^^^^^^^^^^
exit 3
