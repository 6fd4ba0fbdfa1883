"""Turns a photo into dots: arrays of places and sizes, an SVG for a plotter, and a check of the tones.
Writes stippled.svg and stippled.png."""

import pathlib

import numpy

import dapple

photo = pathlib.Path(__file__).resolve().parents[1] / "clock.png"
drawing = dapple.stipple(photo, dots=4000, progress=lambda stage, done: None)
drawing.save("stippled.svg")
drawing.save("stippled.png")
left = numpy.count_nonzero(drawing.x < drawing.domain[0] / 2)
print(f"{len(drawing)} dots, {left} in the left half, {drawing.facts['plot']['seconds']:.0f} s to plot")
print(drawing.report()["verdict"])
