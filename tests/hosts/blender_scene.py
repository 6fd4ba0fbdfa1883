"""Runs inside Blender (see `blender` beside it): -- SCRIPTS SAMPLES WORK"""
import os
import pathlib
import subprocess
import sys
import time
import traceback

import addon_utils
import bpy
import numpy
from mathutils import Euler, Vector

scripts, samples, work = (pathlib.Path(word) for word in sys.argv[sys.argv.index("--") + 1:][:3])
program = str(scripts.parents[2] / "bin/dapple")
assert addon_utils.enable("dapple_addon", default_set=True) is not None
import dapple_addon  # noqa: E402
from dapple_addon import dapple_program, exchange, jobs, scene  # noqa: E402


def fresh(**settings):
    """An empty file with these settings."""
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    addon_utils.enable("dapple_addon", default_set=True)
    for name, value in settings.items():
        setattr(bpy.context.scene.dapple, name, value)
    return bpy.context.scene.dapple


def made_by_program(*words):
    path = str(work / "by_program.ply")
    subprocess.run([program, "sample", *words, "-q", "-o", path], check=True)
    return exchange.read_points(path)[0]


def image_of(pixels, name="map"):
    """A float image of numbers, rows from the top down."""
    height, width = pixels.shape
    image = bpy.data.images.new(name, width, height, float_buffer=True, is_data=True)
    full = numpy.ones((height, width, 4), "f4")
    full[..., :3] = pixels[::-1, :, None]
    image.pixels.foreach_set(full.ravel())
    return image


def column(thing, name):
    layer = thing.data.attributes[name]
    field, width = {"FLOAT": ("value", 1), "INT": ("value", 1), "FLOAT_VECTOR": ("vector", 3),
                    "FLOAT_COLOR": ("color", 4)}[layer.data_type]
    values = numpy.empty(len(layer.data) * width, "i4" if layer.data_type == "INT" else "f4")
    layer.data.foreach_get(field, values)
    return values.reshape(-1, width) if width > 1 else values


def places(thing):
    values = numpy.empty(len(thing.data.vertices) * 3, "f4")
    thing.data.vertices.foreach_get("co", values)
    return values.reshape(-1, 3).astype(float)


def nearest(points):
    """The distance of each to its nearest other."""
    found = numpy.empty(len(points))
    for i, point in enumerate(points):
        apart = ((points - point) ** 2).sum(1)
        apart[i] = numpy.inf
        found[i] = apart.min() ** 0.5
    return found


def instances(thing):
    """What Blender renders of it: (name of the object, matrix) for each instance."""
    graph = bpy.context.evaluated_depsgraph_get()
    return [(one.object.name, one.matrix_world.copy()) for one in graph.object_instances
            if one.is_instance and one.parent and one.parent.original == thing]


def refused(operator, *says):
    try:
        operator()
    except RuntimeError as error:
        for text in says:
            assert text in str(error), error
        return
    raise AssertionError("was not refused")


def test_points_of_an_image_are_the_programs():
    s = fresh(source="IMAGE", width=4.0, count=3000, meaning="TONE", seed=5, instances=False)
    s.image = bpy.data.images.load(str(samples / "raccoon.png"))
    assert bpy.ops.dapple.points() == {"FINISHED"}
    thing = bpy.context.object
    here = places(thing)
    wanted = made_by_program(str(samples / "raccoon.png"), "--count=3000", "--as=tone", "--seed=5", "--rotation=0:360")
    unit = 4.0 / 1024
    there = numpy.stack([(wanted["x"] - 512) * unit, (384 - wanted["y"]) * unit], 1)
    assert len(here) == 3000 and abs(here[:, :2] - there).max() < 1e-5 and not here[:, 2].any()
    assert abs(column(thing, "r") - wanted["r"] * unit).max() < 1e-6
    assert abs(column(thing, "rotation")[:, 2] + numpy.radians(wanted["rotation"])).max() < 1e-5
    assert (column(thing, "id") == numpy.arange(3000)).all()
    # Colors are those of the pixels beneath, in linear light.
    pixels = numpy.empty(1024 * 768 * 4, "f4")
    s.image.pixels.foreach_get(pixels)
    pixels = pixels.reshape(768, 1024, 4)
    for i in range(0, 3000, 100):
        x, y = int(here[i, 0] / unit + 512), int(here[i, 1] / unit + 384)
        seen = pixels[y, x, :3]
        expected = numpy.where(seen <= 0.04045, seen / 12.92, ((seen + 0.055) / 1.055) ** 2.4)
        assert abs(column(thing, "color")[i, :3] - expected).max() < 0.01, i


