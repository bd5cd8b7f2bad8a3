#!/usr/bin/python3
"""Random programs with all passes on against all passes off: values and gradients to the third order.

    random_programs.py [--seed N] [--cases N] [--wild PERCENT] [--alone N] [--shuffled N] [--native N] [--keep FOLDER] [--show]

Off means: calls in place, derivatives expanded, no other rule.  Each of --cases programs is compared
(compare_programs.c) for seven sets of inputs: tame ones, zeros of both signs, scales from 1e-300 to 1e300, nan and
infinity.  A result may differ by what moving every intermediate value by a few units of its last place makes of it;
nan and infinity may give way to a number if rules of class N+ or O are the reason.  --wild so many of a hundred keep
nothing from growing.  Then a sample of --alone programs with each pass off alone, --shuffled ones with the passes in random order, and --native programs as native
code and by the virtual machine, bit by bit.  A difference is made small and printed as a program (--keep: kept as a
file, too) with the rule that makes it.  The last line is "N passed, N failed".
"""
import argparse
import collections
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import programs  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BATCH, SHOWN, TRIES = 50, 25, 400
PASSES = "canonicalize stabilize simplify expand loops specialize fuse lower".split()


class Server:
    """compare_programs; after a crash a new one."""

    def __init__(self, path, how):
        self.path, self.how, self.process, self.seed = path, how, None, None

    def begin(self, seed, rounds=-1):
        if self.process is None:
            self.process = subprocess.Popen([self.path], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                            stderr=subprocess.PIPE, text=True)
        self.seed = seed
        self.send([f"head {rounds} {seed} {self.how}", *programs.inputs_text(seed), "end"])

    def send(self, lines):
        self.process.stdin.write("\n".join(lines) + "\n")
        self.process.stdin.flush()

    def ask(self, p):
        """Words of the answer, and lines with the values of the inputs."""
        lines, names = p.lines(f"p{p.seed}_")
        try:
            self.send([f"program {' '.join(names)}", *lines, "end"])
            line = self.process.stdout.readline()
        except BrokenPipeError:
            line = ""
        if not line:
            error = self.close()
            self.begin(self.seed)
            return ["crash", error], []
        more = []
        if line.startswith("differ"):
            while (value := self.process.stdout.readline()) != ".\n":
                more.append(value.strip())
        return line.split(maxsplit=3), more

    def close(self):
        if self.process is None:
            return ""
        _, error = self.process.communicate()
        error = f"exit status {self.process.returncode}: {error[-400:]}"
        self.process = None
        return error


def kind(answer):
    """What a smaller program must do as well."""
    if answer[0] == "refused":
        return answer
    return answer[0], answer[3].split(",")[0].split(":")[0] if len(answer) > 3 else ""


def smaller_programs(p):
    for e in programs.smaller(p.value, set(programs.INPUTS)):
        if programs.size(e) >= programs.size(p.value):
            continue
        for order in sorted({0, 1, p.order}):
            by = p.by if order else None
            if order <= p.order and (not by or by in programs.names_in(e)):
                yield programs.Program(p.seed, e, by, order, p.wild)


def shrink(server, p, answer, values):
    if answer[0] == "differ":
        server.begin(server.seed, int(answer[1]))
    left, found = TRIES, True
    while found:
        found = False
        for q in smaller_programs(p):
            if left == 0:
                break
            left -= 1
            now, at = server.ask(q)
            if kind(now) == kind(answer):
                p, answer, values, found = q, now, at, True
                break
    server.begin(server.seed)
    return p, answer, values


def as_text(server, p, answer, values):
    read = programs.names_in(p.value) | ({p.by} if p.by else set())
    known = values or programs.inputs_text(server.seed)
    name = answer[2].split("_")[1] if answer[0] == "differ" else "v"
    lines = [line for line in p.lines("")[0] if line.split()[0][1:] <= name[1:] or line.startswith("v")]
    return [f"# seed {p.seed}: {' '.join(answer[3:] if answer[0] == 'differ' else answer)}",
            *(line for line in known if line.split()[0] in read or line[0] == "#"), *lines, name]


def run(o, how, seeds, tally):
    server = Server(o.server, how)
    for first in range(0, len(seeds), BATCH):
        batch = seeds[first:first + BATCH]
        server.begin(batch[0])
        for seed in batch:
            p = programs.program(seed, programs.WILD if seed % 100 < o.wild else programs.TAME)
            answer, values = server.ask(p)
            tally[answer[0]] += 1
            if answer[0] == "refused" and answer[1] == answer[2]:  # both ways
                if o.show:
                    print(seed, answer[1], "|", p.lines("p")[0][0])
                continue
            if answer[0] in ("same", "excused"):
                continue
            tally["failed"] += 1
            if tally["failed"] > SHOWN and not o.keep:
                continue
            small = as_text(server, *shrink(server, p, answer, values))
            print(f"FAILED{' without ' + how if how in PASSES else ' ' + how if how else ''}:\n    " +
                  "\n    ".join(small), flush=True)
            if o.keep:
                (pathlib.Path(o.keep) / f"{how}{seed}.gr").write_text("\n".join(small) + "\n")
    return server.close()


def run_native(o, seeds, tally):
    if not shutil.which(os.environ.get("GRADUS_CC") or os.environ.get("CC") or "cc"):
        print("LEFT OUT: no C compiler")
        return
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_CACHE_HOME"] = folder
        print(run(o, "native", seeds, tally).strip())


def main():
    args = argparse.ArgumentParser(description="random programs, passes on against off")
    args.add_argument("--server", default=str(ROOT / "build" / "tests" / "compare_programs"))
    args.add_argument("--seed", type=int, default=1)
    args.add_argument("--cases", type=int, default=1600)
    args.add_argument("--wild", type=int, default=70, help="percent of programs that keep nothing from growing")
    args.add_argument("--alone", type=int, default=60)
    args.add_argument("--shuffled", type=int, default=200)
    args.add_argument("--native", type=int, default=120)
    args.add_argument("--keep", help="a folder for the programs that differ")
    args.add_argument("--show", action="store_true", help="tell what is refused")
    o = args.parse_args()
    if o.keep:
        os.makedirs(o.keep, exist_ok=True)
    tally = collections.Counter()
    run(o, "", range(o.seed, o.seed + o.cases), tally)
    for name in PASSES:
        run(o, name, range(o.seed, o.seed + o.alone), tally)
    run(o, "shuffled", range(o.seed, o.seed + o.shuffled), tally)
    if o.native:
        run_native(o, range(o.seed, o.seed + o.native), tally)
    done = sum(n for what, n in tally.items() if what != "failed")
    print(f"{done} programs: {dict(tally)}")
    if tally["refused"] * 5 > done:
        tally["failed"] += 1
        print("FAILED: too many programs are refused to tell much")
    print(f"{done - tally['failed']} passed, {tally['failed']} failed")
    return tally["failed"] > 0


if __name__ == "__main__":
    sys.exit(main())
