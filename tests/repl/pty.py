#!/usr/bin/python3
"""The prompt, driven through a pseudo-terminal.

    pty.py [--gradus PROGRAM] [WORD...]      WORDs select tests by name
"""
import argparse
import os
import pathlib
import signal
import stat
import sys
import tempfile
import termios
import time
import traceback

# This file's name is that of a module of the standard library: keep its folder off the path
# until that one is loaded.
HERE = pathlib.Path(__file__).resolve().parent
sys.path = [p for p in sys.path if pathlib.Path(p or ".").resolve() != HERE]
import pty  # noqa: E402,F401  pylint: disable=unused-import,wrong-import-position

sys.path.append(str(HERE))
from terminal import Late, Terminal  # noqa: E402  pylint: disable=wrong-import-position

PROMPT, MORE = "> ", "... "
UP, DOWN, HOME, END = "\x1b[A", "\x1b[B", "\x01", "\x05"
CTRL_C, CTRL_D, CTRL_R, CTRL_L = "\x03", "\x04", "\x12", "\x0c"
PASTE, PASTED = "\x1b[200~", "\x1b[201~"

GRADUS = str(HERE.parent.parent / "build" / "gradus")
SCAN = ["p = scan t for 3 from r = 1.0 {", "r[t] = 2 * r[t-1]", "}"]


def start(**more):
    t = Terminal([GRADUS], **more)
    t.until("the prompt", lambda: t.row() == PROMPT.rstrip())
    return t


def enter(t, text, then=PROMPT):
    """Types one row, waits for the next prompt, and returns what was printed in between."""
    place = t.place()
    t.send(text + "\r")
    t.wait_below(place, then)
    return "\n".join(t.lines()[place + 1:t.place()])


# ---- The tests: functions whose names begin with test_ ---------------------------------


def test_prompt_and_exit():
    with start() as t:
        t.send(CTRL_D)
        assert t.wait_exit() == 0


def test_value():
    with start() as t:
        assert "2" in enter(t, "1 + 1"), t.text()


def test_quit_command():
    with start() as t:
        t.send(":quit\r")
        assert t.wait_exit() == 0


def test_error_keeps_going():
    with start() as t:
        message = enter(t, "no_such_name")
        assert "no_such_name" in message and "^" in message, t.text()
        assert "42" in enter(t, "20 + 22"), t.text()


def test_first_words():
    with start() as t:
        assert ":help NAME" in enter(t, "help"), t.text()
        for asked in ("?tanh", "tanh?", "help(tanh)", "help tanh"):
            assert "Hyperbolic tangent" in enter(t, asked), asked + t.text()
        assert "no name is yours" in enter(t, "ls"), t.text()
        assert "nothing is called nosuch" in enter(t, "? nosuch"), t.text()
        enter(t, "exit = 41")
        assert "41" in enter(t, "exit"), t.text()
        assert "shell" in enter(t, "!ls"), t.text()
        t.send("quit()\r")
        assert t.wait_exit() == 0


def test_the_banner_leads_to_a_step():
    with start() as t:
        row = next(r for r in t.lines() if r.startswith("x : f64"))
        for statement in row.split(";")[:-1]:
            enter(t, statement.strip())
        assert "[" in enter(t, "s"), t.text()
        assert "f64 = " in enter(t, row.split(";")[-1].strip()), t.text()


def test_help_breaks_at_words():
    with start(columns=50, rows=100) as t:
        shown = enter(t, "help start")
        rows = [r for r in shown.split("\n") if not r.startswith("    ")]
        assert all(len(r) <= 50 for r in rows), shown
        assert "Tab completes what you type, Alt-h shows help on the word at the cursor" in " ".join(r.strip() for r in rows), shown


def test_pager():
    with start(env={"PAGER": "sed s/^/paged:/"}) as t:
        assert "paged:" in enter(t, "help"), t.text()
        assert "paged:" not in enter(t, "?tanh"), t.text()
        assert "paged:" not in enter(t, ":type 1"), t.text()
    with tempfile.TemporaryDirectory() as folder:
        less = pathlib.Path(folder, "less")
        less.write_text('#!/bin/sh\ncat; echo "less $*"\n', encoding="utf-8")
        less.chmod(0o755)
        with Terminal(["/usr/bin/env", "-u", "PAGER", GRADUS], env={"PATH": folder + ":" + os.environ["PATH"]}) as t:
            t.until("the prompt", lambda: t.row() == PROMPT.rstrip())
            assert "q returns to the prompt" in enter(t, "help"), t.text()
    with start(env={"PAGER": "no-such-pager"}) as t:
        assert ":quit" in enter(t, "help"), t.text()
        assert "42" in enter(t, "40 + 2"), t.text()
    with start(env={"PAGER": "sed s/^/paged:/", "TERM": "dumb"}) as t:
        assert "paged:" not in enter(t, "help"), t.text()


