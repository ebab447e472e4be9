//! Details of many hits, with an array per kind.

use super::details::HitDetails;
use super::{Labels, Mesh};
use estoc_core::glam::{Vec2, Vec3};
use estoc_core::{Hit, PrimId};
use estoc_system::parallel::prelude::*;

/// The sentinel for a hit without details, and for a missing name.
const NONE: u32 = u32::MAX;
/// The number of hits that a thread looks up at a time.
const CHUNK: usize = 4096;

/// Details of the hits of many rays on a mesh, with an array per kind; made by
/// [`Mesh::details_of_many`]. The fields are those of [`HitDetails`].
///
/// A ray without details has `prim == u32::MAX`. Test this and no other field: its points and
/// normals are 0.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct DetailColumns {
    /// The index of the triangle; `u32::MAX` for a miss, and for a hit that cannot be one of the
    /// mesh.
    pub prim: Vec<u32>,
    /// [`HitDetails::point`], relative to the [origin](Mesh::origin).
    pub point: Vec<[f32; 3]>,
    /// [`HitDetails::normal`].
    pub normal: Vec<[f32; 3]>,
    /// [`HitDetails::shading_normal`]; 0 if there is none.
    pub shading_normal: Vec<[f32; 3]>,
    /// [`HitDetails::texcoord`]; NaN if there is none.
    pub texcoord: Vec<[f32; 2]>,
    /// [`HitDetails::face`]; `u64::MAX` for a ray without details.
    pub face: Vec<u64>,
    /// The index of [`HitDetails::object`] in [`Mesh::objects`]; `u32::MAX` for none.
    pub object: Vec<u32>,
    /// The index of [`HitDetails::group`] in [`Mesh::groups`]; `u32::MAX` for none.
    pub group: Vec<u32>,
    /// The index of [`HitDetails::material`] in [`Mesh::materials`]; `u32::MAX` for none.
    pub material: Vec<u32>,
}

impl DetailColumns {
    /// Returns the number of rays.
    pub fn len(&self) -> usize {
        self.prim.len()
    }

    /// Returns whether there are no rays.
    pub fn is_empty(&self) -> bool {
        self.prim.is_empty()
    }

    fn with_capacity(rays: usize) -> Self {
        DetailColumns {
            prim: Vec::with_capacity(rays),
            point: Vec::with_capacity(rays),
            normal: Vec::with_capacity(rays),
            shading_normal: Vec::with_capacity(rays),
            texcoord: Vec::with_capacity(rays),
            face: Vec::with_capacity(rays),
            object: Vec::with_capacity(rays),
            group: Vec::with_capacity(rays),
            material: Vec::with_capacity(rays),
        }
    }

    fn push(&mut self, mesh: &Mesh, details: Option<&HitDetails<'_>>) {
        let prim = details.map(|details| details.prim);
        let vector = |of: fn(&HitDetails<'_>) -> Option<Vec3>| {
            details.and_then(of).unwrap_or(Vec3::ZERO).to_array()
        };
        self.prim.push(prim.map_or(NONE, PrimId::get));
        self.point.push(vector(|details| Some(details.point)));
        self.normal.push(vector(|details| Some(details.normal)));
        self.shading_normal
            .push(vector(|details| details.shading_normal));
        let texcoord = details.and_then(|details| details.texcoord);
        self.texcoord.push(texcoord.unwrap_or(Vec2::NAN).to_array());
        self.face
            .push(details.map_or(u64::MAX, |details| details.face));
        self.object.push(place(&mesh.objects, prim));
        self.group.push(place(&mesh.groups, prim));
        self.material.push(place(&mesh.materials, prim));
    }

    fn append(&mut self, other: Self) {
        self.prim.extend(other.prim);
        self.point.extend(other.point);
        self.normal.extend(other.normal);
        self.shading_normal.extend(other.shading_normal);
        self.texcoord.extend(other.texcoord);
        self.face.extend(other.face);
        self.object.extend(other.object);
        self.group.extend(other.group);
        self.material.extend(other.material);
    }
}

/// Returns the index of a triangle's name.
fn place<T>(labels: &Labels<T>, prim: Option<PrimId>) -> u32 {
    let label = prim.and_then(|prim| labels.runs.get(prim.index()));
    label.and_then(|(_, label)| label).unwrap_or(NONE)
}

impl Mesh {
    /// Returns the details of many hits on this mesh, as [`details`](Mesh::details) does for one,
    /// with an array per kind. Runs in the caller's rayon pool; without the feature `rayon`, on the
    /// calling thread.
    ///
    /// ```
    /// # mod estoc { pub use {estoc_core::*, estoc_mesh::*}; pub mod io { pub use estoc_mesh::*; } }
    /// use estoc::{Hit, PrimId, io::ObjLoader};
    /// let text = b"o flag\nv 0 0 0\nv 2 0 0\nv 0 2 0\nf 1 2 3\n";
    /// let mesh = ObjLoader::new().read(text, "flag.obj")?;
    /// let prim = PrimId::new(0).unwrap();
    /// let hit = Hit { t: 9.0, u: 0.25, v: 0.5, prim };
    /// let details = mesh.details_of_many(&[Some(hit), None]);
    /// assert_eq!(details.prim, [0, u32::MAX]);
    /// assert_eq!(details.point[0], [0.5, 1.0, 0.0]);
    /// assert_eq!(mesh.objects()[details.object[0] as usize], "flag");
    /// # Ok::<(), estoc::MeshError>(())
    /// ```
    pub fn details_of_many(&self, hits: &[Option<Hit>]) -> DetailColumns {
        let of_chunk = |hits: &[Option<Hit>]| {
            let mut columns = DetailColumns::with_capacity(hits.len());
            for hit in hits {
                let details = hit.and_then(|hit| self.details(&hit));
                columns.push(self, details.as_ref());
            }
            columns
        };
        if hits.len() <= CHUNK {
            return of_chunk(hits);
        }
        let parts: Vec<DetailColumns> = hits.par_chunks(CHUNK).map(of_chunk).collect();
        let mut columns = DetailColumns::with_capacity(hits.len());
        for part in parts {
            columns.append(part);
        }
        columns
    }
}
