//! What light finds at a hit: a place, a smooth normal, a colour.

use estoc::glam::Vec3;
use estoc::{Hit, Mesh, PrimId, Ray};

/// Faces that meet at less than this angle (its cosine) are one bent surface.
const CREASE: f32 = 0.7;
const UNNAMED: [f32; 3] = [0.6, 0.6, 0.6];

/// Normals and colours of a mesh.
pub(super) struct Surface<'a> {
    mesh: &'a Mesh,
    /// At the three corners of each triangle.
    normals: Vec<[Vec3; 3]>,
    colours: Vec<Vec3>,
}

/// A point that is seen.
#[derive(Clone, Copy)]
pub(super) struct Spot {
    pub(super) place: Vec3,
    /// Of length 1, on the side that the ray came from.
    pub(super) normal: Vec3,
    pub(super) colour: Vec3,
    /// The triangle it is on, which rays that leave it skip.
    pub(super) prim: PrimId,
}

impl Spot {
    /// 1 for a spot on the same plane, less where the other leaves it or faces elsewhere.
    pub(super) fn likeness(&self, other: &Spot) -> f32 {
        let facing = self.normal.dot(other.normal).max(0.0);
        let apart = other.place - self.place;
        let away = apart.dot(self.normal).powi(2) / (0.01 * apart.length_squared() + 1e-6);
        facing.powi(8) / (1.0 + 10.0 * away)
    }
}

impl<'a> Surface<'a> {
    pub(super) fn new(mesh: &'a Mesh) -> Self {
        let colours = (0..mesh.triangle_count())
            .map(|index| {
                let material = PrimId::from_index(index).and_then(|prim| mesh.material_of(prim));
                let diffuse = material.and_then(|m| m.diffuse).unwrap_or(UNNAMED);
                // What a surface would mirror counts as if it scattered it.
                let specular = material.and_then(|m| m.specular).unwrap_or_default();
                Vec3::from(diffuse) + Vec3::from(specular)
            })
            .collect();
        let normals = smooth_normals(mesh);
        Surface {
            mesh,
            normals,
            colours,
        }
    }

    pub(super) fn spot(&self, ray: &Ray, hit: &Hit) -> Spot {
        let [n0, n1, n2] = self.normals[hit.prim.index()];
        let smooth = (1.0 - hit.u - hit.v) * n0 + hit.u * n1 + hit.v * n2;
        let flat = self.mesh.triangle(hit.prim).map_or(Vec3::Y, |t| {
            (t.p1 - t.p0).cross(t.p2 - t.p0).normalize_or(Vec3::Y)
        });
        let towards = if flat.dot(ray.dir) > 0.0 { -1.0 } else { 1.0 };
        Spot {
            place: ray.at(hit.t),
            normal: towards * smooth.normalize_or(flat),
            colour: self.colours[hit.prim.index()],
            prim: hit.prim,
        }
    }
}

/// At each corner the mean, by area, of the triangles there that bend little from this one.
fn smooth_normals(mesh: &Mesh) -> Vec<[Vec3; 3]> {
    let flat: Vec<Vec3> = mesh
        .triangles()
        .map(|t| (t.p1 - t.p0).cross(t.p2 - t.p0))
        .collect();
    let units: Vec<Vec3> = flat.iter().map(|n| n.normalize_or_zero()).collect();
    let mut around = vec![Vec::new(); mesh.positions().len()];
    for (index, face) in mesh.indices().iter().enumerate() {
        for &corner in face {
            around[corner as usize].push(index);
        }
    }
    let at_corner = |index: usize, corner: u32| {
        let same = around[corner as usize].iter();
        let bent_little = same.filter(|&&other| units[index].dot(units[other]) > CREASE);
        let sum: Vec3 = bent_little.map(|&other| flat[other]).sum();
        sum.normalize_or(units[index])
    };
    let faces = mesh.indices().iter().enumerate();
    faces
        .map(|(index, face)| face.map(|corner| at_corner(index, corner)))
        .collect()
}
