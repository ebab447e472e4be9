//! Meshes and where they are placed.

use super::tree::tree;
use crate::scenes::{Scene, View, sized};
use estoc::Mesh;
use estoc::demo::{Demo, DemoSpec, SplitMix64};
use estoc::glam::{DAffine3, DMat4, DVec3, Vec3};
use std::sync::Arc;

/// A matrix as three rows of four numbers.
pub(crate) type Rows = [[f32; 4]; 3];

/// An object with its place.
#[derive(Clone, Copy)]
#[repr(C)]
pub(crate) struct Placing {
    /// The number of a mesh at the lowest level; 0 above it.
    pub(crate) object: u32,
    pub(crate) matrix: Rows,
}

impl Placing {
    pub(crate) const fn by_identity(object: u32) -> Self {
        let matrix = [
            [1.0, 0.0, 0.0, 0.0],
            [0.0, 1.0, 0.0, 0.0],
            [0.0, 0.0, 1.0, 0.0],
        ];
        Placing { object, matrix }
    }
}

/// Meshes, and levels of placements.
pub(crate) struct World {
    pub(crate) name: String,
    pub(crate) meshes: Vec<Arc<Scene>>,
    /// The first places meshes, each further one everything of the one before.
    pub(crate) levels: Vec<Vec<Placing>>,
    /// The views on the street and from above.
    pub(crate) views: [View; 2],
}

/// The distance of neighbouring buildings, and of neighbouring trees.
const LOT: f64 = 24.0;
const CLEARING: f64 = 5.0;
/// How far things are moved from their places on a grid, in distances of neighbours.
const JITTER: f64 = 0.15;

impl World {
    /// Makes the world of this name.
    pub(crate) fn of_name(name: &str) -> Result<World, String> {
        if let Some(count) = counted(name, "city") {
            return Ok(city(name, count));
        }
        if let Some(count) = counted(name, "forest") {
            return Ok(forest(name, &[count]));
        }
        match name {
            "levels2" => Ok(forest(name, &[1000, 1000])),
            "one" => Ok(one(name, DemoSpec::new(Demo::Gallery))),
            "one5k" => Ok(one(name, DemoSpec::new(Demo::Teapot).n(5000))),
            _ => Err(format!(
                "there is no world {name:?}; there are city1k, forest1m and such, levels2, one, one5k"
            )),
        }
    }

    /// Returns the same world with one level: each path is a placement.
    pub(crate) fn with_one_level(&self) -> World {
        let (first, upper) = self.levels.split_first().expect("a level");
        let mut placings = first.clone();
        for level in upper {
            let under = |outer: &Placing| {
                let outer = affine(&outer.matrix);
                let under = |inner: &Placing| Placing {
                    matrix: rows(&(outer * affine(&inner.matrix))),
                    ..*inner
                };
                placings.iter().map(under).collect::<Vec<_>>()
            };
            placings = level.iter().flat_map(under).collect();
        }
        World {
            name: self.name.clone(),
            meshes: self.meshes.clone(),
            levels: vec![placings],
            views: self.views,
        }
    }

    /// Returns the world as one mesh, with its corners rounded to `f32`.
    pub(crate) fn as_mesh(&self) -> Scene {
        let (mut positions, mut faces) = (Vec::new(), Vec::new());
        for placing in &self.with_one_level().levels[0] {
            let mesh = &self.meshes[placing.object as usize];
            let (map, start) = (affine(&placing.matrix), positions.len() as u32);
            let moved = |p: &Vec3| map.transform_point3(p.as_dvec3()).as_vec3();
            positions.extend(mesh.mesh.positions().iter().map(moved));
            faces.extend(
                mesh.mesh
                    .indices()
                    .iter()
                    .map(|face| face.map(|corner| corner + start)),
            );
        }
        let mesh = Mesh::try_new(positions, faces).expect("finite corners, fewer than 2^32");
        Scene::of_mesh(&self.name, &mesh).expect("valid")
    }

    /// Returns the number of paths to meshes.
    pub(crate) fn placements(&self) -> usize {
        self.levels.iter().map(Vec::len).product()
    }

    /// Returns the number of triangles, each counted as often as it is placed.
    pub(crate) fn triangles(&self) -> usize {
        let (first, upper) = self.levels.split_first().expect("a level");
        let triangles = |placing: &Placing| self.meshes[placing.object as usize].triangle_count();
        let once: usize = first.iter().map(triangles).sum();
        once * upper.iter().map(Vec::len).product::<usize>()
    }
}

