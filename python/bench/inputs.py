"""Meshes, rays and medians that the measurements share."""

import statistics
import time

import numpy as np

import estoc


def meshes(paths):
    """Gives the names and meshes of files."""
    for path in paths:
        yield path.rsplit("/", 1)[-1].split(".")[0], estoc.Mesh.load(path)


def rays(mesh, count, seed=1):
    """Returns origins on a sphere around the mesh and directions to points in its box, in float64."""
    rng = np.random.default_rng(seed)
    low, high = mesh.bounds.astype(float)
    out = rng.normal(size=(count, 3))
    out /= np.linalg.norm(out, axis=1, keepdims=True)
    origins = (low + high) / 2 + out * np.linalg.norm(high - low) * 0.8
    directions = low + rng.random((count, 3)) * (high - low) - origins
    directions /= np.linalg.norm(directions, axis=1, keepdims=True)
    return origins, directions


def medians(*calls, rounds=7):
    """Returns the median seconds of calls that are made in turns, after one round that does not count."""
    times = [[] for _ in calls]
    for _ in range(rounds + 1):
        for call, taken in zip(calls, times):
            started = time.perf_counter()
            call()
            taken.append(time.perf_counter() - started)
    return [statistics.median(taken[1:]) for taken in times]
