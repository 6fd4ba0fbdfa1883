#!/usr/bin/python3
"""Tests what is special about Windows: names, long paths, line ends, replacement, wildcards, devices, ends of threads.

Usage: program_test.py COMMAND   (a script that runs dapple.exe by wine)"""

import os
import pathlib
import pty
import subprocess
import sys
import tempfile
import time
import unittest

PROGRAM = sys.argv.pop(1)
ROOT = pathlib.Path(__file__).resolve().parents[2]


class Program(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.temporary.name)

    def tearDown(self):
        self.temporary.cleanup()

    def run_program(self, *words, code=0, **how):
        done = subprocess.run([PROGRAM, *words], cwd=self.folder, capture_output=True, **how)
        said = (done.stdout + done.stderr).decode()  # fails if it is not UTF-8
        self.assertEqual(done.returncode, code, said)
        return said

    def made(self):
        return sorted(path.name for path in self.folder.iterdir())

    def test_spaces_and_letters_of_all_planes(self):
        for name in ["two words.png", "größe.png", "点描.png", "🌳 tree.png"]:
            with self.subTest(name):
                said = self.run_program("mask", "--size", "16", "-o", name)
                self.assertIn(name, said)
                self.assertIn(name, self.made())
                self.run_program("dither", name, "-o", "out " + name, "-q")
                self.assertIn("out " + name, self.made())
                points = name.replace(".png", ".csv")
                self.run_program("stipple", name, "--dots", "20", "-o", points, "-q")
                self.assertIn(points, self.made())

    def test_paths_of_more_than_260_characters(self):
        folder = self.folder
        for _ in range(8):
            folder = folder / ("a folder with a long name " * 2).strip()
            folder.mkdir()
        path = folder / "mask.png"
        self.assertGreater(len(str(path)), 400)
        self.run_program("mask", "--size", "16", "-o", str(path), "-q")
        self.run_program("mask", "--size", "16", "--seed", "2", "-o", str(path), "-q")
        self.run_program("dither", str(path), "-o", "a.png", "-q")
        self.assertEqual([entry.name for entry in folder.iterdir()], ["mask.png"])

    def test_backslashes_part_folders(self):
        (self.folder / "in").mkdir()
        self.run_program("mask", "--size", "16", "-o", "in\\mask.png", "-q")
        self.assertTrue((self.folder / "in" / "mask.png").exists())

    def test_recipes_name_no_folder(self):
        (self.folder / "in").mkdir()
        self.run_program("mask", "--size", "16", "-o", "in/mask.png", "-q")
        made = []
        for name in ["in/mask.png", "in\\mask.png", ".\\in\\mask.png", "Z:" + str(self.folder / "in/mask.png")]:
            self.run_program("dither", name, "-o", "a.png", "-q")
            made.append((self.folder / "a.png").read_bytes())
        self.assertIn(b'input = "mask.png"', made[0])
        self.assertEqual(made[1:], made[:1] * 3)

    def test_presets_in_folders_are_files(self):
        (self.folder / "in").mkdir()
        (self.folder / "in" / "mine.toml").write_text('command = "mask"\nsize = 16\n')
        for name in ["in\\mine.toml", "Z:" + str(self.folder / "in" / "mine.toml")]:
            for option in ["--preset", "--recipe"]:
                self.run_program("mask", option, name, "-o", "a.png", "-q")

    def test_a_changed_file_of_the_same_size_is_made_again(self):
        (self.folder / "jobs.toml").write_text('[[job]]\ncommand = "worley"\nsize = 16\npoints = "p.csv"\noutput = "a.png"\n')
        for x in "123":
            (self.folder / "p.csv").write_text(f"x,y,r\n{x},1,1\n7,8,1\n")
            self.assertIn("1 done", self.run_program("batch", "jobs.toml"))

    def test_devices_are_no_inputs(self):
        for name in ["NUL", "/dev/zero", "Z:\\dev\\zero"]:
            self.assertIn("is a device", self.run_program("dither", name, "-o", "a.png", code=3, timeout=20))

    def test_lines_may_end_as_on_windows(self):
        (self.folder / "recipe.toml").write_bytes(b'command = "mask"\r\nsize = 16\r\n')
        self.run_program("mask", "--preset", "./recipe.toml", "-o", "a.png", "-q")
        (self.folder / "points.csv").write_bytes(b"x,y,radius\r\n1,2,1\r\n5,6,1\r\n")
        self.run_program("worley", "--points", "points.csv", "--size", "16", "-o", "b.png", "-q")

    def test_names_of_devices_and_hidden_streams_are_refused(self):
        for name in ["con.png", "NUL.png", "com1.png", "a.png:1.png", "what?.png"]:
            with self.subTest(name):
                said = self.run_program("mask", "--size", "16", "-o", name, code=4)
                self.assertIn("Windows", said)
        self.assertEqual(self.made(), [])

    def test_a_file_is_replaced_whole_and_nothing_else_stays(self):
        self.run_program("mask", "--size", "16", "-o", "a.png", "-q")
        before = (self.folder / "a.png").read_bytes()
        self.run_program("mask", "--size", "16", "--seed", "2", "-o", "a.png", "-q")
        self.assertNotEqual((self.folder / "a.png").read_bytes(), before)
        said = self.run_program("mask", "--size", "16", "-o", "a.png", "--overwrite", "never", code=4)
        self.assertIn("a.png", said)
        self.assertEqual(self.made(), ["a.png"])

    def test_several_outputs_are_written_together(self):
        words = ["stipple", str(ROOT / "samples/raccoon.png"), "--dots", "300", "-q"]
        self.run_program(*words, "-o", "a.png", "-o", "a.svg", "-o", "a.csv")
        self.run_program(*words, "--seed", "3", "-o", "a.png", "-o", "a.svg", "-o", "a.csv")
        self.assertEqual(self.made(), ["a.csv", "a.csv.json", "a.png", "a.svg"])

    def test_wildcards_name_files(self):
        for number in "12":
            self.run_program("mask", "--size", "16", "-o", f"m {number}.png", "-q")
        jobs = '[[job]]\ncommand = "dither"\ninput = "m *.png"\noutput = "out {stem}.png"\n'
        (self.folder / "jobs.toml").write_text(jobs)
        self.run_program("batch", "jobs.toml", "-q")
        self.assertIn("out m 2.png", self.made())

    def test_standard_streams_carry_bytes(self):
        picture = (ROOT / "samples/raccoon.png").read_bytes()
        done = subprocess.run([PROGRAM, "dither", "-", "-o", "-", "-q"], input=picture, capture_output=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stdout[:8], b"\x89PNG\r\n\x1a\n")

    def test_presets_lie_beside_the_program_or_in_named_folders(self):
        self.assertIn("dither-newspaper", self.run_program("presets"))
        for name in "ab":
            (self.folder / name).mkdir()
        (self.folder / "b" / "mine.toml").write_text('command = "mask"\nsize = 16\n')
        self.run_program("mask", "--preset", "mine", "-o", "a.png", "-q",
                         env={**os.environ, "DAPPLE_PRESET_PATH": f"{self.folder}/a;{self.folder}/b"})

    def test_ctrl_c_ends_a_run_without_a_file(self):
        child, terminal = pty.fork()
        if child == 0:
            os.chdir(self.folder)
            os.execv(PROGRAM, [PROGRAM, "mask", "--size", "4096", "-o", "m.png"])
        time.sleep(2)
        os.write(terminal, b"\x03")
        said = b""
        try:
            while block := os.read(terminal, 4096):
                said += block
        except OSError:
            pass  # the end of a terminal
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        self.assertEqual(status, 130, said)
        self.assertEqual(self.made(), [])

    def test_threads_free_their_memory_at_their_end(self):
        for _ in range(25):  # a fault in the order of destructors ended one of five runs
            self.run_program("worley", "--preset", "texture-scales", "--size", "96", "--threads", "2", "-o", "a.png", "-q")

    def test_formats_that_are_not_there_are_named(self):
        said = self.run_program("mask", "--size", "16", "-o", "a.exr", code=2)
        self.assertIn(".exr", said)


unittest.main()
