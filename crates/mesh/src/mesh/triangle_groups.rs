//! Masks for groups of triangles, by their names in the source.

use super::{Labels, Material, Mesh};
use core::ops::Range;
use estoc_core::{Coordinate, Masks, PrimId};

/// Consecutive triangles with the same object, group and material; see [`Mesh::masks_by`].
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct TriangleGroup<'a> {
    /// The indices of the triangles; never empty.
    pub triangles: Range<usize>,
    /// The name of their object, if any ([`Mesh::object_of`]).
    pub object: Option<&'a str>,
    /// The name of their group, if any ([`Mesh::group_of`]).
    pub group: Option<&'a str>,
    /// Their material, if they have one ([`Mesh::material_of`]).
    pub material: Option<&'a Material>,
}

impl<C: Coordinate> Mesh<C> {
    /// Makes masks that decide which rays see which triangles (Embree calls them geometry masks).
    /// `mask_of` is called for each group in the order of the triangles and returns their mask. A
    /// ray sees the triangles that share a bit with
    /// [`QueryOptions::mask`](estoc_core::QueryOptions::mask).
    ///
    /// If the source returns to an earlier name, this makes another group with the same name.
    ///
    /// ```
    /// # mod estoc { pub use {estoc_core::*, estoc_mesh::*}; pub mod io { pub use estoc_mesh::*; } pub mod query { pub use estoc_core::*; } }
    /// use estoc::{BruteForce, Mesh, QueryOptions, Ray, RayQuery, query::Closest};
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
    /// let seen = engine.ask_with(Closest, &ray, &QueryOptions::new().mask(CAMERA))?;
    /// assert_eq!(seen.unwrap().t, 1.0); // the glass
    /// let shadow = engine.ask_with(Closest, &ray, &QueryOptions::new().mask(SHADOW))?;
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
            // None if the mesh has no triangles.
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

    /// Returns the triangles at which a label changes.
    fn starts<T>(&self, labels: &Labels<T>) -> Vec<usize> {
        // Runs may follow the last triangle, for faces without triangles.
        let within = |start: &usize| *start < self.triangle_count();
        let changes = labels.runs.changes().iter();
        changes
            .map(|&(start, _)| start)
            .take_while(within)
            .collect()
    }
}
