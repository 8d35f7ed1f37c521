"""Builds a planned table in Blender (`bpy`, the `render` extra) and path-traces it with Cycles on the processor.

Fast because every texture is painted beforehand, light bounces once, and few samples are denoised (Open Image
Denoise). Blender's unit is 1 cm here. Import this module only in a process of its own: `bpy` keeps one global scene.
"""

from __future__ import annotations

import math
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import bpy  # first: the next two are parts of it

# isort: split
import bmesh
import cv2
import mathutils
import numpy as np
from numpy.typing import NDArray

from datasets.render_die import PIP_LEVEL, Mesh, die_mesh, paint_atlas
from datasets.render_light import Lamp, Light
from datasets.render_looks import Look
from datasets.render_mats import draw_mat
from datasets.render_records import Hand, Mat, Plan
from datasets.render_surfaces import GLOSS, SURFACES
from datasets.render_things import Shape
from datasets.render_truth import die_pose, pixel_rays
from datasets.surfaces import SURFACE_MM

Array = NDArray[np.float64]
CM = 0.1
"""Blender units a millimetre."""
SCALE = 0.85
"""Rendered pixels a pixel of the picture."""


@contextmanager
def _silence() -> Iterator[None]:
    """Blender writes its progress straight to file descriptor 1."""
    kept = os.dup(1)
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, 1)
    try:
        yield
    finally:
        os.dup2(kept, 1)
        os.close(kept)
        os.close(nothing)


def _image(name: str, pixels: NDArray[np.float32], linear: bool = False) -> Any:
    """A Blender image of (H, W, 3 or 4) floats, row 0 below; sRGB unless linear."""
    height, width = pixels.shape[:2]
    image = bpy.data.images.new(name, width, height, alpha=True, float_buffer=linear)
    if linear:
        image.colorspace_settings.name = "Non-Color"
    image.alpha_mode = "CHANNEL_PACKED"
    full = np.ones((height, width, 4), np.float32)
    full[..., : pixels.shape[2]] = pixels
    image.pixels.foreach_set(np.ascontiguousarray(full).ravel())
    image.update()
    image.pack()
    return image


def _mesh(
    name: str,
    points: Array,
    faces: list[list[int]],
    uv: Array | None,
    smooth: bool,
    normals: Array | None = None,
) -> Any:
    """A Blender mesh of points (mm) and polygons; uv (corners of all polygons, 2)."""
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata((points * CM).tolist(), [], faces)
    if uv is not None:
        layer = mesh.uv_layers.new(name="uv")
        layer.data.foreach_set("uv", np.ascontiguousarray(uv, np.float32).ravel())
    if smooth:
        mesh.polygons.foreach_set("use_smooth", np.ones(len(faces), bool))
    mesh.update()
    if normals is not None:
        mesh.normals_split_custom_set_from_vertices(normals.tolist())
    return mesh


def _object(mesh: Any, material: Any) -> Any:
    thing = bpy.data.objects.new(mesh.name, mesh)
    bpy.context.scene.collection.objects.link(thing)
    if material is not None and not mesh.materials:
        mesh.materials.append(material)
    return thing


class Nodes:
    """A material's node tree, with short words for what is used here."""

    def __init__(self, name: str) -> None:
        self.material = bpy.data.materials.new(name)
        self.material.use_nodes = True
        self.tree = self.material.node_tree
        self.shader = self.tree.nodes["Principled BSDF"]
        self.output = self.tree.nodes["Material Output"]

    def add(self, kind: str, **values: Any) -> Any:
        node = self.tree.nodes.new(kind)
        for key, value in values.items():
            setattr(node, key, value)
        return node

    def join(self, source: Any, target: Any) -> None:
        self.tree.links.new(source, target)

    def picture(self, image: Any, extension: str = "EXTEND") -> Any:
        node = self.add("ShaderNodeTexImage", image=image, extension=extension)
        self.join(node.outputs["Color"], self.shader.inputs["Base Color"])
        return node

    def bump(self, height: Any, strength: float, distance: float) -> None:
        node = self.add("ShaderNodeBump")
        node.inputs["Strength"].default_value = strength
        node.inputs["Distance"].default_value = distance
        self.join(height, node.inputs["Height"])
        self.join(node.outputs["Normal"], self.shader.inputs["Normal"])

    def set(self, **values: float) -> None:
        for key, value in values.items():
            self.shader.inputs[key.replace("_", " ")].default_value = value


