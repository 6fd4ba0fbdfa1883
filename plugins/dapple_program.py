"""The program dapple, as other programs use it: found, asked for its version, run beside them and ended with them.

Each host gets a copy of this file beside its own, and none needs more than Python 3.7.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import threading

NEEDED = (0, 1)  # what the plug-ins were written for; another MINOR before 1.0 may have other options

_PROGRESS = re.compile(r"\r\x1b\[K(?:([\w -]*?) +(\d+) %)?")


class Problem(Exception):
    """What a user is told: what is wrong, and what to do."""


def _places(given):
    """Where the program may be: where the user says, beside this file as built and installed, where the shell
    finds it, and where programs of a desktop do not look by themselves."""
    for place in (given, os.environ.get("DAPPLE_PROGRAM")):
        if place:
            yield place
    name = "dapple.exe" if os.name == "nt" else "dapple"
    # Not resolved: a link to this file stands for its own place.
    for folder in list(pathlib.Path(os.path.abspath(__file__)).parents)[1:6]:
        yield str(folder / "bin" / name)
    found = shutil.which("dapple")
    if found:
        yield found
    for folder in ("~/.local/bin", "/usr/local/bin", "/usr/bin", "/opt/homebrew/bin"):
        yield os.path.join(os.path.expanduser(folder), name)


def _version(place):
    """(major, minor, patch) of the program there; None where it is not dapple."""
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
    """The path of a program that fits. Raises Problem, which names each that does not."""
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
        ["The program dapple, version {}, which does the work, is not here.".format(needed)] + others +
        ["Install it (Debian: apt install dapple; else see its README), or let the environment variable "
         "DAPPLE_PROGRAM name its file."]))


def _die_with_parent():
    """On Linux: the kernel ends the program when the host is killed in a way that nothing can catch."""
    import ctypes

    ctypes.CDLL(None).prctl(1, 15)  # PR_SET_PDEATHSIG, SIGTERM


class Run:
    """The program at work. Never through a shell: `words` go to it as they are.

    given: bytes for its standard input. bound: it ends with the process, for hosts of a single thread.
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
            pass  # it ended before it had read all: it says itself why

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
        """Whether it is done, after at most so long."""
        try:
            self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            return False
        return True

    def cancel(self):
        """Ends it, and waits for that: by SIGTERM, upon which it leaves no file behind; after 2 s by force."""
        self._cancelled = True
        if not self.done():
            self._process.terminate()
            if not self.wait(2):
                self._process.kill()
                self._process.wait()

    def said(self):
        """What it told on standard error, without progress."""
        return _PROGRESS.sub("", self._said.decode("utf-8", "replace")).strip()

    def warnings(self):
        return [line for line in self.said().splitlines() if "warning" in line]

    def result(self):
        """What it wrote to standard output, when it is done. Raises Problem where it failed."""
        code = self._process.wait()
        for thread in self._threads:
            thread.join()
        self._process.stdout.close()
        self._process.stderr.close()
        if self._cancelled:
            raise Problem("Cancelled.")
        if code != 0:
            told = re.sub(r"(?m)^dapple: |\n`dapple .* explains its options$", "", self.said())
            raise Problem(told or "dapple ended with code {} and said nothing.".format(code))
        return self.out
