//! Hits and triangles as C has them.

use crate::status::{Failure, bad};
use estoc_batch::Record;
use estoc_core::{Coordinate, Hit, PrimId, SceneHit, ScenePath, ScenePrim};

/// No triangle, or no placement.
pub const ESTOC_NONE: u32 = u32::MAX;

/// The largest number of placements in a path: scenes nest this deep.
pub const ESTOC_MAX_DEPTH: usize = 8;
const _: () = assert!(ESTOC_MAX_DEPTH == ScenePath::MAX_DEPTH);

/// A triangle of a world.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct estoc_triangle {
    /// The number of the triangle in its mesh, from 0; `ESTOC_NONE` for no triangle.
    pub prim: u32,
    /// The number of placements that lead to the mesh; 0 where the world is one mesh.
    pub depth: u32,
    /// The numbers of these placements, from the outermost; those after the last are 0.
    pub path: [u32; ESTOC_MAX_DEPTH],
}

/// A hit. Numbers of a world in `float` are the nearest `float`s.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct estoc_hit {
    /// The parameter along the ray, in lengths of the direction; infinite for a miss, and for a hit beyond the
    /// numbers.
    pub t: f64,
    /// The weight of the triangle's second corner; 0 for a miss.
    pub u: f64,
    /// The weight of the triangle's third corner; 0 for a miss.
    pub v: f64,
    /// The triangle. For a miss its `prim` is `ESTOC_NONE`, and only that tells a miss.
    pub triangle: estoc_triangle,
}

impl estoc_hit {
    pub(crate) const MISS: Self = estoc_hit {
        t: f64::INFINITY,
        u: 0.0,
        v: 0.0,
        triangle: estoc_triangle::of(ESTOC_NONE),
    };
}

impl estoc_triangle {
    pub(crate) const fn of(prim: u32) -> Self {
        estoc_triangle {
            prim,
            depth: 0,
            path: [0; ESTOC_MAX_DEPTH],
        }
    }

    /// Returns a triangle that a path leads to; without the path where a scene stands for one mesh `alone`.
    pub(crate) fn on(prim: PrimId, path: &ScenePath, alone: bool) -> Self {
        let mut triangle = Self::of(prim.get());
        if !alone {
            let numbers = path.numbers();
            triangle.depth = numbers.len() as u32;
            triangle.path[..numbers.len()].copy_from_slice(numbers);
        }
        triangle
    }
}

/// A hit that C has a form of.
pub(crate) trait Found: Record {
    /// Returns the hit; without its path where a scene stands for one mesh `alone`.
    fn hit(&self, alone: bool) -> estoc_hit;
}

impl<C: Coordinate> Found for Hit<C>
where
    Hit<C>: Record,
{
    #[inline(always)]
    fn hit(&self, _: bool) -> estoc_hit {
        estoc_hit {
            t: self.t.into(),
            u: self.u.into(),
            v: self.v.into(),
            triangle: estoc_triangle::of(self.prim.get()),
        }
    }
}

impl Found for SceneHit {
    fn hit(&self, alone: bool) -> estoc_hit {
        estoc_hit {
            t: self.t.into(),
            u: self.u.into(),
            v: self.v.into(),
            triangle: estoc_triangle::on(self.prim, &self.path, alone),
        }
    }
}

/// The id of a triangle.
pub(crate) trait TriangleId: Copy + Send + Sync {
    /// Returns the id of a triangle, of a scene that stands for one mesh `alone` or not; `None` for none.
    fn of(triangle: &estoc_triangle, alone: bool) -> Result<Option<Self>, Failure>;
}

impl TriangleId for PrimId {
    fn of(triangle: &estoc_triangle, _: bool) -> Result<Option<Self>, Failure> {
        match triangle.depth {
            0 => Ok(PrimId::new(triangle.prim)),
            _ => Err(has_path(triangle)),
        }
    }
}

impl TriangleId for ScenePrim {
    fn of(triangle: &estoc_triangle, alone: bool) -> Result<Option<Self>, Failure> {
        let Some(prim) = PrimId::new(triangle.prim) else {
            return Ok(None);
        };
        let path = match triangle.path.get(..triangle.depth as usize) {
            // A mesh that is asked as a scene is its first placement.
            Some([]) if alone => &[0],
            Some(path) if !alone => path,
            _ => return Err(has_path(triangle)),
        };
        let path = ScenePath::try_new(path).map_err(|error| bad(error.to_string()))?;
        Ok(Some(ScenePrim::triangle(path, prim)))
    }
}

fn has_path(triangle: &estoc_triangle) -> Failure {
    let depth = triangle.depth;
    bad(format!(
        "a triangle has a path of {depth} placements; those of a mesh have none, and scenes nest {ESTOC_MAX_DEPTH} deep"
    ))
}
