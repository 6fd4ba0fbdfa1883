"""Converts arrays to parts of a scene (points as a mesh with attributes, instances on them, images), and images and
surfaces to arrays."""

import re

import bpy
import numpy

from . import exchange
from .dapple_program import Problem

GROUP = "Dapple instances"


def pixels_of(image):
    """Returns pixels (height, width, channels), rows from the top down: bytes for images of bytes, else linear
    floats."""
    width, height = image.size
    if width == 0 or height == 0 or image.channels == 0:
        raise Problem("The image '{}' has no pixels: is its file there?".format(image.name))
    values = numpy.empty(width * height * image.channels, "f4")
    image.pixels.foreach_get(values)
    values = values.reshape(height, width, image.channels)[::-1]
    if image.channels == 4 and (values[..., 3] == 1).all():
        values = values[..., :3]
    return values if image.is_float else numpy.rint(values * 255).astype("u1")


def _array(data, name, width, kind):
    values = numpy.empty(len(data) * width, kind)
    data.foreach_get(name, values)
    return values.reshape(len(data), width) if width > 1 else values


class Surface:
    """The triangles of an object with its modifiers, in world coordinates.

    by: sets the density of points: NONE, COLOR (the active color attribute), NUMBERS (a vertex attribute or a vertex
    group, by name), or UV (an image at the active texture coordinates).
    """

    def __init__(self, context, thing, by="NONE", name=""):
        seen = thing.evaluated_get(context.evaluated_depsgraph_get())
        try:
            mesh = seen.to_mesh()
        except RuntimeError:
            mesh = None
        if mesh is None:
            raise Problem("'{}' has no surface.".format(thing.name))
        try:
            self._read(mesh, thing, by, name)
        finally:
            seen.to_mesh_clear()

    def _read(self, mesh, thing, by, name):
        mesh.calc_loop_triangles()
        if len(mesh.loop_triangles) == 0:
            raise Problem("'{}' has no faces.".format(thing.name))
        self.places = _array(mesh.vertices, "co", 3, "f4").astype(float)
        matrix = numpy.array(thing.matrix_world)
        self.places = self.places @ matrix[:3, :3].T + matrix[:3, 3]
        self.triangles = _array(mesh.loop_triangles, "vertices", 3, "i4")
        if numpy.linalg.det(matrix[:3, :3]) < 0:  # mirrored: reverses the corners to keep normals outside
            self.triangles = self.triangles[:, [0, 2, 1]]
        self.polygons = _array(mesh.loop_triangles, "polygon_index", 1, "i4")
        self.columns, self.uv, self.colors = {}, None, None
        corners = _array(mesh.loop_triangles, "loops", 3, "i4")
        if numpy.linalg.det(matrix[:3, :3]) < 0:
            corners = corners[:, [0, 2, 1]]
        if by == "COLOR":
            self._colors(mesh, thing, corners)
        elif by == "NUMBERS":
            self.columns[exchange.name_of_column(name)] = self._numbers(mesh, thing, name)
        elif by == "UV":
            layer = mesh.uv_layers.active
            if layer is None:
                raise Problem("'{}' has no texture coordinates: unwrap it first.".format(thing.name))
            self.uv = _array(layer.data, "uv", 2, "f4")[corners]

    def _colors(self, mesh, thing, corners):
        layer = mesh.color_attributes.active_color
        if layer is None:
            raise Problem("'{}' has no color attribute: paint its vertices first.".format(thing.name))
        colors = _array(layer.data, "color", 4, "f4")
        if layer.domain == "CORNER":  # the corners of a vertex may have different colors, so each becomes a vertex
            self.places = self.places[self.triangles.ravel()]
            colors = colors[corners.ravel()]
            self.triangles = numpy.arange(len(colors), dtype="i4").reshape(-1, 3)
        self.colors = colors
        for i, channel in enumerate(("red", "green", "blue")):
            self.columns[channel] = exchange.encoded(colors[:, i])

    def _numbers(self, mesh, thing, name):
        attribute = mesh.attributes.get(name)
        if attribute is not None and attribute.domain == "POINT" and attribute.data_type in ("FLOAT", "INT"):
            return _array(attribute.data, "value", 1, "f4" if attribute.data_type == "FLOAT" else "i4")
        group = thing.vertex_groups.get(name)
        if group is None:
            raise Problem("'{}' has neither a vertex group '{}' nor an attribute of that name with a number for each "
                          "vertex.".format(thing.name, name))
        weights = numpy.zeros(len(mesh.vertices), "f4")
        for i, vertex in enumerate(mesh.vertices):
            for part in vertex.groups:
                if part.group == group.index:
                    weights[i] = part.weight
        return weights

    def ply(self):
        return exchange.ply(self.places, self.triangles, self.columns, self.uv)

    def colors_at(self, columns):
        """Returns the colors of points, interpolated on their triangles."""
        a, b, c = (self.colors[self.triangles[columns["face"], i]] for i in range(3))
        u, v = columns["u"][:, None], columns["v"][:, None]
        return a * (1 - u - v) + b * u + c * v


