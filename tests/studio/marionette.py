"""Firefox without a window, for tests. Debian has no geckodriver, so this speaks Marionette, the protocol below it.
Messages are JSON behind their length."""
import json
import os
import pathlib
import shutil
import socket
import subprocess

import visits

browser_path = shutil.which("firefox-esr") or shutil.which("firefox")  # None: not installed

PREFERENCES = """user_pref("marionette.port", 0);
user_pref("datareporting.policy.dataSubmissionEnabled", false);
user_pref("browser.shell.checkDefaultBrowser", false);
user_pref("app.update.disabledForTesting", true);
user_pref("network.captive-portal-service.enabled", false);
user_pref("network.connectivity-service.enabled", false);
user_pref("privacy.resistFingerprinting", false);
"""
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"  # the key of an element in answers


class Firefox:
    def __init__(self, profile, downloads=None):
        saves = f'user_pref("browser.download.folderList", 2);\nuser_pref("browser.download.dir", "{downloads}");\n' if downloads else ""
        (profile / "user.js").write_text(PREFERENCES + saves)
        environment = {**os.environ, "HOME": str(profile), "MOZ_HEADLESS_WIDTH": "1600", "MOZ_HEADLESS_HEIGHT": "1000"}
        self.process = subprocess.Popen([browser_path, "--headless", "--marionette", "--remote-allow-system-access",
                                         "--no-remote", "--profile", str(profile), "about:blank"], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        place = profile / "MarionetteActivePort"
        port = int(visits.wait(lambda: place.exists() and place.read_text().strip(), "a Firefox that answers", 120))
        self.socket = socket.create_connection(("127.0.0.1", port), 120)
        self.number = 0
        self.received = b""
        self.message()  # its greeting
        self.do("WebDriver:NewSession", capabilities={"alwaysMatch": {}})

    def message(self):
        while b":" not in self.received:
            self.received += self.socket.recv(1 << 16)
        length, self.received = self.received.split(b":", 1)
        while len(self.received) < int(length):
            self.received += self.socket.recv(1 << 16)
        text, self.received = self.received[:int(length)], self.received[int(length):]
        return json.loads(text)

    def do(self, command, **parameters):
        self.number += 1
        text = json.dumps([0, self.number, command, parameters]).encode()
        self.socket.sendall(str(len(text)).encode() + b":" + text)
        _, number, error, result = self.message()
        assert number == self.number and error is None, (command, error)
        return result["value"] if isinstance(result, dict) and set(result) == {"value"} else result

    def run(self, script, *arguments):
        return self.do("WebDriver:ExecuteScript", script=script, args=list(arguments))

    def find(self, selector):
        return self.do("WebDriver:FindElement", using="css selector", value=selector)[ELEMENT]

    def click(self, selector):
        self.do("WebDriver:ElementClick", id=self.find(selector))

    def keys(self, selector, text):
        self.do("WebDriver:ElementSendKeys", id=self.find(selector), text=text)

    def text(self, selector):
        return self.run("return document.querySelector(arguments[0]).textContent", selector)

    def drag(self, *places):
        """With the mouse, between places of the window."""
        moves = [{"type": "pointerMove", "x": x, "y": y, "duration": 30} for x, y in places]
        actions = [moves[0], {"type": "pointerDown", "button": 0}, *moves[1:], {"type": "pointerUp", "button": 0}]
        self.do("WebDriver:PerformActions", actions=[{"type": "pointer", "id": "hand", "actions": actions}])

    def problems(self):
        """What the browser says is wrong with our page."""
        self.do("Marionette:SetContext", value="chrome")
        said = self.run("return Services.console.getMessageArray().filter(m => m instanceof Ci.nsIScriptError)"
                        ".map(m => [m.sourceName, m.errorMessage, m.flags])")
        self.do("Marionette:SetContext", value="content")
        return [entry for entry in said if "127.0.0.1" in (entry[0] or "")]

    def end(self):
        self.do("Marionette:Quit", flags=["eForceQuit"])
        self.process.wait(30)
