"""estoc under embreex's names: a scene of triangles that is asked about many rays by one call.

>>> import numpy as np
>>> from estoc.embreex.mesh_construction import TriangleMesh
>>> from estoc.embreex.rtcore_scene import EmbreeScene
>>> scene = EmbreeScene()
>>> triangle = TriangleMesh(scene, np.float32([[[0, 0, 0], [1, 0, 0], [0, 1, 0]]]))
>>> origins, directions = np.float32([[0.25, 0.25, 3], [2, 2, 3]]), np.float32([[0, 0, -1]])
>>> scene.run(origins, directions)
array([ 0, -1], dtype=int32)

What differs: answers are exact for the numbers given, so that no ray slips through an edge and ``robust`` has no
effect; a mesh that is added after a query is part of the next one; ``dists`` is not written to; ``float64`` is
rounded to ``float32`` rather than refused; wrong shapes and vertices that are not there are errors.

Programs that import ``embreex`` itself run after :func:`install`.
"""

from __future__ import annotations

import sys
from typing import Any

from . import mesh_construction, rtcore, rtcore_scene

__all__ = ["install", "mesh_construction", "rtcore", "rtcore_scene", "uninstall"]

#: What was there, by name; ``None`` for nothing.
_replaced: dict[str, Any] = {}


def install() -> None:
    """Makes ``import embreex`` and imports of its modules find this one, unless they were imported before."""
    for name in ("", ".mesh_construction", ".rtcore", ".rtcore_scene"):
        known = sys.modules.get("embreex" + name)
        _replaced.setdefault("embreex" + name, known)
        sys.modules["embreex" + name] = sys.modules[__name__ + name]


def uninstall() -> None:
    """Undoes :func:`install` for imports from now on."""
    for name, known in _replaced.items():
        if known is None:
            sys.modules.pop(name, None)
        else:
            sys.modules[name] = known
    _replaced.clear()
