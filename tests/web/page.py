#!/usr/bin/env python3
"""Visits the page of the web build in headless Chromium and Firefox, from a server that sends no special header.
Usage: page.py FOLDER [--only=VISIT]   (DAPPLE_AXE: axe.min.js of axe-core; times are printed, never asserted)"""
import functools
import http.server
import os
import pathlib
import shlex
import struct
import subprocess
import sys
import tempfile
import threading
import time
import zlib

from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "tests" / "studio"))
import marionette
import visits
from visits import wait

SAMPLE = '#welcome [data-sample="raccoon.png"]'
SAMPLE_DOTS = 40000  # that the sample gets by itself
folder = pathlib.Path(sys.argv[1]).resolve()


class Server:
    """Serves the folder. `faults` holds functions by file name: each gets the text of the file, returns another.
    `policy` is the content policy that the server sends."""

    def __init__(self, policy="", **faults):
        class Files(http.server.SimpleHTTPRequestHandler):
            def log_message(self, *words):
                pass

            def end_headers(self):
                if policy:
                    self.send_header("Content-Security-Policy", policy)
                super().end_headers()

            def do_GET(self):
                name = self.path.strip("/")
                if name not in faults:
                    return super().do_GET()
                data = faults[name]((folder / name).read_text()).encode()
                self.send_response(200)
                self.send_header("Content-Type", self.guess_type(name))
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)
        faults = {name.replace("__", "."): change for name, change in faults.items()}
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Files, directory=folder))
        self.url = f"http://127.0.0.1:{self.server.server_port}/"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def end(self):
        self.server.shutdown()
        self.server.server_close()


def replaced(text, old, new):
    assert text.count(old) == 1, f"the fault has no place: {old}"
    return text.replace(old, new)


def chromium(place, *words):
    options = webdriver.ChromeOptions()
    for word in ("headless=new", "no-sandbox", "disable-gpu", "no-first-run", "disable-background-networking",
                 "disable-component-update", "disable-sync", "window-size=1280,800", *words):
        options.add_argument("--" + word)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    page = webdriver.Chrome(options=options)
    page.set_script_timeout(120)
    page.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(place)})
    return page


def text(page, name):
    return page.execute_script("return document.getElementById(arguments[0]).textContent", name)


def final(page, dots, seconds=120):
    wait(lambda: f"final  {dots:,} dots" in text(page, "state"), f"the final picture of {dots:,} dots", seconds)


def open_sample(page, url):
    page.get(url)
    wait(lambda: page.find_elements(By.CSS_SELECTOR, SAMPLE), "the start page")
    page.find_element(By.CSS_SELECTOR, SAMPLE).click()
    final(page, SAMPLE_DOTS)


def all_looks(page):
    wait(lambda: page.execute_script("""return document.querySelector('#looks canvas') &&
        !document.querySelector('#looks i')"""), "all looks")


def put(page, name, value):
    """Types the value of an option."""
    field = page.find_element(By.CSS_SELECTOR, f"input[data-option='{name}']")
    field.send_keys(Keys.CONTROL, "a")
    field.send_keys(value, Keys.ENTER)


def drop(page, name, bytes_in_page):
    """Drops a file on the page, whose bytes a JavaScript expression gives."""
    page.execute_script("""(async () => { const data = new DataTransfer(); data.items.add(new File([%s], "%s"));
        document.dispatchEvent(new DragEvent('drop', {dataTransfer: data, bubbles: true})); })();"""
                        % (bytes_in_page, name))


def check_files(downloads, line):
    """Compares the downloads of an export with the files that the command line makes in Node."""
    names = [word for word in shlex.split(line) if word.endswith((".svg", ".png"))][1:]
    assert names, line
    wait(lambda: all((downloads / one).exists() for one in names), f"downloads of {names}")
    made = downloads / "made"
    made.mkdir()
    (made / "raccoon.png").write_bytes((folder / "raccoon.png").read_bytes())
    words = shlex.split(line)
    assert words[0] == "dapple", line
    subprocess.run(["node", folder / "dapple.mjs", *words[1:], "-q"], cwd=made, check=True)
    for one in names:
        wait(lambda: (downloads / one).read_bytes() == (made / one).read_bytes(), f"{one} with the bytes of Node", 5)


