//! The triangles of a scene's own geometries, in one tree.

use crate::abi::{Hits, InstanceIds, error, quality};
use crate::buffer::View;
use crate::failure::{Failure, invalid_argument, out_of_memory};
use crate::scene::geometry::{Callbacks, Geometry, Kind};
use estoc_bvh::{BuildError, Bvh, Quality};
use estoc_core::glam::Vec3;
use estoc_core::{CancelToken, Hit, Masks, PrimId, Progress, Triangle};
use estoc_mesh::{BadFaces, Mesh, MeshError};
use std::cell::Cell;
use std::sync::Arc;

/// A tree over the triangles of geometries.
pub struct Surface {
    /// The corners of its triangles make normals.
    mesh: Mesh,
    pub bvh: Arc<Bvh>,
    /// By the first triangle.
    geometries: Vec<OfMesh>,
    /// Whether triangles were left out, so that those of the mesh have other numbers.
    has_gaps: bool,
    pub visible: Visible,
}

/// Which geometries rays see.
#[derive(Clone, Copy, PartialEq)]
pub enum Visible {
    /// All have this mask.
    Alike(u32),
    /// The tree has their masks.
    ByTriangle,
}

/// A geometry of triangles or quads in a scene.
pub struct OfMesh {
    pub id: u32,
    pub geometry: Arc<Geometry>,
    pub callbacks: Callbacks,
    mask: u32,
    first: u32,
    indices: View,
    vertices: View,
}

/// How a tree is built.
pub struct Build<'a> {
    pub quality: u32,
    pub cancel: &'a CancelToken,
    pub progress: Option<&'a (dyn Fn(Progress) + Sync)>,
}

impl OfMesh {
    /// Returns a geometry whose triangles come after `first` others, with the number of its own; `None` if it has none.
    pub fn of(id: u32, geometry: &Arc<Geometry>, first: usize) -> Option<(Self, usize)> {
        let settings = geometry.settings();
        let (indices, vertices) = settings.mesh()?;
        let of = OfMesh {
            id,
            geometry: geometry.clone(),
            callbacks: settings.callbacks,
            mask: settings.mask,
            // One that does not fit is an error before it is used.
            first: first as u32,
            indices: indices.clone(),
            vertices: vertices.clone(),
        };
        let triangles = indices.len() * of.per_prim();
        Some((of, triangles))
    }

    /// Returns the number of triangles of a primitive.
    fn per_prim(&self) -> usize {
        match self.geometry.kind {
            Kind::Quads => 2,
            _ => 1,
        }
    }

    /// Returns the primitive of one of its triangles.
    pub fn prim(&self, triangle: usize) -> u32 {
        (triangle / self.per_prim()) as u32
    }

    fn triangles(&self) -> usize {
        self.indices.len() * self.per_prim()
    }

    /// Returns the vertices of a triangle: of a quad 0 1 2 3, the first is 0 1 3 and the second 2 3 1. A quad with a vertex that
    /// does not exist or is not finite has none.
    fn face(&self, triangle: usize) -> [u32; 3] {
        match self.geometry.kind {
            Kind::Quads => {
                let corners: [u32; 4] = self.indices.item(triangle / 2, 0);
                let [a, b, c, d] = corners;
                let is_usable = |corner: u32| {
                    let vertex = self.vertices.floats::<3>(corner as usize, 0);
                    (corner as usize) < self.vertices.len() && vertex.iter().all(|x| x.is_finite())
                };
                let gone = corners.into_iter().find(|&corner| !is_usable(corner));
                match (gone, triangle.is_multiple_of(2)) {
                    (Some(corner), _) => [corner; 3],
                    (None, true) => [a, b, d],
                    (None, false) => [c, d, b],
                }
            }
            _ => self.indices.item(triangle, 0),
        }
    }
}

/// Items of several geometries one after the other, of which it is known how many there are.
struct Joined<I> {
    items: I,
    left: usize,
}

impl<I: Iterator> Iterator for Joined<I> {
    type Item = I::Item;

