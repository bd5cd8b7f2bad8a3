#!/usr/bin/python3
"""What :draw draws.

    drawings.py [--gradus PROGRAM] [--bless] [WORD...]

tests/golden/draw/NAME.gr is a program; its last line is a :draw without a file.  NAME.json is the scene
(without its layout, so the same with every Graphviz), NAME.svg and, of some, NAME.tex the picture; compared only where
Graphviz has the version that the files were made with (golden/draw/graphviz.version), else it is counted as
skipped and said so.  WORDs select by name; --bless writes the files anew.

Then families of made cases: hostile texts in every field of a scene, values and derivatives against Python,
marks against :graph, lists of steps against :steps, folding and time limits.  The last line is "N passed, N failed".
"""
import argparse
import html.parser
import io
import json
import math
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET

import figures
import labels as audit
import layouts

ROOT = pathlib.Path(__file__).resolve().parent
GOLDEN = ROOT / "golden" / "draw"
SVG = "{http://www.w3.org/2000/svg}"
ALLOWED = {SVG + tag for tag in "svg title desc style g rect path circle text tspan".split()}
counts = {"passed": 0, "failed": 0, "skipped": 0}


def check(what, good, more=""):
    counts["passed" if good else "failed"] += 1
    if not good:
        print(f"FAILED: {what}{': ' + str(more)[:600] if more != '' else ''}")
    return good


TEX_COMMANDS = set("""node draw fill definecolor def color begin end sffamily bfseries ttfamily fontsize selectfont enspace
gradusLabel gradusId gradusDetail gradusValue gradusGrad gradusMore gradusEdge gradusEnd gradusBadge textbackslash textasciicircum
 textasciitilde textsuperscript textsubscript llap dot hat bar nabla phantom partial ldots times to cdot le ge vdots cdots infty alpha beta pi textit div ne otimes odot top Sigma delta sigma""".split())


DOCUMENT_COMMANDS = set("""begin end section subsection item par textbf textcolor texttt gradusline gradusdel gradusins
textbackslash textasciitilde textasciicircum textquotedbl ldots""".split())


def sound_tex(what, tex):
    """A picture and nothing else: known commands, closed braces, each colour defined once and used."""
    lines = [line for line in tex.splitlines() if not line.startswith("%")]
    body = "\n".join(re.sub(r"(?<!\\)%$", "", line) for line in lines)
    bare = re.sub(r"\\[{}$&#_%]", "", body)
    check(what + " is one picture", lines[0].startswith("\\begin{tikzpicture}") and lines[-1] == "\\end{tikzpicture}")
    commands = set(re.findall(r"\\([A-Za-z]+)", bare)) - TEX_COMMANDS
    check(what + " has known commands only", not commands, commands)
    depth = [0]
    for ch in bare:
        depth.append(depth[-1] + (ch == "{") - (ch == "}"))
    check(what + " closes its braces", min(depth) == 0 and depth[-1] == 0)
    check(what + " has no special letters", not re.search(r"[#&%~^_]", bare.replace("$^2$", "").replace("$^3$", "").replace("$^\\top$", "").replace("$_0$", "")))
    check(what + " ends its statements", all(line.endswith(";") for line in lines if re.match(r"\\(node|draw|fill)\b", line)))
    defined = re.findall(r"\\definecolor\{(\w+)\}\{HTML\}\{[0-9A-F]{6}\}", body)
    used = set(re.findall(r"(?:draw=|fill=|text=|\\fill\[|\\color\{)([a-z]+)", body))
    check(what + " defines its colours once", len(defined) == len(set(defined)) and used == set(defined), used ^ set(defined))


