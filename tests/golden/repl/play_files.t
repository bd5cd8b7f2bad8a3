x : f64[3] = [0.5, 1, -2]
H = scan t over x from h = 1.0 { h[t] = tanh(h[t-1] * x[t]) }
:play sum(H) film.html grad=x
:play H film.svg steps=3
:play H film.png
:play (scan t for 0 from p = 1.0 { p[t] = 2 * p[t-1] }) none.svg
:play sum(H) film.svg grad=nosuch
---
film.html: 3 steps of 3
input.gr:4:24: error: the last step is 2
    :play H film.svg steps=3
                           ^
input.gr:5:9: error: expected the end of the expression, but found `film`
    :play H film.png
            ^^^^
  hint: an operator, a comma, a bracket or a newline may be missing here
none.svg: 0 steps of 0
input.gr:7:28: error: nothing is named nosuch here
    :play sum(H) film.svg grad=nosuch
                               ^^^^^^
exit 1