def first_visit(place):
    """Opens the sample, changes the number of dots twice in a row, exports, and tries photos that are damaged."""
    server = Server()
    page = chromium(place)
    open_sample(page, server.url)
    # The second change ends the work on the first.
    put(page, "dots", "30000")
    put(page, "dots", "2000")
    final(page, 2000)
    page.find_element(By.CSS_SELECTOR, "[data-action=export]").click()
    check_files(place, text(page, "line"))

    page.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                         {"width": 390, "height": 844, "deviceScaleFactor": 2, "mobile": True})
    wide = page.execute_script("return document.documentElement.scrollWidth - innerWidth")
    assert wide <= 0, f"the page is {wide} px too wide for a phone"
    page.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})

    drop(page, "notes.txt", "'no picture at all'")
    wait(lambda: "notes.txt cannot be read" in text(page, "message"), "a sentence about a file that is no picture")
    drop(page, "cut.png", "(await (await fetch('raccoon.png')).arrayBuffer()).slice(0, 5000)")
    wait(lambda: "cut.png" in text(page, "message"), "a sentence about a damaged photo")
    assert "damaged" in text(page, "message"), text(page, "message")
    drop(page, "again.png", "await (await fetch('raccoon.png')).arrayBuffer()")
    wait(lambda: "again.png" in text(page, "line"), "another photo after it, with the same settings")
    final(page, 2000)
    severe = [entry["message"] for entry in page.get_log("browser") if entry["level"] == "SEVERE"]
    assert not severe, severe
    asked = page.execute_script("""return performance.getEntriesByType('resource')
        .map((one) => new URL(one.name).origin)""")
    assert all(origin in server.url for origin in asked), asked
    page.quit()


def photos(place):
    """Photos come from the file picker, two at once, and from the clipboard."""
    server = Server()
    page = chromium(place)
    page.get(server.url)
    names = [str(ROOT / "samples" / name) for name in ("ascent.png", "raccoon.png")]
    wait(lambda: page.find_elements(By.CSS_SELECTOR, SAMPLE), "the start page")
    page.find_element(By.CSS_SELECTOR, "#welcome input[multiple]").send_keys("\n".join(names))
    final(page, SAMPLE_DOTS)
    wait(lambda: len(page.find_elements(By.CSS_SELECTOR, "#photos canvas")) == 2, "a draft of each photo")
    page.find_element(By.CSS_SELECTOR, "[data-photo='1']").click()
    wait(lambda: "raccoon.png" in text(page, "line"), "the second photo")
    page.execute_cdp_cmd("Browser.grantPermissions", {"permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"]})
    said = page.execute_async_script("""const done = arguments[0];
        fetch('raccoon.png').then((answer) => answer.blob())
          .then((blob) => navigator.clipboard.write([new ClipboardItem({'image/png': blob})]))
          .then(() => done(''), (error) => done(String(error)));""")
    assert not said, said
    webdriver.ActionChains(page).key_down(Keys.CONTROL).send_keys("v").key_up(Keys.CONTROL).perform()
    wait(lambda: "image.png" in text(page, "line"), "the pasted photo")
    final(page, SAMPLE_DOTS)
    page.quit()