def die_material(look: Look, name: str) -> Any:
    """The material of a set of dice."""
    nodes = Nodes(name)
    picture = nodes.picture(_image(name, paint_atlas(look)))
    nodes.set(Roughness=look.roughness, IOR=1.49)
    if look.recess > 0:
        depth = look.recess * look.style.pip_radius * look.style.edge_mm / 2 * CM
        nodes.bump(picture.outputs["Alpha"], 1.0, depth * 4.0)
    if look.clear > 0:
        body = nodes.add("ShaderNodeMath", operation="GREATER_THAN")
        nodes.join(picture.outputs["Alpha"], body.inputs[0])
        body.inputs[1].default_value = PIP_LEVEL
        share = nodes.add("ShaderNodeMath", operation="MULTIPLY")
        nodes.join(body.outputs[0], share.inputs[0])
        share.inputs[1].default_value = look.clear
        nodes.join(share.outputs[0], nodes.shader.inputs["Transmission Weight"])
        # Light passes on its way to a lamp as if the die did not bend it: else its inside and shadow were black.
        ray = nodes.add("ShaderNodeLightPath")
        through = nodes.add("ShaderNodeMath", operation="MULTIPLY")
        nodes.join(ray.outputs["Is Shadow Ray"], through.inputs[0])
        nodes.join(share.outputs[0], through.inputs[1])
        clear = nodes.add("ShaderNodeBsdfTransparent")
        nodes.join(picture.outputs["Color"], clear.inputs["Color"])
        mix = nodes.add("ShaderNodeMixShader")
        nodes.join(through.outputs[0], mix.inputs[0])
        nodes.join(nodes.shader.outputs[0], mix.inputs[1])
        nodes.join(clear.outputs[0], mix.inputs[2])
        nodes.join(mix.outputs[0], nodes.output.inputs["Surface"])
    return nodes.material


def _table(plan: Plan) -> None:
    rng = np.random.default_rng([plan.seed, 31])
    top = np.clip(np.asarray(SURFACES[plan.table](rng), np.float32), 0, 1)
    nodes = Nodes("table")
    # A mirrored repeat has no seams; nearer than a metre nobody sees that it repeats.
    picture = nodes.picture(_image("table", top[::-1]), "MIRROR")
    rough = GLOSS.get(plan.table, 1.0)
    nodes.set(Roughness=min(1.0, rough * rng.uniform(0.8, 1.5)))
    if plan.table not in GLOSS:
        nodes.set(Specular_IOR_Level=0.1)
        nodes.bump(picture.outputs["Color"], 0.5, 0.06)
    size, cover = 4000.0, SURFACE_MM * plan.table_scale
    corner = np.array([[-size, -size, 0], [size, -size, 0], [size, size, 0], [-size, size, 0.0]])
    angle = rng.uniform(0, 2 * math.pi)
    c, s = math.cos(angle), math.sin(angle)
    uv = corner[:, :2] @ np.array([[c, -s], [s, c]]) / cover + rng.uniform(0, 1, 2)
    _object(_mesh("table", corner, [[0, 1, 2, 3]], uv, False), nodes.material)


def _mat(mat: Mat) -> None:
    half = mat.half_mm
    n, m = (50, 60) if mat.wave_mm else (1, 1)
    u, v = np.meshgrid(np.linspace(0, 1, n + 1), np.linspace(0, 1, m + 1))
    x, y = (2 * u - 1) * half[0], (2 * v - 1) * half[1]
    points = np.stack([x, y, mat.height(x, y)], axis=-1).reshape(-1, 3)
    index = np.arange((n + 1) * (m + 1)).reshape(m + 1, n + 1)
    quads = np.stack(
        [index[:-1, :-1], index[:-1, 1:], index[1:, 1:], index[1:, :-1]], axis=-1
    ).reshape(-1, 4)
    uv = np.stack([u, v], axis=-1).reshape(-1, 2)[quads].reshape(-1, 2)
    nodes = Nodes("mat")
    picture = nodes.picture(_image("mat", draw_mat(mat)[::-1]))
    rng = np.random.default_rng([mat.seed, 33])
    nodes.set(Roughness=rng.uniform(0.3, 1.0), Specular_IOR_Level=rng.uniform(0.0, 0.5))
    if mat.design == "grass-cloth":
        nodes.bump(picture.outputs["Color"], 0.8, 0.1)
    _object(_mesh("mat", points, quads.tolist(), uv, True), nodes.material)


