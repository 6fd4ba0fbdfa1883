#!/usr/bin/env python3
"""Visits the page of the web build in headless Chromium, from a server that sends no special header.

Opens the sample, changes the number of dots twice in a row, exports, and compares the files with those that the
command line under the picture makes in Node. Checks that nothing is asked for from elsewhere, that a narrow window
has no overflow, and that a damaged photo gets a sentence. Usage: page.py FOLDER
"""

import functools
import http.server
import pathlib
import shlex
import subprocess
import sys
import tempfile
import threading
import time

from selenium import webdriver
from selenium.webdriver.common.by import By

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Files(http.server.SimpleHTTPRequestHandler):
    asked = []

    def log_message(self, *words):
        self.asked.append(self.path)


def wait(condition, what, seconds=120):
    end = time.time() + seconds
    while time.time() < end:
        found = condition()
        if found:
            return found
        time.sleep(0.05)
    raise AssertionError("did not happen: " + what)


def drop(page, name, bytes_in_page):
    """Drops a file on the page, whose bytes a JavaScript expression gives."""
    page.execute_script("""(async () => { const data = new DataTransfer(); data.items.add(new File([%s], "%s"));
        document.dispatchEvent(new DragEvent('drop', {dataTransfer: data, bubbles: true})); })();""" % (bytes_in_page, name))


def main():
    folder = pathlib.Path(sys.argv[1]).resolve()
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Files, directory=folder))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with tempfile.TemporaryDirectory() as name:
        downloads = pathlib.Path(name)
        options = webdriver.ChromeOptions()
        for word in ("headless=new", "no-sandbox", "disable-gpu", "no-first-run", "disable-background-networking",
                     "disable-component-update", "disable-sync", "window-size=1280,800"):
            options.add_argument("--" + word)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        page = webdriver.Chrome(options=options)
        page.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": name})
        try:
            visit(page, f"http://127.0.0.1:{server.server_port}/", folder, downloads)
        finally:
            page.quit()


def visit(page, address, folder, downloads):
    text = lambda name: page.find_element(By.ID, name).text
    start = time.time()
    page.get(address)
    page.find_element(By.CSS_SELECTOR, "#welcome button").click()
    wait(lambda: "final 10,000 dots" in text("state"), "the final picture of the sample")
    print(f"first picture: {time.time() - start:.1f} s after the address")

    # The second change ends the work on the first.
    for dots in ("30000", "2000"):
        field = page.find_element(By.CSS_SELECTOR, "[data-option='dots'] input:not([type=range]), input[data-option='dots']")
        field.clear()
        field.send_keys(dots, "\n")
    begin = time.time()
    wait(lambda: "final 2,000 dots" in text("state"), "the final picture of 2,000 dots")
    print(f"2,000 dots: {time.time() - begin:.1f} s after the change")
    line = text("line")
    page.find_element(By.CSS_SELECTOR, "[data-action=export]").click()
    names = [word for word in shlex.split(line) if word.endswith((".svg", ".png"))][1:]
    wait(lambda: all((downloads / one).exists() for one in names), f"downloads of {names}")
    (downloads / "made").mkdir()
    (downloads / "made" / "raccoon.png").write_bytes((folder / "raccoon.png").read_bytes())
    words = shlex.split(line)
    assert words[0] == "dapple", line
    subprocess.run(["node", folder / "dapple.mjs", *words[1:], "-q"], cwd=downloads / "made", check=True)
    for one in names:
        assert (downloads / one).read_bytes() == (downloads / "made" / one).read_bytes(), one + " has other bytes"
    print(f"exported {names}: the bytes of the command line")

    page.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                         {"width": 390, "height": 844, "deviceScaleFactor": 2, "mobile": True})
    wide = page.execute_script("return document.documentElement.scrollWidth - innerWidth")
    assert wide <= 0, f"the page is {wide} px too wide for a phone"
    page.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})

    # A file that is no picture, and a photo that is cut off.
    drop(page, "notes.txt", "'no picture at all'")
    wait(lambda: "notes.txt cannot be read" in text("message"), "a sentence about a file that is no picture")
    drop(page, "cut.png", "(await (await fetch('raccoon.png')).arrayBuffer()).slice(0, 5000)")
    wait(lambda: "cut.png" in text("message"), "a sentence about a damaged photo")
    assert "damaged" in text("message"), text("message")
    drop(page, "again.png", "await (await fetch('raccoon.png')).arrayBuffer()")
    wait(lambda: "final" in text("state") and "again.png" in text("line"), "another photo after it")
    severe = [entry["message"] for entry in page.get_log("browser") if entry["level"] == "SEVERE"]
    assert not severe, severe
    asked = page.execute_script("return performance.getEntriesByType('resource').map((one) => new URL(one.name).origin)")
    assert all(origin in address for origin in asked), asked


if __name__ == "__main__":
    main()