def test_colours_while_typing():
    with start() as t:
        t.send('if x > 2.5 then f("a # b") else x && y # why')
        t.wait("# why")
        row = t.raw[t.raw.rindex("\x1b[K> "):]
        for part in ("\x1b[35mif\x1b[0m x", "\x1b[36m2.5\x1b[0m ", "\x1b[32m\"a # b\"\x1b[0m", "\x1b[35melse",
                     "\x1b[31m&&\x1b[0m", "\x1b[2m# why\x1b[0m"):
            assert part in row, repr(row)
        t.send(CTRL_C)
        t.wait_row(PROMPT)
        t.send(":type 2")
        t.wait(":type 2")
        assert "\x1b[1;34m:type\x1b[0m 2" in t.raw, repr(t.raw[-300:])
    with start(env={"NO_COLOR": "1"}) as t:
        enter(t, "1 + 1")
        assert "\x1b[36m" not in t.raw, repr(t.raw)


def test_colours_where_rows_wrap():
    with start(columns=20, rows=4) as t:
        t.send("1 + " * 30 + "1")
        t.until("the end", lambda: t.row().endswith("+ 1"))
        assert all(set(r) <= set("> +1") and len(r) <= 20 for r in t.lines()[-4:]), t.text()
        t.send(CTRL_C)
        t.wait_row(PROMPT)


def test_indentation():
    with start() as t:
        enter(t, "p = scan t for 3 from r = 1.0 {", then=MORE)
        t.send("r[t] = 2 * r[t-1]")
        t.wait_row(MORE + "  r[t] = 2 * r[t-1]")
        t.send("\r}")
        t.wait_row(MORE + "}")
        enter(t, "")
        assert "8" in enter(t, "p.final"), t.text()
        t.send(UP + UP)  # the cursor is at the end of the entry
        t.wait_end(PROMPT + "p = scan t for 3 from r = 1.0 {", MORE + "  r[t] = 2 * r[t-1]", MORE + "}")
        t.until("the cursor behind it", lambda: t.screen.column == len(MORE) + 1)
        t.send(DOWN + "\x7f")
        t.wait_row(PROMPT + "p.fina")


def test_pasted_prompts():
    with start() as t:
        t.until("bracketed paste", lambda: t.screen.pasting)
        t.send(PASTE + "> a = 20\na : i64\n>>> (a +\n... 22)\n42" + PASTED)
        assert "42" in enter(t, ""), t.text()
        for typed, value in (("In [3]: a + 1", 21), ("julia> a + 2", 22), ("ghci> a + 3", 23), (">>> a + 4", 24)):
            assert str(value) in enter(t, typed), t.text()
        t.send(PASTE + "In [3]: (a +\n   ...: 5)\nOut[3]: 25\n" + PASTED)
        assert "25" in enter(t, ""), t.text()
        t.send(PASTE + "> (a +\n+ 6)\n[1] 26\n" + PASTED)
        assert "26" in enter(t, ""), t.text()
        enter(t, "julia = 7")
        assert "true" in enter(t, "julia> 6"), "a name that is one's own stays one"


def test_errors_have_no_place_but_the_caret():
    with start() as t:
        shown = enter(t, "1 + nosuch")
        assert shown.startswith("error: `nosuch` is not defined") and "    ^^^^^^" in shown, t.text()
        enter(t, "x : i64 = 0")
        enter(t, "y = 1 // x")
        shown = enter(t, "y")  # the fault stands in an older entry
        assert "<input 3>:1:5" in shown, t.text()


def test_undo():
    with start() as t:
        enter(t, "x = 1")
        enter(t, "x = 2")
        enter(t, "x + 1")
        assert "x = 1" in enter(t, "undo"), t.text()
        assert "= 2" in enter(t, "x + 1"), t.text()
        enter(t, ":undo")
        assert "`x` is not defined" in enter(t, "x"), t.text()


def test_ans():
    with start() as t:
        enter(t, "20 + 1")
        assert "42" in enter(t, "2 * ans"), t.text()
        enter(t, "y = ans + 1")
        assert "y : " in enter(t, "y"), t.text()
        enter(t, "5")
        assert "still use" not in enter(t, "y + ans"), t.text()
        enter(t, "(1, [2.0, 3.0])")
        assert "[2.0, 3.0]" in enter(t, "ans[1]"), t.text()
        enter(t, "ans = 7")
        enter(t, "1 + 1")
        assert "= 7" in enter(t, "ans"), t.text()


def test_ans_is_saved():
    with start() as t:
        enter(t, "f32([0.5, 1.5])")
        enter(t, "half = ans * 2")
        enter(t, "-0.0")
        enter(t, "zero = (ans, ans)")
        enter(t, ":save s.gr")
        enter(t, "reset")
        assert "no name is yours" in enter(t, ":vars"), t.text()
        enter(t, ":load s.gr")
        assert "half : f32[2] = [1.0, 3.0]" in enter(t, "half"), t.text()
        assert "-0.0" in enter(t, "zero"), t.text()


def test_reset_runs_the_init_file_again():
    with tempfile.TemporaryDirectory() as home:
        folder = pathlib.Path(home, "config", "gradus")
        folder.mkdir(parents=True)
        (folder / "init.gr").write_text("mine = 42\n", encoding="utf-8")
        with start(home=home) as t:
            enter(t, "mine = 3")
            enter(t, "1 + 1")
            enter(t, ":reset")
            assert "`ans` is not defined" in enter(t, "ans"), t.text()
            assert "= 42" in enter(t, "mine"), t.text()


