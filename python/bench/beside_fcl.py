"""The least distance of two meshes by estoc, python-fcl, coal and manifold3d: same meshes, whole calls, one thread.

``python beside_fcl.py FILE FILE...`` takes each pair of files that follow each other, the second moved to the side
by steps of the size of both; needs python-fcl, coal and manifold3d, of which those that cannot be had are left out.
"""

import importlib
import sys

import numpy as np

import estoc
from inputs import medians, meshes


def by_fcl(fcl, pair):
    def placed(mesh):
        model = fcl.BVHModel()
        model.beginModel(len(mesh.vertices), len(mesh.faces))
        model.addSubModel(mesh.vertices.astype(float), mesh.faces)
        model.endModel()
        return fcl.CollisionObject(model)

    a, b = map(placed, pair)
    return lambda: fcl.distance(a, b, fcl.DistanceRequest(enable_nearest_points=True), fcl.DistanceResult())


def by_coal(coal, pair):
    def model(mesh):
        made = coal.BVHModelOBBRSS()
        made.beginModel(len(mesh.faces), len(mesh.vertices))
        made.addVertices(mesh.vertices.astype(float))
        made.addTriangles(mesh.faces.astype(np.uint64))
        made.endModel()
        return made

    (a, b), here = map(model, pair), coal.Transform3s()
    return lambda: coal.distance(a, here, b, here, coal.DistanceRequest(), coal.DistanceResult())


def by_manifold(manifold, pair):
    def solid(mesh):
        given = manifold.Mesh(mesh.vertices, mesh.faces.astype(np.uint32))
        given.merge()
        return manifold.Manifold(given)

    a, b = map(solid, pair)
    # A mesh that is not a manifold has no distance.
    if any(mesh.status() != manifold.Error.NoError for mesh in (a, b)):
        return None
    return lambda: a.min_gap(b, 1e9)


PEERS = {"fcl": by_fcl, "coal": by_coal, "manifold3d": by_manifold}

print("meshes, step, distance by estoc, microseconds; of each peer: distance, microseconds, ratio")
given = list(meshes(sys.argv[1:]))
for (first, a), (second, b) in zip(given, given[1:]):
    size = sum(np.ptp(mesh.bounds, axis=0) for mesh in (a, b)) / 2
    for step in (0.7, 1.05, 3.0):
        by = size * np.array([step, 0.1, 0.2])
        moved = estoc.Mesh(b.vertices + by.astype(np.float32), b.faces)
        ours = [estoc.Bvh(mesh, threads=1) for mesh in (a, moved)]
        line = f"{first} {second}, {step}"
        calls, names = [lambda: ours[0].least_distance(ours[1]).distance], ["estoc"]
        for name, make in PEERS.items():
            try:
                call = make(importlib.import_module(name), (a, moved))
            except ImportError:
                call = None
            if call is not None:
                calls.append(call)
                names.append(name)
        times = medians(*calls, rounds=15)
        for name, call, taken in zip(names, calls, times):
            line += f"; {name} {call():.7g}, {taken * 1e6:.0f}, {taken / times[0]:.2f}"
        print(line, flush=True)