/// Returns the number of placements in a name such as `city100k`.
fn counted(name: &str, stem: &str) -> Option<usize> {
    sized(name, stem).filter(|count| (1..=10_000_000).contains(count))
}

/// One mesh, placed by the identity.
fn one(name: &str, spec: DemoSpec) -> World {
    let scene_name = if spec.demo() == Demo::Gallery {
        "hall"
    } else {
        name
    };
    let mesh = Scene::of_mesh(scene_name, &spec.mesh()).expect("finite corners");
    let above = View::from(Vec3::new(0.4, 0.6, 1.0), 0.9, mesh.mesh.positions());
    World {
        name: name.to_owned(),
        views: [mesh.view, above],
        meshes: vec![Arc::new(mesh)],
        levels: vec![vec![Placing::by_identity(0)]],
    }
}

/// Buildings on a grid, turned and stretched.
fn city(name: &str, count: usize) -> World {
    let specs = [
        DemoSpec::new(Demo::Solids).n(300),
        DemoSpec::new(Demo::Sphere).n(600),
        DemoSpec::new(Demo::Solids).n(1_200),
        DemoSpec::new(Demo::Teapot).n(2_000),
        DemoSpec::new(Demo::Solids).n(3_500),
        DemoSpec::new(Demo::Teapot).n(5_000),
    ];
    let meshes = specs.map(|spec| {
        let mesh = Scene::of_mesh(&spec.to_string(), &spec.mesh());
        Arc::new(mesh.expect("finite corners"))
    });
    let mut random = SplitMix64::new(20);
    let grid = grid(count, LOT, JITTER, &mut random, |random, at| {
        let object = random.below(specs.len());
        let width = LOT * (0.45 + 0.25 * random.unit());
        let height = LOT * (0.3 + 1.2 * random.unit().powi(3));
        let turn = random.unit() * std::f64::consts::TAU;
        Placing {
            object: object as u32,
            matrix: standing(&meshes[object], at, turn, width, height),
        }
    });
    let views = views(count, LOT);
    World {
        name: name.to_owned(),
        meshes: meshes.into(),
        levels: vec![grid],
        views,
    }
}

/// Trees on a grid; with several levels, grids of such patches.
fn forest(name: &str, counts: &[usize]) -> World {
    let tree = Arc::new(Scene::of_mesh("tree", &tree()).expect("finite corners"));
    let mut random = SplitMix64::new(21);
    let mut spacing = CLEARING;
    let mut levels: Vec<Vec<Placing>> = Vec::new();
    for &count in counts {
        // Patches stay squares beside each other.
        let jitter = if levels.is_empty() { JITTER } else { 0.0 };
        let level = grid(count, spacing, jitter, &mut random, |random, at| {
            let turn = random.unit() * std::f64::consts::TAU;
            let matrix = match levels.is_empty() {
                true => {
                    let size = CLEARING * (0.7 + 0.6 * random.unit());
                    standing(&tree, at, turn, size, size * (1.2 + random.unit()))
                }
                false => rows(&DAffine3::from_translation(at)),
            };
            Placing { object: 0, matrix }
        });
        spacing *= side(count) as f64;
        levels.push(level);
    }
    World {
        name: name.to_owned(),
        meshes: vec![tree],
        views: views(counts.iter().product(), CLEARING),
        levels,
    }
}

/// Returns the matrix that puts a mesh on the ground: turned, and as wide and high as said.
fn standing(mesh: &Scene, at: DVec3, turn: f64, width: f64, height: f64) -> Rows {
    let bounds = mesh.mesh.bounds();
    let (min, max) = (bounds.min().as_dvec3(), bounds.max().as_dvec3());
    let size = max - min;
    let foot = (min + max).with_y(2.0 * min.y) * 0.5;
    let wide = width / size.x.max(size.z);
    let map = DMat4::from_translation(at)
        * DMat4::from_rotation_y(turn)
        * DMat4::from_scale(DVec3::new(wide, height / size.y, wide))
        * DMat4::from_translation(-foot);
    rows(&DAffine3::from_mat4(map))
}

/// Rounds a matrix to what all engines get. Translations are multiples of 2^-10 m, so that their sums
/// on a path are not rounded.
fn rows(map: &DAffine3) -> Rows {
    let of = |axis: usize| {
        let moved = (map.translation[axis] * 1024.0).round() / 1024.0;
        [map.x_axis[axis], map.y_axis[axis], map.z_axis[axis], moved].map(|x| x as f32)
    };
    [of(0), of(1), of(2)]
}

