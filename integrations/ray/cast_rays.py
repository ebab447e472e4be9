"""Casts the rays of a Ray dataset: map_batches through the Python package estoc.

    python cast_rays.py MESH RAYS.parquet HITS

The rays have the columns ray_id and ox, oy, oz, dx, dy, dz; the hits ray_id, t, prim, u and v, which are null for
a ray that misses. MESH is a mesh or a tree file (`estoc build`), on the disk of every node under this path. An actor
loads it once.
"""

import sys

import pyarrow as pa
import pyarrow.compute as pc


class CastRays:
    """An actor that holds a tree."""

    def __init__(self, mesh: str) -> None:
        import estoc

        is_tree = mesh.endswith(".estoc")
        self.bvh = estoc.Bvh.load(mesh) if is_tree else estoc.Bvh(estoc.Mesh.load(mesh))

    def __call__(self, rays: pa.Table) -> pa.Table:
        import estoc.arrow

        rays = rays.combine_chunks()
        # An actor has one processor.
        hits = estoc.arrow.closest_hit(self.bvh, rays, threads=1).read_all()
        prim = hits["prim"].cast(pa.int32())
        hit = pc.not_equal(prim, -1)
        columns = {"ray_id": rays["ray_id"], "t": hits["t"], "prim": prim, "u": hits["u"], "v": hits["v"]}
        for name in ("t", "prim", "u", "v"):
            columns[name] = pc.if_else(hit, columns[name], None)
        return pa.table(columns)


def cast_rays(rays, mesh: str, actors: int):
    """Returns a dataset of hits."""
    import ray

    return rays.map_batches(
        CastRays,
        fn_constructor_args=(mesh,),
        batch_format="pyarrow",
        batch_size=65536,
        compute=ray.data.ActorPoolStrategy(size=actors),
    )


def main() -> None:
    import ray

    mesh, rays, hits = sys.argv[1:]
    ray.init(log_to_driver=False)
    actors = max(1, int(ray.cluster_resources().get("CPU", 1)) - 1)
    cast_rays(ray.data.read_parquet(rays), mesh, actors).write_parquet(hits)
    ray.shutdown()


if __name__ == "__main__":
    main()