def test_scan_over_several_rows():
    with start() as t:
        for row in SCAN[:-1]:
            enter(t, row, then=MORE)
        enter(t, SCAN[-1])
        assert "8" in enter(t, "p.final"), t.text()


def test_rows_are_edited_together():
    with start() as t:
        enter(t, "(1 +", then=MORE)
        t.send("70")
        t.wait_row(MORE + "70")
        t.send(UP + "0")  # the cursor was in column 2 of the row: (10 +
        t.wait_end(PROMPT + "(10 +", MORE + "70")
        t.send(DOWN + END)
        assert "80" in enter(t, ")"), t.text()


def test_interrupt_clears_the_entry():
    with start() as t:
        t.send("12 + (\r")
        t.wait_row(MORE)
        t.send("3")
        t.wait_row(MORE + "3")
        t.send(CTRL_C)
        t.wait_end(MORE + "3^C", PROMPT)
        assert "42" in enter(t, "40 + 2"), t.text()


def test_interrupt_on_an_empty_line_keeps_the_session():
    with start() as t:
        t.send(CTRL_C)
        t.wait_end(PROMPT + "^C", PROMPT)
        t.send(CTRL_D)
        assert t.wait_exit() == 0


def test_interrupt_stops_an_evaluation():
    with start() as t:
        enter(t, "s = scan t for 100000000000 from r = 0.0 { r[t] = r[t-1] + 1.0 }")
        place = t.place()
        t.send("s.final\r")
        time.sleep(0.5)
        t.send(CTRL_C)
        t.wait_below(place, PROMPT)
        assert "nterrupt" in t.text(), t.text()
        assert "42" in enter(t, "40 + 2"), t.text()


def test_interrupt_twice_keeps_the_session():
    with start() as t:
        enter(t, "kept = 6")
        enter(t, "s = scan t for 100000000000 from r = 0.0 { r[t] = r[t-1] + 1.0 }")
        place = t.place()
        t.send("s.final\r")
        time.sleep(0.5)
        os.kill(t.pid, signal.SIGINT)
        os.kill(t.pid, signal.SIGINT)
        t.wait_below(place, PROMPT)
        assert "42" in enter(t, "kept * 7"), t.text()


def test_interrupt_in_history_search():
    with start() as t:
        enter(t, "7 * 6")
        t.send(CTRL_R + "7")
        t.wait("reverse-i-search")
        place = t.place()
        t.send(CTRL_C)
        t.wait_below(place, PROMPT)
        assert "43" in enter(t, "40 + 3"), t.text()


def test_completion_of_a_function():
    with start() as t:
        t.send("tan\t")
        t.wait("tanh")  # tan and tanh: both are listed
        t.wait_row(PROMPT + "tan")
        t.send("h\t")
        t.wait_row(PROMPT + "tanh(")
        enter(t, "0.0)")


def test_completion_of_a_parameter():
    with start() as t:
        t.send("sum(sin(exp2(1)), keepd\t")
        t.wait_row(PROMPT + "sum(sin(exp2(1)), keepdims=")
        enter(t, "true)")
        enter(t, "warm(room, heat=2.0) = room * heat")
        t.send("warm(1.0, hea\t")
        t.wait_row(PROMPT + "warm(1.0, heat=")


def test_completion_of_a_command():
    with start() as t:
        t.send(":aud\t")
        t.wait_row(PROMPT + ":audit")
        assert t.screen.column == len(PROMPT + ":audit "), t.screen.column


def test_completion_of_a_claim():
    with start() as t:
        t.send(":expect log(1 - 2) fir\t")
        t.wait_row(PROMPT + ":expect log(1 - 2) fires")
        t.send(" log1p-s\t")
        t.wait_row(PROMPT + ":expect log(1 - 2) fires log1p-sub")


def test_completion_of_fields():
    with start() as t:
        enter(t, "S = scan t for 3 from speed = 1.0, place = 0.0 { speed[t] = speed[t-1] / 2; place[t] = place[t-1] + speed[t]; twice = 2 * speed[t] }")
        t.send("S.sp\t")
        t.wait_row(PROMPT + "S.speed")
        enter(t, "")
        t.send("1 + S.final.pl\t")
        t.wait_row(PROMPT + "1 + S.final.place")
        enter(t, "")
        t.send("S.\t")
        t.wait("stopped")
        assert "exp(" not in t.text(), t.text()
        t.wait_row(PROMPT + "S.")


def test_completion_of_numbers_and_fired_rules():
    with start() as t:
        enter(t, "x : f64[3] = [1, 2, 3]")
        enter(t, ":steps log(1 + x * 1)")
        t.send(":why %\t")
        t.wait("= log(")  # each with what it is
        t.wait_row(PROMPT + ":why %")
        enter(t, "1")
        t.send(":steps log(1 + x * 1) rule=\t")
        t.wait("log1p")
        t.wait_row(PROMPT + ":steps log(1 + x * 1) rule=")
        assert "log1mexp" not in t.text(), t.text()
        t.send("log1p")
        t.send(" hide=mul-one,log1\t")  # a list goes on after a comma
        t.wait_row(PROMPT + ":steps log(1 + x * 1) rule=log1p hide=mul-one,log1p")