def colors_of(image, columns, domain):
    """Returns the colors of the pixels that hold the points, in linear light."""
    pixels = pixels_of(image)
    colors = pixels.astype("f4") if image.is_float else exchange.linear(pixels / 255)
    x = numpy.clip(columns["x"].astype(int), 0, colors.shape[1] - 1)
    y = numpy.clip(columns["y"].astype(int), 0, colors.shape[0] - 1)
    found = colors[y, x]
    if found.shape[1] < 3:
        found = numpy.repeat(found[:, :1], 3, 1)
    return numpy.concatenate([found[:, :3], numpy.ones((len(found), 1), "f4")], 1)


_KINDS = {"INT": ("value", "i4"), "FLOAT": ("value", "f4"), "FLOAT_VECTOR": ("vector", "f4"),
          "FLOAT_COLOR": ("color", "f4")}


def add_points(context, name, places, attributes):
    """Adds a mesh of vertices without faces. attributes: (kind, array) by name."""
    mesh = bpy.data.meshes.new(name)
    mesh.vertices.add(len(places))
    mesh.vertices.foreach_set("co", numpy.ascontiguousarray(places, "f4").ravel())
    for label, (kind, values) in attributes.items():
        field, type_name = _KINDS[kind]
        layer = mesh.attributes.new(label, kind, "POINT")
        layer.data.foreach_set(field, numpy.ascontiguousarray(values, type_name).ravel())
    mesh.update()
    thing = bpy.data.objects.new(name, mesh)
    context.collection.objects.link(thing)
    for other in context.selected_objects:
        other.select_set(False)
    thing.select_set(True)
    context.view_layer.objects.active = thing
    return thing


def natural(name):
    """Returns a sort key for the order in which Blender numbers the objects of a collection."""
    return [(0, int(part), "") if part.isdigit() else (1, 0, part.casefold()) for part in re.split(r"(\d+)", name) if part]


def widths_of(context, collection):
    """Returns for each object of a collection, in the order of natural(), the diameter of the circle around its origin
    that contains it, seen from above. Objects whose circles do not overlap never touch, however they are turned."""
    widths = []
    graph = context.evaluated_depsgraph_get()
    for thing in sorted(collection.objects, key=lambda thing: natural(thing.name)):
        if thing.type == "MESH":
            mesh = thing.evaluated_get(graph).data
            spots = _array(mesh.vertices, "co", 3, "f4")
        else:
            spots = numpy.array(thing.bound_box)
        across = 2 * float(numpy.hypot(spots[:, 0], spots[:, 1]).max()) if len(spots) else 0.0
        widths.append(across if across > 0 else 1.0)
    if not widths:
        raise Problem("The collection '{}' has no objects to place.".format(collection.name))
    return numpy.array(widths)


