# :graph DIR/ pass=all writes the graph after each pass that changed it.
# :graph DIR/ pass=all writes the graph after each pass that changed it.
:graph grad(sum(log(1 + x * 1)), x) s/ pass=all
:load s/04-differentiate.gr
:graph x * 1 s/
:graph x * 1 pass=all
:graph x * 1 a.gr pass=all
:graph x * 1 nosuch/dir/ pass=all
:graph x * 1 s/ pass=all step=1
:graph x / 2
---
input.gr:3:25: error: nothing is named x here
    :graph grad(sum(log(1 + x * 1)), x) s/ pass=all
                            ^
input.gr:4:7: error: s/04-differentiate.gr cannot be read: No such file or directory
    :load s/04-differentiate.gr
          ^^^^^^^^^^^^^^^^^^^^^
input.gr:5:14: error: a folder takes the states of all passes
    :graph x * 1 s/
                 ^^
  hint: :graph EXPR DIR/ pass=all
input.gr:6:19: error: pass=all writes a file for each pass, to a folder
    :graph x * 1 pass=all
                      ^^^
  hint: :graph EXPR DIR/ pass=all
input.gr:7:24: error: pass=all writes a file for each pass, to a folder
    :graph x * 1 a.gr pass=all
                           ^^^
  hint: :graph EXPR DIR/ pass=all
input.gr:8:8: error: nothing is named x here
    :graph x * 1 nosuch/dir/ pass=all
           ^
input.gr:9:31: error: step= does not go with pass=all
    :graph x * 1 s/ pass=all step=1
                                  ^
input.gr:10:8: error: nothing is named x here
    :graph x / 2
           ^
exit 3