def test_completion_after_the_file_and_of_keys():
    with start() as t:
        enter(t, "x : f64[3] = [1, 2, 3]")
        t.send(":draw x x.svg unr\t")
        t.wait_row(PROMPT + ":draw x x.svg unroll=")
        t.send(CTRL_C)
        t.wait_row(PROMPT)
        t.send(":draw x x.svg s\t\t")
        t.wait("after step K")
        t.wait_row(PROMPT + ":draw x x.svg s")


def test_completion_of_boxes_and_images():
    with start() as t:
        enter(t, "x : f64")
        t.send(":graph x + 1 box\t")
        t.wait_row(PROMPT + ":graph x + 1 boxes=on")
        assert "╭" in enter(t, ""), t.text()
        t.send(":set images ki\t")
        t.wait_row(PROMPT + ":set images kitty")


def test_the_command_used_most():
    with start() as t:
        enter(t, "x : f64[3]")
        shown = enter(t, ":t x")
        assert "f64[3]" in shown and ":t is :type" in shown and ":time" in shown, t.text()
        assert "could be" in enter(t, ":c"), t.text()


def test_completion_of_own_names():
    with start() as t:
        enter(t, "temperature = 3.0")
        t.send("1 + tempe\t")
        t.wait_row(PROMPT + "1 + temperature")


def test_completion_of_a_file():
    with start() as t:
        pathlib.Path(t.folder.name, "particular.gr").write_text("q = 6 * 7\nq\n", encoding="utf-8")
        t.send(":load partic\t")
        t.wait_row(PROMPT + ":load particular.gr")
        t.send("\r")
        t.wait("42")


def test_completion_in_a_string():
    with start() as t:
        os.makedirs(t.folder.name + "/some/folder")
        pathlib.Path(t.folder.name, "some", "data.npy").touch()
        t.send('load("som\t')
        t.wait_row(PROMPT + 'load("some/')
        t.send("d\t)")
        t.wait_row(PROMPT + 'load("some/data.npy")')


def test_history_up():
    with start() as t:
        enter(t, "1 + 1")
        enter(t, "2 + 2")
        t.send(UP)
        t.wait_row(PROMPT + "2 + 2")
        t.send(UP)
        t.wait_row(PROMPT + "1 + 1")
        t.send(DOWN)
        t.wait_row(PROMPT + "2 + 2")
        t.send(DOWN)
        t.wait_row(PROMPT)


def test_history_by_beginning():
    with start() as t:
        enter(t, "11 + 1")
        enter(t, "12 + 1")
        enter(t, "21 + 1")
        t.send("1" + UP)
        t.wait_row(PROMPT + "12 + 1")
        t.send(UP)
        t.wait_row(PROMPT + "11 + 1")


def test_history_of_several_rows_lasts():
    with tempfile.TemporaryDirectory() as home:
        with start(home=home) as t:
            enter(t, "(1 +", then=MORE)
            enter(t, "2)")
            enter(t, "5")
            enter(t, "5")  # the same again is kept once
            t.send(CTRL_D)
            t.wait_exit()
        path = os.path.join(home, "state", "gradus", "history")
        assert stat.S_IMODE(os.stat(path).st_mode) == 0o600
        with start(home=home) as t:
            t.send(UP)
            t.wait_row(PROMPT + "5")
            t.send(UP)
            t.wait_end(PROMPT + "(1 +", MORE + "2)")


def test_paste_is_one_entry():
    with start() as t:
        t.until("bracketed paste", lambda: t.screen.pasting)
        t.send(PASTE + "a = 20\nb = 22\na + b" + PASTED)
        t.wait_end(PROMPT + "a = 20", MORE + "b = 22", MORE + "a + b")
        assert "42" in enter(t, ""), t.text()


def test_help_under_the_cursor():
    with start() as t:
        t.send("tanh(\x1bh")
        t.until("help, then the entry again", lambda: t.row() == PROMPT + "tanh(" and t.text().count("tanh") >= 3)
        t.send("\x15softmax(x[0], (1 + 2) * ax\x1bh")
        t.until("help on the call around the cursor", lambda: "softmax(x, axis" in t.text())


def test_a_long_row_wraps():
    with start(columns=20, rows=10) as t:
        t.send("1000000000 + 2000000000 + 3000000000")
        t.wait_end("> 1000000000 + 20000", "00000 + 3000000000")
        t.send(HOME + "4" + END + " + 5\r")
        t.wait("46000000005")


def test_a_table_fits_the_screen():
    with start(columns=60) as t:
        rows = enter(t, ":passes").split("\n")
        column = rows[0].index("function bodies")
        assert len(rows) > 9 and any(row.startswith(" " * column) for row in rows), t.text()
        assert all(row.startswith(" " * column) or row[column - 9:column].strip() in ("on", "not run") for row in rows), t.text()


