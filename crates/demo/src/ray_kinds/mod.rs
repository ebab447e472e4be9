//! The kinds of rays that benchmarks cast: those of `estoc bench`, of the comparison with other
//! libraries, and of the benchmarks of layers.

mod ray_maker;

pub use ray_maker::{Frame, RayMaker};

/// The pixels of a picture are ordered by tiles of 16 by 16 ...
pub const TILE: usize = 16;
/// ... and within these by blocks of 4 by 4, so that 4, 8 or 16 consecutive rays are close
/// together, as packets require.
const BLOCK: usize = 4;

/// Returns the side of the smallest square picture of at least this many pixels, in whole tiles.
pub fn side_for(pixels: usize) -> usize {
    let floor = pixels.isqrt();
    let side = floor + usize::from(floor * floor < pixels);
    side.next_multiple_of(TILE)
}

/// A kind of rays, with the question that they ask.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RayKind {
    /// First hits of camera rays, neighbours adjacent.
    Primary,
    /// First hits of rays from the primary hits, cosine-distributed about the normal.
    Diffuse,
    /// First hits of rays from around the mesh through points in its bounds.
    Random,
    /// Any hit between the primary hits and a light.
    Shadow,
    /// Any hit near the primary hits, with directions about the normal.
    Ao,
    /// Any hit of the random rays.
    RandomAny,
}

impl RayKind {
    /// All kinds. Seeds depend on the order: `kind as u64`.
    pub const ALL: [RayKind; 6] = [
        RayKind::Primary,
        RayKind::Diffuse,
        RayKind::Random,
        RayKind::Shadow,
        RayKind::Ao,
        RayKind::RandomAny,
    ];

    /// Returns the name used on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            RayKind::Primary => "primary",
            RayKind::Diffuse => "diffuse",
            RayKind::Random => "random",
            RayKind::Shadow => "shadow",
            RayKind::Ao => "ao",
            RayKind::RandomAny => "random-any",
        }
    }

    /// Returns a description of one line.
    pub const fn about(self) -> &'static str {
        match self {
            RayKind::Primary => "First hits of a camera's rays, in picture order",
            RayKind::Diffuse => {
                "First hits of rays from primary hits, distributed about the normal"
            }
            RayKind::Random => {
                "First hits of rays from around the mesh through random points in its box"
            }
            RayKind::Shadow => "Any hit between primary hits and a light",
            RayKind::Ao => "Any hit near primary hits, distributed about the normal",
            RayKind::RandomAny => "Any hit of the random rays",
        }
    }

    /// Returns the kind of this name.
    pub fn of_name(name: &str) -> Option<RayKind> {
        RayKind::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// Returns whether the rays ask for any hit rather than the first one.
    pub const fn is_any(self) -> bool {
        matches!(self, RayKind::Shadow | RayKind::Ao | RayKind::RandomAny)
    }
}

/// Returns the column and row of each pixel of a square picture in the order of its rays: tile by
/// tile, and block by block within each tile. The side must be a multiple of [`TILE`].
pub fn pixels_in_tiles(side: usize) -> impl Iterator<Item = [usize; 2]> {
    let tiles = side / TILE;
    (0..side * side).map(move |i| {
        let (tile, block) = (
            i / (TILE * TILE),
            i / (BLOCK * BLOCK) % (TILE / BLOCK).pow(2),
        );
        let pixel = i % (BLOCK * BLOCK);
        let blocks = TILE / BLOCK;
        let across = |tile: usize, block: usize, pixel: usize| tile * TILE + block * BLOCK + pixel;
        [
            across(tile % tiles, block % blocks, pixel % BLOCK),
            across(tile / tiles, block / blocks, pixel / BLOCK),
        ]
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_have_each_pixel_once_and_blocks_are_compact() {
        let pixels: Vec<[usize; 2]> = pixels_in_tiles(48).collect();
        for block in pixels.chunks(16) {
            let [x, y] = block[0];
            assert!(block.iter().all(|&[i, j]| i / 4 == x / 4 && j / 4 == y / 4));
        }
        let mut sorted = pixels;
        sorted.sort_unstable();
        let all = (0..48).flat_map(|x| (0..48).map(move |y| [x, y]));
        assert!(sorted.into_iter().eq(all));
    }

    #[test]
    fn kinds_are_found_by_their_names() {
        for kind in RayKind::ALL {
            assert_eq!(RayKind::of_name(kind.name()), Some(kind));
        }
        assert_eq!(RayKind::of_name("hard"), None);
    }
}
