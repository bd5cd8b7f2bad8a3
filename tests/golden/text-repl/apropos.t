# Nothing is called so: what tells of it.
:help checkpoint memory
:help hyperbolic
:help nosuchthing
:help tanh nosuchthing
---
these mention it; `:help NAME` shows one:
checkpoint     subject  Memory of gradients
checkpointing  subject  Less memory for a derivative
these mention it; `:help NAME` shows one:
sinh   function  Hyperbolic sine.
cosh   function  Hyperbolic cosine.
tanh   function  Hyperbolic tangent.
asinh  function  Inverse hyperbolic sine.
acosh  function  Inverse hyperbolic cosine.
atanh  function  Inverse hyperbolic tangent.
input.gr:4:7: error: nothing is called nosuchthing
    :help nosuchthing
          ^^^^^^^^^^^
  hint: :help lists commands and subjects, :ops the operators, :rules the rules
input.gr:5:7: error: nothing is called tanh nosuchthing
    :help tanh nosuchthing
          ^^^^^^^^^^^^^^^^
  hint: :help lists commands and subjects, :ops the operators, :rules the rules
exit 1