def test_an_entry_taller_than_the_screen():
    with start(columns=40, rows=6) as t:
        t.send("(0" + "".join(f"\r+ {i}" for i in range(1, 10)))
        t.wait_end(*[MORE + f"+ {i}" for i in range(4, 10)])
        t.send(UP * 9)
        t.wait_row(PROMPT + "(0")
        t.send(DOWN * 9 + END + ")\r")
        t.wait("45")


def test_wide_characters():
    with start() as t:
        t.send('# é 漢字')
        t.wait_row(PROMPT + "# é 漢字")
        assert t.screen.column == len(PROMPT) + 8, t.screen.column
        t.send("\x7f\x7f!")
        t.wait_row(PROMPT + "# é !")


def test_screen_is_cleared():
    with start() as t:
        enter(t, "1 + 1")
        t.send("abc" + CTRL_L)
        t.until("a clear screen", lambda: t.screen.row == 0 and t.row() == PROMPT + "abc")


def test_resize():
    with start() as t:
        t.send("1 + 2")
        t.wait_row(PROMPT + "1 + 2")
        t.resize(40, 20)
        t.send(" + 3\r")
        t.wait("6")


def test_tables_fit_the_terminal():
    names = "abcdef"
    states = ", ".join(f"{n} = ones(2) / 3" for n in names)
    steps = "; ".join(f"{n}[t] = {n}[t-1] / 7" for n in names)
    with start(columns=50, rows=60) as t:
        enter(t, f"S = scan t for 3 from {states} {{ {steps} }}")
        bands = enter(t, ":trace S.a digits=4")
        assert bands.count("row ") > 1 and all(len(row) <= 50 for row in bands.split("\n")), bands
        t.resize(150, 60)
        table = enter(t, ":trace S.a digits=4")
        assert table.count("init") == 1 and "a[t]" in table and "f[t]" in table, table
        assert enter(t, ":set width 30") == "", t.text()
        assert all(len(row) <= 30 for row in enter(t, ":trace S.a digits=4").split("\n")), t.text()


def test_matching_bracket():
    with start() as t:
        t.send("(1 + 2)")
        t.until("the cursor on the bracket", lambda: t.screen.column == len(PROMPT))
        t.until("the cursor back", lambda: t.screen.column == len(PROMPT) + 7)


def test_dumb_terminal():
    with start(env={"TERM": "dumb"}) as t:
        enter(t, "(1 +", then=MORE)
        assert "42" in enter(t, "41)"), t.text()
        t.send(CTRL_D)
        assert t.wait_exit() == 0
        assert "\x1b" not in t.raw, repr(t.raw)


ANSWER, PAUSE = "answer> ", "Enter> "


def test_lesson():
    with start(rows=200) as t:
        enter(t, "x = 1000")
        assert "1 of 9 ---" in enter(t, ":learn 1", then=ANSWER), t.text()
        assert "Products come before sums" in enter(t, "", then=ANSWER), t.text()
        assert "No. That would be" in enter(t, "20", then=ANSWER), t.text()
        assert "Right." in enter(t, "14", then=PAUSE), t.text()
        enter(t, "", then=ANSWER)
        enter(t, "(1 +", then=MORE)  # entries of several rows
        assert "after one year" in enter(t, "104)", then=ANSWER), t.text()
        enter(t, "interest = 1.05", then=ANSWER)
        t.send("interes\t")  # names of the lesson are completed
        t.wait_row(ANSWER + "interest")
        assert "Right." in enter(t, " ^ 2 * 100", then=PAUSE), t.text()
        t.send(CTRL_D)
        place = t.place()
        t.wait("Left at screen 2 of 9")
        t.wait_below(place, PROMPT)
        assert "1001" in enter(t, "x + 1"), t.text()
        assert "`interest` is not defined" in enter(t, "interest"), t.text()
        assert "2 of 9 ---" in enter(t, ":learn scan", then=ANSWER), t.text()
        enter(t, "quit")
        t.send(":learn deri\t")
        t.wait_row(PROMPT + ":learn derivative")
        place = t.place()
        t.send(CTRL_C)
        t.wait_below(place, PROMPT)
        assert "1 of 9" in enter(t, ":learn"), t.text()


def test_lesson_is_interrupted():
    with start(rows=100) as t:
        enter(t, ":learn 1", then=ANSWER)
        t.send("1 + 2")
        t.wait_row(ANSWER + "1 + 2")
        place = t.place()
        t.send(CTRL_C + CTRL_C)
        t.wait_below(place, ANSWER)
        place = t.place()
        t.send("(scan t for 100000000000 from r = 0.0 { r[t] = r[t-1] + 1.0 }).final\r")
        time.sleep(0.5)
        os.kill(t.pid, signal.SIGINT)
        os.kill(t.pid, signal.SIGINT)
        t.wait_below(place, ANSWER)
        assert "Right." in enter(t, "14", then=PAUSE), t.text()
        place = t.place()
        t.send(CTRL_C)
        t.wait_below(place, PAUSE)
        place = t.place()
        t.send(CTRL_D)
        t.wait_below(place, PROMPT)
        t.send(CTRL_D)
        assert t.wait_exit() == 0


