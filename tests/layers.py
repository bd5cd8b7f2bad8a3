"""Chains of equal layers in figures (:draw style=figure); figures.py runs these.

A frame "×N: i = A, …, B" says as much as N groups of formulas: with each number in place of the index its formulas
must be those of repeat=off, line for line.
"""
import collections
import json
import random
import re

LAYERS = ["tanh(@ @ W# + b#)", "relu(@ @ W#) + b#", "b# * sigmoid(@ @ W#)", "sqrt(sqr(@) + 1.0) * b#"]
TWO = ["a# = tanh(@ @ W# + b#)", "h# = @ + a# * b#"]


def program(lines, n):
    """n layers in lines that name the last result @ and the layer #."""
    out, before = ["x : f64[B, d]"], "x"
    for i in range(1, n + 1):
        out += [f"W{i} : f64[d, d]", f"b{i} : f64[d]"]
        for line in lines(i) if callable(lines) else lines:
            out.append(line.replace("@ @", before + " \0").replace("@", before).replace("\0", "@").replace("#", str(i)))
        before = f"h{i}"
    return "\n".join(out + [f"y = sum({before})"]) + "\n"


def simple(*layers):
    return lambda i: ["h# = " + layers[min(i, len(layers)) - 1]]


def labels(scene):
    return [n["label"] for n in scene["nodes"] if n["op"] == "formula"]


def name_of(label):
    return label.split(" = ")[0]


def written_out(scene):
    """The formulas with each number in place of the index."""
    found = []
    entry = {}
    for e in scene["edges"]:
        to = scene["nodes"][e["to"] - 1] if e.get("to") else {}
        if to.get("role") == "param":
            entry[to["box"], to["label"]] = name_of(scene["nodes"][e["from"] - 1]["label"])
    for n in scene["nodes"]:
        if n["op"] != "formula":
            continue
        title = re.match(r"×(\d+): (\w+) = (\d+), …, (\d+)$", scene["boxes"][n["box"] - 1]["title"] if n.get("box") else "")
        if not title:
            found.append(n["label"])
            continue
        first, last = int(title[3]), int(title[4])
        assert last - first + 1 == int(title[1])
        for i in range(first, last + 1):
            text = n["label"]
            for (box, label), name in entry.items():
                if box == n["box"] and i == first:
                    text = text.replace(label, name)
            found.append(re.sub(rf"\({title[2]}([-+]\d+)?\)", lambda m, i=i: str(i + int(m[1] or 0)), text))
    return collections.Counter(found)


def scenes(p, text, asked="y", more=""):
    draws = f":draw {asked} once.json style=figure {more}\n:draw {asked} each.json style=figure repeat=off {more}\n"
    _, messages, files = p.run(text + draws)
    return [json.loads(files[f"{name}.json"]) if f"{name}.json" in files else messages for name in ("once", "each")]


def titles(scene):
    return [b["title"] for b in scene["boxes"] if b.get("repeat")]


def cases(p, check):
    tanh, relu = LAYERS[:2]
    made = [("two", program(simple(tanh), 2), "y", []), ("three", program(simple(tanh), 3), "y", ["×3: i = 1, …, 3"]),
            ("a hundred", program(simple(tanh), 100), "y", ["×100: i = 1, …, 100"]),
            ("of two formulas", program(TWO, 5), "y", ["×5: i = 1, …, 5"]),
            ("another one in between", program(simple(tanh, tanh, tanh, relu, *[tanh] * 3), 7), "y", ["×3: i = 1, …, 3", "×3: i = 5, …, 7"]),
            ("one that is read from outside", program(simple(tanh), 8) + "z = y + sum(h4)\n", "z", ["×4: i = 1, …, 4", "×4: i = 5, …, 8"]),
            ("one that is a result", program(simple(tanh), 6) + "z = (y, h3)\n", "z", ["×3: i = 1, …, 3", "×3: i = 4, …, 6"]),
            ("names that do not count", program(simple(tanh), 4).replace("W3", "V"), "y", []),
            ("a letter that is taken", program(simple(tanh.replace("b#", "i")), 3).replace("x :", "i : f64[d]\nx :"), "y", ["×3: j = 1, …, 3"]),
            ("a weight of all", program(simple("tanh(@ @ W1 + b#)"), 4), "y", ["×4: i = 1, …, 4"]),
            ("the input again", program(simple("tanh(@ @ W# + x)"), 4), "y", ["×4: i = 1, …, 4"]),
            ("what all read", "u : f64[d]\nv = exp(u) + u\n" + program(simple("tanh(@ @ W# + v)"), 4), "y", ["×4: i = 1, …, 4"])]
    for what, text, asked, wanted in made:
        once, each = scenes(p, text, asked)
        if not check(f"layers, {what}: drawn", isinstance(once, dict) and isinstance(each, dict), (once, each)):
            continue
        check(f"layers, {what}: as many frames as there are chains", sorted(titles(once)) == sorted(wanted), titles(once))
        check(f"layers, {what}: one by one there is no frame", titles(each) == [], titles(each))
        out, plain = written_out(once), collections.Counter(labels(each))
        check(f"layers, {what}: the same formulas", out == plain, (out - plain, plain - out))
    shapes = program(simple("tanh(@ @ W#)"), 4).replace("W1 : f64[d, d]", "W1 : f64[d, 7]").replace("W2 : f64[d, d]", "W2 : f64[7, d]")
    check("layers of other shapes are told apart where shapes are told", titles(scenes(p, shapes)[0]) == ["×4: i = 1, …, 4"] and
          titles(scenes(p, shapes, more="types=on")[0]) == ["×3: i = 2, …, 4"])


def chance(p, check):
    """Layers of random kinds, as often as not equal."""
    draw = random.Random(28)
    for case in range(24):
        kinds = [draw.choice(LAYERS[:2] + LAYERS[:1] * draw.choice([0, 8])) for _ in range(draw.randint(3, 12))]
        kinds = [k.replace("b#", draw.choice(["b#", "b#", "b#", "b1"])) for k in kinds]
        text = program(simple(*kinds), len(kinds))
        once, each = scenes(p, text)
        if check(f"random layers {case}: drawn", isinstance(once, dict), once):
            out, plain = written_out(once), collections.Counter(labels(each))
            check(f"random layers {case}: the same formulas", out == plain, (text, out - plain, plain - out))


def family(p, check):
    cases(p, check)
    chance(p, check)
