//! Scenes of placed meshes that are most likely to reveal a fault.

use super::case_shape::CaseShape;
use super::{Rng, Scene, scene};
use estoc_core::glam::{DVec3, Vec3};
use estoc_core::{Triangle, Triangle64};

/// What a case places.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CaseObject {
    /// A mesh, by its index.
    Mesh(usize),
    /// A list of shapes, by its index.
    Shapes(usize),
    /// A scene, by its index, which is less than that of the scene that it is placed in.
    Scene(usize),
}

/// One placement of a case.
#[derive(Clone, Copy, Debug)]
pub struct CasePlacement {
    /// What is placed.
    pub object: CaseObject,
    /// The matrix.
    pub rows: [[f64; 4]; 3],
    /// The mask.
    pub mask: u32,
    /// Whether front and back are exchanged.
    pub reversed: bool,
}

/// A scene of placed meshes.
#[derive(Clone, Debug)]
pub struct PlacementCase {
    /// The name of the kind.
    pub kind: &'static str,
    /// The seed.
    pub seed: u64,
    /// The meshes.
    pub meshes: Vec<Vec<Triangle>>,
    /// The same meshes in `f64`, for those that are placed so.
    pub wide: Vec<Option<Vec<Triangle64>>>,
    /// The masks of the triangles of each mesh, or none.
    pub masks: Vec<Option<Vec<u32>>>,
    /// The lists of spheres and boxes.
    pub shapes: Vec<Vec<CaseShape>>,
    /// The placements of each scene; the last scene is the world.
    pub scenes: Vec<Vec<CasePlacement>>,
}

impl PlacementCase {
    /// Returns the triangles of a mesh as they are placed.
    pub fn triangles(&self, mesh: usize) -> Vec<Triangle64> {
        let narrow = self.meshes[mesh].iter().copied().map(Triangle64::from);
        self.wide[mesh].clone().unwrap_or_else(|| narrow.collect())
    }

    /// Returns the case with one of its meshes or all in `f64`, whose coordinates are off by parts of those in `f32`:
    /// equal ones by equal parts, so that the same corners and planes are shared.
    #[must_use]
    pub fn in_f64(mut self) -> Self {
        let moved = |x: f32| {
            let bits = u64::from(x.to_bits()).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
            // Less than an `f32` in all, so that no two become equal.
            let part = [0.0, f64::EPSILON, 1e-13, 1e-10][bits as usize % 4];
            f64::from(x) * (1.0 + part * ((bits >> 2) % 64) as f64)
        };
        let one = self.seed as usize / 2 % 3;
        for (index, mesh) in self.meshes.iter().enumerate() {
            if index == one || one == 2 {
                let wide = mesh.iter().map(|triangle| {
                    let corners = triangle.corners();
                    let [a, b, c] = corners.map(|p| DVec3::from_array(p.to_array().map(moved)));
                    Triangle64::new(a, b, c)
                });
                self.wide[index] = Some(wide.collect());
            }
        }
        self
    }

    /// Returns the mask of a triangle of a mesh.
    pub fn mask_of(&self, mesh: usize, index: usize) -> u32 {
        self.masks[mesh]
            .as_ref()
            .map_or(u32::MAX, |masks| masks[index])
    }
}

type Rows = [[f64; 4]; 3];
type Matrix = fn(&mut Rng) -> Rows;

/// The kinds of cases. In those that are exact, world coordinates of meshes on a grid are `f32`s.
pub const PLACEMENT_KINDS: &[&str] = &[
    "identity",
    "exact",
    "tiles",
    "turned tiles",
    "any affine",
    "mirrors and shear",
    "near singular",
    "scales",
    "far",
    "coincident",
    "nested",
    "nested exactly",
    "deep",
];

/// Meshes, most of them small; some are on a grid, some closed.
const ON_GRID: &[&str] = &[
    "grid soup",
    "grid tetrahedra",
    "box",
    "voxels",
    "T junctions",
    "integer sphere",
    "cube soup",
];
const ANYWHERE: &[&str] = &[
    "one triangle",
    "soup of small triangles",
    "slivers",
    "duplicates",
    "without area",
    "ridge",
    "tetrahedron",
    "unoriented sphere",
    "coarse soup",
    "soup at 1e-30",
    "outlier",
    "empty",
    "fan",
];