def test_unsaved_float_pixels_and_distances_in_blenders_units():
    s = fresh(source="IMAGE", width=3.0, by="RADIUS", radius=0.05, radius_max=0.2, turn=False)
    ramp = numpy.zeros((60, 120), "f4")
    ramp[:30, 60:] = 1  # the upper right quarter is bright
    s.image = image_of(ramp)
    bpy.ops.dapple.points()
    thing = bpy.context.object
    here = places(thing)
    r = column(thing, "r")
    assert abs(r.min() - 0.05) < 1e-5 and r.max() < 0.2001
    assert (nearest(here) >= r * 0.99).mean() > 0.6 and nearest(here).min() >= 0.0499
    bright = (here[:, 0] > 0) & (here[:, 1] > 0)
    assert bright.mean() > 0.6, bright.mean()
    assert abs(here[:, 0]).max() <= 1.5 and abs(here[:, 1]).max() <= 0.75
    # Cones as wide as the distance.
    shown = instances(thing)
    assert len(shown) == len(here)
    assert abs(shown[7][1].to_scale().x - r[7]) < 1e-6
    assert (shown[7][1].translation - Vector(here[7])).length < 1e-6


def sphere(subdivisions=5, **more):
    bpy.ops.mesh.primitive_ico_sphere_add(subdivisions=subdivisions, radius=1, **more)
    return bpy.context.object


def test_a_surface_in_the_worlds_units_with_normals_and_upright():
    s = fresh(source="SURFACE", by="RADIUS", radius=0.2, instances=True)
    ball = sphere(location=(3, 2, 1), rotation=(0.3, 0.2, 0.1))
    ball.scale = (2, 2, 2)
    bpy.context.view_layer.update()
    bpy.ops.dapple.points()
    thing = bpy.context.object
    here = places(thing)
    away = numpy.linalg.norm(here - (3, 2, 1), axis=1)
    assert 1.97 < away.min() and away.max() < 2.0001, (away.min(), away.max())
    assert nearest(here).min() >= 0.1999 and nearest(here).max() < 0.4
    normals = column(thing, "surface_normal")
    assert (((here - (3, 2, 1)) / 2 * normals).sum(1) > 0.99).all()
    turns = column(thing, "rotation")
    for i in range(0, len(here), 50):
        assert (Euler(turns[i], "XYZ").to_matrix() @ Vector((0, 0, 1)) - Vector(normals[i])).length < 1e-5
        matrix = instances(thing)[i][1]
        assert (matrix.to_3x3().normalized() @ Vector((0, 0, 1)) - Vector(normals[i])).length < 1e-5
    angles = [Euler(turn, "XYZ").to_quaternion().to_swing_twist("Z")[1] for turn in turns]
    assert numpy.histogram(numpy.mod(angles, 2 * numpy.pi), 4, (0, 2 * numpy.pi))[0].min() > len(here) / 8
    # Polygons of Blender's, also of what modifiers make.
    face = column(thing, "face")
    assert face.max() < len(ball.data.polygons)
    for i in range(0, len(here), 50):
        center = ball.matrix_world @ ball.data.polygons[face[i]].center
        assert (center - Vector(here[i])).length < 0.2
    bpy.context.view_layer.objects.active = ball
    ball.modifiers.new("half", "DECIMATE").ratio = 0.5
    s.stand, s.turn = "UP", False
    bpy.ops.dapple.points()
    assert not column(bpy.context.object, "rotation").any()


def test_vertex_colors_of_corners_and_of_vertices():
    counts = []
    for domain in ("POINT", "CORNER"):
        s = fresh(source="SURFACE", follow="COLOR", by="RADIUS", radius=0.05, radius_max=0.4)
        ball = sphere()
        layer = ball.data.color_attributes.new("Paint", "FLOAT_COLOR", domain)
        ball.data.color_attributes.active_color = layer
        if domain == "POINT":
            spots = [vertex.co for vertex in ball.data.vertices]
        else:
            spots = [ball.data.vertices[loop.vertex_index].co for loop in ball.data.loops]
        colors = numpy.array([(1, 0.2, 0.2, 1) if spot.x > 0 else (0.001, 0.001, 0.001, 1) for spot in spots], "f4")
        layer.data.foreach_set("color", colors.ravel())
        bpy.ops.dapple.points()
        thing = bpy.context.object
        here = places(thing)
        assert (here[:, 0] > 0).mean() > 0.8, (here[:, 0] > 0).mean()
        seen = column(thing, "color")[here[:, 0] > 0.2]
        assert abs(seen - (1, 0.2, 0.2, 1)).max() < 1e-4
        counts.append(len(here))
    assert abs(counts[0] - counts[1]) < 0.1 * counts[0], counts


