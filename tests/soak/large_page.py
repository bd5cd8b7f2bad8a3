"""The page of a gradient of thousands of steps and nodes: work is bounded, nothing is lost, and what is drawn is right.

All steps are listed, several share a picture, a note says so, and the pictures together hold no more nodes than the bounds
of viz/page/page_build.c allow. Some of the pictures are compared with the graphs that :graph tells in states of their own.
Last line: N passed, N failed
"""
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from explore_truth import is_drawn, page_data, read_states, rows_of, shown_in, things_of

LAYERS = 120
EXPR = "grad(loss, w)"
MOST_DRAWN, INNER_BUDGET, MOST_OPENED = 500_000, 400_000, 300_000  # as in page_build.c
GROWTH = 1.5  # scenes show graphs of nodes too, and openings grow on the way
SAMPLES = 12


def program():
    lines, last = ["x : f64[n]", "w : f64[n]"], "x"
    for i in range(LAYERS):
        lines.append(f"h{i} = tanh({last} * w + {i + 1} / 100) * (1 + 0 * x) - {last} * 1")
        last = f"h{i}"
    return "\n".join(lines + [f"loss = sum({last})"]) + "\n"


def drawn_in(views):
    return sum(v >= 0 for view in views for state in shown_in(view) for v in state[0])


def last_rows(data):
    """(number, view, state) of the steps of the whole with which a picture ends."""
    ends = {}
    for _, view, row in rows_of(data):
        if row[1] == 0:
            ends[id(view), row[8]] = (data["strings"][row[0]], view, row[8])
    return list(ends.values())


def wrong_pictures(data, gradus, source):
    ends = last_rows(data)
    some = ends[:: max(1, len(ends) // SAMPLES)] + ends[-1:]
    texts = read_states(gradus, EXPR, [source], list(dict.fromkeys(number for number, _, _ in some)))
    shown = {}
    for number, view, at in some:
        states = shown.setdefault(id(view), shown_in(view))
        now = {k for k in things_of(view, states[at]) if k > 0}
        told = {k for k, form in texts[number].items() if is_drawn(form)}
        if now - set(texts[number]) or told - now:
            yield number, sorted(now - set(texts[number]))[:9], sorted(told - now)[:9]


def main():
    gradus = "build/gradus"
    checks = []
    with tempfile.TemporaryDirectory() as folder:
        source, page = f"{folder}/chain.gr", f"{folder}/chain.html"
        Path(source).write_text(program())
        run = subprocess.run([gradus, source, "-e", f":explore {EXPR} {page}"], capture_output=True, text=True)
        checks.append(("it is written", run.returncode == 0, run.stderr[-500:]))
        data = page_data(page)
        notes = run.stderr
        checks.append(("a note says that steps share pictures", "of them change together" in notes, notes))
        steps = sum(p.get("steps", 0) for p in data["passes"])
        whole = sum(row[1] == 0 for _, _, row in rows_of(data))
        checks.append(("all steps are listed", whole == steps > 900, (whole, steps)))
        drawn = drawn_in(data["views"])
        checks.append(("pictures of the whole are bounded", drawn < GROWTH * (MOST_DRAWN + INNER_BUDGET), drawn))
        opened = [v for p in data["passes"] for _, _, v in p.get("opened", [])]
        drawn = drawn_in(opened)
        checks.append(("pictures of child steps are bounded", opened and drawn < GROWTH * MOST_OPENED, drawn))
        wrong = list(wrong_pictures(data, gradus, source))
        checks.append(("pictures show what the graphs are", not wrong, wrong))
    for name, ok, why in checks:
        if not ok:
            print(f"FAILED: {name}: {why}")
    passed = sum(bool(ok) for _, ok, _ in checks)
    print(f"{passed} passed, {len(checks) - passed} failed")
    return passed != len(checks)


if __name__ == "__main__":
    sys.exit(main())