/// Returns a case of a kind, or `None` if there is no such kind.
pub fn placement_case(kind: &str, seed: u64) -> Option<PlacementCase> {
    let &kind = PLACEMENT_KINDS.iter().find(|other| **other == kind)?;
    let mut rng = Rng::named(seed, kind);
    let rng = &mut rng;
    let is_exact = matches!(
        kind,
        "exact" | "tiles" | "nested exactly" | "deep" | "coincident"
    );
    let names = if is_exact || rng.one_in(2) {
        ON_GRID
    } else {
        ANYWHERE
    };
    let mut meshes: Vec<Vec<Triangle>> = (0..2).map(|_| mesh(rng.pick(names), rng)).collect();
    let matrix: Matrix = match kind {
        "identity" => |_| {
            [
                [1.0, 0.0, 0.0, 0.0],
                [0.0, 1.0, 0.0, 0.0],
                [0.0, 0.0, 1.0, 0.0],
            ]
        },
        "exact" | "nested exactly" | "deep" => exact,
        "mirrors and shear" => sheared,
        "near singular" => near_singular,
        "scales" => scaled,
        "far" => far,
        "coincident" => exact,
        _ => affine,
    };
    let count = 2 + rng.below(3);
    let scenes = match kind {
        "tiles" | "turned tiles" => {
            let square = |step: f32| {
                let [a, b, c, d] = [[0.0, 0.0], [step, 0.0], [step, step], [0.0, step]]
                    .map(|[x, y]| Vec3::new(x, y, 0.0));
                vec![Triangle::new(a, b, c), Triangle::new(a, c, d)]
            };
            meshes = vec![square(4.0)];
            let turn = if kind == "tiles" {
                exact(rng)
            } else {
                affine(rng)
            };
            vec![tiles(&turn)]
        }
        "coincident" => {
            let rows = matrix(rng);
            vec![
                (0..count)
                    .map(|_| placement(CaseObject::Mesh(0), rows, rng))
                    .collect(),
            ]
        }
        "nested" | "nested exactly" => {
            let inner = (0..count)
                .map(|i| placement(CaseObject::Mesh(i % 2), matrix(rng), rng))
                .collect();
            let beside = placement(CaseObject::Mesh(1), matrix(rng), rng);
            let scenes = 2 + rng.below(2);
            let scenes = (0..scenes).map(|_| placement(CaseObject::Scene(0), matrix(rng), rng));
            let outer = scenes.chain([beside]).collect();
            vec![inner, outer]
        }
        "deep" => {
            let depth = 3 + rng.below(6);
            let mut scenes = vec![vec![placement(CaseObject::Mesh(0), exact(rng), rng)]];
            for level in 1..depth {
                let turn = level % 3;
                let mut rows = [[0.0; 4]; 3];
                for (axis, row) in rows.iter_mut().enumerate() {
                    row[(axis + turn) % 3] = if rng.one_in(3) { -1.0 } else { 1.0 };
                    row[3] = f64::from(rng.int(-3, 3));
                }
                let below = placement(CaseObject::Scene(level - 1), rows, rng);
                let beside = placement(CaseObject::Mesh(1), exact(rng), rng);
                scenes.push(vec![below, beside]);
            }
            scenes
        }
        _ => {
            let placements = (0..count)
                .map(|i| placement(CaseObject::Mesh(i % 2), matrix(rng), rng))
                .collect();
            vec![placements]
        }
    };
    let masks = meshes.iter().map(|mesh| {
        let masks = (0..mesh.len()).map(|index| rng.pick(&[1, 2, 3, u32::MAX, index as u32]));
        let masks: Vec<u32> = masks.collect();
        (seed % 2 == 1).then_some(masks)
    });
    Some(PlacementCase {
        kind,
        seed,
        masks: masks.collect(),
        wide: vec![None; meshes.len()],
        meshes,
        shapes: Vec::new(),
        scenes,
    })
}

pub(super) fn placement(object: CaseObject, rows: Rows, rng: &mut Rng) -> CasePlacement {
    CasePlacement {
        object,
        rows,
        mask: if rng.one_in(4) {
            rng.pick(&[0, 1, 2, 6])
        } else {
            u32::MAX
        },
        reversed: rng.one_in(3),
    }
}