def test_weights_attributes_curvature_and_images():
    s = fresh(source="SURFACE", follow="NUMBERS", numbers="fü r", count=500)
    ball = sphere()
    group = ball.vertex_groups.new(name="fü r")
    for vertex in ball.data.vertices:
        group.add([vertex.index], 1.0 if vertex.co.z > 0 else 0.05, "REPLACE")
    bpy.ops.dapple.points()
    here = places(bpy.context.object)
    assert len(here) == 500 and (here[:, 2] > 0).mean() > 0.8
    bpy.context.view_layer.objects.active = ball
    layer = ball.data.attributes.new("heat", "FLOAT", "POINT")
    layer.data.foreach_set("value", [1.0 if vertex.co.y > 0 else 0.05 for vertex in ball.data.vertices])
    s.numbers = "heat"
    bpy.ops.dapple.points()
    assert (places(bpy.context.object)[:, 1] > 0).mean() > 0.8
    bpy.context.view_layer.objects.active = ball
    s.numbers = "cold"
    refused(bpy.ops.dapple.points, "neither a vertex group 'cold'")
    # A plane whose picture is bright up and left: where y is above and x below the middle.
    bpy.ops.mesh.primitive_plane_add(size=2)
    spot = numpy.full((64, 64), 0.02, "f4")
    spot[:32, :32] = 1
    s.image, s.follow = image_of(spot), "IMAGE"
    bpy.ops.dapple.points()
    here = places(bpy.context.object)
    assert len(here) == 500 and ((here[:, 0] < 0) & (here[:, 1] > 0)).mean() > 0.7
    bpy.ops.mesh.primitive_torus_add(major_radius=1, minor_radius=0.3, major_segments=96, minor_segments=32)
    s.follow = "CURVATURE"
    bpy.ops.dapple.points()
    assert len(places(bpy.context.object)) == 500
    bpy.ops.object.text_add()
    s.follow = "EVEN"
    bpy.ops.dapple.points()
    assert len(places(bpy.context.object)) == 500


def forest(s):
    kinds = bpy.data.collections.new("kinds")
    for name, width in (("3 bush", 0.5), ("1 oak", 4.0), ("2 birch", 2.0)):
        mesh = bpy.data.meshes.new(name)
        mesh.from_pydata([(-width / 2, 0, 0), (width / 2, 0, 0), (0, width / 4, 0), (width / 8, 0, 5)], [], [(0, 1, 2), (0, 1, 3)])
        kinds.objects.link(bpy.data.objects.new(name, mesh))
    s.collection = kinds
    return kinds


def test_crowns_of_three_classes_never_touch_and_are_of_their_objects():
    s = fresh(source="IMAGE", width=10.0, by="COUNT", options="")
    forest(s)
    path = str(work / "forest.json")
    subprocess.run([program, "sample", "--size=512", "--class-radius=40,20,10", "--class-distance=mean", "--rotation=0:360",
                    "-q", "-o", path], check=True)
    s.source, s.file = "FILE", path
    bpy.ops.dapple.points()
    thing = bpy.context.object
    here, kind, r = places(thing), column(thing, "class"), column(thing, "r")
    assert sorted(set(kind)) == [0, 1, 2]
    shown = instances(thing)
    assert len(shown) == len(here)
    names = ["1 oak", "2 birch", "3 bush"]
    across = {"1 oak": 4.0, "2 birch": 2.0, "3 bush": 0.5}
    for i, (name, matrix) in enumerate(shown):
        assert name == names[kind[i]], (i, name, kind[i])
        assert abs(matrix.to_scale().x * across[name] - r[i]) < 1e-5
        assert (matrix.translation - Vector(here[i])).length < 1e-5
    for i in range(len(here)):
        apart = numpy.linalg.norm(here - here[i], axis=1) - (r + r[i]) / 2
        apart[i] = 1
        assert apart.min() > -1e-5, apart.min()
    # A second time: the node group is there already.
    bpy.ops.dapple.points()
    assert len([tree for tree in bpy.data.node_groups if tree.name.startswith("Dapple")]) == 1
    assert len(instances(bpy.context.object)) == len(here)


