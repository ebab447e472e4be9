//! The output of generators: polygons over shared corners, in named parts.

use estoc_core::glam::Vec3;
use estoc_mesh::Mesh;
use std::ops::Range;

/// Polygons over shared corners, grouped into [`Part`]s, as an OBJ file can store them.
///
/// Faces are numbered from 0 in the order in which they were added. A face may have any number of
/// corners from three up.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Polygons {
    positions: Vec<Vec3>,
    corners: Vec<u32>,
    face_ends: Vec<usize>,
    parts: Vec<Part>,
    materials: Vec<Material>,
}

/// A run of consecutive faces with the same names.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// The first face of the part, which extends to the first face of the next part.
    pub first_face: usize,
    /// The name of the object, or empty.
    pub object: String,
    /// The name of the group, or empty.
    pub group: String,
    /// Index into [`Polygons::materials`].
    pub material: Option<usize>,
}

/// A material: a name and linear colours, with red, green and blue from 0 to 1.
#[derive(Clone, Debug, PartialEq)]
pub struct Material {
    /// The name by which faces refer to the material.
    pub name: String,
    /// The diffuse colour.
    pub diffuse: [f32; 3],
    /// The specular colour.
    pub specular: [f32; 3],
}

impl Material {
    /// Returns a material without specular reflection.
    pub fn matte(name: &str, diffuse: [f32; 3]) -> Self {
        Material::glossy(name, diffuse, [0.0; 3])
    }

    pub(crate) fn glossy(name: &str, diffuse: [f32; 3], specular: [f32; 3]) -> Self {
        Material {
            name: name.to_owned(),
            diffuse,
            specular,
        }
    }
}

impl Polygons {
    /// Returns an empty set of polygons.
    pub fn new() -> Self {
        Polygons::default()
    }

    /// Adds a material and returns its index.
    pub fn add_material(&mut self, material: Material) -> usize {
        self.materials.push(material);
        self.materials.len() - 1
    }

    /// Starts a part, to which all faces added from now on belong.
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

    /// Starts a part of this material, which is added unless there is one that equals it.
    pub(crate) fn begin_part_of(&mut self, object: &str, group: &str, material: Material) {
        let known = self.materials.iter().position(|known| *known == material);
        let index = known.unwrap_or_else(|| self.add_material(material));
        self.begin_part(object, group, Some(index));
    }

    /// Adds a corner and returns its index.
    ///
    /// # Panics
    /// Panics beyond 2^32 corners, which take 48 GiB.
    pub fn add_position(&mut self, position: impl Into<Vec3>) -> u32 {
        let index = u32::try_from(self.positions.len()).expect("no more than 2^32 corners");
        self.positions.push(position.into());
        index
    }

    /// Adds a face without checks; the mesh that is made of the polygons checks it.
    pub fn add_face(&mut self, corners: &[u32]) {
        self.corners.extend_from_slice(corners);
        self.face_ends.push(self.corners.len());
    }

    /// Returns the corners.
    pub fn positions(&self) -> &[Vec3] {
        &self.positions
    }

    /// Returns the materials.
    pub fn materials(&self) -> &[Material] {
        &self.materials
    }

    /// Returns the parts in the order of their faces.
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// Returns the number of faces.
    pub fn face_count(&self) -> usize {
        self.face_ends.len()
    }

    /// Returns the number of triangles after triangulation: k - 2 for a face of k corners.
    pub fn triangle_count(&self) -> usize {
        self.faces().map(|face| face.len().saturating_sub(2)).sum()
    }

    /// Returns the faces in order, as indices of corners.
    pub fn faces(&self) -> impl ExactSizeIterator<Item = &[u32]> {
        (0..self.face_count()).map(|face| &self.corners[self.face_range(face)])
    }

    fn face_range(&self, face: usize) -> Range<usize> {
        let start = face.checked_sub(1).map_or(0, |last| self.face_ends[last]);
        start..self.face_ends[face]
    }
}

impl From<&Mesh> for Polygons {
    /// Returns the triangles of a mesh as faces, without names.
    fn from(mesh: &Mesh) -> Self {
        Polygons {
            positions: mesh.positions().to_vec(),
            corners: mesh.indices().as_flattened().to_vec(),
            face_ends: (1..=mesh.triangle_count()).map(|face| 3 * face).collect(),
            ..Polygons::default()
        }
    }
}