class Programs:
    def __init__(self, gradus):
        self.gradus = str(pathlib.Path(gradus).resolve())
        self.drawer = str(pathlib.Path(self.gradus).with_name("gradus-draw"))

    def run(self, text, *args, whole=True):
        """Runs a program in a new folder; (its output, messages, files). `whole`: its scenes show all that they stand for;
        one that is cut short on purpose, or a figure with names of its own for what is long, need not."""
        env = {k: v for k, v in os.environ.items() if k.endswith("SAN_OPTIONS") or k == "PATH"}
        with tempfile.TemporaryDirectory(prefix="gradus-draw-") as folder:
            env.update(HOME=folder, LC_ALL="C.UTF-8", NO_COLOR="1", GRADUS_KERNELS="base", OPENBLAS_CORETYPE="Prescott")
            env.update({"GRADUS_CHECK_SCENES": "1"} if whole else {})
            pathlib.Path(folder, "input.gr").write_text(text, encoding="utf-8")
            done = subprocess.run([self.gradus, *args, "input.gr"], cwd=folder, env=env, capture_output=True,
                                  stdin=subprocess.DEVNULL, timeout=600, check=False)
            files = {p.name: p.read_bytes() for p in pathlib.Path(folder).iterdir() if p.is_file() and p.name != "input.gr"}
        faults = [line for line in done.stderr.decode().splitlines() if "breaks the rule" in line]
        check("scenes tell all that they show", not faults, faults and text[-300:] + "\n".join(faults))
        return done.stdout.decode(), done.stderr.decode(), files

    def draw(self, scene, *args):
        done = subprocess.run([self.drawer, *args], input=json.dumps(scene).encode(), capture_output=True,
                              timeout=600, check=False)
        return done.returncode, done.stdout, done.stderr.decode()

    def version(self):
        return subprocess.run([self.drawer, "--version"], capture_output=True, check=True).stdout.decode().strip()


def scoped(what, root):
    """It can stand beside others in a page, and viewers without variables see its colours."""
    prefix = root.find(SVG + "title").get("id").removesuffix("title")
    ids = [v for e in root.iter() for k, v in e.attrib.items() if k in ("id", "data-from", "data-to", "data-box")]
    check(what + " has a prefix for its ids", prefix and all(i.startswith(prefix) for i in ids), prefix)
    check(what + " has its class", f"{prefix}scene" in root.get("class").split())
    sheet = root.find(SVG + "style").text
    plain = re.sub(r"@supports \(--a:b\)\{\n.*?\n\}\n", "", sheet, flags=re.S)
    check(what + " has variables inside @supports only", "var(" not in plain and "--" not in plain.replace(prefix, ""), plain)
    selectors = re.findall(r"(?:^|[{},])\s*((?:\.|:root)[^{},]*)", re.sub(r"\{[^{}]*\}", ",", sheet), re.M)
    check(what + " has rules for itself only", selectors and all(f".{prefix}scene" in s for s in selectors), selectors)
    paints = [e for e in root.iter() if e.tag in (SVG + "rect", SVG + "path", SVG + "circle", SVG + "tspan")]
    check(what + " has a literal colour for each shape",
          all(re.fullmatch(r"none|#[0-9a-f]{6}", e.get("fill", "")) for e in paints),
          [e.attrib for e in paints if not e.get("fill")][:2])


def sound(what, svg):
    """Well formed, alone, described, without anything active."""
    try:
        root = ET.fromstring(svg)
    except ET.ParseError as e:
        return check(what + " is XML", False, e) and None
    bad = [e.tag for e in root.iter() if e.tag not in ALLOWED]
    active = [k for e in root.iter() for k in e.keys() if k.startswith("on") or k.endswith("href")]
    ids = [e.get("id") for e in root.iter() if e.get("id")]
    desc = root.find(SVG + "desc")
    check(what + " has known elements only", not bad, bad)
    check(what + " has no active attribute", not active, active)
    check(what + " has unique ids", len(ids) == len(set(ids)))
    check(what + " is described", desc is not None and len(desc.text or "") > 3)
    scoped(what, root)
    parts = [g for g in root.iter(SVG + "g") if g.get("id")]
    check(what + " has a title for each part", all(g.find(SVG + "title") is not None for g in parts))
    return root


# ---- golden files ----

def without_layout(data):
    """Where lines may be broken and what is slanted in them, the pictures tell."""
    scene = json.loads(data)
    scene.pop("layout", None)
    for item in scene["nodes"] + scene["boxes"] + scene["edges"]:
        for key in [k for k in item if k.endswith("_parts")]:
            del item[key]
    return json.dumps(scene, ensure_ascii=False, indent=0) + "\n"


