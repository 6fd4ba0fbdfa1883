"""An extension of Inkscape (1.2 and later): turns pictures into layers of dots, one path per ink, by dapple.

scripts/inkscape-form makes the form dapple_stipple.inx from the program's options. Options at their default are not
passed on, so that a preset decides them.
"""

import base64
import contextlib
import math
import os
import re
import select
import signal
import sys
import time
import urllib.parse
import urllib.request
from xml.etree import ElementTree

import inkex
from lxml import etree

import dapple_program

DRAFT_DOTS = 1500
WINDOW_AFTER = 1.0  # seconds until a window shows the progress
# Parameters of the form that are not options of the program.
OWN = ("tab", "draft", "picture")

INX = "{http://www.inkscape.org/namespace/inkscape/extension}"
SVG = "{http://www.w3.org/2000/svg}"
INKSCAPE = "{http://www.inkscape.org/namespaces/inkscape}"
RECIPE = "{urn:dapple}text[@key='dapple:recipe']"


def parameters():
    """Yields (name, type, default) of each parameter of the form."""
    form = ElementTree.parse(os.path.splitext(os.path.abspath(__file__))[0] + ".inx")
    for param in form.iter(INX + "param"):
        kind, default = param.get("type"), (param.text or "").strip()
        if kind == "optiongroup":
            default = param.find(INX + "option").get("value")
        yield param.get("name"), kind, default


def gone():
    """Returns True if Inkscape has closed its end of the pipe and no longer needs the result."""
    if not hasattr(select, "poll"):
        return False
    ends = select.poll()
    ends.register(sys.stdout.fileno(), 0)
    return any(event & (select.POLLERR | select.POLLHUP) for _, event in ends.poll(0))


def attended(run):
    """Waits for the program. Returns False if the result is no longer needed."""
    begun = time.monotonic()
    while not run.wait(0.02):
        if gone():
            return False
        if time.monotonic() - begun > WINDOW_AFTER:
            return seen(run)
    return True


@contextlib.contextmanager
def silence():
    """Silences standard error: Inkscape would show messages of libraries as errors."""
    said, nowhere = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 2)
    try:
        yield
    finally:
        os.dup2(said, 2)
        os.close(said)
        os.close(nowhere)


def seen(run):
    """As attended(), but shows the progress in a window, if GTK is there. The window of Inkscape 1.2 itself neither
    draws nor takes clicks on its Cancel while an extension works."""
    with silence():
        try:
            import gi

            gi.require_version("Gtk", "3.0")
            from gi.repository import GLib, Gtk

            if Gtk.init_check()[0]:
                return window(run, GLib, Gtk)
        except (ImportError, ValueError):
            pass
    while not run.wait(0.02):
        if gone():
            return False
    return True


def window(run, GLib, Gtk):
    shown = Gtk.Window(title="Stipple (Dapple)", default_width=320, border_width=12, resizable=False,
                       window_position=Gtk.WindowPosition.CENTER, type_hint=1)  # a dialog
    shown.set_keep_above(True)
    box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL, spacing=12)
    bar, button = Gtk.ProgressBar(show_text=True), Gtk.Button(label="Cancel", halign=Gtk.Align.END)
    for part in (bar, button):
        box.add(part)
    shown.add(box)
    wanted = [True]

    def leave(*_):
        wanted[0] = False
        Gtk.main_quit()

    def look():
        if run.done():
            Gtk.main_quit()
        elif gone():
            leave()
        bar.set_text("{} {:.0%}".format(run.stage, run.fraction))
        bar.set_fraction(run.fraction)
        return True

    button.connect("clicked", leave)
    shown.connect("delete-event", leave)
    shown.connect("key-press-event", lambda _, event: event.keyval == 0xFF1B and leave())  # Esc
    looking = GLib.timeout_add(50, look)
    shown.show_all()
    Gtk.main()
    GLib.source_remove(looking)
    shown.destroy()
    return wanted[0]


