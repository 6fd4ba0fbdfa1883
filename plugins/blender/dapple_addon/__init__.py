"""Dapple in Blender (3.4 and later), in the sidebar of the 3D view (N), page Dapple. Makes points from images and on
surfaces with instances on them, materials of cell textures, and blue-noise masks, all by the program dapple."""

bl_info = {
    "name": "Dapple: blue-noise points, cell materials and masks",
    "author": "The Dapple authors",
    "version": (0, 2, 0),
    "blender": (3, 4, 0),
    "location": "3D View > Sidebar > Dapple",
    "description": "Scatters points by images, vertex colors, weights or curvature; makes cell materials and masks",
    "category": "Object",
}

import json
import subprocess

import bpy
from bpy.props import (BoolProperty, EnumProperty, FloatProperty, IntProperty, PointerProperty, StringProperty)

from . import dapple_program, jobs

_working = set()
_presets = []


def program():
    addon = bpy.context.preferences.addons.get(__package__)
    return dapple_program.find(bpy.path.abspath(addon.preferences.program) if addon is not None else None)


def presets(_self=None, _context=None):
    """Returns the presets of cell textures. Asks the program once and keeps the texts, as Blender requires."""
    if not _presets:
        try:
            told = subprocess.run([program(), "presets", "--for", "worley", "--json"], stdin=subprocess.DEVNULL,
                                  stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=20, check=True).stdout
            found = json.loads(told)["presets"]
        except (dapple_program.Problem, OSError, subprocess.SubprocessError, ValueError):
            return [("texture-cobbles", "cobbles", "Install the program dapple to see all presets")]
        _presets.extend((one["name"], one["name"].replace("texture-", "").replace("-", " "), one["summary"])
                        for one in found)
    return _presets


class Settings(bpy.types.PropertyGroup):
    source: EnumProperty(name="Points", items=[
        ("IMAGE", "from an image", "On a plane; the image sets the density"),
        ("SURFACE", "on the active object", "On its surface, with the exact distances of the radius"),
        ("FILE", "from a file", "A .ply or .json file that dapple sample wrote")])
    image: PointerProperty(name="Image", type=bpy.types.Image)
    width: FloatProperty(name="Width", description="Width of the plane", default=2, min=1e-4, unit="LENGTH")
    file: StringProperty(name="File", subtype="FILE_PATH")
    follow: EnumProperty(name="Follow", items=[
        ("EVEN", "nothing: even", ""),
        ("COLOR", "vertex colors", "The active color attribute"),
        ("NUMBERS", "a vertex group or attribute", "The one with the name below"),
        ("CURVATURE", "curvature", "Denser where the surface bends more"),
        ("IMAGE", "an image", "At the active texture coordinates")])
    numbers: StringProperty(name="Name", description="Name of the vertex group or of the numeric attribute")
    meaning: EnumProperty(name="Means", items=[
        ("DENSITY", "density", "Bright is dense"), ("TONE", "tone", "Dark is dense"),
        ("RADIUS", "distance", "Bright is far apart")])
    by: EnumProperty(name="Set", items=[("COUNT", "number of points", ""), ("RADIUS", "distance", "")])
    count: IntProperty(name="Number", default=2000, min=1)
    radius: FloatProperty(name="Distance", description="Distance between points where they are densest", default=0.05,
                          min=1e-6, unit="LENGTH", precision=4)
    radius_max: FloatProperty(name="At most", description="Distance where points are sparsest; 0: automatic", default=0,
                              min=0, unit="LENGTH", precision=4)
    seed: IntProperty(name="Seed", default=1, min=0)
    turn: BoolProperty(name="Random rotation", description="Turn objects randomly around their own z", default=True)
    stand: EnumProperty(name="Stand", items=[("NORMAL", "along the normal", ""), ("UP", "upright", "")])
    options: StringProperty(name="More options", description="Options of dapple sample, such as --progressive")
    instances: BoolProperty(name="Instances", description="Put an object on each point (geometry nodes)", default=True)
    collection: PointerProperty(name="Of", description="Objects to place, one per class, in the order of their names; "
                                "without a collection, cones", type=bpy.types.Collection)
    preset: EnumProperty(name="Preset", items=presets)
    recipe: StringProperty(name="Recipe", description="A recipe file to use instead of a preset", subtype="FILE_PATH")
    resolution: IntProperty(name="Pixels", default=1024, min=16, max=16384)
    displaced: BoolProperty(name="Displace", description="Move the surface by the height; needs a fine mesh (Cycles); "
                            "otherwise only the normals change")
    mask_size: IntProperty(name="Size", default=128, min=4, max=1024)
    mask_channels: IntProperty(name="Channels", default=1, min=1, max=4)


