"""Finds the program dapple, checks its version, runs it beside a host program and ends it with the host.

Each extension gets a copy of this file beside its own files. Python 3.7 suffices.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import threading

NEEDED = (0, 2)  # MAJOR, MINOR that the plug-ins need; before 1.0 each MINOR may change options

_PROGRESS = re.compile(r"\r\x1b\[K(?:([\w -]*?) +(\d+) %)?")


class Problem(Exception):
    """An error with a message for the user: what is wrong, and what to do."""


def _places(given):
    """Yields paths to try: `given`, DAPPLE_PROGRAM, bin/ beside this file as built or installed, the PATH of the
    shell, and usual folders that a desktop leaves out of its PATH."""
    for place in (given, os.environ.get("DAPPLE_PROGRAM")):
        if place:
            yield place
    name = "dapple.exe" if os.name == "nt" else "dapple"
    # Links are not resolved: a link to this file counts as a file in its own folder.
    for folder in list(pathlib.Path(os.path.abspath(__file__)).parents)[1:6]:
        yield str(folder / "bin" / name)
    found = shutil.which("dapple")
    if found:
        yield found
    for folder in ("~/.local/bin", "/usr/local/bin", "/usr/bin", "/opt/homebrew/bin"):
        yield os.path.join(os.path.expanduser(folder), name)


def _version(place):
    """Returns (major, minor, patch) of the program at `place`; None if it is not dapple."""
    try:
        said = subprocess.run([place, "--version"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, timeout=20).stdout.decode("utf-8", "replace")
    except (OSError, subprocess.SubprocessError):
        return None
    found = re.match(r"dapple (\d+)\.(\d+)\.(\d+)", said)
    return tuple(int(number) for number in found.groups()) if found else None


def fits(version, needed=NEEDED):
    if version[0] != needed[0]:
        return False
    return version[1] == needed[1] if needed[0] == 0 else version[1] >= needed[1]


def find(given=None):
    """Returns the path of a program of a fitting version. Raises Problem, which names each other program found."""
    needed = "{}.{}".format(*NEEDED)
    others, seen = [], set()
    for place in _places(given):
        if place in seen or not (os.path.isfile(place) and os.access(place, os.X_OK)):
            continue
        seen.add(place)
        version = _version(place)
        if version is not None and fits(version):
            return place
        others.append("{} is {}".format(place, "not dapple" if version is None else
                                        "version " + ".".join(map(str, version))))
    raise Problem("\n".join(
        ["The program dapple, version {}, was not found.".format(needed)] + others +
        ["Install it (Debian: apt install dapple; otherwise see its README), or set the environment variable "
         "DAPPLE_PROGRAM to its path."]))


def _die_with_parent():
    """Lets the Linux kernel end the program if the host dies, even by a signal that cannot be caught."""
    import ctypes

    ctypes.CDLL(None).prctl(1, 15)  # PR_SET_PDEATHSIG, SIGTERM


class Run:
    """A running program. No shell is involved: the program gets `words` unchanged.

    given: bytes for its standard input. bound: the program ends with this process; only for hosts with one thread.
    """

    def __init__(self, program, words, given=b"", bound=False):
        self.stage, self.fraction, self.out = "", 0.0, b""
        self._said = b""
        self._cancelled = False
        more = {"preexec_fn": _die_with_parent} if bound and sys.platform.startswith("linux") else {}
        self._process = subprocess.Popen([program] + list(words) + ["--progress", "always"], stdin=subprocess.PIPE,
                                         stdout=subprocess.PIPE, stderr=subprocess.PIPE, **more)
        self._threads = [threading.Thread(target=work, args=arguments, daemon=True) for work, arguments in
                         ((self._feed, (given,)), (self._collect, ()), (self._listen, ()))]
        for thread in self._threads:
            thread.start()

    def _feed(self, given):
        try:
            with self._process.stdin as to:
                to.write(given)
        except OSError:
            pass  # the program ended before it read everything; its own message says why

    def _collect(self):
        self.out = self._process.stdout.read()

    def _listen(self):
        while True:
            piece = os.read(self._process.stderr.fileno(), 65536)
            if not piece:
                return
            self._said += piece
            for stage, percent in _PROGRESS.findall(piece.decode("utf-8", "replace")):
                if percent:
                    self.stage, self.fraction = stage, int(percent) / 100

    def done(self):
        return self._process.poll() is not None

    def wait(self, seconds):
        """Waits up to `seconds`. Returns True if the program has ended."""
        try:
            self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            return False
        return True

    def cancel(self):
        """Ends the program and waits for its end. SIGTERM leaves no partial file; after 2 s the program is killed."""
        self._cancelled = True
        if not self.done():
            self._process.terminate()
            if not self.wait(2):
                self._process.kill()
                self._process.wait()

    def said(self):
        """Returns the standard error of the program without progress."""
        return _PROGRESS.sub("", self._said.decode("utf-8", "replace")).strip()

    def warnings(self):
        return [line for line in self.said().splitlines() if "warning" in line]

    def result(self):
        """Waits for the end and returns the standard output. Raises Problem if the program failed."""
        code = self._process.wait()
        for thread in self._threads:
            thread.join()
        self._process.stdout.close()
        self._process.stderr.close()
        if self._cancelled:
            raise Problem("Cancelled.")
        if code != 0:
            told = re.sub(r"(?m)^dapple: |\n`dapple .* explains its options$", "", self.said())
            raise Problem(told or "dapple ended with code {} without a message.".format(code))
        return self.out
