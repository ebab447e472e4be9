"""Memory that calls need beside their answers."""

import os

import pytest

from conftest import lines_of

#: ``ESTOC_LONG=1`` asks a hundred million rays.
COUNT = 100_000_000 if os.environ.get("ESTOC_LONG") == "1" else 12_000_000


@pytest.mark.skipif(not os.access("/proc/self/clear_refs", os.W_OK), reason="needs Linux")
def test_contiguous_arrays_are_not_copied():
    """A call needs less than 40 MB beside the answers, whatever the arrays. Most rows are NaN:
    such rays miss at once, and are read as others are. ``cast_rays`` makes numbers of the types of Open3D."""
    text = f"""
        import numpy as np, estoc, estoc.open3d
        from conftest import some_rays, sphere
        ball = estoc.Bvh(estoc.Mesh(*sphere()))
        scene = estoc.Scene()
        scene.add(ball)
        named = estoc.open3d.RaycastingScene()
        named.add_triangles(ball.mesh.vertices, ball.mesh.faces)
        def array(width, dtype=np.float32):
            rows = np.full(({COUNT} * 6 // width, width), np.nan, dtype)
            rows[:20_000] = some_rays(20_000)[:, :width]
            return rows
        rays = array(6)
        points = rays.reshape(-1, 3)
        origins, directions = points[:{COUNT}], points[{COUNT}:]
        doubles = rays.reshape(-1).view(np.float64).reshape(-1, 6)
        calls = [(getattr(ball, name), rays) for name in (
            "any_hit", "closest_hit", "count_hits", "count_crossings", "all_hits", "crossings")]
        calls += [(getattr(ball, name), origins) for name in (
            "contains", "distance", "closest_point", "signed_distance", "winding_number")]
        calls += [(ball.closest_hit, origins, directions), (ball.closest_hit, doubles)]
        calls += [(scene.any_hit, rays), (scene.closest_hit, rays)]
        calls += [(named.cast_rays, rays), (named.test_occlusions, rays)]
        def peak():
            status = open("/proc/self/status").read()
            return int(status.split("VmHWM:")[1].split()[0]) * 1024
        for call, *arrays in calls:
            call(*(array[:20_000] for array in arrays))
            open("/proc/self/clear_refs", "w").write("5")
            before = peak()
            answers = call(*arrays)
            more = peak() - before
            columns = answers.values() if isinstance(answers, dict) else answers
            columns = columns if isinstance(answers, (dict, tuple)) else [answers]
            columns = [column for column in columns if column is not None]
            print(call.__name__, min(a.nbytes for a in arrays), sum(c.nbytes for c in columns), more)
            del answers, columns
    """
    lines = lines_of(text)
    assert len(lines) == 17
    for name, *numbers in lines:
        array, answers, more = map(int, numbers)
        types = 8 * COUNT if name == "cast_rays" else 0
        assert array > 140_000_000 and more - answers < 40_000_000 + types, lines


@pytest.mark.skipif(not os.access("/proc/self/clear_refs", os.W_OK), reason="needs Linux")
def test_long_lists_are_not_held_twice():
    """20,000 rays with 250 hits each: the hits of all of them would take more than 100 MB beside the answers."""
    text = """
        import numpy as np, estoc
        from test_questions import stack
        tree = estoc.Bvh(estoc.Mesh(*stack(250)))
        rays = np.tile(np.float32([[0.25, 0.25, -1, 0, 0, 1]]), (20_000, 1))
        tree.all_hits(rays[:100], threads=1)
        open("/proc/self/clear_refs", "w").write("5")
        def memory(name):
            return int(open("/proc/self/status").read().split(name)[1].split()[0]) * 1024
        before = memory("VmHWM:")
        answers = tree.all_hits(rays, threads=1)
        nbytes = sum(column.nbytes for column in answers)
        print(nbytes, memory("VmHWM:") - before, memory("VmRSS:") - before)
    """
    ((answers, most, kept),) = (map(int, line) for line in lines_of(text))
    assert answers > 100_000_000
    assert most - answers < 45_000_000, (answers, most, kept)
