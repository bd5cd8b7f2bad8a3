"""Programs of programs.py run by gradus, and what they print compared: shared by what compares with another system."""
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import programs  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def run(gradus, head, lines):
    """What a program prints, each with the number of its line."""
    with tempfile.NamedTemporaryFile("w", suffix=".gr", delete=False) as f:
        f.write("\n".join(head + lines) + "\n")
    try:
        done = subprocess.run([gradus, "--json", f.name], capture_output=True, text=True, timeout=900, check=False)
    finally:
        os.unlink(f.name)
    if done.returncode not in (0, 1):
        return None, f"exit status {done.returncode}: {done.stderr[-400:]}"
    return [json.loads(x) for x in done.stdout.splitlines()], ""


def switched_off(gradus):
    """Statements that leave only what is needed to compute at all."""
    found, why = run(gradus, [], [f":rules {p}" for p in ("canonicalize", "stabilize")])
    if found is None:
        sys.exit(why)
    names = [line.split()[1] for part in found for line in part.get("text", "").splitlines() if " [" in line]
    if len(names) < 50:
        sys.exit("the rules that are to be off cannot be told")
    return [":set passes inline differentiate"] + [f":set rule {n} off" for n in names]


def results(gradus, head, batch):
    """For each program: name -> its value, or the code of its error."""
    lines, owner, wanted = [], {}, []
    for i, p in enumerate(batch):
        statements, names = p.lines(f"p{i}_")
        for s in statements + names:
            lines.append(s)
            owner[len(head) + len(lines)] = i
        wanted.append(names)
    objects, why = run(gradus, head, lines)
    if objects is None:
        return None, why
    out = [{} for _ in batch]
    for o in objects:
        if o["kind"] == "error":
            i = owner.get(o["line"])
            if i is not None:
                out[i].setdefault("error", (o["code"], o["message"]))
        elif o["kind"] == "value" and o["name"] and "_" in o["name"]:
            i = int(o["name"][1:].split("_")[0])
            out[i][o["name"].split("_")[1]] = (o["type"], o["value"])
    return out, ""


def flat(v):
    return [x for w in v for x in flat(w)] if isinstance(v, list) else [v]


def differ(a, b, order, single):
    """Why two values are not the same up to rounding, or None."""
    if a[0] != b[0]:
        return f"types {a[0]} and {b[0]}"
    xs, ys = flat(a[1]), flat(b[1])
    if len(xs) != len(ys):
        return "sizes"
    if a[0].startswith(("i64", "bool")):
        return None if xs == ys else f"{xs} and {ys}"
    bound = (1e-3 if single else 1e-9) * 10 ** order
    xs, ys = [float(x) for x in xs], [float(y) for y in ys]
    scale = max([1.0] + [abs(v) for v in xs + ys if math.isfinite(v)])
    if scale > 1e7:
        return None  # not tame: rounding may be all
    for x, y in zip(xs, ys):
        if not (x == y or (math.isnan(x) and math.isnan(y)) or abs(x - y) <= bound * scale):
            return f"{x!r} and {y!r}"
    return None


def is_single(p):
    return bool(programs.names_in(p.value) & {"z", "w"}) or "f32" in programs.text(p.value)
