"""Jobs of the operators: build command lines and files for the program, and put its results into the scene."""

import importlib.util
import os
import shlex
import shutil
import sys
import tempfile

import bpy
import numpy

from . import exchange, scene
from .dapple_program import Problem, Run

NUMBERS_OF_POINTS = ("r", "size", "u", "v")
WHOLE_NUMBERS_OF_POINTS = ("class", "rank", "face")
PASSES = ("color", "height", "normal", "roughness", "occlusion", "id")


def number(value):
    return "{:.9g}".format(value)


class Chosen:
    """A copy of the settings when a job begins. Keeps the image and the collection by name, since undo moves them."""

    def __init__(self, settings):
        for name in settings.bl_rna.properties.keys():
            if name not in ("rna_type", "name", "image", "collection"):
                setattr(self, name, getattr(settings, name))
        self._image = settings.image.name if settings.image else ""
        self._collection = settings.collection.name if settings.collection else ""

    @property
    def image(self):
        return bpy.data.images.get(self._image)

    @property
    def collection(self):
        return bpy.data.collections.get(self._collection)


class Job:
    """A run of the program with its own temporary folder, which is removed at the end."""

    def __init__(self, program, settings):
        self.settings, self.run = Chosen(settings), None
        self.folder = tempfile.mkdtemp(prefix="dapple-")
        try:
            words = self.words()
            if words is not None:
                self.run = Run(program(), words)
        except BaseException:
            self.end()
            raise

    def path(self, name):
        return os.path.join(self.folder, name)

    def keep(self, name, data):
        with open(self.path(name), "wb") as file:
            file.write(data)
        return self.path(name)

    def end(self):
        if self.run is not None:
            self.run.cancel()
        shutil.rmtree(self.folder, ignore_errors=True)

    def finish(self, context):
        """Puts the result into the scene. Returns a message and the warnings of the program."""
        try:
            if self.run is not None:
                self.run.result()
            told = self.take(context)
            warnings = self.run.warnings() if self.run is not None else []
            return told, [warning.split("warning: ", 1)[-1] for warning in warnings]
        except OSError as problem:
            raise Problem("{}: {}".format(problem.filename, problem.strerror))
        except ValueError as problem:
            raise Problem(str(problem))
        finally:
            shutil.rmtree(self.folder, ignore_errors=True)


class Points(Job):
    """Points on a plane by an image, on the surface of an object, or from a file."""

    def words(self):
        s = self.settings
        self.surface = None
        if s.instances and s.collection is not None:
            scene.widths_of(bpy.context, s.collection)
        if s.source == "FILE":
            self.file = bpy.path.abspath(s.file)
            if not self.file:
                raise Problem("Choose a file of points, .ply or .json.")
            return None
        self.file = self.path("points.ply")
        words = ["sample"]
        # Blender units per unit of the program: a pixel, or a unit of the mesh, which equals Blender's.
        self.unit = 1.0
        if s.source == "IMAGE":
            words += self.of_image()
        else:
            words += self.of_surface()
        if s.by == "COUNT":
            words.append("--count={}".format(s.count))
        else:
            radius = number(s.radius / self.unit)
            if s.radius_max > s.radius:
                radius += ":" + number(s.radius_max / self.unit)
            words.append("--radius=" + radius)
        words += ["--seed={}".format(s.seed), "-o", self.file]
        if s.turn:
            words.append("--rotation=0:360")
        try:
            return words + shlex.split(s.options)
        except ValueError as problem:
            raise Problem("More options: {}.".format(problem))

    def map(self):
        if self.settings.image is None:
            raise Problem("Choose an image.")
        return self.keep("map.npy", exchange.npy(scene.pixels_of(self.settings.image)))

    def of_image(self):
        s = self.settings
        path = self.map()
        self.unit = s.width / s.image.size[0]
        return [path, "--as=" + s.meaning.lower()]

    def of_surface(self):
        s = self.settings
        thing = bpy.context.object
        if thing is None or thing.type not in {"MESH", "CURVE", "SURFACE", "META", "FONT"}:
            raise Problem("Make an object with a surface the active object.")
        by = {"EVEN": "NONE", "CURVATURE": "NONE", "IMAGE": "UV"}.get(s.follow, s.follow)
        self.surface = scene.Surface(bpy.context, thing, by, s.numbers)
        words = ["--on", self.keep("surface.ply", self.surface.ply())]
        if s.follow == "IMAGE":
            words.insert(0, self.map())
        elif s.follow != "EVEN":
            names = {"COLOR": "color", "CURVATURE": "curvature"}
            words.append("--radius-from=" + names.get(s.follow, exchange.name_of_column(s.numbers)))
        if s.follow in ("IMAGE", "COLOR", "NUMBERS"):
            words.append("--as=" + s.meaning.lower())
        return words

    def take(self, context):
        s = self.settings
        columns, domain = exchange.read_points(self.file)
        count = len(columns["x"])
        if count == 0:
            raise Problem("There are no points: the file is empty, or the image or attribute allows none.")
        on_surface = "nx" in columns
        attributes = {"id": ("INT", numpy.arange(count))}
        degrees = columns.get("rotation", numpy.zeros(count))
        if on_surface:
            places = numpy.stack([columns[axis] for axis in "xyz"], 1)
            normals = numpy.stack([columns["n" + axis] for axis in "xyz"], 1)
            attributes["surface_normal"] = ("FLOAT_VECTOR", normals)
            up = numpy.array([0.0, 0.0, 1.0])
            turns = exchange.turned(numpy.broadcast_to(up, normals.shape) if s.stand == "UP" else normals, degrees)
            unit = 1.0
        else:
            if domain is None:
                low, high = ([float(end(columns[axis])) for axis in "xy"] for end in (numpy.min, numpy.max))
                domain = (low[0], low[1], high[0] - low[0], high[1] - low[1])
            unit = s.width / domain[2] if domain[2] > 0 else 1.0
            places = exchange.on_plane(columns, domain, unit)
            # The y axis is flipped, so rotations change their sign.
            turns = numpy.zeros((count, 3))
            turns[:, 2] = -numpy.radians(degrees)
        attributes["rotation"] = ("FLOAT_VECTOR", turns)
        for name in NUMBERS_OF_POINTS:
            if name in columns and (on_surface or name in ("r", "size")):
                scale = unit if name in ("r", "size") else 1.0
                attributes[name] = ("FLOAT", columns[name] * scale)
        for name in WHOLE_NUMBERS_OF_POINTS:
            if name in columns:
                attributes[name] = ("INT", columns[name])
        attributes.setdefault("class", ("INT", numpy.zeros(count)))
        if self.surface is not None:
            attributes["face"] = ("INT", self.surface.polygons[columns["face"]])
            if self.surface.colors is not None:
                attributes["color"] = ("FLOAT_COLOR", self.surface.colors_at(columns))
        elif s.source == "IMAGE":
            attributes["color"] = ("FLOAT_COLOR", scene.colors_of(s.image, columns, domain))
        # The width comes from the column size, otherwise from the smallest distance r.
        wide = attributes.get("size", attributes.get("r", ("FLOAT", numpy.full(count, 1.0))))[1]
        if s.instances and s.collection is not None:
            widths = scene.widths_of(context, s.collection)
            wide = wide / widths[attributes["class"][1].astype(int) % len(widths)]
        attributes["scale"] = ("FLOAT", wide)
        thing = scene.add_points(context, "Dapple points", places, attributes)
        if s.instances:
            scene.add_instances(thing, s.collection)
        return "{:,} points".format(count)