/// Returns a mesh of at most 50 triangles. Corners that are not finite are left out.
fn mesh(name: &str, rng: &mut Rng) -> Vec<Triangle> {
    let Scene { mut triangles, .. } = scene(name, rng.next_u64() % 1000).expect("a name");
    triangles.retain(Triangle::is_finite);
    triangles.truncate(50);
    triangles
}

/// Four tiles in a row and one above, each 4 wide, placed side by side.
fn tiles(turn: &Rows) -> Vec<CasePlacement> {
    let steps = [[0.0, 0.0], [4.0, 0.0], [8.0, 0.0], [0.0, 4.0], [4.0, 4.0]];
    let placed = steps.map(|[x, y]| {
        let rows = turn.map(|[a, b, c, moved]| [a, b, c, a * x + b * y + moved]);
        CasePlacement {
            object: CaseObject::Mesh(0),
            rows,
            mask: u32::MAX,
            reversed: false,
        }
    });
    placed.to_vec()
}

fn number(rng: &mut Rng) -> f64 {
    f64::from(rng.signed()) + f64::from(rng.signed()) * 2f64.powi(-25)
}

pub(super) fn affine(rng: &mut Rng) -> Rows {
    let mut rows: Rows = [[0.0; 4]; 3];
    for row in &mut rows {
        *row = [0; 4].map(|_| number(rng) * 2.0);
    }
    rows
}

/// Small integers or halves, with a determinant that is not 0.
pub(super) fn exact(rng: &mut Rng) -> Rows {
    let turn = rng.below(3);
    let swap = rng.one_in(2);
    let mut rows: Rows = [[0.0; 4]; 3];
    for (axis, row) in rows.iter_mut().enumerate() {
        let column = if swap {
            (turn + 3 - axis) % 3
        } else {
            (turn + axis) % 3
        };
        row[column] = rng.pick(&[1.0, -1.0, 2.0, 0.5, 1.0]);
        row[3] = f64::from(rng.int(-8, 8)) / 2.0;
    }
    if rng.one_in(3) {
        // A shear: a multiple of another row's factors.
        let [factor, other] = [rng.pick(&[1.0, -1.0, 2.0]), rows[1][0]];
        rows[0][0] += factor * other;
        rows[0][1] += factor * rows[1][1];
        rows[0][2] += factor * rows[1][2];
    }
    rows
}

pub(super) fn sheared(rng: &mut Rng) -> Rows {
    let mut rows = exact(rng);
    let [from, to] = [rng.below(3), rng.below(3)];
    if from != to {
        let factor = number(rng) * rng.pick(&[1.0, 100.0, 1e6]);
        let source = rows[from];
        for (entry, of) in rows[to].iter_mut().zip(source).take(3) {
            *entry += factor * of;
        }
    }
    rows
}

/// The last row is nearly a combination of the others.
pub(super) fn near_singular(rng: &mut Rng) -> Rows {
    let mut rows = affine(rng);
    let [p, q] = [number(rng), number(rng)];
    let close = 10f64.powi(rng.int(-19, -3));
    let [first, second, last] = &mut rows;
    for ((x, a), b) in last.iter_mut().zip(first).zip(second).take(3) {
        *x = p * *a + q * *b + number(rng) * close;
    }
    // Exactly singular ones are not placed.
    rows[2][0] = if rng.one_in(2) {
        rows[2][0].next_up()
    } else {
        rows[2][0]
    };
    rows
}

pub(super) fn scaled(rng: &mut Rng) -> Rows {
    let mut rows = affine(rng);
    let same = 10f64.powi(rng.int(-20, 20));
    let is_uniform = rng.one_in(2);
    for row in &mut rows {
        let scale = if is_uniform {
            same
        } else {
            10f64.powi(rng.int(-20, 20))
        };
        *row = row.map(|x| x * scale);
    }
    rows
}

pub(super) fn far(rng: &mut Rng) -> Rows {
    let mut rows = affine(rng);
    for row in &mut rows {
        row[3] = (number(rng) * rng.pick(&[1e6, 1e9, 1e30])).trunc();
    }
    rows
}