def compare(name, path, new, bless):
    if bless:
        path.write_text(new, encoding="utf-8")
        counts["passed"] += 1
        return
    old = path.read_text(encoding="utf-8") if path.exists() else ""
    where = next((i for i, (a, b) in enumerate(zip(old, new)) if a != b), min(len(old), len(new)))
    check(name, old == new, f"differs at byte {where}: ...{new[max(0, where - 60):where + 60]!r}")


def golden(p, words, bless):
    version = GOLDEN / "graphviz.version"
    if bless and not words:
        version.write_text(p.version() + "\n", encoding="utf-8")
    same = version.read_text(encoding="utf-8").strip() == p.version()
    for path in sorted(GOLDEN.glob("*.gr")):
        name = path.stem
        if words and not any(w in name for w in words):
            continue
        text = path.read_text(encoding="utf-8").rstrip("\n")
        first, last = text.rsplit("\n", 1)
        kinds = ("svg", "json", "png", "pdf", "tex")
        text = first + "".join(f"\n{last} {name}.{k}" for k in kinds) + "\n"
        out, messages, files = p.run(text)
        again = p.run(text)[2]
        if not check(name + " is drawn", all(f"{name}.{k}" in files for k in kinds), messages + out):
            continue
        for kind in kinds:
            check(f"{name}.{kind} has the same bytes again", files[f"{name}.{kind}"] == again.get(f"{name}.{kind}"))
        check(f"{name}.png is one", files[name + ".png"][:4] == b"\x89PNG")
        sound(name + ".svg", files[name + ".svg"])
        sound_tex(name + ".tex", files[name + ".tex"].decode())
        compare(name + ".json", GOLDEN / (name + ".json"), without_layout(files[name + ".json"]), bless)
        for kind in ["svg", *(["tex"] if (GOLDEN / f"{name}.tex").exists() else [])]:
            if same:
                compare(f"{name}.{kind}", GOLDEN / f"{name}.{kind}", files[f"{name}.{kind}"].decode(), bless)
                continue
            counts["skipped"] += 1
            print(f"SKIPPED: {name}.{kind} was made with {version.read_text().strip()}, this is {p.version()}")


# ---- labels ----

def labels(p):
    """All pictures that are shipped, and a crowded one."""
    texts = loops = 0
    for path in audit.shipped():
        n, found = audit.loop_faults(path)
        loops += n
        check(f"loops back of {path.name}", not found, found)
        n, found = audit.overlaps(path)
        texts += n
        check(f"labels of {path.name}", not found, found)
    check("pictures have labels and loops", texts > 300 and loops > 20, (texts, loops))
    nodes = [{"id": i + 1, "op": "f", "label": "f"} for i in range(40)]
    edges = [{"from": i, "to": j, "label": "f64[2, 3]", "head": "init", "tail": "trace"}
             for i in range(1, 41) for j in range(i + 1, min(i + 6, 41))]
    status, svg, messages = p.draw({"title": "crowd", "nodes": nodes, "edges": edges})
    if check("a crowd is drawn", status == 0, messages):
        n, found = audit.overlaps(io.BytesIO(svg))
        check("labels of a crowd", not found and n > 100, (n, found))


# ---- hostile texts ----

HOSTILE = {
    "script": "<script>alert(1)</script>",
    "close": "</title></desc></text></style></svg><script>x()</script>",
    "attribute": "\" onload=\"x()\" '><image href='http://x.invalid/'/>",
    "entities": "a & b &amp; &lt; &#x3c; ]]> <!-- -->",
    "emoji": "\U0001F468\u200D\U0001F469\u200D\U0001F467 \U0001F600 e\u0301\u0301",
    "right-to-left": "\u05E9\u05DC\u05D5\u05DD \u0645\u0631\u062D\u0628\u0627 \u202Eevil\u202C",
    "control": "a\tb\nc\u0001\u001b[31m\u007f\u0085\uFFFE\uFFFF",
    "backslash": "\\N \\G \\l \\n {a|b} <p> %d %s",
    "long": "x" * 10000,
    "long words": "word " * 2000,
}


