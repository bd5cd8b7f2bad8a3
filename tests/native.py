#!/usr/bin/python3
"""The native tier against the virtual machine, byte for byte, on every golden program and every example.

    native.py [--gradus PROGRAM] [--timeout SECONDS] [WORD...]

Each program runs once with GRADUS_NATIVE=off and once with =on and three threads, into a cache folder that is empty at first, and
must print the same.  Lines that tell which tier ran are left out.  GRADUS_EFFORT=10 takes a tenth of the programs,
with GRADUS_SEED=1 another tenth.
"""
import argparse
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import golden

ROOT = golden.ROOT.parent
# What depends on times, or tells the tier.
TELLS = re.compile(r"^\s*:(plan|time|set( threads)?\s*$|compare|passes .*times|steps .*times|explore|draw)", re.M)


def programs():
    for path in sorted(golden.GOLDEN.rglob("*.t")):
        yield path, golden.split(path.read_text(encoding="utf-8"))[0]
    for path in sorted((ROOT / "examples").glob("*.gr")):
        yield path, path.read_text(encoding="utf-8")


def run(args, path, program, mode, cache):
    with tempfile.TemporaryDirectory(prefix="gradus-native-") as folder:
        for extra in path.parent.iterdir():
            if extra.is_file() and extra.suffix != ".t":
                shutil.copy(extra, folder)
        pathlib.Path(folder, "input.gr").write_text(program, encoding="utf-8")
        env = golden.environment(folder)
        if mode == "on":
            env["GRADUS_THREADS"] = "3"
        env.update(GRADUS_NATIVE=mode, XDG_CACHE_HOME=cache, GRADUS_KERNELS=os.environ.get("GRADUS_KERNELS", ""))
        done = subprocess.run([args.gradus, *golden.arguments(program), "input.gr"], cwd=folder, env=env,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              timeout=args.timeout, check=False)
        return done.returncode, done.stdout.decode("utf-8", "replace")


def compiles(cc):
    """Does the compiler make a program?  It may be there without a linker or the headers."""
    if not shutil.which(cc.split()[0]):
        return False
    with tempfile.TemporaryDirectory(prefix="gradus-cc-") as folder:
        source = pathlib.Path(folder, "probe.c")
        source.write_text("#include <math.h>\n#include <stdio.h>\nint main(void) { return printf(\"%g\", cos(0.0)) != 1; }\n", encoding="utf-8")
        return not subprocess.run([*cc.split(), str(source), "-o", str(pathlib.Path(folder, "probe")), "-lm"],
                                  stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False).returncode


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gradus", default=str(ROOT / "build" / "gradus"))
    parser.add_argument("--timeout", type=float, default=300)
    parser.add_argument("words", nargs="*")
    args = parser.parse_args()
    args.gradus = os.path.abspath(args.gradus)
    if not compiles(os.environ.get("GRADUS_CC") or os.environ.get("CC") or "cc"):
        print("LEFT OUT: no C compiler\n0 passed, 0 failed")
        return 0
    chosen = [(p, t) for p, t in programs() if not args.words or any(w in str(p) for w in args.words)]
    chosen = [(p, t) for p, t in chosen if not TELLS.search(t)]
    every = max(1, round(100 / float(os.environ.get("GRADUS_EFFORT") or 100)))
    chosen = chosen[int(os.environ.get("GRADUS_SEED") or 0) % every::every]
    failed = 0
    with tempfile.TemporaryDirectory(prefix="gradus-cache-") as cache, \
            concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        os.chmod(cache, 0o700)

        def compare(item):
            path, program = item
            return path, run(args, path, program, "off", cache), run(args, path, program, "on", cache)

        for path, off, on in pool.map(compare, chosen):
            if off != on:
                failed += 1
                print(f"{path.relative_to(ROOT)}: the tiers differ")
                for a, b in zip(off[1].splitlines(), on[1].splitlines()):
                    if a != b:
                        print(f"  machine: {a}\n  native:  {b}")
                        break
                else:
                    print(f"  machine: status {off[0]}, native: status {on[0]}: {on[1][-300:]}")
        libraries = len(list(pathlib.Path(cache).rglob("*.so")))
    print(f"{len(chosen)} programs, {libraries} of their expressions as C")
    print(f"{len(chosen) - failed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
