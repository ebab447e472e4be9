//! Masks for groups of triangles, chosen by what the source calls them.

use super::{Labels, Material, Mesh};
use core::ops::Range;
use estoc_core::{Masks, PrimId};

/// Triangles that follow each other and have the same object, group and material; see
/// [`Mesh::masks_by`].
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct TriangleGroup<'a> {
    /// The numbers of the triangles; there is at least one.
    pub triangles: Range<usize>,
    /// The object that they belong to, if it has a name ([`Mesh::object_of`]).
    pub object: Option<&'a str>,
    /// The group that they belong to, if it has a name ([`Mesh::group_of`]).
    pub group: Option<&'a str>,
    /// Their material, if they have one ([`Mesh::material_of`]).
    pub material: Option<&'a Material>,
}

impl Mesh {
    /// Makes masks that decide which rays see which triangles (geometry masks, as Embree calls
    /// them): `mask_of` is called for each group in the order of the triangles, and returns the
    /// mask of all of them. A ray sees those that share a bit with
    /// [`QueryOptions::mask`](estoc_core::QueryOptions::mask).
    ///
    /// A name that the source takes up again makes another group of the same name.
    ///
    /// ```
    /// # mod estoc { pub use {estoc_core::*, estoc_mesh::*}; pub mod io { pub use estoc_mesh::*; } }
    /// use estoc::{BruteForce, Mesh, QueryOptions, Ray, RayQuery};
    /// # let text = b"v 0 0 1\nv 1 0 1\nv 0 1 1\nv 0 0 2\nv 1 0 2\nv 0 1 2\n\
    /// #     usemtl glass\nf 1 2 3\nusemtl stone\nf 4 5 6\n";
    /// # let mesh = estoc::io::ObjLoader::new().read(text, "window.obj")?;
    /// const CAMERA: u32 = 1;
    /// const SHADOW: u32 = 2;
    /// let masks = mesh.masks_by(|group| match group.material {
    ///     Some(material) if material.name == "glass" => CAMERA, // casts no shadow
    ///     _ => CAMERA | SHADOW,
    /// });
    /// let triangles: Vec<_> = mesh.triangles().collect();
    /// let engine = BruteForce::new(triangles).with_masks(masks);
    /// let ray = Ray::new([0.2, 0.2, 0.0], [0.0, 0.0, 1.0]);
    /// let seen = engine.closest_hit_with(&ray, &QueryOptions::new().mask(CAMERA))?;
    /// assert_eq!(seen.unwrap().t, 1.0); // the glass
    /// let shadow = engine.closest_hit_with(&ray, &QueryOptions::new().mask(SHADOW))?;
    /// assert_eq!(shadow.unwrap().t, 2.0); // the stone behind it
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn masks_by(&self, mut mask_of: impl FnMut(&TriangleGroup<'_>) -> u32) -> Masks {
        let mut starts = self.starts(&self.objects);
        starts.extend(self.starts(&self.groups));
        starts.extend(self.starts(&self.materials));
        starts.push(0);
        starts.sort_unstable();
        starts.dedup();
        let count = self.triangle_count();
        let ends = starts[1..].iter().copied().chain([count]);
        let runs = starts.iter().zip(ends).filter_map(|(&start, end)| {
            // None where the mesh has no triangles.
            let first = PrimId::from_index(start).filter(|_| start < count)?;
            let group = TriangleGroup {
                triangles: start..end,
                object: self.object_of(first),
                group: self.group_of(first),
                material: self.material_of(first),
            };
            Some((end - start, mask_of(&group)))
        });
        Masks::from_runs(runs)
    }

    /// Where a label changes, at triangles that there are.
    fn starts<T>(&self, labels: &Labels<T>) -> Vec<usize> {
        // Faces that have no triangle may follow the last one.
        let within = |start: &usize| *start < self.triangle_count();
        let changes = labels.runs.changes().iter();
        changes
            .map(|&(start, _)| start)
            .take_while(within)
            .collect()
    }
}
