//! The scenes: four kinds made here, always the same, and any OBJ file.

mod hairball;
mod hall;
mod obj;
mod soup;
mod surface;
mod terrain;

use estoc::glam::Vec3;
use estoc::{Mesh, MeshError};
use std::path::Path;

/// So many triangles of terrain have corners that 32 bits can count and memory can hold.
const MOST_OF_TERRAIN: usize = 1_000_000_000;

/// A mesh, and where its rays come from.
pub(crate) struct Scene {
    name: String,
    mesh: Mesh,
    view: View,
}

/// Where primary rays start and shadow rays end.
#[derive(Clone, Copy)]
pub(crate) struct View {
    pub(crate) eye: Vec3,
    pub(crate) target: Vec3,
    /// The angle between the picture's edges, in degrees.
    pub(crate) angle: f32,
    pub(crate) light: Vec3,
}

/// The triangles that a generator or a file gives.
#[derive(Default)]
pub(crate) struct Soup {
    pub(crate) positions: Vec<Vec3>,
    pub(crate) faces: Vec<[u32; 3]>,
}

impl Scene {
    /// The scene of this name; an OBJ file when none is made here.
    pub(crate) fn load(name: &str, mesh_dir: &Path) -> Result<Scene, MeshError> {
        let (soup, view) = match name {
            "hall" => hall::hall(),
            "soup" => soup::soup(),
            "hairball" => hairball::hairball(),
            other => match terrain_size(other) {
                Some(triangles) => terrain::terrain(triangles),
                None => {
                    let soup = obj::load(&mesh_dir.join(other).with_extension("obj"))?;
                    let view = soup.view_from(Vec3::new(0.3, 0.25, 1.0), 1.1);
                    (soup, view)
                }
            },
        };
        // Embree reads 16 bytes at each vertex; the spare one makes that true of the last.
        let spare = soup.positions.last().copied().unwrap_or_default();
        let positions = soup.positions.into_iter().chain([spare]);
        Ok(Scene {
            name: name.to_owned(),
            mesh: Mesh::new(positions, soup.faces)?,
            view,
        })
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    pub(crate) fn mesh(&self) -> &Mesh {
        &self.mesh
    }

    pub(crate) fn view(&self) -> View {
        self.view
    }

    /// All vertices; the last one is spare: no triangle names it.
    pub(crate) fn positions(&self) -> &[Vec3] {
        self.mesh.positions()
    }

    pub(crate) fn faces(&self) -> &[[u32; 3]] {
        self.mesh.indices()
    }

    pub(crate) fn triangle_count(&self) -> usize {
        self.mesh.triangle_count()
    }

    /// The corners of each triangle, in order.
    pub(crate) fn corners(&self) -> impl ExactSizeIterator<Item = [Vec3; 3]> + '_ {
        let positions = self.positions();
        let at = |corner: u32| positions[corner as usize];
        self.faces().iter().map(move |face| face.map(at))
    }
}

/// How many triangles a name like `terrain300k` or `terrain2m` asks for, about; `None` for
/// other names.
pub(crate) fn terrain_size(name: &str) -> Option<usize> {
    let size = name.strip_prefix("terrain")?;
    let (number, unit) = match (size.strip_suffix('k'), size.strip_suffix('m')) {
        (Some(number), _) => (number, 1_000),
        (_, Some(number)) => (number, 1_000_000),
        _ => return None,
    };
    let triangles = number.parse::<usize>().ok()?.checked_mul(unit)?;
    (1..=MOST_OF_TERRAIN)
        .contains(&triangles)
        .then_some(triangles)
}

impl Soup {
    /// A look at the whole from a direction, so many diagonals away.
    fn view_from(&self, direction: Vec3, diagonals: f32) -> View {
        let least = |a: Vec3, b: &Vec3| a.min(*b);
        let most = |a: Vec3, b: &Vec3| a.max(*b);
        let min = self.positions.iter().fold(Vec3::INFINITY, least);
        let max = self.positions.iter().fold(Vec3::NEG_INFINITY, most);
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