def test_lesson_on_a_narrow_terminal():
    with start(columns=20, rows=100) as t:
        out = enter(t, ":learn 2", then=ANSWER)
        assert "How long does it" in out and all(len(row) <= 20 for row in out.split("\n")), out
    with start(env={"TERM": "dumb"}, rows=60) as t:
        enter(t, ":learn 1", then=ANSWER)
        assert "Right." in enter(t, "14", then=PAUSE), t.text()
        assert "\x1b" not in t.raw, repr(t.raw)


STEP = "step> "
LOOP = "L = scan t over x from h = 1.0 { h[t] = tanh(1 * h[t-1] + x[t] + 0 * x[t]) }"


def stepping(t, expression):
    enter(t, "x : f64[3] = [0.1, 0.2, 0.3]")
    enter(t, LOOP)
    return enter(t, ":step " + expression, then=STEP)


def test_step_forwards_and_back():
    with start() as t:
        shown = stepping(t, "log(1 + x * 1)")
        assert "0/" in shown and "start" in shown, t.text()
        assert "1/2" in enter(t, "", then=STEP), t.text()
        assert "2/2" in enter(t, "n", then=STEP), t.text()
        assert "last step" in enter(t, "next", then=STEP), t.text()
        assert "1/2" in enter(t, "p", then=STEP), t.text()
        assert "2/2" in enter(t, "2", then=STEP), t.text()
        assert "fewer steps" in enter(t, "3", then=STEP), t.text()
        assert "0/2" in enter(t, "0", then=STEP), t.text()
        assert "the start" in enter(t, "prev", then=STEP), t.text()
        assert "return %" in enter(t, "g", then=STEP), t.text()
        assert "n next" in enter(t, "what", then=STEP), t.text()
        enter(t, "q")
        assert "42" in enter(t, "40 + 2"), t.text()


def test_step_until_a_rule_inside_a_body():
    with start() as t:
        stepping(t, "log(1 + L[-1])")
        shown = enter(t, "until mul-one", then=STEP)
        assert ".1/" in shown and "h[t-1]" in shown, t.text()
        shown = enter(t, "until log1p", then=STEP)  # out of the body again
        assert "log1p" in shown and "." not in shown.split("/")[0], t.text()
        assert "no such rule" in enter(t, "until nosuch", then=STEP), t.text()
        assert "no further" in enter(t, "until log1p", then=STEP), t.text()
        enter(t, "q")


def test_step_in_and_out():
    with start() as t:
        stepping(t, "log(1 + L[-1])")
        enter(t, "until inner", then=STEP)
        shown = enter(t, "in", then=STEP)
        assert ".0/" in shown and "before the first step inside" in shown, t.text()
        assert ".1/" in enter(t, "", then=STEP), t.text()
        shown = enter(t, "out", then=STEP)
        assert "inner" in shown and "." not in shown.split("/")[0], t.text()
        assert "outermost" in enter(t, "out", then=STEP), t.text()
        enter(t, "0", then=STEP)
        assert "no steps inside" in enter(t, "in", then=STEP), t.text()
        enter(t, "q")


def test_step_into_a_derivative():
    with start() as t:
        stepping(t, "grad(sum(sin(x)), x)")
        enter(t, "until expand-derivative", then=STEP)
        enter(t, "in", then=STEP)
        assert "d seed" in enter(t, "", then=STEP), t.text()
        enter(t, "q")


def test_step_marks_what_changed():
    with start() as t:
        stepping(t, "2 * log(1 + x)")
        place = len(t.raw)
        enter(t, "", then=STEP)
        assert "\x1b[1;32m+\x1b[0m log1p(x)" in t.raw[place:], repr(t.raw[place:])
        enter(t, "q")
    with start(env={"NO_COLOR": "1"}) as t:
        shown = stepping(t, "2 * log(1 + x)")
        shown = enter(t, "", then=STEP)
        assert "- log(1 + x)" in shown and "+ log1p(x)" in shown, t.text()
        enter(t, "q")
    with start(env={"NO_COLOR": "1"}) as t:
        stepping(t, "tanh(exp(x) * 1)")
        assert "- exp(x) «* 1»" in enter(t, "", then=STEP), t.text()
        enter(t, "q")


def test_step_shows_the_change_and_w_the_whole():
    with start() as t:
        stepping(t, "exp(2 * log(1 + x)) + L[-1]")
        shown = enter(t, "until log1p", then=STEP)
        assert "used in" in shown and "exp" not in shown.split("used in")[0], t.text()
        assert "exp(2 *" in enter(t, "w", then=STEP), t.text()
        enter(t, "q")


