# How a drawing looks: each option, and what is not one; a picture is tests/golden/draw/options.svg.
x : f64[n]
y = exp(x) * 2
:draw y a.svg types=off ids=off legend=off title="A \"curve\" & more" caption="Figure 1: <y>" highlight=%2 scale=1.5 background=white theme=light dir=LR
:draw y a.pdf title="" scale=0.5
:draw y a.png dpi=96 background=#fff7e6 highlight=2,1
:draw y a.dot types=off caption="under it"
:draw y a.tex background=#fff7e6 scale=2
:draw y b.svg types=maybe
:draw y b.svg ids=
:draw y b.svg legend=none
:draw y b.svg titel="x"
:draw y b.svg title="x y
:draw y b.svg highlight=%99
:draw y b.svg highlight=%1,
:draw y b.svg highlight=%99999999999999999999
:draw y b.svg background=pink
:draw y b.svg background=#12345
:draw y b.svg dir=up
:draw y b.svg scale=0
:draw y b.svg scale=-1
:draw y b.svg scale=1e9
:draw y b.svg scale=nan
:draw y b.svg scale=wide
:draw y b.svg dpi=300
:draw y b.dot scale=2
:draw y b.json background=none
:draw y b.png dpi=0
:draw y b.png dpi=1e3
:draw y b.png dpi=99999999999999999999
:draw y b.gif
:draw y b.json group=calls
:draw y b.json group=call
---
a.svg: 3 nodes, 2 edges
a.pdf: 3 nodes, 2 edges
a.png: 3 nodes, 2 edges
a.dot: 3 nodes, 2 edges
a.tex: 3 nodes, 2 edges
input.gr:9:21: error: types= is on or off
    :draw y b.svg types=maybe
                        ^^^^^
input.gr:10:15: error: ids= needs a value
    :draw y b.svg ids=
                  ^^^^
input.gr:11:22: error: legend= is on or off
    :draw y b.svg legend=none
                         ^^^^
input.gr:12:15: error: :draw takes no titel=
    :draw y b.svg titel="x"
                  ^^^^^^^^^
  hint: did you mean title=?
input.gr:13:21: error: the quotes of title= are not closed
    :draw y b.svg title="x y
                        ^^^^
input.gr:14:25: error: there is no node %99 in this drawing
    :draw y b.svg highlight=%99
                            ^^^
  hint: :graph ssa=on shows the numbers
input.gr:15:25: error: highlight= takes numbers of nodes: highlight=%3,%5
    :draw y b.svg highlight=%1,
                            ^^^
input.gr:16:25: error: highlight= takes numbers of nodes: highlight=%3,%5
    :draw y b.svg highlight=%99999999999999999999
                            ^^^^^^^^^^^^^^^^^^^^^
input.gr:17:26: error: background= is none, white or a color as #f4f5f7
    :draw y b.svg background=pink
                             ^^^^
input.gr:18:26: error: background= is none, white or a color as #f4f5f7
    :draw y b.svg background=#12345
                             ^^^^^^
input.gr:19:19: error: dir= is TB or LR
    :draw y b.svg dir=up
                      ^^
input.gr:20:21: error: scale= goes from 0.01 to 100
    :draw y b.svg scale=0
                        ^
  hint: scale=0.5 draws half as large
input.gr:21:21: error: scale= goes from 0.01 to 100
    :draw y b.svg scale=-1
                        ^^
  hint: scale=0.5 draws half as large
input.gr:22:21: error: scale= goes from 0.01 to 100
    :draw y b.svg scale=1e9
                        ^^^
  hint: scale=0.5 draws half as large
input.gr:23:21: error: scale= goes from 0.01 to 100
    :draw y b.svg scale=nan
                        ^^^
  hint: scale=0.5 draws half as large
input.gr:24:21: error: scale= goes from 0.01 to 100
    :draw y b.svg scale=wide
                        ^^^^
  hint: scale=0.5 draws half as large
input.gr:25:19: error: a .svg has no dpi=
    :draw y b.svg dpi=300
                      ^^^
  hint: it goes with files that end in png json sixel
input.gr:26:21: error: a .dot has no scale=
    :draw y b.dot scale=2
                        ^
  hint: it goes with files that end in svg png pdf tex json sixel
b.json: 3 nodes, 2 edges
input.gr:28:19: error: dpi= goes from 10 to 2400
    :draw y b.png dpi=0
                      ^
input.gr:29:19: error: dpi= takes a whole number
    :draw y b.png dpi=1e3
                      ^^^
input.gr:30:19: error: dpi= takes a whole number
    :draw y b.png dpi=99999999999999999999
                      ^^^^^^^^^^^^^^^^^^^^
input.gr:31:9: error: :draw writes no such file as b.gif
    :draw y b.gif
            ^^^^^
  hint: end it in .svg, .png, .pdf, .dot, .json, .tex, .mmd or .sixel
input.gr:32:22: error: no call has been inlined in this state of the graph
    :draw y b.json group=calls
                         ^^^^^
  hint: pass=inline is after that
input.gr:33:22: error: group= is calls
    :draw y b.json group=call
                         ^^^^
exit 1
