# Looks, labels, links and colors that cannot be: each is said with its place.
x : f64[4, 3] = [[1.0, 2.0, 3.0], [0.0, 1.0, 0.0], [2.0, 1.0, 2.0], [1.0, 1.0, 1.0]]
W : f64[3, 3]
b : f64[3]
S = scan t over u = x from h = zeros(3) { h[t] = tanh(u[t] @ W + h[t-1] * b); until sum(h[t]) < 0 }
:draw S a.svg look=dark.look
:draw S a.svg look=words.look
:draw S a.svg look=color.look
:draw S a.svg look=muted.look
:draw S a.svg look=none.look
:draw S a.svg look=serif.look theme=dark
:draw S a.tex look=named.look
:draw S a.dot look=serif.look
:draw S a.svg link="javascript:alert(1)"
:draw S a.svg link="data:text/html,x"
:draw S a.svg link="https://example.org/{word}"
:draw S a.svg link="https://example.org/{op"
:draw S a.svg link=""
:draw S a.png link="https://example.org"
:draw S a.svg label="q=3"
:draw S a.svg label="%99=3"
:draw S a.svg label="x"
:draw S a.svg label="=x"
:draw S a.svg color=red
:draw S a.svg color=missing.json
:draw S a.svg color=broken.json
:draw S a.svg color=unknown.json
:draw S a.svg color=time style=figure
:draw grad(sum(S), W) a.svg color=time
---
input.gr:6:20: error: dark.look: color.text #1b2027 on color.linalg #333333 cannot be read: their contrast is 1.3, and 4.5 is needed
    :draw S a.svg look=dark.look
                       ^^^^^^^^^
  hint: make the one lighter or the other darker
input.gr:7:20: error: words.look:2: bold: a line is key = value
    :draw S a.svg look=words.look
                       ^^^^^^^^^^
  hint: :help look has all keys
input.gr:8:20: error: color.look:1: color.linalg = red: a color is written #rrggbb
    :draw S a.svg look=color.look
                       ^^^^^^^^^^
  hint: :help look has all keys
input.gr:9:20: error: muted.look: color.muted #cccccc on color.paper #ffffff cannot be read: their contrast is 1.6, and 4.5 is needed
    :draw S a.svg look=muted.look
                       ^^^^^^^^^^
  hint: make the one lighter or the other darker
input.gr:10:20: error: none.look cannot be read: No such file or directory
    :draw S a.svg look=none.look
                       ^^^^^^^^^
input.gr:11:20: error: the colors of a look are those on light paper
    :draw S a.svg look=serif.look theme=dark
                       ^^^^^^^^^^
  hint: leave theme=dark out
input.gr:12:20: error: a .tex has the fonts of its paper: sans, serif or mono, not Fira Sans
    :draw S a.tex look=named.look
                       ^^^^^^^^^^
  hint: font = serif takes the letters of the paper's text
input.gr:13:20: error: a .dot has no look=
    :draw S a.dot look=serif.look
                       ^^^^^^^^^^
  hint: it goes with files that end in svg png pdf tex mmd json sixel
input.gr:14:20: error: link= begins with https:// or http://, or is a path without blanks
    :draw S a.svg link="javascript:alert(1)"
                       ^^^^^^^^^^^^^^^^^^^^^
  hint: link="https://example.org/{op}.html"
input.gr:15:20: error: link= begins with https:// or http://, or is a path without blanks
    :draw S a.svg link="data:text/html,x"
                       ^^^^^^^^^^^^^^^^^^
  hint: link="https://example.org/{op}.html"
input.gr:16:20: error: link= has no {word}
    :draw S a.svg link="https://example.org/{word}"
                       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  hint: {op} is the operator, {name} what the node is called, {id} its number
input.gr:17:20: error: link= has no {op
    :draw S a.svg link="https://example.org/{op"
                       ^^^^^^^^^^^^^^^^^^^^^^^^^
  hint: {op} is the operator, {name} what the node is called, {id} its number
input.gr:18:20: error: link= begins with https:// or http://, or is a path without blanks
    :draw S a.svg link=""
                       ^^
  hint: link="https://example.org/{op}.html"
input.gr:19:20: error: a .png has no link=
    :draw S a.png link="https://example.org"
                       ^^^^^^^^^^^^^^^^^^^^^
  hint: it goes with files that end in svg mmd dot json
input.gr:20:21: error: nothing in this drawing is q
    :draw S a.svg label="q=3"
                        ^^^^^
  hint: a label goes by a name that the drawing shows, or by %K
input.gr:21:21: error: nothing in this drawing is %99
    :draw S a.svg label="%99=3"
                        ^^^^^^^
  hint: :graph ssa=on shows the numbers
input.gr:22:21: error: label= takes a name or number, = and a text, and ; before the next
    :draw S a.svg label="x"
                        ^^^
  hint: label="i=input gate; f=forget gate"
input.gr:23:21: error: label= takes a name or number, = and a text, and ; before the next
    :draw S a.svg label="=x"
                        ^^^^
  hint: label="i=input gate; f=forget gate"
input.gr:24:21: error: color= is time, flops, bytes or a file that ends in .json
    :draw S a.svg color=red
                        ^^^
  hint: color=bytes; or color=numbers.json
input.gr:25:21: error: missing.json cannot be read: No such file or directory
    :draw S a.svg color=missing.json
                        ^^^^^^^^^^^^
input.gr:26:21: error: broken.json:2: a name in quotes and : are expected
    :draw S a.svg color=broken.json
                        ^^^^^^^^^^^
  hint: {"W": 1.5, "%3": 20}
input.gr:27:21: error: unknown.json:2: nothing in this drawing is q
    :draw S a.svg color=unknown.json
                        ^^^^^^^^^^^^
  hint: {"W": 1.5, "%3": 20}
input.gr:28:21: error: color=time is of single operators, and a figure has formulas
    :draw S a.svg color=time style=figure
                        ^^^^
  hint: color=FILE.json fills formulas by their names
input.gr:29:35: error: color=time is of what runs, and a derivative or vmap here is not expanded
    :draw grad(sum(S), W) a.svg color=time
                                      ^^^^
  hint: pass=differentiate is after that
exit 3
