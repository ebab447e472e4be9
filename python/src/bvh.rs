//! Trees.

use crate::ask::reserve;
use crate::call::{run, run_for};
use crate::failure::Failure;
use crate::mesh::Mesh;
use crate::names::named;
use crate::precision::{Precision, either};
use crate::rows::Rows;
use crate::scene::refused;
use crate::whole_surface::{Computed, check_room};
use crate::{fork, pool};
use estoc::glam::{DAffine3, DVec3};
use estoc::query::{self, Intersection, IntersectionKind, Masks};
use estoc::scene::{Placement, Scene, SceneSnapshot};
use estoc::{Batch, PrimId};
use estoc_core::{Coordinate, MeshTriangle, volume_sign};
use numpy::{IntoPyArray, PyArray1, PyUntypedArray};
use pyo3::prelude::*;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, PoisonError};

/// The distance, and of both sides the triangle, the part and the point.
type LeastDistance = (f64, [u32; 2], [u32; 2], [[f64; 3]; 2]);

/// The numbers of faulty edges, the sign of the volume, and the numbers of faulty triangles.
type SurfaceParts<'py> = ([usize; 3], Option<i32>, [Bound<'py, PyArray1<i64>>; 3]);

/// A tree.
#[pyclass(frozen, module = "estoc._estoc")]
pub(crate) struct Bvh {
    pub(crate) bvh: Precision<Arc<estoc::Bvh>, Arc<estoc::Bvh<f64>>>,
    pub(crate) computed: Computed,
    /// Where the coordinates of the tree have their origin in the world.
    pub(crate) origin: DVec3,
    /// The tree in the world, once it was asked for.
    world: Mutex<Option<Arc<SceneSnapshot>>>,
}

#[pymethods]
impl Bvh {
    /// Builds a tree, with the bits of the groups that each triangle is in.
    #[new]
    fn new(
        py: Python<'_>,
        mesh: &Mesh,
        quality: &str,
        groups: Option<&Bound<'_, PyUntypedArray>>,
        threads: usize,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let quality = named(quality)?;
        let groups = groups.map(Rows::of).transpose()?;
        let bvh = run(py, threads, progress, |call| {
            let report = call.reporter();
            let builder = estoc::Bvh::builder().quality(quality).cancel(&call.cancel);
            let builder = builder.progress(&report);
            let masks = groups.as_ref().map(masks_of).transpose()?;
            Ok(match &mesh.mesh {
                Precision::F32(mesh) => {
                    Precision::F32(Arc::new(builder.build(mesh)?.with_masks(masks)))
                }
                Precision::F64(mesh) => {
                    Precision::F64(Arc::new(builder.build(mesh)?.with_masks(masks)))
                }
            })
        })?;
        Ok(Bvh::of(bvh, mesh.world_origin()))
    }

    /// Returns the number of triangles.
    fn face_count(&self) -> usize {
        self.triangle_count()
    }

    /// Returns the number of bytes of the tree.
    fn nbytes(&self) -> usize {
        either!(&self.bvh, bvh => bvh.stats().bytes)
    }

    /// Returns the quality that the tree was built with, if it is known.
    fn quality(&self) -> Option<String> {
        either!(&self.bvh, bvh => bvh.quality()).map(|quality| quality.to_string())
    }

    /// Returns the least distance from another tree, the triangles, their parts and the points.
    fn least_distance(
        &self,
        py: Python<'_>,
        other: &Bvh,
        max_distance: f32,
        threads: usize,
    ) -> PyResult<Option<LeastDistance>> {
        let triangles = self.triangle_count().max(other.triangle_count());
        run_for(py, (triangles, threads), None, |call| {
            let batch = Batch::new().cancel(&call.cancel);
            match (&self.bvh, &other.bvh) {
                (Precision::F32(tree), Precision::F32(other)) => {
                    let found = batch.least_distance(&**tree, &**other, max_distance)?;
                    Ok(found.map(in_f64))
                }
                (Precision::F64(tree), Precision::F64(other)) => {
                    let found = batch.least_distance(&**tree, &**other, max_distance)?;
                    Ok(found.map(in_f64))
                }
                _ => {
                    let message = "one mesh is in float32 and the other in float64; for their least \
                                   distance, make both with the same dtype";
                    Err(Failure::Raised("QueryError", message.to_owned()))
                }
            }
        })
    }

