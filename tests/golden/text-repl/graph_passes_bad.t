# What :graph DIR/ pass=all does not take.
x : f64[3]
:graph x * 1 s/
:graph x * 1 pass=all
:graph x * 1 a.gr pass=all
:graph x * 1 nosuch/dir/ pass=all
:graph x * 1 s/ pass=all step=1
---
input.gr:3:14: error: a folder takes the states of all passes
    :graph x * 1 s/
                 ^^
  hint: :graph EXPR DIR/ pass=all
input.gr:4:19: error: pass=all writes a file for each pass, to a folder
    :graph x * 1 pass=all
                      ^^^
  hint: :graph EXPR DIR/ pass=all
input.gr:5:24: error: pass=all writes a file for each pass, to a folder
    :graph x * 1 a.gr pass=all
                           ^^^
  hint: :graph EXPR DIR/ pass=all
input.gr:6:14: error: the folder nosuch/dir/ cannot be made: No such file or directory
    :graph x * 1 nosuch/dir/ pass=all
                 ^^^^^^^^^^^
input.gr:7:31: error: step= does not go with pass=all
    :graph x * 1 s/ pass=all step=1
                                  ^
exit 3
