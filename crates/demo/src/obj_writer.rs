//! Writes polygons as OBJ text.

use super::{Part, Polygons};
use std::fmt;
use std::io::{self, Write};

impl Polygons {
    /// Writes OBJ text. Reading it gives the same corners bit for bit, and the same faces and names
    /// in the same order. `mtllib` is the name of the material library; without it no material is
    /// named.
    ///
    /// # Errors
    /// Returns the errors of `out`.
    pub fn write_obj(&self, mut out: impl Write, mtllib: Option<&str>) -> io::Result<()> {
        if let Some(mtllib) = mtllib {
            writeln!(out, "mtllib {mtllib}")?;
        }
        for p in self.positions() {
            let [x, y, z] = p.to_array().map(Decimal);
            writeln!(out, "v {x} {y} {z}")?;
        }
        let mut parts = self.parts().iter().peekable();
        let mut current = None;
        for (index, face) in self.faces().enumerate() {
            if let Some(part) = parts.next_if(|part| part.first_face <= index) {
                self.write_names(&mut out, part, current, mtllib.is_some())?;
                current = Some(part);
            }
            out.write_all(b"f")?;
            for corner in face {
                write!(out, " {}", u64::from(*corner) + 1)?;
            }
            out.write_all(b"\n")?;
        }
        Ok(())
    }

    /// Writes only names that changed; a new object has no group at first.
    fn write_names(
        &self,
        out: &mut impl Write,
        part: &Part,
        last: Option<&Part>,
        with_materials: bool,
    ) -> io::Result<()> {
        let new_object = last.is_none_or(|last| last.object != part.object);
        if new_object && !part.object.is_empty() {
            writeln!(out, "o {}", part.object)?;
        }
        let new_group = new_object || last.is_none_or(|last| last.group != part.group);
        if new_group && !part.group.is_empty() {
            writeln!(out, "g {}", part.group)?;
        }
        let new_material = last.is_none_or(|last| last.material != part.material);
        match part.material {
            Some(material) if with_materials && new_material => {
                writeln!(out, "usemtl {}", self.materials()[material].name)
            }
            _ => Ok(()),
        }
    }

    /// Writes the materials as MTL text.
    ///
    /// # Errors
    /// Returns the errors of `out`.
    pub fn write_mtl(&self, mut out: impl Write) -> io::Result<()> {
        for material in self.materials() {
            let [r, g, b] = material.diffuse.map(Decimal);
            writeln!(out, "newmtl {}\nKd {r} {g} {b}", material.name)?;
            if material.specular != [0.0; 3] {
                let [r, g, b] = material.specular.map(Decimal);
                writeln!(out, "Ks {r} {g} {b}")?;
            }
        }
        Ok(())
    }
}

/// Displays the shortest digits that read back as the same `f32`, with an exponent in place of long
/// runs of zeros.
struct Decimal(f32);

impl fmt::Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let size = self.0.abs();
        if size == 0.0 || (1e-4..1e9).contains(&size) {
            write!(f, "{}", self.0)
        } else {
            write!(f, "{:e}", self.0)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Material;
    use super::*;

    #[test]
    fn numbers_round_trip() {
        for x in [
            0.0,
            -0.0,
            0.1,
            -1.5e-7,
            1e30,
            f32::MAX,
            f32::from_bits(1),
            16_777_216.0,
        ] {
            let text = Decimal(x).to_string();
            let back: f32 = text.parse().unwrap();
            assert_eq!(back.to_bits(), x.to_bits(), "{text}");
            assert!(text.len() < 16, "{text}");
        }
    }

    #[test]
    fn names_are_said_when_they_change() {
        let mut quads = Polygons::new();
        let red = quads.add_material(Material::matte("red", [1.0, 0.0, 0.5]));
        let corners =
            [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]].map(|[x, y]| [x, y, 0.25f32]);
        let face = corners.map(|p| quads.add_position(p));
        quads.begin_part("a", "g1", Some(red));
        quads.add_face(&face);
        quads.begin_part("a", "g1", Some(red));
        quads.add_face(&face[..3]);
        quads.begin_part("b", "", None);
        quads.begin_part("b", "g1", Some(red));
        quads.add_face(&face);
        let (mut obj, mut mtl) = (Vec::new(), Vec::new());
        quads.write_obj(&mut obj, Some("m.mtl")).unwrap();
        quads.write_mtl(&mut mtl).unwrap();
        assert_eq!(
            String::from_utf8(obj).unwrap(),
            "mtllib m.mtl\nv 0 0 0.25\nv 1 0 0.25\nv 1 1 0.25\nv 0 1 0.25\n\
             o a\ng g1\nusemtl red\nf 1 2 3 4\nf 1 2 3\no b\ng g1\nf 1 2 3 4\n"
        );
        assert_eq!(String::from_utf8(mtl).unwrap(), "newmtl red\nKd 1 0 0.5\n");
        assert_eq!(quads.triangle_count(), 5);
    }
}
