//! Writes scenes as TOML.

use super::{ObjectSource, SceneFile, scene_shapes};
use estoc_core::PlacementMatrix;
use std::fmt;

/// A text that is read as an equal scene, unless it is that of a glTF file.
impl fmt::Display for SceneFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, object) in self.objects.iter().enumerate() {
            if number > 0 {
                writeln!(f)?;
            }
            writeln!(f, "[[object]]\nname = {}", Quoted(&object.name))?;
            let key = match &object.source {
                ObjectSource::MeshFile(_) | ObjectSource::DemoMesh(_) => "mesh",
                ObjectSource::SceneFile(_) | ObjectSource::DemoScene(_) => "scene",
                ObjectSource::Shapes(shapes) => {
                    scene_shapes::write(shapes, f)?;
                    continue;
                }
                ObjectSource::NodeMesh(_) => {
                    // There is no key for it, and one for all of the file would be wrong.
                    writeln!(f, "# a mesh of {}", Quoted(&object.source.to_string()))?;
                    continue;
                }
            };
            writeln!(f, "{key} = {}", Quoted(&object.source.to_string()))?;
            if let Some(precision) = object.precision {
                writeln!(f, "precision = \"{precision}\"")?;
            }
        }
        for placement in &self.placements {
            let object = Quoted(&self.objects[placement.object].name);
            writeln!(f, "\n[[placement]]\nobject = {object}")?;
            if let Some(name) = &placement.name {
                writeln!(f, "name = {}", Quoted(name))?;
            }
            if placement.matrix != PlacementMatrix::IDENTITY {
                writeln!(f, "matrix = [")?;
                for [x, y, z, moved] in placement.matrix.rows() {
                    writeln!(f, "    {x:?}, {y:?}, {z:?}, {moved:?},")?;
                }
                writeln!(f, "]")?;
            }
            if placement.mask != u32::MAX {
                writeln!(f, "mask = {:#x}", placement.mask)?;
            }
            if placement.reversed {
                writeln!(f, "reversed = true")?;
            }
        }
        Ok(())
    }
}

/// The text in a scene file; of spheres and boxes, the number of each.
impl fmt::Display for ObjectSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ObjectSource::MeshFile(path) | ObjectSource::SceneFile(path) => path.display().fmt(f),
            ObjectSource::DemoMesh(spec) => write!(f, "demo:{spec}"),
            ObjectSource::DemoScene(scene) => write!(f, "demo:{scene}"),
            ObjectSource::Shapes(shapes) => shapes.fmt(f),
            ObjectSource::NodeMesh(mesh) => mesh.path().display().fmt(f),
        }
    }
}

/// A string of TOML.
struct Quoted<'a>(&'a str);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("\"")?;
        for char in self.0.chars() {
            match char {
                '"' | '\\' => write!(f, "\\{char}")?,
                char if char.is_control() => write!(f, "\\U{:08X}", u32::from(char))?,
                char => write!(f, "{char}")?,
            }
        }
        f.write_str("\"")
    }
}
