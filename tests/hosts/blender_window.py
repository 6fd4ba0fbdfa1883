"""Runs inside Blender with a window (see `blender` beside it): -- WORK. A button starts the program beside Blender, Esc ends
it, and the page in the sidebar draws."""
import os
import pathlib
import sys
import time
import traceback

import addon_utils
import bpy

work = pathlib.Path(sys.argv[sys.argv.index("--") + 1])
addon_utils.enable("dapple_addon", default_set=True)
import dapple_addon  # noqa: E402

bpy.context.preferences.view.show_splash = False
window = bpy.context.window_manager.windows[0]
area = next(area for area in window.screen.areas if area.type == "VIEW_3D")
until = time.monotonic() + 90
seen = []


def button():
    region = next(region for region in area.regions if region.type == "WINDOW")
    with bpy.context.temp_override(window=window, area=area, region=region):
        assert bpy.ops.dapple.points("INVOKE_DEFAULT") == {"RUNNING_MODAL"}
    return next(iter(dapple_addon._working))


def steps():
    """What happens; between two steps Blender does its own work for so many seconds."""
    settings = bpy.context.scene.dapple
    area.spaces[0].show_region_ui = True
    draw = dapple_addon.DAPPLE_PT_panel.draw

    def noted(self, context):
        draw(self, context)
        seen.append(settings.source)

    dapple_addon.DAPPLE_PT_panel.draw = noted
    yield 1
    bar = next(region for region in area.regions if region.type == "UI")
    for y in range(bar.y + bar.height - 30, bar.y, -12):  # down the tabs, until ours shows
        window.event_simulate(type="MOUSEMOVE", value="NOTHING", x=bar.x + bar.width - 12, y=y)
        window.event_simulate(type="LEFTMOUSE", value="PRESS", x=bar.x + bar.width - 12, y=y)
        window.event_simulate(type="LEFTMOUSE", value="RELEASE", x=bar.x + bar.width - 12, y=y)
        yield 0.2
        if seen:
            break
    for source in ("IMAGE", "FILE", "SURFACE"):
        settings.source = source
        area.tag_redraw()
        yield 0.3
    assert {"IMAGE", "FILE", "SURFACE"} <= set(seen), "the page was not drawn: {}".format(seen)

    settings.count = 20000000
    job = button()
    yield 0.5
    assert not job.run.done() and os.path.isdir(job.folder)
    window.event_simulate(type="ESC", value="PRESS", x=bar.x - 50, y=bar.y + 50)
    yield 0.5
    assert job.run.done() and not os.path.exists(job.folder) and not dapple_addon._working
    assert len(bpy.data.objects) == 3, list(bpy.data.objects)

    settings.count = 2000
    button()
    while "Dapple points" not in bpy.data.objects:
        yield 0.1
    assert len(bpy.data.objects["Dapple points"].data.vertices) == 2000
    yield 0.5
    bpy.ops.screen.screenshot(filepath=str(work / "window.png"))


going = steps()


def tick():
    try:
        assert time.monotonic() < until, "it takes too long"
        return next(going)
    except StopIteration:
        print("  window: a button, Esc and the page in the sidebar: ok", flush=True)
        os._exit(0)  # bpy.ops.wm.quit_blender asks about unsaved work
    except BaseException:
        traceback.print_exc()
        os._exit(1)


bpy.app.timers.register(tick, first_interval=1)
