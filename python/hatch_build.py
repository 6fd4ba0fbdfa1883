"""Puts the library, the program and the presets into a wheel, and names the systems that it runs on.

DAPPLE_LIBRARY and DAPPLE_PROGRAM name files that are built already; otherwise CMake builds both, in build/wheel.
"""

import os
import pathlib
import platform
import re
import subprocess

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

# Libraries of every Linux. A file that needs others runs only on systems like the one that built it.
SYSTEM = re.compile(r"(libc|libm|libpthread|libdl|librt|ld-linux[-\w]*)\.so\.\d+")


def platform_of(*files):
    """Returns the platform tag of a library and a program: manylinux with the oldest glibc that they run with, if
    they need nothing else."""
    needed = subprocess.run(["objdump", "-p", *files], capture_output=True, text=True, check=True).stdout
    libraries = re.findall(r"^ *NEEDED +(\S+)", needed, re.MULTILINE)
    machine = platform.machine()
    if not all(SYSTEM.fullmatch(name) for name in libraries):
        return f"linux_{machine}"
    versions = re.findall(r"GLIBC_(\d+)\.(\d+)", needed)
    major, minor = max((int(major), int(minor)) for major, minor in versions)
    return f"manylinux_{major}_{minor}_{machine}"


def build(source, folder):
    """Builds the library and the program and returns their files."""
    if not (source / "CMakeLists.txt").is_file():
        raise SystemExit("the wheel holds the C++ library: build it in the whole source tree of Dapple, or set "
                         "DAPPLE_LIBRARY and DAPPLE_PROGRAM to files that are built")
    subprocess.run(["cmake", "-S", source, "-B", folder, "-G", "Ninja", "-D", "CMAKE_BUILD_TYPE=Release",
                    "-D", "DAPPLE_BUILD_TESTS=OFF", "-D", "DAPPLE_BUILD_BENCHMARKS=OFF",
                    "-D", "DAPPLE_WITH_OPENIMAGEIO=OFF", "-D", "DAPPLE_STUDIO=OFF"], check=True)
    subprocess.run(["cmake", "--build", folder, "--target", "dapple_c", "dapple_program"], check=True)
    return folder / "lib/libdapple.so.0", folder / "bin/dapple"


class LibraryHook(BuildHookInterface):
    def initialize(self, version, build_data):
        if version == "editable":
            return
        source = pathlib.Path(self.root).parent
        library, program = os.environ.get("DAPPLE_LIBRARY"), os.environ.get("DAPPLE_PROGRAM")
        if not library:
            library, program = build(source, source / "build/wheel")
        include = build_data["force_include"]
        include[os.path.realpath(library)] = "dapple/libdapple.so.0"
        if program:
            include[os.path.realpath(program)] = "dapple/bin/dapple"
        include[str(source / "presets")] = "dapple/share/dapple/presets"
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{platform_of(*filter(None, (library, program)))}"