    #[inline]
    fn next(&mut self) -> Option<I::Item> {
        self.left = self.left.saturating_sub(1);
        self.items.next()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl Surface {
    /// Builds the tree. Faces with a vertex that is not finite are left out, as Embree's documentation has it. So are those
    /// with an index that no vertex has; a sentence that tells the first is returned beside.
    pub fn build(
        geometries: Vec<OfMesh>,
        build: &Build<'_>,
    ) -> Result<(Self, Option<String>), Failure> {
        let vertices = geometries.iter().map(|of| of.vertices.len()).sum();
        let triangles = geometries.iter().map(OfMesh::triangles).sum();
        let positions = geometries
            .iter()
            .flat_map(|of| (0..of.vertices.len()).map(|index| of.vertices.floats::<3>(index, 0)));
        let (wrong, mut base) = (Cell::new(None), 0usize);
        let faces = geometries.iter().flat_map(|of| {
            let first = base;
            base += of.vertices.len();
            (0..of.triangles()).map({
                let wrong = &wrong;
                move |triangle| {
                    of.face(triangle).map(|index| {
                        if (index as usize) < of.vertices.len() {
                            return (first + index as usize) as u32;
                        }
                        let prim = of.prim(triangle);
                        wrong.set(
                            wrong
                                .get()
                                .or(Some((of.id, prim, index, of.vertices.len()))),
                        );
                        u32::MAX
                    })
                }
            })
        });
        let positions = Joined {
            items: positions,
            left: vertices,
        };
        let faces = Joined {
            items: faces,
            left: triangles,
        };
        let mesh = Mesh::with_bad_faces(positions, faces, BadFaces::Skip).map_err(of_mesh)?;
        let wrong = wrong.get().map(|(id, prim, index, vertices)| {
            format!(
                "geometry {id}: primitive {prim} has vertex index {index}, but there are {vertices} vertices; such \
                 primitives are left out"
            )
        });
        let builder = Bvh::builder()
            .cancel(build.cancel)
            .quality(match build.quality {
                quality::LOW => Quality::Fast,
                quality::HIGH => Quality::Best,
                _ => Quality::default(),
            });
        let builder = match build.progress {
            Some(progress) => builder.progress(progress),
            None => builder,
        };
        let bvh = builder.build(&mesh).map_err(of_build)?;
        let mut surface = Surface {
            has_gaps: mesh.triangle_count() < triangles,
            mesh,
            bvh: Arc::new(bvh),
            visible: Visible::Alike(geometries.first().map_or(1, |of| of.mask)),
            geometries,
        };
        let first = surface.visible;
        if surface
            .geometries
            .iter()
            .any(|of| Visible::Alike(of.mask) != first)
        {
            let numbers = (0..surface.mesh.triangle_count()).filter_map(PrimId::from_index);
            let runs = numbers.map(|prim| (1, surface.place(prim).0.mask));
            let masks = Masks::from_runs(runs.collect::<Vec<_>>());
            let bvh = Arc::unwrap_or_clone(surface.bvh).with_masks(masks);
            (surface.bvh, surface.visible) = (Arc::new(bvh), Visible::ByTriangle);
        }
        Ok((surface, wrong))
    }

    /// Returns the geometry of a triangle, and the triangle's number in it.
    #[inline]
    pub fn place(&self, prim: PrimId) -> (&OfMesh, usize) {
        let face = match self.has_gaps {
            false => prim.index(),
            true => self
                .mesh
                .face_of(prim)
                .map_or(prim.index(), |face| face as usize),
        };
        let after = match &self.geometries[..] {
            [_] => 1,
            all => all.partition_point(|of| of.first as usize <= face),
        };
        let of = &self.geometries[after - 1];
        (of, face - of.first as usize)
    }

    /// Returns a hit as Embree has it, on a triangle that is looked up if it is not given.
    #[inline(always)]
    pub fn hit(&self, hit: &Hit, triangle: Option<Triangle>, context: InstanceIds) -> Hits<1> {
        let corners = triangle.or_else(|| self.mesh.triangle(hit.prim));
        let corners = corners.map_or([Vec3::ZERO; 3], |triangle| triangle.corners());
        let [a, b, c] = corners.map(Vec3::as_dvec3);
        // In `f64`, each number of the normal of ordinary triangles has an error below half a step of `f32`.
        let normal = (b - a).cross(c - a).as_vec3().to_array();
        let (of, triangle) = self.place(hit.prim);
        let [u, v] = match of.geometry.kind {
            Kind::Quads if triangle % 2 == 1 => [1.0 - hit.u, 1.0 - hit.v],
            _ => [hit.u, hit.v],
        };
        Hits {
            normal: normal.map(|x| [x]),
            u: [u],
            v: [v],
            prim: [of.prim(triangle)],
            geometry: [of.id],
            instance: [context.instance],
            instance_prim: [[context.instance_prim]],
        }
    }

    /// Returns whether a ray with this mask sees all triangles, or none; `None` if the tree has their masks.
    #[inline(always)]
    pub fn is_seen(&self, mask: u32) -> Option<bool> {
        match self.visible {
            Visible::Alike(own) => Some(own & mask != 0),
            Visible::ByTriangle => None,
        }
    }

    pub fn has_filter(&self) -> bool {
        self.geometries.iter().any(|of| of.callbacks.has_filter())
    }

    /// Returns whether a ray that sees a bit of `mask` sees a triangle exactly if it shares a bit with the "and" of both.
    pub fn joins(&self, mask: u32) -> bool {
        self.geometries
            .iter()
            .all(|of| of.mask & mask == of.mask || of.mask & mask == mask)
    }
}

fn of_mesh(error: MeshError) -> Failure {
    match error {
        MeshError::NoMemory { .. } => out_of_memory(error.to_string()),
        _ => invalid_argument(error.to_string()),
    }
}

fn of_build(error: BuildError) -> Failure {
    match error {
        BuildError::Cancelled => Failure {
            code: error::CANCELLED,
            message: "the progress monitor cancelled the commit; the scene is as it was".into(),
        },
        _ => out_of_memory(error.to_string()),
    }
}