def test_step_search():
    with start() as t:
        stepping(t, "log(1 + L[-1])")
        shown = enter(t, "/1 * h[t-1]", then=STEP)  # in a body
        assert ".1/" in shown and "in scan h" in shown, t.text()
        shown = enter(t, "/accurate for", then=STEP)  # a reason
        assert "log1p" in shown, t.text()
        shown = enter(t, "/log(1 +", then=STEP)  # from the start again
        assert "log1p" in shown, t.text()
        shown = enter(t, "/over x from h", then=STEP)  # in no step, but in the state here
        assert "3/" in shown and "h[t] = tanh(h[t-1]" in shown, t.text()
        assert "no step and no state has that" in enter(t, "/nosuch", then=STEP), t.text()
        assert "needs a text" in enter(t, "/", then=STEP), t.text()
        enter(t, "q")


def test_step_back_to_where_one_was():
    with start() as t:
        stepping(t, "log(1 + L[-1])")
        first = enter(t, "until mul-one", then=STEP)
        second = enter(t, "until log1p", then=STEP)
        assert enter(t, "<", then=STEP) == first, t.text()
        assert "0/" in enter(t, "<", then=STEP), t.text()
        assert "where you began" in enter(t, "<", then=STEP), t.text()
        assert enter(t, ">", then=STEP) == first, t.text()
        assert enter(t, ">", then=STEP) == second, t.text()
        assert "nothing to go forward" in enter(t, ">", then=STEP), t.text()
        enter(t, "<", then=STEP)
        enter(t, "0", then=STEP)  # goes elsewhere: what was ahead is forgotten
        assert "nothing to go forward" in enter(t, ">", then=STEP), t.text()
        enter(t, "q")


def test_a_derivation_by_hand():
    with start() as t:
        enter(t, "x : f64")
        assert "log1p" in enter(t, ":move log(1 + x) * 1"), t.text()
        t.send(":move rule=mul-on\t")
        t.wait_row(PROMPT + ":move rule=mul-one")
        assert "log(1 + x)" in enter(t, ""), t.text()
        enter(t, ":move branch=other")
        t.send(":move branch=ma\t")
        t.wait_row(PROMPT + ":move branch=main")
        enter(t, "")
        enter(t, "y = 2")
        assert "y has no meaning" in enter(t, ":undo"), t.text()
        assert "on the branch other" in enter(t, ":undo"), t.text()
        assert "main, after 1 move" in enter(t, ":undo"), t.text()
        assert "after 0 moves" in enter(t, ":undo"), t.text()
        t.send(":move %\t")
        t.wait("= log(")
        enter(t, "4")
        assert "by hand" in enter(t, ":steps"), t.text()


def test_completion_of_passes_rules_and_keys():
    with start() as t:
        t.send(":set passes spec\t")
        t.wait_row(PROMPT + ":set passes specialize")
        t.send(" canon\t")
        t.wait_row(PROMPT + ":set passes specialize canonicalize")
        enter(t, "")
        t.send(":set rule log1p-s\t")
        t.wait_row(PROMPT + ":set rule log1p-sub")
        enter(t, " off")
        t.send(":steps 1 + 1 tim\t")
        t.wait_row(PROMPT + ":steps 1 + 1 times=on")
        t.send(" rule=log1mexp-\t")
        t.wait_row(PROMPT + ":steps 1 + 1 times=on rule=log1mexp-expm1")
        enter(t, "")
        t.send(":draw 1 x.svg backg\t")
        t.wait_row(PROMPT + ":draw 1 x.svg background=")
        t.send("none adjoint=bes\t")
        t.wait_row(PROMPT + ":draw 1 x.svg background=none adjoint=beside")
        t.send("\x15")
        t.send(":rules only=ow\t")
        t.wait_row(PROMPT + ":rules only=own")
        assert "0 rules" in enter(t, ""), t.text()


def test_step_has_the_line_editor():
    with start() as t:
        stepping(t, "log(1 + x * 1)")
        enter(t, "next", then=STEP)
        t.send(UP)
        t.wait_row(STEP + "next")
        t.send("\x7f\x7f\x7f\x7fp\t")
        t.wait_row(STEP + "prev")
        enter(t, "", then=STEP)
        t.send("until log\t")
        t.wait_row(STEP + "until log1p")  # the only rule of this beginning that fired
        t.send(CTRL_C)
        t.wait_end(STEP + "until log1p^C", STEP)
        place = t.place()
        t.send(CTRL_C)
        t.wait_below(place, STEP)
        enter(t, "q")
        t.send(UP)  # the history of the prompt knows nothing of it
        t.wait_row(PROMPT + ":step log(1 + x * 1)")


def test_step_runs_commands():
    with start() as t:
        stepping(t, "log(1 + x * 1)")
        assert "2/2" in enter(t, "2", then=STEP), t.text()
        assert "f64[3]" in enter(t, ":type x", then=STEP), t.text()
        assert "cannot run inside" in enter(t, ":step x", then=STEP), t.text()
        for k in range(12):  # more than the session keeps
            enter(t, f":graph x * {k}", then=STEP)
        t.send(":aud\t")
        t.wait_row(STEP + ":audit")
        t.send(CTRL_C)
        t.wait_row(STEP)
        assert "1/2" in enter(t, "p", then=STEP), t.text()
        assert "steps are gone" in enter(t, ":compare x * 1 off=stabilize"), t.text()
        assert "42" in enter(t, "40 + 2"), t.text()


