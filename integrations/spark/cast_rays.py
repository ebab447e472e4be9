"""Casts the rays of a Spark data frame: mapInArrow through the Python package estoc.

    spark-submit cast_rays.py MESH RAYS.parquet HITS.parquet

The rays have the columns ray_id and ox, oy, oz, dx, dy, dz; the hits ray_id, t, prim, u and v, which are null for
a ray that misses. MESH is a mesh or a tree file (`estoc build`), on the disk of every worker under this path. A tree
file is best: it is loaded once a Python worker, and its answers are the same bits everywhere.
"""

import os
import sys
from collections.abc import Iterator

import pyarrow as pa
import pyarrow.compute as pc

SCHEMA = "ray_id long, t float, prim int, u float, v float"


def tree(path: str):
    """Returns the tree of a path, loaded once a process, and again when the file has changed."""
    import estoc

    # Spark unpickles this function for each task, with globals of its own; modules stay.
    trees = vars(estoc).setdefault("_trees_of_spark", {})
    file = os.stat(path)
    stamp = file.st_size, file.st_mtime_ns
    if path not in trees or trees[path][0] != stamp:
        is_tree = path.endswith(".estoc")
        trees[path] = stamp, estoc.Bvh.load(path) if is_tree else estoc.Bvh(estoc.Mesh.load(path))
    return trees[path][1]


def hits_of(bvh, rays: pa.RecordBatch) -> pa.RecordBatch:
    """Returns the hits of a batch of rays, in its order."""
    import estoc.arrow

    # Spark runs as many tasks as there are processors.
    hits = estoc.arrow.closest_hit(bvh, rays, threads=1)
    prim = hits["prim"].cast(pa.int32())
    hit = pc.not_equal(prim, -1)
    columns = {name: pc.if_else(hit, hits[name], None) for name in ("t", "u", "v")}
    prim = pc.if_else(hit, prim, None)
    return pa.record_batch(
        [rays["ray_id"], columns["t"], prim, columns["u"], columns["v"]], ["ray_id", "t", "prim", "u", "v"]
    )


def cast_rays(rays, mesh: str):
    """Returns a data frame of hits."""

    def cast(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        bvh = tree(mesh)
        for batch in batches:
            yield hits_of(bvh, batch)

    return rays.mapInArrow(cast, SCHEMA)


def main() -> None:
    from pyspark.sql import SparkSession

    mesh, rays, hits = sys.argv[1:]
    spark = SparkSession.builder.appName("estoc").getOrCreate()
    # Larger batches than Spark's 10,000 rows cost fewer calls.
    spark.conf.set("spark.sql.execution.arrow.maxRecordsPerBatch", 65536)
    cast_rays(spark.read.parquet(rays), mesh).write.mode("overwrite").parquet(hits)
    spark.stop()


if __name__ == "__main__":
    main()