def _socket(tree, name, kind, output=False):
    if hasattr(tree, "interface"):  # Blender 4
        return tree.interface.new_socket(name, in_out="OUTPUT" if output else "INPUT", socket_type=kind)
    return (tree.outputs if output else tree.inputs).new(kind, name)


def instances_group(of_collection):
    """Returns the node group that puts an object on each point, turned by `rotation` and scaled by `scale`. `class` is
    the number of the object in the collection; without a collection the objects are cones."""
    name = GROUP if of_collection else GROUP + " (cones)"
    tree = bpy.data.node_groups.get(name)
    if tree is not None:
        return tree
    tree = bpy.data.node_groups.new(name, "GeometryNodeTree")
    _socket(tree, "Geometry", "NodeSocketGeometry")
    if of_collection:
        _socket(tree, "Collection", "NodeSocketCollection")
    _socket(tree, "Geometry", "NodeSocketGeometry", output=True)
    nodes, links = tree.nodes, tree.links

    def node(kind, x, y):
        made = nodes.new(kind)
        made.location = (x, y)
        return made

    def attribute(label, data_type, kind, y):
        made = node("GeometryNodeInputNamedAttribute", -300, y)
        made.data_type = data_type
        made.inputs["Name"].default_value = label
        return next(out for out in made.outputs if out.type == kind and out.name == "Attribute")

    given, result = node("NodeGroupInput", -600, 0), node("NodeGroupOutput", 300, 0)
    place = node("GeometryNodeInstanceOnPoints", 0, 0)
    links.new(given.outputs["Geometry"], place.inputs["Points"])
    if of_collection:
        things = node("GeometryNodeCollectionInfo", -300, -60)
        things.inputs["Separate Children"].default_value = True
        things.inputs["Reset Children"].default_value = True
        links.new(given.outputs["Collection"], things.inputs["Collection"])
        links.new(things.outputs[0], place.inputs["Instance"])
        place.inputs["Pick Instance"].default_value = True
        links.new(attribute("class", "INT", "INT", -240), place.inputs["Instance Index"])
    else:
        cone = node("GeometryNodeMeshCone", -300, -60)
        for label, value in (("Vertices", 12), ("Radius Top", 0.0), ("Radius Bottom", 0.5), ("Depth", 1.0)):
            cone.inputs[label].default_value = value
        links.new(cone.outputs["Mesh"], place.inputs["Instance"])
    links.new(attribute("rotation", "FLOAT_VECTOR", "VECTOR", -400), place.inputs["Rotation"])
    links.new(attribute("scale", "FLOAT", "VALUE", -560), place.inputs["Scale"])
    links.new(place.outputs["Instances"], result.inputs["Geometry"])
    return tree


def add_instances(thing, collection):
    tree = instances_group(collection is not None)
    modifier = thing.modifiers.new("Dapple", "NODES")
    modifier.node_group = tree
    if collection is not None:
        sockets = tree.interface.items_tree if hasattr(tree, "interface") else tree.inputs
        socket = next(one for one in sockets if one.name == "Collection")
        modifier[socket.identifier] = collection
    return modifier


def add_image(name, values):
    """Adds an image of numbers, packed into the file: (height, width) or (height, width, up to 4), rows from the
    top."""
    values = numpy.asarray(values, "f4")
    values = values.reshape(values.shape[0], values.shape[1], -1)[::-1]
    height, width, channels = values.shape
    image = bpy.data.images.new(name, width, height, alpha=channels == 4, float_buffer=True, is_data=True)
    full = numpy.ones((height, width, 4), "f4")
    full[..., :3] = values[..., :1]
    if channels > 1:
        full[..., :3] = 0
        full[..., :channels] = values
    image.pixels.foreach_set(full.ravel())
    image.update()
    image.pack()
    return image