def hostile_scene(field, s):
    where, name = field.split(".")
    scene = {"title": "t", "nodes": [{"id": 1, "op": "f", "label": "a"}, {"id": 2, "op": "g", "label": "b", "box": 1}],
             "boxes": [{"title": "scan", "kind": "scan", "owner_id": 3}, {"title": "closed", "closed": True}],
             "edges": [{"from": 1, "to": 2}, {"from": 2, "to_box": 2}]}
    target = {"scene": scene, "node": scene["nodes"][0], "inner": scene["nodes"][1], "box": scene["boxes"][0],
              "closed": scene["boxes"][1], "edge": scene["edges"][0]}[where]
    target[name] = s
    return scene


def hostile(p):
    fields = ["scene." + k for k in ("title", "desc", "note", "caption")]
    fields += ["node." + k for k in ("key", "op", "label", "detail", "value", "grad", "tooltip")] + ["inner.label"]
    fields += ["box." + k for k in ("key", "title", "subtitle", "tooltip")] + ["closed.title", "closed.subtitle"]
    fields += ["edge." + k for k in ("label", "head", "tail", "key")]
    for field in fields:
        for word, s in HOSTILE.items():
            what = f"{word} in {field}"
            status, out, messages = p.draw(hostile_scene(field, s))
            if not check(what + " is drawn", status == 0, messages):
                continue
            root = sound(what, out)
            shown = "" if root is None else "".join(root.itertext()) + "".join(v for e in root.iter() for v in e.attrib.values())
            check(what + " is kept", word not in ("script", "emoji") or field in ("box.key",) or s[:4] in shown)
            if word in ("script", "entities", "backslash", "control"):
                check(what + " as DOT", p.draw(hostile_scene(field, s), "--format", "dot")[0] == 0)
                sound_tex(what + " as TeX", p.draw(hostile_scene(field, s), "--format", "tex")[1].decode())


# ---- odd programs ----

MARKUP = r'<script>alert(1)</script> & \"quoted\" </title></svg> \\input{x} $^_%#'
KINDS = ("svg", "png", "pdf", "tex", "dot", "json")


def odd(p):
    """Names, texts and sizes that nobody expects: a picture that is sound, and a word where it cannot be looked at."""
    long, many = "a" * 10000, range(500)
    inputs = "".join(f"x{i} : f64\n" for i in many)
    cases = {
        "markup": ("x : f64\n", f'x * 2 title="{MARKUP}" caption="{MARKUP}"', ""),
        "a long name": (f"{long} : f64\n", f"{long} * 2", ""),
        "long texts": ("x : f64\n", f'x * 2 title="{"word " * 2000}" caption="{"W" * 10000}"', ""),
        "right to left": ("\u05E9\u05DC : f64[n]\n\u0645\u0631 = \u05E9\u05DC * 2\n",
                          "\u0645\u0631 title=\"\u0645\u0631\u062D \u202Ex\"", ""),
        "Greek": ("\u03B1 : f64\n\u03A3\u03B2 = \u03B1 * 2 + 1\n", "\u03A3\u03B2 * \u03B1", ""),
        "500 inputs": (inputs, " + ".join(f"x{i}" for i in many), "500 inputs drawn as 1 node"),
        "500 inputs open": (inputs, " + ".join(f"x{i}" for i in many) + " inner=open", "the drawing is large"),
        "500 results": ("x : f64\n", "(" + ", ".join(f"sin(x + {i})" for i in many) + ")", "the drawing is large"),
        "no nodes": ("", "()", "there is nothing to draw"),
        "a number": ("", "3", ""),
        "no text": ("x : f64\n", 'x title="" types=no ids=no legend=no', ""),
        "very large": ("x : f64\n", "x * 2 scale=100", "of its size"),
        "very small": ("x : f64\n", "x * 2 scale=0.01", ""),
    }
    for what, (head, expression, message) in cases.items():
        kinds = ("svg", "tex") if "500" in what else [k for k in KINDS if k != "dot" or "scale" not in expression]
        out, messages, files = p.run(head + "".join(f":draw {expression} d.{k}\n" for k in kinds))
        if not check(f"{what}: drawn", {f"d.{k}" for k in kinds} <= set(files) and "error:" not in messages, messages[:400]):
            continue
        check(f"{what}: said", message in messages, messages[-400:])
        root = sound(f"{what}.svg", files["d.svg"])
        sound_tex(f"{what}.tex", files["d.tex"].decode())
        width, seen = float(root.get("width")), float(root.get("viewBox").split()[2])
        check(f"{what}: scaled", abs(width - seen * {"very large": 100, "very small": 0.01}.get(what, 1)) < 0.1, (width, seen))
        heading = next((e.text for e in root.iter() if e.get("class") == "heading"), "")
        check(f"{what}: the heading fits", len(heading) * 4 < seen, heading[:80])


