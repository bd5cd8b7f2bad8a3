"""What each step of an expression truly changes, from the graphs that the prompt prints.

    explore_truth.py GRADUS PAGE.html EXPR [ARGUMENT...] > TRUTH.json
    explore_truth.py --check GRADUS PAGE.html EXPR [ARGUMENT...]

For each step of the expression's own log: {"pass": {"K": {"added": [...], "removed": [...]}}}, the
numbers of nodes of the outermost graph. The page is read only for which nodes a step replaced by
which; what follows for all others comes from the states as text (:graph EXPR step=K):
a node that is only rebuilt because an operand was replaced survives; every other node that comes
is added, every other that goes is removed. With --check the marks that the page's data gives are
compared with it: precision and recall must be 1.
"""
import json
import re
import subprocess
import sys

LINE = re.compile(r"^%(\d+) : (.*?) = (.*)$")


def page_data(path):
    with open(path, encoding="utf-8") as f:
        text = f.read()
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.S)
    return json.loads(found.group(1))


LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"


def read_numbers(letters):
    """The numbers that letters_put of viz/page/page_layout.c writes."""
    numbers, value, shift = [], 0, 0
    for c in letters:
        bits = LETTERS.index(c)
        value |= (bits & 31) << shift
        shift += 5
        if not bits & 32:
            numbers.append(-(value >> 1) if value & 1 else value >> 1)
            value = shift = 0
    return numbers


def read_pairs(letters):
    """Pairs, each as the way from the one before."""
    numbers, out, last = read_numbers(letters), [], (0, 0)
    for i in range(0, len(numbers), 2):
        last = (last[0] + numbers[i], last[1] + numbers[i + 1])
        out.append(last)
    return out


def read_graph(text):
    """{number: (what it is with its operands as %k, its bodies)}"""
    nodes, bodies, body, name = {}, {}, None, None
    for line in text.splitlines():
        block = re.match(r"^(@\d+) = graph\(", line)
        if block:
            name, body = block.group(1), [line.split("=", 1)[1]]
        elif body is not None:
            body.append(line)
            if line == "}":
                bodies[name], body = "\n".join(body), None
        elif LINE.match(line):
            number, _, right = LINE.match(line).groups()
            right = re.sub(r"  #.*$", "", right)
            inner = tuple(bodies[k] for k in re.findall(r"@\d+", right))
            nodes[int(number)] = (re.sub(r"@\d+", "@", right), inner)
    return nodes


def is_projection(node):
    return node[0].startswith("%")


def kind(node):
    return re.split(r"[{(]", node[0])[0]


def follows(a, b):
    return kind(a) == kind(b) or (kind(a), kind(b)) == ("scan", "loop")


def compare(before, after, changes, moved):
    """What comes, what goes, and what may be told either way: a node rewritten as another of its
    operator, and projections, which are drawn as results only."""
    image = {c[0]: f"%{c[1]}" if c[1] else c[3] for c in changes if c[0]}
    replaced = set(image)
    for a, b in moved:  # results of what was replaced, perhaps at another place
        if a in before and b in after and is_projection(before[a]) and is_projection(after[b]):
            if int(re.match(r"%(\d+)", before[a][0]).group(1)) in replaced:
                image.setdefault(a, f"%{b}")
    by_form = {form: f"%{k}" for k, form in after.items()}
    for k, (right, inner) in before.items():  # operands come first
        if k in image or k in after:
            continue
        form = (re.sub(r"%(\d+)", lambda m: image.get(int(m.group(1)), m.group(0)), right), inner)
        if form in by_form:
            image[k] = by_form[form]
    stays = {image[k] for k in image if k not in replaced}
    either = set()
    for c in changes:
        if c[0] in before and c[1] in after and follows(before[c[0]], after[c[1]]):
            either |= {c[0], c[1]}
    added = {k for k in after if k not in before and f"%{k}" not in stays}
    removed = {k for k in before if k not in after and (k not in image or k in replaced)}
    drawn = lambda nodes, ks: sorted(k for k in ks - either if not is_projection(nodes[k]))
    either |= {k for nodes in (before, after) for k in nodes if is_projection(nodes[k])}
    return drawn(after, added), drawn(before, removed), sorted(either)


def shown_in(view):
    """For each state the version of each slot; -1: not there."""
    now, out = [-1] * len(view["nodes"]), []
    for state in view["states"]:
        flat, slot = read_numbers(state[0]), 0
        for way, what in zip(flat[::2], flat[1::2]):
            slot += way
            now[slot - 1] = what
        out.append(list(now))
    return out


def marks_of(view, states, row):
    """Numbers of the outermost nodes that the page marks as added and as removed at a row, and of
    all that it draws."""
    added, removed, drawn = set(), set(), set()
    for slot, was, now in zip(view["nodes"], states[row[7]], states[row[8]]):
        ids = [x if isinstance(x, int) else x[0] for x in slot[1:]]
        if slot[0] == 0 and max(was, now) >= 0:
            k = ids[now if now >= 0 else was]
            drawn.add(k)
            if was < 0 or now < 0:
                (added if was < 0 else removed).add(k)
    return added - {0}, removed - {0}, drawn


def check(data, truth):
    steps = marks = 0
    for p in data["passes"]:
        states = shown_in(p["view"]) if p.get("view") else []
        for row in p.get("rows", []):
            true = truth.get(p["name"], {}).get(data["strings"][row[0]]) if row[1] == 0 else None
            if true is None:
                continue
            either = set(true["either"])
            added, removed, drawn = marks_of(p["view"], states, row)
            for got, want in ((added, true["added"]), (removed, true["removed"])):
                # inner graphs are boxes, not nodes
                want = {k for k in want if k in drawn} - either
                assert got - either == want, (p["name"], row[0], got - either, want)
                marks += len(want)
            steps += 1
    print(f"{steps} steps, {marks} marks")


def find_truth(gradus, data, expr, arguments):
    rows = [(p["name"], data["strings"][r[0]], r) for p in data["passes"] for r in p.get("rows", [])
            if r[1] == 0]
    commands = []
    for k in range(len(rows) + 1):
        commands += ["-e", f":graph {expr} ssa step={k}"]
    run = subprocess.run([gradus, "--json"] + arguments + commands, capture_output=True, text=True)
    states = [read_graph(json.loads(line)["text"]) for line in run.stdout.splitlines()
              if '"command":"graph"' in line]
    assert len(states) == len(rows) + 1, (len(states), len(rows), run.stderr[:500])
    out = {}
    for i, (name, number, row) in enumerate(rows):
        changes = [[c[0], c[1], "", data["strings"][c[3]]] for c in row[9]]
        added, removed, either = compare(states[i], states[i + 1], changes, read_pairs(row[10]))
        out.setdefault(name, {})[number] = {"added": added, "removed": removed, "either": either}
    return out


def main():
    checks = sys.argv[1] == "--check"
    gradus, page, expr, *arguments = sys.argv[2 if checks else 1:]
    data = page_data(page)
    truth = find_truth(gradus, data, expr, arguments)
    if checks:
        check(data, truth)
    else:
        json.dump(truth, sys.stdout)


if __name__ == "__main__":
    main()