def test_files_of_points_of_both_kinds():
    s = fresh(source="FILE", width=2.0, instances=False)
    path = work / "wood"
    subprocess.run([program, "sample", "--size=100x50", "--radius=4", "--classes=0.6,0.4", "--object-size=2:5",
                    "--rotation=0:360", "-q", "-o", str(path) + ".json", "-o", str(path) + ".ply", "-o",
                    str(path) + ".csv"], check=True)
    found = []
    for kind in ("json", "ply"):
        s.file = "{}.{}".format(path, kind)
        bpy.ops.dapple.points()
        thing = bpy.context.object
        found.append([places(thing)] + [column(thing, name) for name in ("r", "size", "class", "rotation")])
    for a, b in zip(*found):
        assert abs(a - b).max() < 1e-6
    rows = numpy.loadtxt(str(path) + ".csv", delimiter=",", skiprows=1)
    assert abs(found[0][0][:, 0] - (rows[:, 0] - 50) / 50).max() < 1e-6
    assert abs(found[0][0][:, 1] - (25 - rows[:, 1]) / 50).max() < 1e-6
    assert abs(found[0][2] - rows[:, 4] / 50).max() < 1e-6
    for text, says in (("ply\nformat ascii 1.0\n", "little-endian"), ("ply\ncomment", "header"), ("no", "not a PLY")):
        (work / "bad.ply").write_text(text)
        s.file = str(work / "bad.ply")
        refused(bpy.ops.dapple.points, says)
    (work / "bad.json").write_text("{}")
    s.file = str(work / "bad.json")
    refused(bpy.ops.dapple.points, "not a file of points")
    s.file = str(work / "none.ply")
    refused(bpy.ops.dapple.points, "none.ply")


