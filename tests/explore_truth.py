"""What each step of an expression truly changes, from the graphs that the prompt prints.

    explore_truth.py GRADUS PAGE.html EXPR [ARGUMENT...] > TRUTH.json
    explore_truth.py --check GRADUS PAGE.html EXPR [ARGUMENT...]

For each row of the page: {"pass": {"9.1": {"added": [...], "removed": [...], "changed": [...]}}}, the
numbers of nodes of all graphs, from the states before and after it as text (:graph EXPR step=9.1):
a number that is only in one of them was added or removed; one of which operator, attributes,
operands or graph differ was changed. A copy of a node stands for it where the node is not there.
With --check the marks that the page's data gives are compared with it: precision and recall must
be 1; and its numbers must be those of the texts.
"""
import json
import re
import subprocess
import sys

LINE = re.compile(r"^\s*%(\d+) : (?:.*?) = (.*)$")


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


def read_since(numbers, was):
    """The list that letters_put_since of viz/page/page_layout.c writes; numbers is an iterator."""
    between = next(numbers) - 1
    if between < 0:
        return was
    head, tail = next(numbers), next(numbers)
    return was[:head] + [next(numbers) for _ in range(between)] + was[len(was) - tail:]


# ---- states as text


def split_operands(text):
    """The operands of "op{attributes}(operands)", and what stands before them."""
    if text.startswith("%"):  # a projection, of whichever result
        return "proj", [text.split(".")[0]]
    depth, at = 0, len(text)
    for at in range(len(text) - 1, -1, -1):
        depth += (text[at] == ")") - (text[at] == "(")
        if depth == 0:
            break
    parts, depth = [""], 0
    for c in text[at + 1:-1]:
        depth += (c in "([{") - (c in ")]}")
        if c == "," and not depth:
            parts.append("")
        else:
            parts[-1] += c
    return text[:at], [p.strip() for p in parts if p.strip()]


def fed_by(operands, head):
    """What enters each parameter of the graph of an owner."""
    if re.match(r"(scan|loop)\b", head):
        return [o.split("=", 1)[1] for o in operands if re.match(r"(init|seq|capture)=", o)]
    return [o.split("=", 1)[-1] for o in operands]


def names_of(comment):
    return {int(k): n.strip('"') for k, n in re.findall(r'p(\d+) ("[^"]*"|[^\s,]+)', comment)}


def read_graph(text):
    """{number: (operator and attributes, operands, graphs as text)} of all graphs."""
    nodes, lines, bodies, body = {}, [], {}, None
    for line in text.splitlines():
        block = re.match(r"^(@\d+) = graph\((.*?)\) \{(?:  # (.*))?$", line)
        line = re.sub(r"  # .*$", "", line)
        if block:
            body = block.group(1)
            bodies[body] = {"text": [block.group(2)], "names": names_of(block.group(3) or "")}
        elif line == "}":
            body = None
        else:
            if body:
                bodies[body]["text"].append(line)
            found = LINE.match(line)
            if found:
                lines.append((body, int(found.group(1)), *split_operands(found.group(2))))
    for b in bodies.values():  # a graph within another is told before it
        whole = "\n".join(b["text"])
        b["whole"] = re.sub(r"@\d+", lambda m: "{" + bodies[m.group(0)]["whole"] + "}", whole)
    feeds = {}
    for body, _, head, operands in lines:
        for k in re.findall(r"@\d+", head):
            feeds.setdefault(k, (body, fed_by(operands, head)))

    def role(body, operand):
        """What an operand may be known as: a parameter by its name, by what enters there, by its place
        in the same graph."""
        lead, word = re.match(r"^(\w+=)?(.*)$", operand).groups()
        found = re.match(r"^p(\d+)$", word)
        if not found or not body:
            return lead or "", {word}
        i = int(found.group(1))
        around, into = feeds.get(body, (None, []))
        name = bodies[body]["names"].get(i)
        known = {f"p{i} of {bodies[body]['whole']}"} | ({"name " + name} if name else set())
        return lead or "", known | (role(around, into[i])[1] if i < len(into) else set())

    for body, k, head, operands in lines:
        graphs = [bodies[g]["whole"] for g in re.findall(r"@\d+", head)]
        nodes[k] = (re.sub(r"@\d+", "@", head), [role(body, o) for o in operands], graphs)
    return nodes


def compare(before, after, original):
    """Numbers that come, go and change. A copy stands for what it is a copy of."""
    def first(k):
        while original.get(k):
            k = original[k]
        return k

    def renamed(words):
        return {re.sub(r"%(\d+)", lambda m: f"%{first(int(m.group(1)))}", w) for w in words}

    def same(a, b):
        return a[0] == b[0] and len(a[1]) == len(b[1]) and a[2] == b[2] and all(
            x[0] == y[0] and renamed(x[1]) & renamed(y[1]) for x, y in zip(a[1], b[1]))

    was = {}
    for k in before:
        was.setdefault(first(k), k)
    partner = {k: k if k in before else was.get(first(k)) for k in after}
    taken = {m for k, m in partner.items() if k == m}
    for k, m in partner.items():
        if k != m and m in taken:
            partner[k] = None
        taken.add(partner[k])
    added = {k for k in after if not partner[k]}
    removed = set(before) - taken
    changed = {k for k, m in partner.items() if m and not same(after[k], before[m])}
    return added, removed, changed