# ---- values ----

def numbers(p, program):
    out, messages, files = p.run(program + " v.json\n")
    if not check("values: " + program.rsplit("\n", 1)[-1], "v.json" in files, messages + out):
        return []
    return json.loads(files["v.json"])["nodes"]


def near(a, b):
    return abs(a - b) <= 1e-5 * max(1.0, abs(a), abs(b))


def values(p):
    rows = [0.5, 1.0, 1.5, 2.0]

    def run(at):
        s, out = 1.0, []
        for a in at:
            s = math.tanh(s * a)
            out.append(s)
        return out

    loop = f"A : f64[n] = {rows}\nS = scan t over A from s = 1.0 {{ s[t] = tanh(s[t-1] * A[t]) }}\n"
    for k in range(1, 7):
        nodes = numbers(p, loop + f":draw sqr(S.final) values=grad unroll={k}")
        got = [float(n["value"]) for n in nodes if n["label"].startswith("s[t] =")]
        want = run(rows)[:k]
        check(f"unrolled {k}: states", len(got) == len(want) and all(map(near, got, want)), (got, want))
        if k < len(rows):
            continue
        got = [float(n["grad"]) for n in nodes if n["label"] == "A[t]"]
        for i, g in enumerate(got):
            up, down = list(rows), list(rows)
            up[i] += 1e-6
            down[i] -= 1e-6
            want = (run(up)[-1] ** 2 - run(down)[-1] ** 2) / 2e-6
            check(f"unrolled {k}: derivative {i}", abs(g - want) < 1e-5, (g, want))
    functions = {"tanh": math.tanh, "exp": math.exp, "sin": math.sin, "sqrt": math.sqrt, "log": math.log}
    for name, f in functions.items():
        nodes = numbers(p, f"x : f64 = 0.7\n:draw {name}(x) * 3 values=grad")
        at = {n["label"]: n for n in nodes}
        check(f"value of {name}", near(float(at[name]["value"]), f(0.7)))
        check(f"derivative by x of {name}", near(float(at["x"]["grad"]), 3 * (f(0.7 + 1e-6) - f(0.7 - 1e-6)) / 2e-6))


# ---- marks ----

def ids_of(text):
    return {int(line.split()[0][1:]) for line in text.splitlines() if line.strip().startswith("%")}


def in_new_box(scene, node):
    """What stands in a box that is new as a whole is not marked once more; an input that it captures is no part of it."""
    if node.get("role") == "capture":
        return False
    box = node.get("box")
    while box:
        if scene["boxes"][box - 1].get("mark") == "added":
            return True
        box = scene["boxes"][box - 1].get("parent")
    return False


def steps_of(p, program, e):
    out = p.run(program + f":graph {e} ssa=on step=0\n", "--json")[0]
    return json.loads(out.splitlines()[-1])["data"]["steps"]


