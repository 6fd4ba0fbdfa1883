"""What visits to the studio share, whatever the browser."""
import json
import os
import pathlib
import subprocess
import sys
import time

MEAN = """const c = document.getElementById('picture');
const d = c.getContext('2d').getImageData(c.width * .3, c.height * .3, c.width * .4, c.height * .4).data;
let sum = 0; for (let i = 0; i < d.length; i += 4) sum += d[i]; return sum / (d.length / 4);"""


class Studio:
    """One that serves on the folder, with the user's files below it; without one in the build, the test is skipped."""

    def __init__(self, program, folder, *words, **variables):
        home = pathlib.Path(folder) / ".home"
        own = {f"XDG_{name}_HOME": str(home / name.lower()) for name in ("CACHE", "STATE", "CONFIG", "DATA")}
        self.process = subprocess.Popen([program, "studio", "--no-browser", "--json", *words], cwd=folder,
                                        stdout=subprocess.PIPE, text=True, env={**os.environ, **own, **variables})
        line = self.process.stdout.readline()
        if not line.startswith("{"):
            print("the studio is not in this build")
            sys.exit(77)
        self.url = json.loads(line + ("" if line.strip() != "{" else self.process.stdout.read()))["url"]

    def end(self):
        self.process.terminate()
        assert self.process.wait(10) == 0


def wait(condition, what, seconds=60):
    end = time.time() + seconds
    while time.time() < end:
        found = condition()
        if found:
            return found
        time.sleep(0.03)
    raise AssertionError("did not happen: " + what)


def found_by_axe(page, axe_core, *where):
    """What axe-core finds in a page of selenium."""
    page.execute_script(axe_core.read_text())
    found = page.execute_async_script("axe.run().then(arguments[arguments.length - 1])")
    assert len(found["passes"]) > 15, ("rules were tried", where)
    return [(*where, rule["id"], rule["impact"], [node["html"][:100] for node in rule["nodes"][:3]])
            for rule in found["violations"]]