class Material(Job):
    """A material of a cell texture with all its passes; the program writes the nodes."""

    def words(self):
        s = self.settings
        recipe = bpy.path.abspath(s.recipe)
        start = ["--recipe", recipe] if recipe else ["--preset", s.preset]
        name = os.path.splitext(os.path.basename(recipe))[0] if recipe else s.preset
        self.name = name[8:] if name.startswith("texture-") else name
        return ["worley"] + start + ["--size={}".format(s.resolution), "--seed={}".format(s.seed),
                                     "--outputs=" + ",".join(PASSES), "--material=blender", "-o",
                                     self.path(self.name.replace("{", "").replace("%", "") + "_{output}.png")]

    def take(self, context):
        (script,) = [name for name in os.listdir(self.folder) if name.endswith(".py")]
        spec = importlib.util.spec_from_file_location("dapple_material", self.path(script))
        made = importlib.util.module_from_spec(spec)
        cached, sys.dont_write_bytecode = sys.dont_write_bytecode, True
        try:
            spec.loader.exec_module(made)
        finally:
            sys.dont_write_bytecode = cached
        material = made.make_material(displaced=self.settings.displaced)
        nodes = material.node_tree.nodes
        place = next(node for node in nodes if node.type == "TEX_COORD")
        shown = {node.label: node for node in nodes if node.type == "TEX_IMAGE"}
        for i, (output, name) in enumerate(made.FILES.items()):
            if output not in shown:  # unconnected, for use as masks and variation
                node = shown[output] = nodes.new("ShaderNodeTexImage")
                node.label, node.location = output, (-1250, -300 * i)
                node.image = bpy.data.images.load(self.path(name))
                node.image.colorspace_settings.name = "Non-Color"
                material.node_tree.links.new(place.outputs["UV"], node.inputs["Vector"])
            image = shown[output].image
            image.pack()
            image.filepath_raw = "//textures/" + name  # the path if the user unpacks it
        thing = context.object
        if thing is not None and thing.type == "MESH" and thing.select_get():
            if thing.material_slots:
                thing.material_slots[thing.active_material_index].material = material
            else:
                thing.data.materials.append(material)
            return "material '{}', on '{}'".format(material.name, thing.name)
        material.use_fake_user = True
        return "material '{}'".format(material.name)


class Mask(Job):
    """A blue-noise mask as an image of thresholds."""

    def words(self):
        s = self.settings
        return ["mask", "--size={}".format(s.mask_size), "--channels={}".format(s.mask_channels),
                "--seed={}".format(s.seed), "--bits=float", "-o", self.path("mask.npy")]

    def take(self, context):
        values = numpy.load(self.path("mask.npy"))
        image = scene.add_image("Blue noise {}".format(self.settings.mask_size), values)
        return "image '{}'".format(image.name)