def marks(p):
    programs = {
        "x : f64[n]\ny : f64\n": ["sum(log(1 + x * 1) + log(1 + x) * y) / (exp(y) * exp(y))",
                                  "sum(exp(x) * exp(x) + 0 * y)", "grad(sum(tanh(x * y)), y)",
                                  "-(-x) + log(exp(y)) * 1", "sum(x + x) / (y * y)"],
        "x : f64[T, 3]\nW : f64[3, 2]\nU : f64[2, 2]\n"
        "S = scan t over x from h = zeros(2) { f = sigmoid(x[t] @ W + h[t-1] @ U); h[t] = f * h[t-1] }\n":
            ["grad(sum(S.final), [W, U])", "sum(S[-1])"],
    }
    for head, expressions in programs.items():
        for e in expressions:
            last = steps_of(p, head, e)
            pairs = [(k - 1, k) for k in range(1, last + 1)] + [(0, last)] if last else []
            for a, z in pairs:
                text = head + f":graph {e} ssa=on step={a}\n:graph {e} ssa=on step={z}\n:draw {e} step={a + 1}..{z} d.json\n"
                out, messages, files = p.run(text, "--json")
                if not check(f"{e} from {a} to {z}", "d.json" in files, messages + out):
                    continue
                graphs = [json.loads(line) for line in out.splitlines()][:2]
                was, now = (ids_of(g["text"]) for g in graphs)
                scene = json.loads(files["d.json"])
                nodes = [n for n in scene["nodes"] if n.get("id")]
                added = {n["id"] for n in nodes if n.get("mark") == "added" or in_new_box(scene, n)}
                gone = {n["id"] for n in nodes if n.get("mark") == "removed"}
                new = {n["id"] for n in nodes} & (now - was)
                check(f"{e} {a}..{z}: what is added is what is new", added == new, (added, new))
                check(f"{e} {a}..{z}: what is removed is old", gone <= was - now, (gone, was - now))
                kept = {n["id"] for n in nodes} - added - gone
                check(f"{e} {a}..{z}: the rest is there", kept <= now, kept - now)
                if z == a + 1:
                    check(f"{e} {a}..{z}: something is marked", any(o.get("mark") for o in scene["nodes"] + scene["boxes"] + scene["edges"]))


# ---- derivations ----

