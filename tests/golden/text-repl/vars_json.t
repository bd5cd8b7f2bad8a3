# args: --json
:vars
x : f64[2] = [1, 2]
f(a) = a + x
y = f(x
z = y
w = f(f(x))
:vars
---
{"kind":"command","command":"vars","text":"no name is yours yet: `x = 1` makes one\n","data":{"vars":[]}}
{"kind":"error","code":"syntax","message":"expected `)` for the `(` of line 5, column 6, but found `z`","file":"input.gr","line":6,"column":1,"length":1,"hint":"an operator, a comma, a bracket or a newline may be missing here"}
input.gr:6:5: note: skipped, because the definition of `y` failed
    z = y
        ^
{"kind":"command","command":"vars","text":"x  input       f64[2]       [1, 2]\nf  function    function(a)  a + x\nw  definition  f64[2]       f(f(x))\n","data":{"vars":[{"name":"x","kind":"input","type":"f64[2]","brief":"[1, 2]"},{"name":"f","kind":"function","type":"function(a)","brief":"a + x"},{"name":"w","kind":"definition","type":"f64[2]","brief":"f(f(x))"}]}}
exit 1