    /// Returns the numbers of the triangles of this mesh, or of this and another one, that intersect, and
    /// how they do.
    fn intersections<'py>(
        &self,
        py: Python<'py>,
        other: Option<&Bvh>,
        threads: usize,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let (first, second, kinds) = run(py, threads, progress, |call| {
            let report = call.reporter();
            let mut found = (Vec::<i64>::new(), Vec::<i64>::new(), Vec::<u8>::new());
            let add = |pair: Intersection| {
                let room = reserve(&mut found.0, 1)
                    .and_then(|()| reserve(&mut found.1, 1))
                    .and_then(|()| reserve(&mut found.2, 1));
                if let Err(failure) = room {
                    return ControlFlow::Break(failure);
                }
                found.0.push(pair.first.get().into());
                found.1.push(pair.second.get().into());
                found.2.push(match pair.kind {
                    IntersectionKind::Crossing => 0,
                    IntersectionKind::CoplanarOverlap => 1,
                    IntersectionKind::Touching => 2,
                });
                ControlFlow::Continue(())
            };
            let batch = Batch::new().cancel(&call.cancel).progress(&report);
            let ended = match other {
                None => either!(&self.bvh, tree => batch.self_intersections(&**tree, add)?),
                Some(other) => either!(&self.bvh, tree => either!(&other.bvh, other => {
                    batch.intersections(&**tree, &**other, add)?
                })),
            };
            match ended {
                ControlFlow::Break(failure) => Err(failure),
                ControlFlow::Continue(()) => Ok(found),
            }
        })?;
        Ok(vec![
            first.into_pyarray(py).into_any(),
            second.into_pyarray(py).into_any(),
            kinds.into_pyarray(py).into_any(),
        ])
    }

    /// Returns whether every edge is used an even number of times.
    fn is_closed(&self, py: Python<'_>) -> PyResult<bool> {
        match self.is_closed_known() {
            Some(is_closed) => Ok(is_closed),
            None => run(py, 1, None, |_| self.closed()),
        }
    }

    /// Returns the numbers of open, misoriented and crowded edges; the sign of the volume, if it has one; and the
    /// triangles without area, those with the corners of an earlier one, and these.
    fn check<'py>(&self, py: Python<'py>, mesh: &Mesh) -> PyResult<SurfaceParts<'py>> {
        let (edges, volume, prims) = run(py, 1, None, |call| {
            self.see_surface()?;
            let (is_solid, edges) = either!(&self.bvh, bvh => {
                let found = bvh.surface();
                let is_solid = found.unpaired_edges == 0 && found.edges > 0;
                (is_solid, [found.open_edges, found.misoriented_edges, found.crowded_edges])
            });
            call.check()?;
            either!(&mesh.mesh, mesh => {
                let volume = is_solid.then(|| volume_sign(mesh.triangles()) as i32);
                call.check()?;
                Ok((edges, volume, faulty_triangles(mesh.triangles())?))
            })
        })?;
        Ok((edges, volume, prims.map(|prims| prims.into_pyarray(py))))
    }
}

impl Bvh {
    pub(crate) fn of(bvh: Precision<Arc<estoc::Bvh>, Arc<estoc::Bvh<f64>>>, origin: DVec3) -> Self {
        Bvh {
            bvh,
            computed: Computed::default(),
            origin,
            world: Mutex::default(),
        }
    }

    /// Returns the number of triangles.
    pub(crate) fn triangle_count(&self) -> usize {
        either!(&self.bvh, bvh => bvh.triangle_count())
    }

    /// Returns the tree in `f64`, if it is one.
    pub(crate) fn wide(&self) -> Option<&estoc::Bvh<f64>> {
        match &self.bvh {
            Precision::F32(_) => None,
            Precision::F64(bvh) => Some(bvh),
        }
    }

    /// Returns whether the coordinates of the tree are not those of the world.
    pub(crate) fn has_origin(&self) -> bool {
        self.origin != DVec3::ZERO
    }

    /// Returns the scene of the tree alone, in the world. No thread of a pool calls this.
    pub(crate) fn world(&self, py: Python<'_>) -> PyResult<Arc<SceneSnapshot>> {
        let known = || self.world.lock().unwrap_or_else(PoisonError::into_inner);
        let world = py.detach(|| {
            if let Some(world) = fork::apart(|| known().clone()) {
                return Ok(world);
            }
            let to_world = DAffine3::from_translation(self.origin);
            let placement = either!(&self.bvh, bvh => Placement::try_new(bvh.clone(), &to_world));
            let placement = placement.map_err(refused)?;
            let mut scene = Scene::new();
            scene.add(placement).map_err(refused)?;
            let pool = pool::lend(1)?;
            let made = fork::apart(|| pool.install(|| scene.try_commit())).map_err(refused)?;
            fork::apart(|| *known() = Some(made.clone()));
            Ok(made)
        });
        world.map_err(|failure: Failure| failure.raise(py))
    }
}

/// Returns the masks of triangles, whose bits are in rows.
fn masks_of(groups: &Rows) -> Result<Masks, Failure> {
    let mut runs = Vec::new();
    reserve(&mut runs, groups.len())?;
    groups.each_integer(0..groups.len(), |[bits]| runs.push((1, bits as u32)));
    Ok(Masks::from_runs(runs))
}

/// Returns the parts of a least distance, which are exact in `f64`.
fn in_f64<C: Coordinate>(found: query::LeastDistance<C::Point, C>) -> LeastDistance {
    let prims = found.prims.map(PrimId::get);
    // pyo3 makes `bytes` of an array of u8.
    let parts = found.features.map(|feature| u32::from(feature.number()));
    let points = found.points.map(|point| C::wide(point).to_array());
    (found.distance.into(), prims, parts, points)
}

/// Returns the triangles without area, then those with the corners of an earlier one, then the earlier ones.
fn faulty_triangles<T: MeshTriangle>(
    triangles: impl ExactSizeIterator<Item = T>,
) -> Result<[Vec<i64>; 3], Failure> {
    // Lists grow.
    let bytes = 3 * size_of::<(T, PrimId)>() * triangles.len();
    check_room(bytes, "find triangles with equal corners")?;
    let (mut flat, mut by_corners) = (Vec::new(), Vec::new());
    for (prim, triangle) in (0..).map_while(PrimId::from_index).zip(triangles) {
        match triangle.positions().filter(|_| triangle.has_area()) {
            None => flat.push(i64::from(prim.get())),
            Some(mut corners) => {
                corners.sort_unstable();
                by_corners.push((corners, prim));
            }
        }
    }
    by_corners.sort_unstable();
    let same = by_corners.chunk_by(|a, b| a.0 == b.0);
    let pairs = same.flat_map(|same| same[1..].iter().map(|(_, prim)| (*prim, same[0].1)));
    let mut pairs: Vec<(PrimId, PrimId)> = pairs.collect();
    pairs.sort_unstable();
    let (again, first) = pairs
        .iter()
        .map(|(prim, of)| (i64::from(prim.get()), i64::from(of.get())))
        .unzip();
    Ok([flat, again, first])
}