fn affine(rows: &Rows) -> DAffine3 {
    let column = |at: usize| DVec3::from_array(rows.map(|row| f64::from(row[at])));
    DAffine3::from_cols(column(0), column(1), column(2), column(3))
}

/// The number of places along an edge of a grid.
fn side(count: usize) -> usize {
    (1..).find(|side| side * side >= count).expect("small")
}

/// Returns things on a grid around the origin, row by row, each moved a little.
fn grid(
    count: usize,
    spacing: f64,
    jitter: f64,
    random: &mut SplitMix64,
    mut place: impl FnMut(&mut SplitMix64, DVec3) -> Placing,
) -> Vec<Placing> {
    let side = side(count);
    let middle = (side - 1) as f64 * 0.5;
    (0..count)
        .map(|i| {
            let moved = [(); 2].map(|()| (random.unit() - 0.5) * jitter);
            let x = (i % side) as f64 - middle + moved[0];
            let z = (i / side) as f64 - middle + moved[1];
            place(random, DVec3::new(x, 0.0, z) * spacing)
        })
        .collect()
}

/// Returns the views: at the height of a person near the middle of the grid, between four things,
/// and on the whole from above a corner.
fn views(count: usize, spacing: f64) -> [View; 2] {
    let side = side(count);
    let half = (side as f64 * spacing * 0.5) as f32;
    let spacing = spacing as f32;
    let light = Vec3::new(0.4, 0.9, 0.3) * (half * 2.0);
    // Between the things, whether the number along an edge is odd or even.
    let shift = if side.is_multiple_of(2) {
        0.0
    } else {
        0.5 * spacing
    };
    let eye = Vec3::new(shift, 1.7, shift);
    let street = View {
        eye,
        target: eye + Vec3::new(1.0, 0.06, 0.3),
        angle: 70.0,
        light,
    };
    let above = View {
        eye: Vec3::new(-half * 1.1, half * 0.5, -half * 1.1),
        target: Vec3::ZERO,
        angle: 50.0,
        light,
    };
    [street, above]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn world(name: &str) -> World {
        World::of_name(name).expect("a world")
    }

    #[test]
    fn worlds_have_their_size_in_their_name() {
        assert_eq!(world("city1k").placements(), 1000);
        assert_eq!(world("forest30").placements(), 30);
        assert_eq!(world("one5k").triangles(), 5002);
        for name in ["city", "city0", "cityk", "forest99m", "hall"] {
            assert!(World::of_name(name).is_err(), "{name}");
        }
    }

    #[test]
    fn buildings_and_trees_are_of_the_sizes_told() {
        let city = world("city10");
        let sizes = city.meshes.iter().map(|mesh| mesh.triangle_count());
        assert!(
            sizes.clone().all(|n| (250..=5100).contains(&n)),
            "{:?}",
            sizes.collect::<Vec<_>>()
        );
        assert_eq!(city.meshes.len(), 6);
        assert_eq!(world("forest10").meshes[0].triangle_count(), 2000);
    }

    #[test]
    fn paths_become_placements_at_the_same_places() {
        let nested = forest("nested", &[5, 7]);
        let flat = nested.with_one_level();
        assert_eq!((flat.placements(), nested.placements()), (35, 35));
        let [first, second] = &nested.levels[..] else {
            panic!("two levels");
        };
        for (i, placing) in flat.levels[0].iter().enumerate() {
            let (inner, outer) = (&first[i % 5].matrix, &second[i / 5].matrix);
            for axis in 0..3 {
                assert_eq!(
                    placing.matrix[axis][..3],
                    inner[axis][..3],
                    "patches are moved only"
                );
                let exact = f64::from(inner[axis][3]) + f64::from(outer[axis][3]);
                assert_eq!(
                    f64::from(placing.matrix[axis][3]),
                    exact,
                    "nothing is rounded"
                );
            }
        }
        let mesh = nested.as_mesh();
        assert_eq!(mesh.triangle_count(), nested.triangles());
    }

    #[test]
    fn things_stand_on_the_ground() {
        for name in ["city20", "forest20"] {
            let mesh = world(name).as_mesh();
            let lowest = mesh.mesh.bounds().min().y;
            assert!(lowest.abs() < 2e-3, "{name}: {lowest}");
        }
    }
}