class Tags(html.parser.HTMLParser):
    """Every tag is closed; what there is."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.open, self.seen, self.words, self.wrong = [], [], "", ""

    def handle_starttag(self, tag, attrs):
        self.seen.append(tag)
        if tag not in ("meta", "!doctype"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.wrong = self.wrong or tag

    def handle_data(self, data):
        self.words += data


def sound_document(what, tex):
    """Known commands, closed braces and environments; what means something to TeX stands in none of the texts."""
    body = tex[tex.index("\\begin{document}"):]
    bare = re.sub(r"\\[{}$&#_%]", "", body)
    commands = set(re.findall(r"\\([A-Za-z]+)", bare)) - DOCUMENT_COMMANDS
    check(what + " has known commands only", not commands, commands)
    depth = [0]
    for ch in bare:
        depth.append(depth[-1] + (ch == "{") - (ch == "}"))
    check(what + " closes its braces", min(depth) == 0 and depth[-1] == 0)
    check(what + " has no special letters", not re.search(r"[#&%^_$]", bare))
    check(what + " closes its lists", body.count("\\begin{itemize}") == body.count("\\end{itemize}"))
    check(what + " has no line of its own braces", all(line.count("{") == line.count("}") for line in bare.splitlines()))


def undefined(text):
    """Numbers that nothing says what they are."""
    said = {k for left in re.findall(r"((?:%\d+, )*%\d+) = ", text) for k in re.findall(r"%\d+", left)}
    return set(re.findall(r"%\d+", text)) - said


def derivations(p):
    loop = "A : f64[m]\ny : f64\nS = scan t over A from s = 1.0, q = 0.0 " \
           "{ s[t] = tanh(s[t-1] * 1 * A[t]) + log(1 + y * y); q[t] = q[t-1] + 1 }\n"
    for e in ("S.final.s", "grad(S.final.s, y)", "if y < 2 then y * 1 else y", "A", "(if sum(A * 1) < 3 then y else 0) ^ 2"):
        names = ("d.md", "d.html", "d.tex")
        program = loop + f":steps {e}\n" + "".join(f":export {e} {name} to=document\n" for name in names)
        out, messages, files = p.run(program, "--json")
        if not check(f"derivation of {e}", set(names) <= set(files), messages):
            continue
        steps = json.loads(out.splitlines()[0])["data"]["steps"]
        said = json.loads(out.splitlines()[1])["data"]["steps"]
        text = files["d.md"].decode().replace("\\", "")
        tex = files["d.tex"].decode()
        tags = Tags()
        tags.feed(files["d.html"].decode())
        heads = re.findall(r"^ *- ([\d.]+)(?:-(\d+))? \*\*", text, re.M)
        told = sum(int(z) - int(a.split(".")[-1]) + 1 if z else 1 for a, z in heads)
        check(f"derivation of {e}: all steps", said == len(steps) == told, (said, len(steps), told))
        check(f"derivation of {e}: tags are closed", not tags.open and not tags.wrong, (tags.open, tags.wrong))
        check(f"derivation of {e}: no script", not {"script", "img", "a", "link"} & set(tags.seen))
        check(f"derivation of {e}: HTML has them", tags.seen.count("li") == len(heads), tags.seen.count("li"))
        check(f"derivation of {e}: LaTeX has them", tex.count("\\item ") == len(heads), tex.count("\\item "))
        check(f"derivation of {e}: numbers are defined", not undefined(text), undefined(text))
        sound_document(f"derivation of {e} in LaTeX", tex)
        for s in steps:
            check(f"derivation of {e}: {s['rule']}", s["rule"] in text and
                  (s["rule"] == "inner" or s["why"] in text and s["why"] in tags.words))


# ---- scale ----

def ladder(n, box=0):
    """A scene of n nodes, 1.5 edges each."""
    nodes = [{"id": i + 1, "op": "add", "label": f"op {i}", "detail": "f32[64,64]"} for i in range(n)]
    edges = [{"from": max(1, i - d), "to": i + 1} for i in range(1, n) for d in ((0,) if i % 2 else (0, 6))]
    return {"title": "ladder", "nodes": nodes, "edges": edges}


def scale(p):
    loop = "A : f64[m]\n" + "".join(
        f"S{i} = scan t over A from s = {i}.0 {{ s[t] = " + " + ".join(f"sin(s[t-1] * {j}.{i + 11})" for j in range(40)) +
        " }\n" for i in range(12))
    everything = " + ".join(f"S{i}.final" for i in range(12))
    for inner, folded in (("auto", True), ("open", False), ("closed", True)):
        out, messages, files = p.run(loop + f":draw {everything} inner={inner} big.json\n")
        if not check(f"inner={inner} is drawn", "big.json" in files, messages):
            continue
        scene = json.loads(files["big.json"])
        closed = sum(b.get("closed", False) for b in scene["boxes"])
        check(f"inner={inner} closes", (closed > 0) == folded, closed)
        if inner == "auto":
            check("folding is said", "drawn closed" in messages and "drawn closed" in scene["note"], messages)
            check("folding counts", "more nodes in closed inner graphs" in out, out)
            inside = {b["title"] for b in scene["boxes"] if b.get("closed") and "nodes inside" not in b["subtitle"]}
            check("every closed box says what it holds", not inside, inside)
    in_boxes = ladder(500)
    in_boxes["boxes"] = [{"title": f"part {i}", "kind": "call"} for i in range(25)]
    for i, n in enumerate(in_boxes["nodes"]):
        n["box"] = 1 + i // 20
    for what, scene in (("1200 nodes", ladder(1200)), ("500 nodes in boxes", in_boxes)):
        status, out, messages = p.draw(scene)
        if check(f"{what} are drawn", status == 0, messages):
            check(f"{what}: it is said how", ("laid out" in messages) == (b"laid out" in out), messages)
        # A time limit stops with an error or changes nothing, on a machine however slow.
        for limit in ("0.02", "0.3", "1000"):
            status, other, messages = p.draw(scene, "--time-limit", limit)
            check(f"{what} in {limit} s: the same picture or none",
                  (status == 0 and other == out) or (status == 4 and other == b"" and "not ready after" in messages),
                  (status, messages))


def figure(p):
    figures.family(p, check, sound, HOSTILE, GOLDEN)


def layout(p):
    layouts.families(p, check)


def main():
    args = argparse.ArgumentParser(description="golden and made drawings")
    args.add_argument("--gradus", default=str(ROOT.parent / "build" / "gradus"))
    args.add_argument("--bless", action="store_true")
    args.add_argument("words", nargs="*")
    o = args.parse_args()
    p = Programs(o.gradus)
    golden(p, o.words, o.bless)
    if not o.bless and not o.words:
        for family in (labels, hostile, odd, values, marks, derivations, scale, figure, layout):
            before = dict(counts)
            family(p)
            print(f"{family.__name__}: {counts['passed'] - before['passed']} passed, "
                  f"{counts['failed'] - before['failed']} wrong")
    if counts["skipped"]:
        print(f"{counts['skipped']} skipped: another Graphviz")
    print(f"{counts['passed']} passed, {counts['failed']} failed")
    return counts["failed"] > 0


if __name__ == "__main__":
    sys.exit(main())
