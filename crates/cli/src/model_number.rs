//! What differs between meshes in `f32` and in `f64` on the command line.

use crate::answer_columns::Doubles;
use crate::frame::{FileFrame, Point};
use crate::mesh_model::MeshModel;
use crate::number::{Number, Number64, NumberJson};
use crate::session::Session;
use estoc::glam::{DVec3, Vec3};
use estoc::{Bvh, PrimId, Triangle};
use estoc_batch::Item;
use estoc_core::{Coordinate, PairEngine, PointEngine, PointKind, RegionEngine, Triangle64};
use estoc_rays_io::TypedValues;
use serde_json::Value;

/// An engine of a mesh with such points, which answers every question.
pub(crate) trait ModelEngine<V: PointKind>:
    PointEngine<V> + RegionEngine + PairEngine<Measured = V::Triangle> + Sync
{
}

impl<V, E> ModelEngine<V> for E
where
    V: PointKind,
    E: PointEngine<V> + RegionEngine + PairEngine<Measured = V::Triangle> + Sync,
{
}

/// A triangle of a mesh with such coordinates.
pub(crate) type TriangleOf<C> = <<C as Coordinate>::Point as PointKind>::Triangle;

/// The numbers of a mesh.
pub(crate) trait ModelNumber:
    Coordinate<Point: PointKind<Coordinate = Self> + Item> + Default
{
    /// Which numbers of answers about such a mesh are `f64`s.
    const DOUBLES: Doubles;

    /// Returns the tree as an engine.
    fn engine(bvh: &Bvh<Self>) -> &impl ModelEngine<Self::Point>;

    /// Returns the corners of the box around all triangles.
    fn bounds(bvh: &Bvh<Self>) -> [DVec3; 2];

    /// Returns a triangle of the mesh.
    fn triangle(model: &MeshModel<Self>, prim: PrimId) -> Option<TriangleOf<Self>>;

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
    fn shown(triangles: [TriangleOf<Self>; 2], frame: FileFrame) -> ([Triangle; 2], FileFrame);

    /// Returns the number as text.
    fn text(self) -> String;

    /// Returns the number as JSON.
    fn json(self) -> Value;

    /// Returns numbers as values of a column.
    fn values(numbers: Vec<Self>) -> TypedValues;
}

impl ModelNumber for f32 {
    const DOUBLES: Doubles = Doubles::None;

    fn engine(bvh: &Bvh) -> &impl ModelEngine<Vec3> {
        bvh
    }

    fn bounds(bvh: &Bvh) -> [DVec3; 2] {
        let bounds = bvh.bounds();
        [bounds.min(), bounds.max()].map(Vec3::as_dvec3)
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

    fn values(numbers: Vec<f32>) -> TypedValues {
        TypedValues::Numbers(numbers)
    }
}

impl ModelNumber for f64 {
    const DOUBLES: Doubles = Doubles::All;

    fn engine(bvh: &Bvh<f64>) -> &impl ModelEngine<DVec3> {
        bvh
    }

    fn bounds(bvh: &Bvh<f64>) -> [DVec3; 2] {
        bvh.bounds()
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

    fn values(numbers: Vec<f64>) -> TypedValues {
        TypedValues::Numbers64(numbers)
    }
}

impl<C: ModelNumber> MeshModel<C> {
    /// Returns all triangles, in the order of their ids.
    pub(crate) fn all_triangles(&self) -> impl Iterator<Item = TriangleOf<C>> + Clone {
        let prims = (0..self.bvh().triangle_count()).filter_map(PrimId::from_index);
        prims.filter_map(|prim| C::triangle(self, prim))
    }

    /// Returns the first triangle with an edge between these ends, and its line in the file.
    pub(crate) fn first_with_edge(&self, ends: [C::Point; 2]) -> Option<(PrimId, Option<u64>)> {
        let ends = ends.map(C::wide);
        let has_edge = |triangle: TriangleOf<C>| {
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