def _dice(plan: Plan) -> None:
    made: dict[int, Any] = {}
    for number, die in enumerate(plan.dice):
        look = plan.looks[die.look]
        if die.look not in made:
            shape: Mesh = die_mesh(look)
            mesh = _mesh(
                f"die-{die.look}",
                shape.points * look.style.edge_mm / 2,
                shape.quads.tolist(),
                shape.uv.reshape(-1, 2),
                True,
                shape.normals,
            )
            mesh.materials.append(die_material(look, f"skin-{die.look}"))
            made[die.look] = mesh
        thing = bpy.data.objects.new(f"d{number}", made[die.look])
        turn, centre = die_pose(die, plan)
        pose = np.eye(4)
        pose[:3, :3], pose[:3, 3] = turn, centre * CM
        thing.matrix_world = mathutils.Matrix(pose.tolist())
        bpy.context.scene.collection.objects.link(thing)


def _shape(shape: Shape, number: int) -> None:
    nodes = Nodes(f"thing-{number}")
    nodes.picture(_image(f"thing-{number}", shape.skin))
    nodes.set(Roughness=shape.roughness, Metallic=shape.metal)
    mesh = _mesh(
        f"thing-{number}", shape.points, shape.faces, np.concatenate(shape.uv), shape.smooth
    )
    _object(mesh, nodes.material)


def _capsules(
    name: str, bars: list[Any], colour: tuple[float, float, float], rough: float, grow: float
) -> None:
    """Rounded bars grown together into one smooth body."""
    turn = np.linspace(0, 2 * math.pi, 14, endpoint=False)
    sphere = np.array(
        [
            [math.cos(a) * math.cos(b), math.sin(a) * math.cos(b), math.sin(b)]
            for b in np.linspace(-math.pi / 2, math.pi / 2, 9)
            for a in turn
        ]
    )
    whole = bmesh.new()
    for a, b, ra, rb in bars:
        points = np.concatenate(
            [np.array(a) + sphere * ra * grow, np.array(b) + sphere * rb * grow]
        )
        points = np.unique(points.round(4), axis=0)
        verts = [whole.verts.new((p * CM).tolist()) for p in points]
        bmesh.ops.convex_hull(whole, input=verts)
    mesh = bpy.data.meshes.new(name)
    whole.to_mesh(mesh)
    whole.free()
    nodes = Nodes(name)
    linear = [*(np.array(colour) ** 2.2).tolist(), 1.0]
    nodes.shader.inputs["Base Color"].default_value = linear
    nodes.set(Roughness=rough)
    noise = nodes.add("ShaderNodeTexNoise")
    noise.inputs["Scale"].default_value = 2.5
    nodes.bump(noise.outputs[0], 0.25, 0.15)
    thing = _object(mesh, nodes.material)
    remesh = thing.modifiers.new("grow", "REMESH")
    remesh.mode, remesh.voxel_size, remesh.use_smooth_shade = "VOXEL", 0.25, True
    smooth = thing.modifiers.new("soft", "SMOOTH")
    smooth.factor, smooth.iterations = 0.5, 4


def _hand(hand: Hand) -> None:
    bars = list(hand.bars)
    covered = hand.sleeve != hand.skin
    _capsules("hand", bars[:-1] if covered else bars, hand.skin, 0.5, 1.0)
    if covered:
        _capsules("sleeve", bars[-1:], hand.sleeve, 0.95, 1.1)


def _aim(thing: Any, position: Array, ahead: Array, up: Array) -> None:
    """Put an object that looks along its -z there."""
    back = -ahead / np.linalg.norm(ahead)
    right = np.cross(up, back)
    right /= np.linalg.norm(right)
    pose = np.eye(4)
    pose[:3, :3] = np.column_stack([right, np.cross(back, right), back])
    pose[:3, 3] = position * CM
    thing.matrix_world = mathutils.Matrix(pose.tolist())


def _lamp(lamp: Lamp, number: int, blinds: bool) -> None:
    light = bpy.data.lights.new(f"lamp-{number}", "AREA")
    light.shape = "RECTANGLE"
    light.size, light.size_y = lamp.size_mm * CM * lamp.stretch, lamp.size_mm * CM
    where, target = np.array(lamp.position), np.array(lamp.target)
    far = float(np.linalg.norm(where - target)) * CM
    # An area lamp of power P lights a surface that faces it at distance d with P / (pi d^2); the room with pi.
    light.energy = lamp.share * math.pi * math.pi * far**2
    light.color = lamp.colour
    light.spread = math.pi * lamp.beam
    thing = bpy.data.objects.new(light.name, light)
    thing.visible_camera = False
    bpy.context.scene.collection.objects.link(thing)
    up = np.array([0.1, 0.2, 1.0]) if abs(where[2]) < far / CM * 0.95 else np.array([1.0, 0, 0])
    _aim(thing, where, target - where, up)
    if not blinds:
        return
    toward = where / np.linalg.norm(where)
    across = np.cross(toward, [0, 0, 1.0])
    across /= np.linalg.norm(across)
    rise = np.cross(across, toward)
    middle = toward * 700
    for slat in range(-9, 10):
        corners = [
            middle + across * i * 900 + rise * (slat * 52 + j * 15)
            for i, j in ((-1, -1), (1, -1), (1, 1), (-1, 1))
        ]
        bar = _object(_mesh(f"slat-{slat}", np.array(corners), [[0, 1, 2, 3]], None, False), None)
        bar.visible_camera = bar.visible_diffuse = bar.visible_glossy = bar.visible_transmission = (
            False
        )