def continued(place):
    """A reload goes on with the photo, its settings and undo; a later visit offers to."""
    server = Server()
    page = chromium(place)
    open_sample(page, server.url)
    put(page, "dots", "1200")
    final(page, 1200)
    time.sleep(0.6)
    page.refresh()
    final(page, 1200)
    page.find_element(By.TAG_NAME, "body").send_keys("z")
    final(page, SAMPLE_DOTS)
    time.sleep(0.6)
    page.get("about:blank")
    page.get(server.url)
    wait(lambda: page.find_elements(By.CSS_SELECTOR, "[data-way=recent]"), "the last visit on the start page")
    page.find_element(By.CSS_SELECTOR, "[data-way=recent]").click()
    final(page, SAMPLE_DOTS)
    page.find_element(By.TAG_NAME, "body").send_keys("y")
    final(page, 1200)
    page.quit()
    server.end()


def offline(place):
    """After a visit the page opens without its server."""
    server = Server()
    page = chromium(place)
    page.get(server.url)
    wait(lambda: page.execute_async_script("""const done = arguments[0];
        navigator.serviceWorker.getRegistration().then((one) => done(one?.active?.state === 'activated'));"""),
         "an active service worker")
    server.end()
    open_sample(page, server.url)
    page.quit()


def refuse_dots(page, dots, sentence, others):
    """A number of dots gives a sentence, and another number gives a picture again."""
    put(page, "dots", dots)
    wait(lambda: sentence in text(page, "message"), f"a sentence about {dots} dots")
    put(page, "dots", str(others))
    final(page, others)
    assert not text(page, "message"), text(page, "message")


TRAP = """
// One function without a body that returns; the module calls it when it starts.
const trap = () => new WebAssembly.Instance(new WebAssembly.Module(new Uint8Array(
  [0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 8, 1, 0, 10, 5, 1, 3, 0, 0, 11])));
"""


def trap(place):
    """A trap of WebAssembly gives a sentence, and the next change gives pictures again."""
    server = Server(session_worker__mjs=lambda script: TRAP + replaced(
        script, 'module.ccall("dapple_web_said",',
        "if (message.said.settings?.dots === '666') trap();\n        module.ccall(\"dapple_web_said\","))
    page = chromium(place)
    open_sample(page, server.url)
    refuse_dots(page, "666", "too much for the browser", 777)
    page.find_element(By.CSS_SELECTOR, "[data-action=learn]").click()
    wait(lambda: page.find_element(By.ID, "plane").get_attribute("data-state") == "playing",
         "a lesson, which the worker of drafts makes")
    page.quit()


def too_large(place):
    """A photo or a number of dots that 4 GB of memory cannot hold gives a sentence."""
    server = Server()
    page = chromium(place)
    open_sample(page, server.url)
    refuse_dots(page, "300000000", "memory", 900)
    header = b"IHDR" + struct.pack(">IIBBBBB", 100000, 100000, 8, 2, 0, 0, 0)
    photo = b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + header + struct.pack(">I", zlib.crc32(header))
    drop(page, "huge.png", f"new Uint8Array({list(photo)})")
    wait(lambda: "huge.png" in text(page, "message"), "a sentence about a huge photo")
    assert "pixels" in text(page, "message"), text(page, "message")
    page.quit()


def as_file(place):
    """A page that is opened as a file says what it needs."""
    page = chromium(place)
    page.get((folder / "index.html").as_uri())
    wait(lambda: "web server" in page.find_element(By.ID, "welcome").text, "a sentence about a server")
    page.quit()


def accessible(place):
    """axe-core finds nothing, light and dark, wide and narrow: before a photo is opened, after, and in the lessons."""
    rules = pathlib.Path(os.environ.get("DAPPLE_AXE", ""))
    assert rules.is_file(), "DAPPLE_AXE names no axe.min.js of axe-core; scripts/web test fetches one"
    server = Server()
    found = []
    for dark in (False, True):
        for width, height in ((1280, 800), (390, 844)):
            page = chromium(place)
            page.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                                 {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 900})
            page.execute_cdp_cmd("Emulation.setEmulatedMedia",
                                 {"features": [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]})
            page.get(server.url)
            wait(lambda: page.find_elements(By.CSS_SELECTOR, "#welcome button"), "the welcome view")
            found += visits.found_by_axe(page, rules, "welcome", width, dark)
            open_sample(page, server.url)
            found += visits.found_by_axe(page, rules, "picture", width, dark)
            page.find_element(By.CSS_SELECTOR, "[data-action=learn]").click()
            wait(lambda: page.find_element(By.ID, "spectrum").is_displayed(), "#learn")
            found += visits.found_by_axe(page, rules, "learn", width, dark)
            page.quit()
    assert not found, "\n".join(map(str, found))