def number(text):
    return "0" if text is None else "{:.9g}".format(text)


def disc(circle):
    x, y, r = (float(circle.get(name)) for name in ("cx", "cy", "r"))
    arc = "a{0} {0} 0 1 0 ".format(number(r))
    return "M{} {}".format(number(x - r), number(y)) + arc + number(2 * r) + " 0" + arc + number(-2 * r) + " 0z"


def paths(layer):
    """Returns (style, path data) for each style in a layer of the program's drawing; usually there is one."""
    made = {}
    for shape in layer.iter(SVG + "path", SVG + "circle", SVG + "rect", SVG + "use"):
        style, at = {}, shape
        while at is not layer.getparent():
            for name in ("fill", "stroke", "stroke-width", "stroke-linecap", "stroke-linejoin", "fill-rule"):
                if at.get(name) is not None:
                    style.setdefault(name, at.get(name))
            at = at.getparent()
        if shape.tag == SVG + "path":
            data = shape.get("d")
        elif shape.tag == SVG + "circle":
            data = disc(shape)
        elif shape.tag == SVG + "rect":
            data = "M{} {}h{}v{}h-{}z".format(*(shape.get(name, "0") for name in
                                                ("x", "y", "width", "height", "width")))
        else:
            raise dapple_program.Problem("The preset draws shapes from an SVG file, which the extension cannot insert: "
                                         "use another preset.")
        made.setdefault(tuple(sorted(style.items())), []).append(data)
    return [(dict(style), "".join(data)) for style, data in made.items()]


