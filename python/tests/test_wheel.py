"""The wheel that pip builds and installs: it holds all that it needs, and names the systems that it runs on."""

import os
import pathlib
import subprocess
import sys
import zipfile

import pytest

from test_dapple import PROGRAM, SOURCE

pytest.importorskip("hatchling")
pytest.importorskip("pip")

sys.path.insert(0, str(SOURCE / "python"))
import hatch_build  # noqa: E402

LIBRARY = os.environ["DAPPLE_LIBRARY"]


def pip(*words, **environment):
    done = subprocess.run([sys.executable, "-m", "pip", *map(str, words)], capture_output=True, text=True,
                          env={**os.environ, "PIP_DISABLE_PIP_VERSION_CHECK": "1", **environment})
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    pip("wheel", "--no-build-isolation", "--no-deps", "--no-index", "-w", folder, SOURCE / "python",
        DAPPLE_LIBRARY=LIBRARY, DAPPLE_PROGRAM=PROGRAM)
    (made,) = folder.glob("*.whl")
    return made


def test_the_wheel_is_of_this_machine(wheel):
    assert wheel.name.endswith(f"-py3-none-{hatch_build.platform_of(LIBRARY, PROGRAM)}.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        metadata = archive.read(next(name for name in names if name.endswith("/METADATA"))).decode()
        tags = archive.read(next(name for name in names if name.endswith("/WHEEL"))).decode()
    assert {"dapple/libdapple.so.0", "dapple/bin/dapple", "dapple/py.typed", "dapple/__init__.pyi",
            "dapple/share/dapple/presets/stipple-linocut.toml"} <= names
    assert "Root-Is-Purelib: false" in tags
    for line in ("Requires-Python: >=3.8", "Project-URL: Documentation", "Classifier: Typing :: Typed",
                 "Description-Content-Type: text/markdown"):
        assert line in metadata


def test_the_installed_wheel_works_alone(wheel, tmp_path):
    pip("install", "--no-deps", "--no-index", "--target", tmp_path, wheel)
    code = ("import dapple, pathlib; drawing = dapple.stipple('in.png', dots=99, preset='stipple-linocut', seed=3); "
            "drawing.save('python.svg'); print(dapple._library._loaded._name)")
    environment = {name: value for name, value in os.environ.items() if name != "DAPPLE_LIBRARY"}
    environment["PYTHONPATH"] = str(tmp_path)
    (tmp_path / "in.png").write_bytes((SOURCE / "samples/clock.png").read_bytes())

    def run(*words):
        return subprocess.run(words, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True).stdout

    library = run(sys.executable, "-c", code).strip()
    assert pathlib.Path(library) == tmp_path / "dapple/libdapple.so.0"
    for program in ([sys.executable, "-m", "dapple"], [str(tmp_path / "bin/dapple")]):
        run(*program, "stipple", "in.png", "--dots", "99", "--preset", "stipple-linocut", "--seed", "3", "-q",
            "-o", "program.svg")
        assert (tmp_path / "program.svg").read_bytes() == (tmp_path / "python.svg").read_bytes()


def test_without_the_program_the_command_says_what_to_install(tmp_path):
    done = subprocess.run([sys.executable, "-m", "dapple"], capture_output=True, text=True,
                          env={**os.environ, "PYTHONPATH": str(SOURCE / "python"), "PATH": str(tmp_path)})
    assert done.returncode == 1 and "Install the Debian package dapple, or a wheel" in done.stderr


@pytest.mark.parametrize("needed, tag", [
    ("  NEEDED               libc.so.6\n GLIBC_2.17\n GLIBC_2.31\n GLIBC_2.4\n", "manylinux_2_31_"),
    ("  NEEDED               libc.so.6\n  NEEDED               libtbb.so.12\n GLIBC_2.31\n", "linux_"),
])
def test_the_platform_follows_what_the_library_needs(monkeypatch, needed, tag):
    monkeypatch.setattr(hatch_build.subprocess, "run", lambda *_, **__: subprocess.CompletedProcess([], 0, needed))
    assert hatch_build.platform_of("any.so").startswith(tag)
