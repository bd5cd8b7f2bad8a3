#!/usr/bin/python3
"""Every scene of the tests and every example as a flowchart of Mermaid, in both styles.

    mermaid.py [--draw PROGRAM] [--gradus PROGRAM] [--library mermaid.min.js]

Each line has to be one of those that the writer knows, with its quotes closed and nothing in them that means something to
Mermaid.  Where Chromium and the library are (--library, GRADUS_MERMAID), Mermaid itself has to draw each.
"""
import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
TEXT = r'"(?:[^"#<>&`\\{}|;%$*_~]|\#\d+;|<br>)*"'
NODE = r"[nbio]\d+"
LINES = re.compile(rf"""^(?:---|title:\ ".*"|flowchart\ (?:TB|LR)|%%\ .*|
 \s+{NODE}(?:\[{TEXT}\]|\(\[{TEXT}\]\)|\[\({TEXT}\)\]|\[\[{TEXT}\]\]|\[/{TEXT}/\]|\(\({TEXT}\)\))|
 \s+subgraph\ b\d+\[{TEXT}\]|\s+end|
 \s+{NODE}\ (?:-->|==>|-\.->|-\.-)(?:\|{TEXT}\|)?\ {NODE}|
 \s+classDef\ \w+\ [\w:#,-]+|\s+class\ n\d+(?:,n\d+)*\ \w+|\s+style\ n\d+\ [\w:#,]+|\s+click\ n\d+\ href\ "[^"\s]+")$""", re.X)
PAGE = """<html><head><meta charset="utf-8"></head><body><pre id="said"></pre><script src="%s"></script><script>
const charts = %s;
mermaid.initialize({startOnLoad: false, maxEdges: 20000, maxTextSize: 5000000});
(async () => {
  const said = {};
  let k = 0;
  for (const name in charts)
    try {
      const drawn = await mermaid.render('g' + k++, charts[name]);
      said[name] = /Unsupported markdown|<script/.test(drawn.svg) ? 'a label is not text' : '';
    } catch (e) { said[name] = String(e.message || e).slice(0, 200); }
  document.getElementById('said').textContent = JSON.stringify(said);
})();
</script></body></html>"""


def charts(args, folder):
    for path in sorted((ROOT / "tests" / "golden" / "scene").glob("*.json")):
        done = subprocess.run([args.draw, "--format", "mmd"], stdin=path.open("rb"), capture_output=True, check=False)
        yield path.name, done.stdout.decode("utf-8")
    for path in sorted((ROOT / "examples").glob("*.gr")):
        program = path.read_text(encoding="utf-8")
        names = [m for m in re.findall(r"(?m)^([A-Za-z_]\w*) *=", program)]
        if not names:
            continue
        asked = {f"{path.stem}-{style}.mmd": f":draw {names[-1]} {folder}/{path.stem}-{style}.mmd style={style}" for style in ("graph", "figure")}
        file = pathlib.Path(folder, path.name)
        file.write_text("\n".join([program, *asked.values(), ""]), encoding="utf-8")
        subprocess.run([args.gradus, str(file)], cwd=path.parent, capture_output=True, stdin=subprocess.DEVNULL, timeout=300, check=False)
        for name in asked:
            drawn = pathlib.Path(folder, name)
            yield name, drawn.read_text(encoding="utf-8") if drawn.exists() else ""


def drawn_by_mermaid(library, texts, folder):
    page = pathlib.Path(folder, "page.html")
    page.write_text(PAGE % (pathlib.Path(library).resolve().as_uri(), json.dumps(texts).replace("</", "<\\/")), encoding="utf-8")
    done = subprocess.run(["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--allow-file-access-from-files",
                           f"--user-data-dir={folder}/profile", "--virtual-time-budget=300000", "--dump-dom", page.as_uri()],
                          capture_output=True, text=True, timeout=600, check=False)
    said = re.search(r'<pre id="said">(.*?)</pre>', done.stdout, re.S)
    found = json.loads(said[1].replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")) if said and said[1] else {}
    return {name: found.get(name, "it was not drawn") for name in texts}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--draw", default=str(ROOT / "build" / "gradus-draw"))
    parser.add_argument("--gradus", default=str(ROOT / "build" / "gradus"))
    parser.add_argument("--library", default=os.environ.get("GRADUS_MERMAID", ""))
    args = parser.parse_args()
    failed = 0
    with tempfile.TemporaryDirectory(prefix="gradus-mermaid-") as folder:
        texts = dict(charts(args, folder))
        for name, text in texts.items():
            wrong = [line for line in text.split("\n")[:-1] if not LINES.match(line)] if text else ["there is none"]
            failed += bool(wrong)
            for line in wrong[:3]:
                print(f"{name}: {line}")
        if os.path.exists(args.library) and shutil.which("chromium"):
            for name, fault in drawn_by_mermaid(args.library, texts, folder).items():
                failed += bool(fault)
                if fault:
                    print(f"{name}: Mermaid: {fault}")
        else:
            print("LEFT OUT: no chart was given to Mermaid: Chromium, or its library (GRADUS_MERMAID), is not here")
    print(f"{len(texts) - failed} passed, {failed} failed")
    return failed != 0 or not texts


if __name__ == "__main__":
    sys.exit(main())
