//! What generators make: polygons over shared corners, in named parts.

use estoc_core::glam::Vec3;
use estoc_mesh::Mesh;
use std::ops::Range;

/// Polygons over shared corners, grouped into [`Part`]s: what an OBJ file can say.
///
/// Faces are counted from 0 in the order they were added. A face may have any number of
/// corners from three up.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Polygons {
    positions: Vec<Vec3>,
    corners: Vec<u32>,
    face_ends: Vec<usize>,
    parts: Vec<Part>,
    materials: Vec<Material>,
}

/// A run of faces with the same names.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// Its first face; it goes on to the first of the next part.
    pub first_face: usize,
    /// The object's name; none when empty.
    pub object: String,
    /// The group's name; none when empty.
    pub group: String,
    /// Index into [`Polygons::materials`].
    pub material: Option<usize>,
}

/// A material: a name and colours, red, green and blue from 0 to 1, linear.
#[derive(Clone, Debug, PartialEq)]
pub struct Material {
    /// The name that faces use it by.
    pub name: String,
    /// Colour of light scattered all ways.
    pub diffuse: [f32; 3],
    /// Colour of light mirrored straight back.
    pub specular: [f32; 3],
}

impl Material {
    /// One that mirrors nothing.
    pub fn matte(name: &str, diffuse: [f32; 3]) -> Self {
        Material {
            name: name.to_owned(),
            diffuse,
            specular: [0.0; 3],
        }
    }
}

impl Polygons {
    /// Nothing yet.
    pub fn new() -> Self {
        Polygons::default()
    }

    /// Adds a material and answers its index.
    pub fn add_material(&mut self, material: Material) -> usize {
        self.materials.push(material);
        self.materials.len() - 1
    }

    /// Faces added from now on belong to this part.
    pub fn begin_part(&mut self, object: &str, group: &str, material: Option<usize>) {
        let part = Part {
            first_face: self.face_count(),
            object: object.to_owned(),
            group: group.to_owned(),
            material,
        };
        match self.parts.last_mut() {
            Some(last) if last.first_face == part.first_face => *last = part,
            Some(last)
                if last.object == part.object
                    && last.group == part.group
                    && last.material == part.material => {}
            _ => self.parts.push(part),
        }
    }

    /// Adds a corner and answers its index.
    ///
    /// # Panics
    /// Past 2^32 corners, which take 48 GiB.
    pub fn add_position(&mut self, position: impl Into<Vec3>) -> u32 {
        let index = u32::try_from(self.positions.len()).expect("no more than 2^32 corners");
        self.positions.push(position.into());
        index
    }

    /// Adds a face; nothing is checked here, the mesh that is made of it checks.
    pub fn add_face(&mut self, corners: &[u32]) {
        self.corners.extend_from_slice(corners);
        self.face_ends.push(self.corners.len());
    }

    /// The corners.
    pub fn positions(&self) -> &[Vec3] {
        &self.positions
    }

    /// The materials.
    pub fn materials(&self) -> &[Material] {
        &self.materials
    }

    /// The parts in the order of their faces.
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// How many faces there are.
    pub fn face_count(&self) -> usize {
        self.face_ends.len()
    }

    /// How many triangles the faces make: a face of k corners makes k - 2.
    pub fn triangle_count(&self) -> usize {
        self.faces().map(|face| face.len().saturating_sub(2)).sum()
    }

    /// The faces as indices of corners, in order.
    pub fn faces(&self) -> impl ExactSizeIterator<Item = &[u32]> {
        (0..self.face_count()).map(|face| &self.corners[self.face_range(face)])
    }

    fn face_range(&self, face: usize) -> Range<usize> {
        let start = face.checked_sub(1).map_or(0, |last| self.face_ends[last]);
        start..self.face_ends[face]
    }
}

impl From<&Mesh> for Polygons {
    /// The mesh's triangles, without names.
    fn from(mesh: &Mesh) -> Self {
        Polygons {
            positions: mesh.positions().to_vec(),
            corners: mesh.indices().as_flattened().to_vec(),
            face_ends: (1..=mesh.triangle_count()).map(|face| 3 * face).collect(),
            ..Polygons::default()
        }
    }
}