def place_before(number):
    head, _, last = number.rpartition(".")
    return f"{head}.{int(last) - 1}" if head else str(int(last) - 1)


def rows_of(data):
    """(pass, view, row) of all rows whose states are states of the whole."""
    for p in data["passes"]:
        for row in p.get("rows", []):
            yield p["name"], data["views"][p["view"]], row


def read_states(gradus, expr, arguments, places):
    commands = []
    for place in places:
        commands += ["-e", f":graph {expr} ssa=on step={place}"]
    run = subprocess.run([gradus, "--json"] + arguments + commands, capture_output=True, text=True)
    states = [read_graph(json.loads(line)["text"]) for line in run.stdout.splitlines()
              if '"command":"graph"' in line]
    assert len(states) == len(places), (len(states), len(places), run.stderr[:500])
    return dict(zip(places, states))


def find_truth(gradus, data, expr, arguments):
    rows = [(name, data["strings"][row[0]]) for name, _, row in rows_of(data)]
    places = dict.fromkeys(p for _, number in rows for p in (place_before(number), number))
    states = read_states(gradus, expr, arguments, places)
    lives = [read_numbers(s) for s in data["lives"]]
    original = {i + 1: life[0] for i, life in enumerate(lives) if life and life[0]}
    out = {}
    for name, number in rows:
        found = compare(states[place_before(number)], states[number], original)
        out.setdefault(name, {})[number] = dict(zip(("added", "removed", "changed"), map(sorted, found)))
    return out, states


# ---- what the page says


def shown_in(view):
    """For each state the versions of the slots of nodes and of boxes; -1: not there."""
    now, out = [[-1] * len(view["nodes"]), [-1] * len(view["boxes"])], []
    for state in view["states"]:
        for versions, letters in zip(now, state):
            flat, slot = read_numbers(letters), 0
            for way, what in zip(flat[::2], flat[1::2]):
                slot += way
                versions[slot - 1] = what
        out.append([list(v) for v in now])
    return out


def keys_of(slot):
    return [x if isinstance(x, int) else x[0] for x in slot[1:]]


def things_of(view, state):
    return {keys_of(slot)[v] for slots, versions in zip((view["nodes"], view["boxes"]), state)
            for slot, v in zip(slots, versions) if v >= 0}


def marks_of(view, states, row):
    """Numbers that the page marks at a row, as the page does (page_model.js), and all it draws."""
    before, after = states[row[7]], states[row[8]]
    was, now, kept = things_of(view, before), things_of(view, after), set(read_numbers(row[12]))
    marks = {"added": set(), "removed": set(), "changed": set()}
    for k, slots in enumerate((view["nodes"], view["boxes"])):
        changed = set(read_numbers(row[10 + k]))
        for i, (slot, a, b) in enumerate(zip(slots, before[k], after[k])):
            keys = keys_of(slot)
            if max(a, b) < 0:
                continue
            elsewhere = keys[max(a, b)] in (kept | (was if a < 0 else now))
            if (a >= 0 or elsewhere) and b >= 0:
                marks["changed"] |= {keys[b]} if i + 1 in changed else set()
            elif not elsewhere:
                marks["added" if a < 0 else "removed"].add(keys[max(a, b)])
    return {m: {k for k in ks if k > 0} for m, ks in marks.items()}, was | now, now


def is_drawn(form):
    """Results are lines, sizes are words."""
    return not re.match(r"(proj|tuple|size)\b", form[0])


def check_lives(data, texts):
    """A thing that goes is not in the last state; one that was in any and does not go is."""
    last = texts[list(texts)[-1]]
    drawn = {k for text in texts.values() for k, form in text.items() if is_drawn(form)}
    for k in sorted(drawn):
        life = read_numbers(data["lives"][k - 1])
        if not life or (life[2] == 0) != (k in last):
            yield "life of", k, life[2:3] and data["strings"][life[2]], k in last


def check(data, truth, texts):
    rows = marks = 0
    wrong = []
    shown = {}
    for name, view, row in rows_of(data):
        states = shown.setdefault(id(view), shown_in(view))
        number = data["strings"][row[0]]
        got, drawn, now = marks_of(view, states, row)
        for mark, numbers in truth[name][number].items():
            want = set(numbers) & (now if mark == "changed" else drawn)
            if got[mark] != want:
                wrong.append((name, number, mark, "too many", sorted(got[mark] - want), "missing", sorted(want - got[mark])))
            marks += len(want)
        told = {k for k, form in texts[number].items() if is_drawn(form)}
        unknown, missing = {k for k in now if k > 0} - set(texts[number]), told - now
        if unknown or missing:
            wrong.append((name, number, "not in the text", sorted(unknown), "not drawn", sorted(missing)))
        rows += 1
    wrong += check_lives(data, texts)
    assert not wrong, "\n".join(map(str, wrong[:40] + [f"{len(wrong)} of {rows} rows"]))
    print(f"{rows} rows, {marks} marks")


def main():
    checks = sys.argv[1] == "--check"
    gradus, page, expr, *arguments = sys.argv[2 if checks else 1:]
    data = page_data(page)
    truth, texts = find_truth(gradus, data, expr, arguments)
    if checks:
        check(data, truth, texts)
    else:
        json.dump(truth, sys.stdout)


if __name__ == "__main__":
    main()