def firefox(place):
    """Firefox opens the sample and exports the bytes of Node."""
    assert marionette.browser_path, "firefox-esr is missing"
    profile, downloads = place / "profile", place / "downloads"
    profile.mkdir()
    downloads.mkdir()
    server = Server()
    page = marionette.Firefox(profile, downloads)
    try:
        page.do("WebDriver:Navigate", url=server.url)
        wait(lambda: page.run(f"return document.querySelectorAll('{SAMPLE}').length"), "the start page")
        page.click(SAMPLE)
        final = "const { state, dots } = document.getElementById('picture').dataset; return state + dots"
        wait(lambda: page.run(final) == f"final{SAMPLE_DOTS}", "the final picture of the sample")
        page.click("[data-action=export]")
        check_files(downloads, page.text("#line"))
        said = page.problems()
        assert not said, said
    finally:
        page.end()


# Tells how much memory a worker has. FILL takes what is free of it, so that whatever is added shows.
PROBE = """
const memory = new BroadcastChannel('memory');
new BroadcastChannel('ask').onmessage = ({ data }) => {
  const size = module.HEAPU8.length;
  while (data === 'FILL' && module.HEAPU8.length === size) module._malloc(1 << 16);
  memory.postMessage(module.HEAPU8.length);
};
"""
# Changes an option and waits for its draft, again and again; each tenth change waits for the result.
CHANGES = """const [from, count] = arguments, done = arguments[arguments.length - 1];
const field = document.querySelector("input[data-option='dots']"), { dataset } = document.getElementById('picture');
let i = 0;
function next() {
  if (i === count) return done();
  field.value = String(500 + (from + i++) % 400);
  field.dispatchEvent(new Event('change'));
  look();
}
function look() {
  if (dataset.dots === field.value && (i % 10 || dataset.state === 'final')) next();
  else setTimeout(look, 5);
}
next();"""


def memory(place):
    """Neither the page nor its workers grow with the number of changes."""
    server = Server(session_worker__mjs=lambda script: script + PROBE)
    page = chromium(place, "js-flags=--expose-gc", "enable-precise-memory-info")
    open_sample(page, server.url)
    all_looks(page)
    page.execute_script("""window.sizes = []; window.ask = new BroadcastChannel('ask');
        window.channel = new BroadcastChannel('memory'); channel.onmessage = ({ data }) => sizes.push(data);""")

    def sizes(word=""):
        page.execute_script("sizes.length = 0; gc(); ask.postMessage(arguments[0]);", word)
        wait(lambda: page.execute_script("return sizes.length >= 2"), "answers of both workers")
        time.sleep(0.3)
        workers = sorted(page.execute_script("return sizes"))
        page_bytes = page.execute_script("gc(); return performance.memory.usedJSHeapSize")
        return [round(size / 2**20, 1) for size in (page_bytes, *workers)]
    measured = [sizes("FILL")]
    for changes in range(0, 600, 100):
        page.execute_async_script(CHANGES, changes, 100)
        measured.append(sizes())
    print("memory in MiB (page, workers) after each 100 changes:", *measured)
    assert all(len(one) == 3 for one in measured), "another number of workers"
    warm, last = measured[2], measured[-1]
    assert last[0] < warm[0] + 2, "the page grows"
    assert all(after <= before for before, after in zip(warm[1:], last[1:])), "the workers grow"
    page.quit()