class Stipple(inkex.EffectExtension):
    def add_arguments(self, pars):
        for name, kind, default in parameters():
            pars.add_argument("--" + name, default=default,
                              type={"bool": inkex.Boolean, "int": int, "float": float}.get(kind, str))

    def words(self):
        """Returns the command-line words for the form."""
        words = []
        for name, kind, default in parameters():
            value = getattr(self.options, name.replace("-", "_"))
            if name in OWN:
                continue
            if kind == "bool":
                if value != (default == "true"):
                    words.append("--" + name)
            elif kind in ("int", "float"):
                if value != float(default):
                    words.append("--{}={}".format(name, number(value)))
            elif value.strip() != default:
                words.append("--{}={}".format(name, value.strip()))
        return words

    def draft(self, program, words):
        """Returns the words of a quick drawing: few dots. If sizes of dots fix their number, uses the faster
        poisson."""
        recipe = dapple_program.Run(program, ["stipple", "-", "--print-recipe"] + words).result().decode()
        if re.search('(?m)^dot-size = ".+"$', recipe):
            return words + ["--method=poisson"]
        few = min(self.options.dots or DRAFT_DOTS, DRAFT_DOTS)
        return [word for word in words if not word.startswith("--dots=")] + ["--dots={}".format(few)]

    def pictures(self):
        chosen = []
        for element in self.svg.selection.values():
            chosen += [one for one in element.iter(SVG + "image") if one not in chosen]
        if chosen:
            return chosen
        every = list(self.svg.iter(SVG + "image"))
        if len(every) == 1 and not self.svg.selection:
            return every
        raise dapple_program.Problem("Select a picture first: an image that is embedded in the drawing or linked to "
                                     "it (File > Import).")

    def read(self, image):
        """Returns the bytes of the picture's file."""
        link = image.get("{http://www.w3.org/1999/xlink}href") or image.get("href") or ""
        if link.startswith("data:"):
            head, _, data = link.partition(",")
            if head.endswith(";base64"):
                return base64.b64decode(data)
            return urllib.parse.unquote_to_bytes(data)
        place = urllib.parse.urlparse(link)
        if place.scheme not in ("", "file"):
            raise dapple_program.Problem("The picture is a link to the web ({}): embed it (Extensions > Images > Embed "
                                         "Images).".format(link))
        path = urllib.request.url2pathname(place.path)
        # Inkscape passes a copy of the drawing in another folder, and rewrites links relative to that folder.
        folders = [os.path.dirname(file or "") for file in (self.options.input_file, self.document_path())]
        tried = [os.path.join(folder, path) for folder in folders]
        tried.append(image.get("{http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd}absref") or path)
        problems = []
        for path in tried:
            try:
                with open(path, "rb") as file:
                    return file.read()
            except OSError as error:
                problems.append("{}: {}".format(path, error.strerror or error))
        raise dapple_program.Problem("The linked picture cannot be read: {}.".format(problems[1]))

    def drawn(self, program, image):
        """Returns the program's drawing and the millimeters per unit of the picture's coordinates. The paper of the
        drawing is the picture's area, in millimeters of the page."""
        turn = image.composed_transform()
        area = abs(turn.a * turn.d - turn.b * turn.c)
        scale = math.sqrt(area) / self.svg.unittouu("1mm")
        sides = [image.to_dimensionless(image.get(name) or "0") * scale for name in ("width", "height")]
        if not min(sides) > 0:
            raise dapple_program.Problem("The picture has no width or no height.")
        fit = image.get("preserveAspectRatio") or ""
        fit = "stretch" if "none" in fit else "cover" if "slice" in fit else "contain"
        words = self.words() + ["--paper={}x{}mm".format(*map(number, sides)), "--margin=0mm", "--fit=" + fit]
        if self.options.draft:
            words = self.draft(program, words)
        run = dapple_program.Run(program, ["stipple", "-", "-o", "-"] + words, self.read(image), bound=True)
        signal.signal(signal.SIGTERM, lambda *_: (run.cancel(), os._exit(1)))
        if not attended(run):
            run.cancel()
            os._exit(0)  # without output, Inkscape changes nothing
        drawing = etree.fromstring(run.result(), etree.XMLParser(huge_tree=True))
        if not self.options.draft:
            for warning in run.warnings():
                inkex.errormsg(re.sub("^.*?warning: ", "", warning))
        return drawing, scale

    def layer(self, image, drawing, scale):
        """Inserts the drawing after the picture, with its position, transform and clip."""
        made = inkex.Group()
        parent = image.getparent()
        if parent is self.svg or parent.get(INKSCAPE + "groupmode") == "layer":
            made.set("inkscape:groupmode", "layer")
        made.set("inkscape:label", "Dots of " + (image.get("inkscape:label") or image.get_id()))
        for name in ("transform", "clip-path", "mask"):
            if image.get(name):
                made.set(name, image.get(name))
        x, y = (image.to_dimensionless(image.get(name) or "0") for name in ("x", "y"))
        place = "translate({},{}) scale({})".format(number(x), number(y), number(1 / scale))
        for group in drawing.findall(SVG + "g"):
            label = group.get(INKSCAPE + "label")
            for style, data in paths(group):
                if group.get("id") == "paper":
                    label = "paper"
                    if style.get("fill") == "#ffffff":
                        continue  # white, like the page
                path = inkex.PathElement(d=data, transform=place)
                path.style = inkex.Style(style)
                path.set("inkscape:label", label)
                made.append(path)
        recipe = drawing.find(SVG + "metadata/" + RECIPE)
        if recipe is not None:
            note = etree.SubElement(made, SVG + "desc")
            note.text = recipe.text
        parent.insert(parent.index(image) + 1, made)

    def effect(self):
        try:
            program = dapple_program.find()
            for image in self.pictures():
                self.layer(image, *self.drawn(program, image))
                if self.options.picture == "hide":
                    image.style["display"] = "none"
                elif self.options.picture == "remove":
                    image.getparent().remove(image)
        except dapple_program.Problem as problem:
            raise inkex.AbortExtension(str(problem).replace("standard input", "the picture"))


if __name__ == "__main__":
    Stipple().run()
