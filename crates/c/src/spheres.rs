//! Moving spheres, which the trees of meshes answer.

use crate::asking::{Asking, Source};
use crate::call::call;
use crate::numbers::{Column, Vectors, estoc_column, estoc_vectors};
use crate::outputs::{Outputs, estoc_output, given_outputs};
use crate::regions::{Tree, tree_of};
use crate::run::{Run, estoc_run};
use crate::status::{Failure, estoc_status, given, null};
use crate::world::estoc_world;
use estoc_batch::Record;
use estoc_core::{
    Coordinate, FirstContact, MovingSphere64, QueryOptions, SphereContact, SweepEngine,
};

/// Many spheres, each of which moves along a line. One with a number that is not finite, but for the radius and the
/// greatest time, or with a radius that is negative or NaN touches nothing.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct estoc_spheres {
    /// The number of spheres.
    pub count: usize,
    /// The centres at the time 0.
    pub center: estoc_vectors,
    /// What the centres move by in one unit of time.
    pub velocity: estoc_vectors,
    /// The radii, `ESTOC_F32` or `ESTOC_F64`.
    pub radius: estoc_column,
    /// The greatest times that count, `ESTOC_F32` or `ESTOC_F64`; infinite where `data` is null.
    pub t_max: estoc_column,
}

struct SphereInput {
    count: usize,
    center: Vectors,
    velocity: Vectors,
    radius: Column,
    t_max: Option<Column>,
}

impl Source<MovingSphere64> for SphereInput {
    fn count(&self) -> usize {
        self.count
    }

    fn at(&self, item: usize) -> MovingSphere64 {
        let (center, velocity) = (self.center.at(item), self.velocity.at(item));
        let t_max = self
            .t_max
            .map_or(f64::INFINITY, |column| column.number(item));
        MovingSphere64::new(center, velocity, self.radius.number(item)).with_t_max(t_max)
    }
}

/// Tells the first contacts of moving spheres with the mesh of a tree, exactly: "t", the time; "prim"; "x", "y", "z",
/// the point that is touched then; "feature" of the triangle as in `ESTOC_CLOSEST_POINT`; "is_touching_at_start", 1 or 0.
/// Where there is no contact "prim" is `ESTOC_NONE`, and only that tells it. `run` may be null.
///
/// Fails with `ESTOC_UNSUPPORTED` for a scene and for a mesh in a local frame, else as `estoc_ask_rays`. Threads: any, at
/// the same time.
#[unsafe(no_mangle)]
pub extern "C" fn estoc_ask_spheres(
    world: *const estoc_world,
    spheres: Option<&estoc_spheres>,
    run: Option<&estoc_run>,
    outputs: *const estoc_output,
    output_count: usize,
) -> estoc_status {
    call(|call| {
        let (tree, spheres) = (tree_of(call, world)?, given(spheres, "spheres")?);
        let (run, count) = (Run::of(run, call)?, spheres.count);
        let outputs = given_outputs(call, outputs, output_count)?;
        let radius = Column::of_numbers(&spheres.radius, count, "spheres.radius")?;
        let input = SphereInput {
            count,
            center: Vectors::of(&spheres.center, count, "spheres.center")?,
            velocity: Vectors::of(&spheres.velocity, count, "spheres.velocity")?,
            radius: radius.ok_or_else(|| null("spheres.radius"))?,
            t_max: Column::of_numbers(&spheres.t_max, count, "spheres.t_max")?,
        };
        match tree {
            Tree::F32(tree) => ask(tree, &input, &run, &outputs),
            Tree::F64(tree) => ask(tree, &input, &run, &outputs),
        }
    })
}

fn ask<C, E>(
    engine: &E,
    source: &SphereInput,
    run: &Run<'_>,
    outputs: &[(&str, estoc_output)],
) -> Result<(), Failure>
where
    C: Coordinate,
    E: SweepEngine<Primitive: estoc_core::MeshTriangle<Coordinate = C>> + Sync,
    SphereContact<C>: Record,
{
    let to = Outputs::of::<SphereContact<C>>(outputs, source.count, 0)?;
    let asking = Asking {
        engine,
        source,
        run,
        options: QueryOptions::default(),
        each: None,
        filter: (),
    };
    asking.records::<_, MovingSphere64, _>(FirstContact, &to)
}