def test_step_ends_at_the_end_of_input():
    with start() as t:
        stepping(t, "log(1 + x)")
        place = t.place()
        t.send(CTRL_D)
        t.wait_below(place, PROMPT)
        assert "42" in enter(t, "40 + 2"), t.text()


LONG = "s = scan t for 100000000 from h = 0.1 { h[t] = 3.7 * h[t-1] * (1 - h[t-1]) }"


def playing(t, definition, command):
    enter(t, definition)
    t.send(command + "\r")
    t.wait("q leave")


def test_play_is_interrupted_while_it_opens():
    with start() as t:
        enter(t, LONG.replace("100000000", "100000000000"))
        place = t.place()
        t.send(":play s\r")
        time.sleep(0.5)
        t.send(CTRL_C)
        t.wait_below(place, PROMPT)
        assert "nterrupt" in t.text(), t.text()
        assert "42" in enter(t, "40 + 2"), t.text()


def test_play_is_interrupted_while_it_searches():
    with start() as t:
        playing(t, LONG, ":play s")
        t.send("/h[t] > 2\r")
        time.sleep(0.1)
        os.kill(t.pid, signal.SIGINT)
        os.kill(t.pid, signal.SIGINT)
        t.until("an answer", lambda: "stopped" in t.text() or "no later step" in t.text())
        t.send("q")
        t.wait_row(PROMPT)
        assert "42" in enter(t, "40 + 2"), t.text()


def test_play_is_interrupted_in_every_state():
    with start() as t:
        enter(t, "kept = 6")
        for keys, shown in (("", "q leave"), ("?", "any key"), ("g", "go to step:"), ("g12", "step: 12"), ("/", "until:"),
                            ("/h[t]", "until: h[t]"), ("/h[t] > 2\r", "no later"), ("n", "no later"), ("\t", "backward pass"),
                            ("x", "? shows")):
            playing(t, LONG.replace("100000000", "50"), ":play s")
            t.send(keys)
            t.until(shown, lambda what=shown: what in t.row())
            place = len(t.raw)
            t.send(CTRL_C)  # ends a question, or the list of keys
            if keys[:1] in ("?", "g", "/") and shown != "no later":
                t.until("the film", lambda: "q leave" in t.row())
                t.send(CTRL_C)
            t.until("the prompt", lambda p=place: "\x1b[?1049l" in t.raw[p:] and t.row() == PROMPT.rstrip())
            assert "42" in enter(t, "kept * 7"), t.text()


def modes(t):
    return termios.tcgetattr(t.fd)[3] & (termios.ICANON | termios.ECHO)


def test_play_gives_the_terminal_back_when_it_is_killed():
    for sig in (signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT):
        with start() as t:
            playing(t, LONG.replace("100000000", "50"), ":play s")
            assert modes(t) == 0
            os.kill(t.pid, sig)
            assert t.wait_exit() == -sig
            assert "\x1b[?1049l" in t.raw[-40:] and modes(t) == termios.ICANON | termios.ECHO, repr(t.raw[-200:])


def test_play_stops_and_goes_on():
    with Terminal(["/bin/bash", "--norc", "--noprofile", "-i"], env={"PS1": "shell: ", "INPUTRC": "/dev/null"}) as t:
        t.wait("shell:")
        t.send(GRADUS + "\r")
        t.until("the prompt", lambda: t.row() == PROMPT.rstrip())
        playing(t, LONG.replace("100000000", "50"), ":play s")
        for keys, shown in (("", "q leave"), ("g1", "step: 1")):
            t.send(keys)
            t.until(shown, lambda what=shown: what in t.row())
            place = len(t.raw)
            t.send("\x1a")
            t.until("the shell", lambda p=place: "\x1b[?1049l" in t.raw[p:] and t.row() == "shell:")
            place = len(t.raw)
            t.send("fg\r")
            t.until("the film again", lambda p=place: "\x1b[?1049h" in t.raw[p:] and "of 0..49" in t.raw[p:])
        t.send("\r")
        t.until("step 1", lambda: "q leave" in t.row() and "step 1 of" in t.text())
        t.send("q")
        t.wait_row(PROMPT)
        assert "42" in enter(t, "40 + 2"), t.text()


def main():
    global GRADUS
    parser = argparse.ArgumentParser(description="Tests of the prompt.")
    parser.add_argument("--gradus", default=GRADUS)
    parser.add_argument("words", nargs="*")
    args = parser.parse_args()
    GRADUS = os.path.abspath(args.gradus)

    passed = failed = 0
    for name, test in list(globals().items()):
        if not name.startswith("test_") or (args.words and not any(w in name for w in args.words)):
            continue
        try:
            test()
            passed += 1
        except (Late, AssertionError, OSError) as problem:
            failed += 1
            where = traceback.extract_tb(problem.__traceback__)
            line = next(f.lineno for f in where if f.name == name)
            print(f"FAILED {name} (tests/repl/pty.py:{line}): {type(problem).__name__}: {problem}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
