//! The scenes: four kinds of demo scenes under names of their own, and any OBJ file.

use crate::number::wide_point;
use estoc::demo::{Demo, DemoSpec};
use estoc::glam::{DVec3, Vec3};
use estoc::{Mesh, MeshError, io::ObjLoader};
use std::path::Path;
use std::sync::OnceLock;

/// A mesh, and the view that its rays start from.
pub(crate) struct Scene {
    pub(crate) name: String,
    /// Its last vertex is spare: no triangle uses it.
    pub(crate) mesh: Mesh,
    pub(crate) view: View,
    /// See [`Scene::doubles`].
    doubles: OnceLock<Mesh<f64>>,
}

/// The origin of primary rays and the end of shadow rays.
#[derive(Clone, Copy)]
pub(crate) struct View {
    pub(crate) eye: Vec3,
    pub(crate) target: Vec3,
    /// The angle between the picture's edges, in degrees.
    pub(crate) angle: f32,
    pub(crate) light: Vec3,
}

impl Scene {
    /// Loads the scene of this name; an OBJ file when no demo scene has it.
    pub(crate) fn load(name: &str, mesh_dir: &Path) -> Result<Scene, MeshError> {
        let mesh = match spec(name) {
            Some(spec) => spec.mesh(),
            // Read by estoc for all engines.
            None => ObjLoader::new()
                .attributes(false)
                .load(mesh_dir.join(name).with_extension("obj"))?,
        };
        Scene::of_mesh(name, &mesh)
    }

    /// Makes a scene from a mesh.
    pub(crate) fn of_mesh(name: &str, mesh: &Mesh) -> Result<Scene, MeshError> {
        let (positions, faces) = (mesh.positions(), mesh.indices());
        let view = View::of(name, positions);
        // Embree reads 16 bytes at each vertex; the spare one makes that true of the last.
        let spare = positions.last().copied().unwrap_or_default();
        let positions = positions.iter().copied().chain([spare]);
        Ok(Scene {
            name: name.to_owned(),
            mesh: Mesh::try_new(positions, faces.iter().copied())?,
            view,
            doubles: OnceLock::new(),
        })
    }

    pub(crate) fn triangle_count(&self) -> usize {
        self.mesh.triangle_count()
    }

    /// Returns the mesh with corners in `f64`, which are the corners of `mesh` when rounded. The first
    /// call makes it.
    pub(crate) fn doubles(&self) -> &Mesh<f64> {
        self.doubles.get_or_init(|| {
            let positions = self.mesh.positions().iter().map(|&p| wide_point(p));
            let faces = self.mesh.indices().iter().copied();
            Mesh::from_f64(positions, faces).expect("finite corners")
        })
    }

    /// Returns the corners of each triangle of [`Scene::doubles`], in order.
    pub(crate) fn double_corners(&self) -> impl ExactSizeIterator<Item = [DVec3; 3]> + '_ {
        let doubles = self.doubles();
        let at = |corner: u32| doubles.positions()[corner as usize];
        doubles.indices().iter().map(move |face| face.map(at))
    }

    /// Returns the corners of each triangle, in order.
    pub(crate) fn corners(&self) -> impl ExactSizeIterator<Item = [Vec3; 3]> + '_ {
        let positions = self.mesh.positions();
        let at = |corner: u32| positions[corner as usize];
        self.mesh.indices().iter().map(move |face| face.map(at))
    }
}

/// Returns the demo scene of this name.
fn spec(name: &str) -> Option<DemoSpec> {
    match name {
        "hall" => Some(DemoSpec::new(Demo::Gallery)),
        "soup" => Some(DemoSpec::new(Demo::Specks)),
        "hairball" => Some(DemoSpec::new(Demo::Hairball)),
        other => terrain_size(other).map(|triangles| DemoSpec::new(Demo::Mountains).n(triangles)),
    }
}

/// Returns the approximate number of triangles in a name like `terrain300k` or `terrain2m`; `None`
/// for other names.
pub(crate) fn terrain_size(name: &str) -> Option<usize> {
    let has_unit = name.ends_with(['k', 'm']);
    let size = sized(name, "terrain").filter(|size| (1..=DemoSpec::MAX_N).contains(size));
    size.filter(|_| has_unit)
}

/// Returns the number after the stem of a name, with `k` for a thousand and `m` for a million.
pub(crate) fn sized(name: &str, stem: &str) -> Option<usize> {
    let size = name.strip_prefix(stem)?;
    let (number, unit) = match (size.strip_suffix('k'), size.strip_suffix('m')) {
        (Some(number), _) => (number, 1_000),
        (_, Some(number)) => (number, 1_000_000),
        _ => (size, 1),
    };
    number.parse::<usize>().ok()?.checked_mul(unit)
}

impl View {
    /// Returns the view of the scene of this name, which has these corners.
    fn of(name: &str, positions: &[Vec3]) -> View {
        match name {
            "hall" => View {
                eye: Vec3::new(-13.2, 3.2, 0.6),
                target: Vec3::new(4.0, 4.2, -0.4),
                angle: 70.0,
                light: Vec3::new(1.0, 10.2, 0.3),
            },
            "soup" => View::from(Vec3::new(0.5, 0.35, 1.0), 0.9, positions),
            "hairball" => View::from(Vec3::new(0.5, 0.3, 1.0), 0.8, positions),
            terrain if terrain_size(terrain).is_some() => View {
                eye: Vec3::new(-8.0, 30.0, -8.0),
                target: Vec3::new(55.0, 4.0, 55.0),
                angle: 55.0,
                light: Vec3::new(30.0, 90.0, 80.0),
            },
            _ => View::from(Vec3::new(0.3, 0.25, 1.0), 1.1, positions),
        }
    }

    /// Returns a view of the whole from a direction, at a distance of `diagonals` diagonals.
    pub(crate) fn from(direction: Vec3, diagonals: f32, positions: &[Vec3]) -> View {
        let least = |a: Vec3, b: &Vec3| a.min(*b);
        let most = |a: Vec3, b: &Vec3| a.max(*b);
        let min = positions.iter().fold(Vec3::INFINITY, least);
        let max = positions.iter().fold(Vec3::NEG_INFINITY, most);
        let (centre, diagonal) = ((min + max) * 0.5, (max - min).length());
        View {
            eye: centre + direction.normalize() * (diagonal * diagonals),
            target: centre,
            angle: 45.0,
            light: centre + Vec3::new(0.3, 1.0, 0.4).normalize() * (diagonal * 1.5),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terrains_have_their_size_in_their_name() {
        assert_eq!(terrain_size("terrain300k"), Some(300_000));
        assert_eq!(terrain_size("terrain2m"), Some(2_000_000));
        for name in [
            "terrain",
            "terrain2",
            "terrain0k",
            "terrainm",
            "terrain9999m",
            "hall",
        ] {
            assert_eq!(terrain_size(name), None, "{name}");
        }
    }
}
