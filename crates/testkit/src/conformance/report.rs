//! The amount of work that a check has done.

use std::fmt;

/// The numbers of items checked, all of them with the right answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// The number of scenes.
    pub scenes: usize,
    /// The number of rays.
    pub rays: usize,
    /// The number of these rays that hit something.
    pub rays_that_hit: usize,
    /// The number of rays at placements that hit something on an edge or a corner, or at the same
    /// parameter as something else.
    pub rays_with_ties: usize,
    /// The number of rays in `f64`, which are not in `rays`.
    pub wide_rays: usize,
    /// The number of points.
    pub points: usize,
    /// The number of points near placements that are inside.
    pub points_inside: usize,
    /// The number of points near placements with two closest triangles at the same rounded distance.
    pub points_with_ties: usize,
    /// The number of points near placements whose closest point is a vertex, inside an edge, or inside
    /// a face.
    pub features: [usize; 3],
    /// The number of regions.
    pub regions: usize,
    /// The number of these regions that have points of a triangle.
    pub regions_that_overlap: usize,
    /// The number of answers compared.
    pub questions: usize,
}

impl Report {
    pub(super) fn of_one_scene() -> Report {
        Report {
            scenes: 1,
            ..Report::default()
        }
    }

    /// Returns the number of rays, points and regions.
    pub(super) fn items(&self) -> usize {
        self.rays + self.points + self.regions
    }

    /// Adds the work of another check.
    pub(super) fn add(&mut self, mut other: Report) {
        for (all, more) in self.counts().into_iter().zip(other.counts()) {
            *all += *more;
        }
    }

    fn counts(&mut self) -> [&mut usize; 14] {
        let Report {
            scenes,
            rays,
            rays_that_hit,
            rays_with_ties,
            wide_rays,
            points,
            points_inside,
            points_with_ties,
            features: [vertices, edges, faces],
            regions,
            regions_that_overlap,
            questions,
        } = self;
        [
            scenes,
            rays,
            rays_that_hit,
            rays_with_ties,
            wide_rays,
            points,
            points_inside,
            points_with_ties,
            vertices,
            edges,
            faces,
            regions,
            regions_that_overlap,
            questions,
        ]
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self:?}")
    }
}