MARKS = """window.times = {};
const mark = (name) => { times[name] ??= Math.round(performance.now()); };
for (const name of ['compile', 'compileStreaming']) {
  const real = WebAssembly[name];
  WebAssembly[name] = async (...given) => {
    const program = await real.apply(WebAssembly, given);
    mark('compiled');
    return program;
  };
}
window.Worker = class extends Worker {
  constructor(...given) {
    super(...given);
    this.addEventListener('message', ({ data }) => {
      if (typeof data !== 'string') return;
      const { type, state } = JSON.parse(data);
      mark(state ?? (type === 'hello' ? 'opened' : type));
    });
  }
};
addEventListener('click', () => mark('clicked'), true);"""
# Changes the number of dots by one, waits for the draft, and rests until a result is under way.
SLIDES = """const [from, count] = arguments, done = arguments[arguments.length - 1];
const field = document.querySelector("input[data-option='dots']"), canvas = document.getElementById('picture');
const times = [];
let start = 0;
const seen = new MutationObserver(() => {
  if (canvas.dataset.dots !== field.value || !start) return;
  times.push(performance.now() - start);
  start = 0;
  if (times.length < count) return setTimeout(next, 250);
  seen.disconnect();
  done(times);
});
seen.observe(canvas, { attributes: true, attributeFilter: ['data-dots', 'data-state'] });
function next() {
  field.value = String(from + times.length + 1);
  start = performance.now();
  field.dispatchEvent(new Event('change'));
}
next();"""


# Counts the workers that are started and the results that a change stops.
COUNTED = """window.started = 0;
window.stopped = 0;
window.Worker = class extends Worker {
  constructor(...given) {
    super(...given);
    ++started;
    this.addEventListener('message', ({ data }) => { stopped += data.stopped ? 1 : 0; });
  }
};"""


def stop(place):
    """A change stops the result that is under way, and the same worker makes the next one. If the policy of the host
    forbids the question, results come all the same."""
    for policy, stops in (("", True), ("connect-src 'self'", False)):
        server = Server(policy)
        page = chromium(place)
        page.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": COUNTED})
        open_sample(page, server.url)
        page.execute_async_script(SLIDES, 10000, 6)
        final(page, 10006)
        started, stopped = page.execute_script("return [started, stopped]")
        assert not stops or started == 2, f"{started} workers"
        assert stopped >= 3 if stops else stopped == 0, f"{stopped} of 5 results stopped"
        page.quit()


def speed(place):
    """Prints how soon pictures come."""
    server = Server()
    for visit in ("first visit", "second visit"):
        page = page if visit == "second visit" else chromium(place)
        page.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": MARKS})
        open_sample(page, server.url)
        times = page.execute_script("return times")
        times["fetched"] = round(page.execute_script(
            "return performance.getEntriesByName(new URL('dapple.wasm', location).href)[0].responseEnd"))
        steps = ("fetched", "compiled", "clicked", "opened", "draft", "final")
        print(f"{visit}, ms after the address:", ", ".join(f"{name} {times[name]}" for name in steps),
              f"(load {os.getloadavg()[0]:.1f})", flush=True)
        all_looks(page)
    for dots in (10000, 100000):
        put(page, "dots", str(dots))
        final(page, dots)
        times = sorted(page.execute_async_script(SLIDES, dots, 40))
        print(f"a change to its draft, {dots:,} dots: median {times[20]:.0f} ms, p95 {times[37]:.0f} ms",
              f"(load {os.getloadavg()[0]:.1f})", flush=True)
    page.quit()


if __name__ == "__main__":
    only = [word[7:] for word in sys.argv if word.startswith("--only=")]
    for visit in (first_visit, photos, continued, offline, trap, too_large, as_file, accessible, firefox, memory, stop, speed):
        if only and visit.__name__ not in only:
            continue
        start = time.time()
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
            visit(pathlib.Path(name))
        print(f"page: {visit.__name__.replace('_', ' ')} is well after {time.time() - start:.1f} s", flush=True)