def test_a_material_with_all_passes_that_lives_in_the_file():
    s = fresh(resolution=256, preset="texture-cobbles")
    bpy.ops.mesh.primitive_plane_add(size=2)
    bpy.ops.dapple.material()
    plane = bpy.context.object
    path = str(work / "kept.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    material = bpy.context.object.material_slots[0].material
    shown = {node.label: node for node in material.node_tree.nodes if node.type == "TEX_IMAGE"}
    assert sorted(shown) == ["color", "height", "id", "normal", "occlusion", "roughness"], sorted(shown)
    values = {}
    for label, node in shown.items():
        assert node.image.packed_file and node.image.size[:] == (256, 256), label
        assert node.image.colorspace_settings.name == ("sRGB" if label == "color" else "Non-Color")
        assert "dapple-" not in node.image.filepath, node.image.filepath
        values[label] = scene.pixels_of(node.image)
        assert len(numpy.unique(values[label])) > 10, label
    surface = next(node for node in material.node_tree.nodes if node.type == "BSDF_PRINCIPLED")
    for socket in ("Base Color", "Roughness", "Normal"):
        assert surface.inputs[socket].is_linked, socket
    # Rendered: stones and joints, no even gray.
    one = bpy.context.scene
    camera = bpy.data.objects.new("camera", bpy.data.cameras.new("camera"))
    camera.location = (0, 0, 3)
    light = bpy.data.objects.new("sun", bpy.data.lights.new("sun", "SUN"))
    for thing in (camera, light):
        one.collection.objects.link(thing)
    one.camera, one.render.engine, one.cycles.samples, one.cycles.use_denoising = camera, "CYCLES", 2, False
    one.render.resolution_x = one.render.resolution_y = 64
    one.render.filepath = str(work / "seen.png")
    bpy.ops.render.render(write_still=True)
    seen = scene.pixels_of(bpy.data.images.load(one.render.filepath))[16:48, 16:48, 0].astype(float)
    assert seen.std() > 10 and seen.mean() > 20, (seen.std(), seen.mean())


def test_a_material_of_a_recipe_that_moves_the_surface():
    recipe = work / "my cells.toml"
    recipe.write_text('command = "worley"\ncount = 30\nheight-of = "f1"\n')
    s = fresh(resolution=48, displaced=True, recipe=str(recipe))
    bpy.ops.dapple.material()
    (material,) = [one for one in bpy.data.materials if one.name.startswith("my cells")]
    out = next(node for node in material.node_tree.nodes if node.type == "OUTPUT_MATERIAL")
    assert out.inputs["Displacement"].is_linked and material.use_fake_user
    labels = sorted(node.label for node in material.node_tree.nodes if node.type == "TEX_IMAGE")
    assert labels == ["color", "height", "id", "normal", "occlusion", "roughness"], labels
    recipe.write_text('command = "worley"\ncuont = 30\n')
    refused(bpy.ops.dapple.material, "cuont", "count")


def test_masks_are_the_programs():
    for channels in (1, 2, 3, 4):
        fresh(mask_size=16, mask_channels=channels, seed=3)
        bpy.ops.dapple.mask()
        (image,) = [one for one in bpy.data.images if one.name.startswith("Blue noise")]
        path = str(work / "mask.npy")
        subprocess.run([program, "mask", "--size=16", "--channels={}".format(channels), "--seed=3", "--bits=float", "-q", "-o",
                        path], check=True)
        wanted = numpy.load(path).reshape(16, 16, -1)
        values = numpy.empty(16 * 16 * 4, "f4")
        image.pixels.foreach_get(values)
        values = values.reshape(16, 16, 4)[::-1]
        assert image.is_float and image.colorspace_settings.name == "Non-Color" and image.packed_file
        assert (values[..., :channels] == wanted).all(), channels
        assert len(numpy.unique(values[..., 0])) == 256


def test_what_is_wrong_is_said():
    s = fresh(source="IMAGE")
    refused(bpy.ops.dapple.points, "Choose an image")
    s.image = bpy.data.images.new("gone", 4, 4)
    s.image.source, s.image.filepath = "FILE", "//not there.png"
    refused(bpy.ops.dapple.points, "no pixels")
    s.image = image_of(numpy.zeros((8, 8), "f4"), "black")
    refused(bpy.ops.dapple.points, "")
    s.image = image_of(numpy.ones((8, 8), "f4"), "white")
    s.options = "--no-such-thing 3"
    refused(bpy.ops.dapple.points, "--no-such-thing")
    s.options = '"'
    refused(bpy.ops.dapple.points, "quotation")
    s.options, s.source = "", "SURFACE"
    refused(bpy.ops.dapple.points, "Make an object")
    bpy.ops.object.empty_add()
    refused(bpy.ops.dapple.points, "Make an object")
    bpy.ops.mesh.primitive_plane_add()
    s.follow = "COLOR"
    refused(bpy.ops.dapple.points, "no color attribute")
    s.follow, s.collection = "EVEN", bpy.data.collections.new("nothing")
    refused(bpy.ops.dapple.points, "no objects to place")
    s.collection, s.source = None, "FILE"
    refused(bpy.ops.dapple.points, "Choose a file")
    assert not [one for one in bpy.data.objects if one.name.startswith("Dapple")]
    assert [name for name in os.listdir(os.environ["TMPDIR"]) if name.startswith("dapple-")] == []


def test_another_version_and_none():
    fresh()
    other = work / "other"
    other.write_text("#!/bin/sh\necho dapple 7.3.1\n")
    other.chmod(0o755)
    places_of, dapple_program._places = dapple_program._places, lambda given: [str(other)]
    try:
        refused(bpy.ops.dapple.mask, "version 0.", "is version 7.3.1", "apt install dapple", "DAPPLE_PROGRAM")
    finally:
        dapple_program._places = places_of


def test_cancel_and_leaving_end_the_program():
    for leave in (lambda job: job.end(), lambda job: addon_utils.disable("dapple_addon")):
        s = fresh(source="IMAGE", count=20000000)
        s.image = image_of(numpy.ones((8, 8), "f4"))
        job = jobs.Points(dapple_addon.program, s)
        dapple_addon._working.add(job)
        time.sleep(0.3)
        assert not job.run.done() and os.path.isdir(job.folder)
        leave(job)
        assert job.run.done() and not os.path.exists(job.folder)
        dapple_addon._working.discard(job)


def test_a_million_points():
    fresh()
    count = 1000000
    where = numpy.random.default_rng(1).random((count, 3))
    begun = time.monotonic()
    scene.add_points(bpy.context, "many", where, {"r": ("FLOAT", where[:, 0]), "rotation": ("FLOAT_VECTOR", where)})
    print("{:5.2f} s  a million points with r and rotation become a mesh".format(time.monotonic() - begun))
    assert abs(places(bpy.context.object) - where).max() < 1e-6


failed = 0
for name, test in [(name, test) for name, test in globals().items() if name.startswith("test_")]:
    begun = time.monotonic()
    try:
        test()
        result = "ok"
    except Exception as problem:  # all of them are wanted, not the first alone
        traceback.print_exc()
        result, failed = "FAILED: " + repr(problem)[:200], failed + 1
    print("{:5.1f} s  {}: {}".format(time.monotonic() - begun, name[5:].replace("_", " "), result), flush=True)
sys.exit(1 if failed else 0)
