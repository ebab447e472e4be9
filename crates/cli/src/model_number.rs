//! What differs between meshes in `f32` and in `f64` on the command line.

use crate::frame::{FileFrame, Point};
use crate::mesh_model::MeshModel;
use crate::number::{Number, Number64, NumberJson};
use crate::session::Session;
use estoc::glam::{DVec3, Vec3};
use estoc::mesh::SurfaceReport;
use estoc::{Bvh, PrimId, Triangle};
use estoc_core::{Coordinate, MeshTriangle, PairEngine, RegionEngine, Triangle64};
use serde_json::Value;

/// An engine of triangles that answers about regions and pairs.
pub(crate) trait RegionPairEngine<T: MeshTriangle>:
    RegionEngine<Primitive = T> + PairEngine<Measured = T> + Sync
{
}

impl<T: MeshTriangle, E: RegionEngine<Primitive = T> + PairEngine<Measured = T> + Sync>
    RegionPairEngine<T> for E
{
}

/// The numbers of a mesh.
pub(crate) trait ModelNumber: Coordinate {
    /// A triangle of a mesh.
    type Triangle: MeshTriangle<Coordinate = Self>;

    /// Returns a tree that answers about regions and pairs.
    fn engine(bvh: &Bvh<Self>) -> &impl RegionPairEngine<Self::Triangle>;

    /// Returns the corners of the box around all triangles.
    fn bounds(bvh: &Bvh<Self>) -> [DVec3; 2];

    /// Returns what the edges of all triangles say.
    fn surface(bvh: &Bvh<Self>) -> SurfaceReport<Self>;

    /// Returns a triangle of the mesh.
    fn triangle(model: &MeshModel<Self>, prim: PrimId) -> Option<Self::Triangle>;

    /// Returns the least distance within which `--weld auto` closes the mesh with this open edge, if there is one, and
    /// the option that does so.
    fn gap(
        model: &MeshModel<Self>,
        open_edge: [Self::Point; 2],
        session: &Session,
    ) -> Option<(f64, &'static str)>;

    /// Returns where a point of the mesh is in its file.
    fn in_file(frame: FileFrame, point: Self::Point) -> Point;

    /// Returns two triangles in `f32`, in a frame of their own where they are in `f64`.
    fn shown(triangles: [Self::Triangle; 2], frame: FileFrame) -> ([Triangle; 2], FileFrame);

    /// Returns the number as text.
    fn text(self) -> String;

    /// Returns the number as JSON.
    fn json(self) -> Value;
}

impl ModelNumber for f32 {
    type Triangle = Triangle;

    fn engine(bvh: &Bvh) -> &impl RegionPairEngine<Triangle> {
        bvh
    }

    fn bounds(bvh: &Bvh) -> [DVec3; 2] {
        let bounds = bvh.bounds();
        [bounds.min(), bounds.max()].map(Vec3::as_dvec3)
    }

    fn surface(bvh: &Bvh) -> SurfaceReport {
        bvh.surface()
    }

    fn triangle(model: &MeshModel, prim: PrimId) -> Option<Triangle> {
        model.triangle(prim)
    }

    fn gap(
        model: &MeshModel,
        open_edge: [Vec3; 2],
        session: &Session,
    ) -> Option<(f64, &'static str)> {
        model.gap(open_edge, session)
    }

    fn in_file(frame: FileFrame, point: Vec3) -> Point {
        frame.world(point)
    }

    fn shown(triangles: [Triangle; 2], frame: FileFrame) -> ([Triangle; 2], FileFrame) {
        (triangles, frame)
    }

    fn text(self) -> String {
        Number(self).to_string()
    }

    fn json(self) -> Value {
        Number(self).json()
    }
}

impl ModelNumber for f64 {
    type Triangle = Triangle64;

    fn engine(bvh: &Bvh<f64>) -> &impl RegionPairEngine<Triangle64> {
        bvh
    }

    fn bounds(bvh: &Bvh<f64>) -> [DVec3; 2] {
        bvh.bounds()
    }

    fn surface(bvh: &Bvh<f64>) -> SurfaceReport<f64> {
        bvh.surface()
    }

    fn triangle(model: &MeshModel<f64>, prim: PrimId) -> Option<Triangle64> {
        model.bvh().triangle(prim)
    }

    /// Welding is of meshes in `f32`.
    fn gap(_: &MeshModel<f64>, _: [DVec3; 2], _: &Session) -> Option<(f64, &'static str)> {
        None
    }

    fn in_file(_: FileFrame, point: DVec3) -> Point {
        Point::World(point)
    }

    fn shown(triangles: [Triangle64; 2], _: FileFrame) -> ([Triangle; 2], FileFrame) {
        let origin = triangles[0].p0;
        let near = triangles.map(|triangle| {
            let [a, b, c] = triangle.corners().map(|p| (p - origin).as_vec3());
            Triangle::new(a, b, c)
        });
        (near, FileFrame(origin))
    }

    fn text(self) -> String {
        Number64(self).to_string()
    }

    fn json(self) -> Value {
        self.into()
    }
}

impl<C: ModelNumber> MeshModel<C> {
    /// Returns all triangles, in the order of their ids.
    pub(crate) fn all_triangles(&self) -> impl Iterator<Item = C::Triangle> + Clone {
        let prims = (0..self.bvh().triangle_count()).filter_map(PrimId::from_index);
        prims.filter_map(|prim| C::triangle(self, prim))
    }

    /// Returns the first triangle with an edge between these ends, and its line in the file.
    pub(crate) fn first_with_edge(&self, ends: [C::Point; 2]) -> Option<(PrimId, Option<u64>)> {
        let ends = ends.map(C::wide);
        let has_edge = |triangle: C::Triangle| {
            let triangle: Triangle64 = triangle.into();
            let [a, b, c] = triangle.corners();
            let edges = [[a, b], [b, c], [c, a]];
            let is_it = |&[from, to]: &[DVec3; 2]| [from, to] == ends || [to, from] == ends;
            triangle.is_finite() && edges.iter().any(is_it)
        };
        let prim = PrimId::from_index(self.all_triangles().position(has_edge)?)?;
        Some((prim, self.line_of(prim)))
    }
}
