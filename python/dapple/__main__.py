"""Runs the program `dapple`: that of this package, otherwise the first in PATH."""

import os
import pathlib
import shutil
import sys


def main():
    own = pathlib.Path(__file__).resolve().parent / "bin/dapple"
    program = str(own) if own.is_file() else shutil.which("dapple")
    # Not this script again, which pip installs under the name of the program.
    if program is None or pathlib.Path(program).resolve() == pathlib.Path(sys.argv[0]).resolve():
        sys.exit("dapple: the program is not installed: this Python package has only the library. Install the "
                 "Debian package dapple, or a wheel with the program")
    os.execv(program, ["dapple", *sys.argv[1:]])


if __name__ == "__main__":
    main()