class Work:
    """An operator that runs the program. A button runs it in the background, and Esc cancels it. A script waits
    for its end."""

    bl_options = {"REGISTER", "UNDO"}

    def begin(self, context):
        self.job = self.kind(program, context.scene.dapple)
        _working.add(self.job)

    def take(self, context):
        _working.discard(self.job)
        told, warnings = self.job.finish(context)
        for warning in warnings:
            self.report({"WARNING"}, warning)
        self.report({"INFO"}, "Dapple: " + told)
        return {"FINISHED"}

    def execute(self, context):
        try:
            self.begin(context)
            return self.take(context)
        except dapple_program.Problem as problem:
            self.report({"ERROR"}, str(problem))
            return {"CANCELLED"}

    def invoke(self, context, _event):
        if bpy.app.background:
            return self.execute(context)
        try:
            self.begin(context)
        except dapple_program.Problem as problem:
            self.report({"ERROR"}, str(problem))
            return {"CANCELLED"}
        manager = context.window_manager
        manager.progress_begin(0, 100)
        self.timer = manager.event_timer_add(0.05, window=context.window)
        manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def modal(self, context, event):
        run = self.job.run
        if event.type == "ESC":
            self.stop(context)
            _working.discard(self.job)
            self.job.end()
            self.report({"INFO"}, "Dapple: cancelled")
            return {"CANCELLED"}
        if event.type != "TIMER":
            return {"PASS_THROUGH"}
        if run is not None and not run.done():
            context.window_manager.progress_update(int(100 * run.fraction))
            context.workspace.status_text_set("Dapple: {} {:.0%}   (Esc: cancel)".format(run.stage, run.fraction))
            return {"PASS_THROUGH"}
        self.stop(context)
        try:
            return self.take(context)
        except dapple_program.Problem as problem:
            self.report({"ERROR"}, str(problem))
            return {"CANCELLED"}

    def stop(self, context):
        context.window_manager.event_timer_remove(self.timer)
        context.window_manager.progress_end()
        context.workspace.status_text_set(None)


class DAPPLE_OT_points(Work, bpy.types.Operator):
    """Make points with the settings above"""
    bl_idname, bl_label, kind = "dapple.points", "Make points", jobs.Points


class DAPPLE_OT_material(Work, bpy.types.Operator):
    """Make a material of a cell texture: color, height, normal, roughness, occlusion and id"""
    bl_idname, bl_label, kind = "dapple.material", "Make material", jobs.Material


class DAPPLE_OT_mask(Work, bpy.types.Operator):
    """Make a blue-noise mask as an image"""
    bl_idname, bl_label, kind = "dapple.mask", "Make mask", jobs.Mask


class DAPPLE_PT_panel(bpy.types.Panel):
    bl_idname, bl_label = "DAPPLE_PT_panel", "Dapple"
    bl_space_type, bl_region_type, bl_category = "VIEW_3D", "UI", "Dapple"

    def draw(self, context):
        s, layout = context.scene.dapple, self.layout
        layout.use_property_split, layout.use_property_decorate = True, False
        box = layout.box()
        box.prop(s, "source")
        if s.source == "SURFACE":
            box.prop(s, "follow")
            if s.follow == "NUMBERS":
                box.prop(s, "numbers")
        if s.source == "IMAGE" or s.source == "SURFACE" and s.follow == "IMAGE":
            box.prop(s, "image")
        if s.source == "FILE":
            box.prop(s, "file")
        if s.source != "SURFACE":
            box.prop(s, "width")
        if s.source != "FILE":
            if s.source == "IMAGE" or s.follow in ("COLOR", "NUMBERS", "IMAGE"):
                box.prop(s, "meaning")
            box.prop(s, "by")
            if s.by == "COUNT":
                box.prop(s, "count")
            else:
                box.prop(s, "radius")
                box.prop(s, "radius_max")
            box.prop(s, "turn")
            box.prop(s, "options")
        if s.source == "SURFACE":
            box.prop(s, "stand")
        box.prop(s, "instances")
        if s.instances:
            box.prop(s, "collection")
        box.operator("dapple.points")
        box = layout.box()
        for name in ("preset", "recipe", "resolution", "displaced"):
            box.prop(s, name)
        box.operator("dapple.material")
        box = layout.box()
        for name in ("mask_size", "mask_channels"):
            box.prop(s, name)
        box.operator("dapple.mask")
        layout.prop(s, "seed")


class Preferences(bpy.types.AddonPreferences):
    bl_idname = __package__
    program: StringProperty(name="Program", description="Path of the program dapple, if it is not found automatically",
                            subtype="FILE_PATH")

    def draw(self, _context):
        self.layout.prop(self, "program")
        try:
            self.layout.label(text="Program in use: " + program())
        except dapple_program.Problem as problem:
            for line in str(problem).splitlines():
                self.layout.label(text=line)


_classes = (Settings, DAPPLE_OT_points, DAPPLE_OT_material, DAPPLE_OT_mask, DAPPLE_PT_panel, Preferences)


def register():
    for one in _classes:
        bpy.utils.register_class(one)
    bpy.types.Scene.dapple = PointerProperty(type=Settings)


def unregister():
    for job in list(_working):
        job.end()
    _working.clear()
    _presets.clear()
    del bpy.types.Scene.dapple
    for one in reversed(_classes):
        bpy.utils.unregister_class(one)
