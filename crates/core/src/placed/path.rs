//! Which triangle or shape of a scene: the numbers of the placements that lead to it, and its own.

use crate::shapes::PrimId;
use core::fmt;

/// The placements that lead from a scene to a mesh: the number of the placement in the scene, that
/// of a placement in the scene that is placed there, and so on; the last one places a mesh.
///
/// Paths are ordered by their first different number. A path has at most
/// [`MAX_DEPTH`](ScenePath::MAX_DEPTH) numbers.
///
/// ```
/// # mod estoc { pub mod scene { pub use estoc_core::*; } }
/// use estoc::scene::ScenePath;
/// let path = ScenePath::try_new(&[4, 0])?;
/// assert_eq!((path.numbers(), path.to_string()), (&[4, 0][..], "4/0".into()));
/// assert!(path < ScenePath::try_new(&[4, 1])? && path > ScenePath::try_new(&[3])?);
/// # Ok::<(), estoc::scene::PathError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct ScenePath {
    /// Zeros after the last.
    numbers: [u32; ScenePath::MAX_DEPTH],
    len: u8,
}

impl ScenePath {
    /// The largest number of placements on a path: scenes nest this deep.
    pub const MAX_DEPTH: usize = 8;

    /// The path without placements, of the scene itself.
    pub const ROOT: ScenePath = ScenePath {
        numbers: [0; Self::MAX_DEPTH],
        len: 0,
    };

    /// Returns the path of these placements, from the outermost to that of the mesh.
    ///
    /// # Errors
    /// [`PathError`] for more than [`MAX_DEPTH`](Self::MAX_DEPTH) of them.
    pub fn try_new(placements: &[u32]) -> Result<Self, PathError> {
        let mut path = ScenePath::ROOT;
        for &number in placements {
            let depth = placements.len();
            path = path.then(number).ok_or(PathError { depth })?;
        }
        Ok(path)
    }

    /// Returns the path with one more placement at its end; `None` if there is no room for it.
    #[inline]
    pub fn then(self, number: u32) -> Option<Self> {
        let ScenePath { mut numbers, len } = self;
        *numbers.get_mut(usize::from(len))? = number;
        Some(ScenePath {
            numbers,
            len: len + 1,
        })
    }

    /// Returns the numbers of the placements, from the outermost to that of the mesh.
    pub fn numbers(&self) -> &[u32] {
        &self.numbers[..usize::from(self.len)]
    }
}

/// The numbers, separated by slashes.
impl fmt::Display for ScenePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, number) in self.numbers().iter().enumerate() {
            let separator = if place == 0 { "" } else { "/" };
            write!(f, "{separator}{number}")?;
        }
        Ok(())
    }
}

impl fmt::Debug for ScenePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ScenePath({self})")
    }
}

/// The error for a path of too many placements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "a path of {depth} placements is too deep: scenes nest at most {} deep; join some levels",
    ScenePath::MAX_DEPTH
)]
pub struct PathError {
    /// The number of placements.
    pub depth: usize,
}

/// Which hit of a shape: an end of the ray's way through a sphere or a box, or one of those that a
/// shape of the user reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ShapeEnd {
    /// The ray enters, or only touches.
    Entry,
    /// The ray leaves.
    Exit,
    /// One hit of a shape of the user: its number among all that the shape reports for the ray's line,
    /// from 0.
    Nth(u32),
}

/// The id of what a ray hits in a scene: a triangle, or one end of a shape. Ties of hits go to the
/// lowest path, then to the lowest number in the object; the entry into a shape comes before the exit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ScenePrim {
    /// The placements that lead to the mesh or to the list of shapes.
    pub path: ScenePath,
    /// The triangle of that mesh, or the shape of that list.
    pub prim: PrimId,
    /// Which hit of the shape; `None` for a triangle.
    pub end: Option<ShapeEnd>,
}

impl ScenePrim {
    /// Returns the id of a triangle.
    pub fn triangle(path: ScenePath, prim: PrimId) -> Self {
        let end = None;
        ScenePrim { path, prim, end }
    }

    /// Returns the id of one hit of a shape.
    pub fn shape(path: ScenePath, prim: PrimId, end: ShapeEnd) -> Self {
        let end = Some(end);
        ScenePrim { path, prim, end }
    }
}
