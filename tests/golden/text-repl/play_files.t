x : f64[3] = [0.5, 1, -2]
H = scan t over x from h = 1.0 { h[t] = tanh(h[t-1] * x[t]) }
:play sum(H) film.html grad=x
:play H film.svg at=3
:play H film.png
:play (scan t for 0 from p = 1.0 { p[t] = 2 * p[t-1] }) none.svg
:play sum(H) film.svg grad=nosuch
---
film.html: 3 steps of 3
input.gr:4:21: error: the last step is 2, so at= goes up to that
    :play H film.svg at=3
                        ^
input.gr:5:9: error: :play writes no such file as film.png
    :play H film.png
            ^^^^^^^^
  hint: end it in .html or .svg
none.svg: 0 steps of 0
input.gr:7:28: error: `nosuch` is not defined
    :play sum(H) film.svg grad=nosuch
                               ^^^^^^
exit 1