def _room(light: Light) -> None:
    scene = bpy.context.scene
    world = bpy.data.worlds.new("room")
    scene.world = world
    world.use_nodes = True
    tree = world.node_tree
    picture = tree.nodes.new("ShaderNodeTexEnvironment")
    picture.image = _image("room", light.room, linear=True)
    tree.links.new(picture.outputs["Color"], tree.nodes["Background"].inputs["Color"])
    world.cycles.sampling_method = "AUTOMATIC"


def render_linear(
    plan: Plan, light: Light, shapes: list[Shape], samples: int, threads: int
) -> NDArray[np.float32]:
    """Render a plan: linear BGR (height, width, 3) of the un-mirrored picture with its lens distortion.

    samples: per pixel; threads: 0 takes all.
    """
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    _table(plan)
    if plan.mat:
        _mat(plan.mat)
    _dice(plan)
    for number, shape in enumerate(shapes):
        _shape(shape, number)
    if plan.hand:
        _hand(plan.hand)
    _room(light)
    for number, lamp in enumerate(light.lamps):
        _lamp(lamp, number, light.blinds)

    lens = plan.lens
    rays = pixel_rays(lens)
    reach_x, reach_y = np.abs(rays[..., 0]).max() * 1.01, np.abs(rays[..., 1]).max() * 1.01
    focal = lens.focal_px * SCALE
    width, height = math.ceil(2 * reach_x * focal), math.ceil(2 * reach_y * focal)
    camera = bpy.data.cameras.new("camera")
    camera.sensor_fit = "HORIZONTAL"
    camera.sensor_width = 36.0
    camera.lens = 36.0 * focal / width
    camera.clip_start, camera.clip_end = 1.0, 5000.0
    thing = bpy.data.objects.new("camera", camera)
    scene.collection.objects.link(thing)
    turn = np.array(lens.turn)
    _aim(thing, np.array(lens.position), turn[2], -turn[1])
    scene.camera = thing

    settings = scene.render
    settings.engine = "CYCLES"
    settings.resolution_x, settings.resolution_y, settings.resolution_percentage = (
        width,
        height,
        100,
    )
    settings.threads_mode = "FIXED" if threads else "AUTO"
    if threads:
        settings.threads = threads
    settings.image_settings.file_format = "HDR"
    cycles = scene.cycles
    cycles.device = "CPU"
    cycles.samples = samples
    cycles.use_adaptive_sampling = False
    cycles.seed = plan.seed % 2**31
    cycles.max_bounces, cycles.diffuse_bounces, cycles.glossy_bounces = 8, 1, 2
    cycles.transmission_bounces, cycles.transparent_max_bounces = 6, 6
    cycles.caustics_reflective = cycles.caustics_refractive = False
    cycles.sample_clamp_direct, cycles.sample_clamp_indirect = 60.0, 6.0
    cycles.use_denoising = True
    cycles.denoiser = "OPENIMAGEDENOISE"
    cycles.denoising_prefilter = "FAST"
    with tempfile.TemporaryDirectory() as scratch:
        settings.filepath = str(Path(scratch) / "table.hdr")
        with _silence():
            bpy.ops.render.render(write_still=True)
        traced = cv2.imread(settings.filepath, cv2.IMREAD_ANYDEPTH | cv2.IMREAD_COLOR)
    at_x = (rays[..., 0] * focal + width / 2 - 0.5).astype(np.float32)
    at_y = (rays[..., 1] * focal + height / 2 - 0.5).astype(np.float32)
    # The logarithm keeps glints from ringing when the picture is enlarged.
    log = np.log1p(np.asarray(traced, np.float32) * 8)
    out = np.expm1(cv2.remap(log, at_x, at_y, cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)) / 8
    return np.asarray(np.maximum(out, 0), np.float32)
