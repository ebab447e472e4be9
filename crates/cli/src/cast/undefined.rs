//! Undefined rays, which cannot be cast.

use super::asked::CastRay;
use crate::number::counted;
use rayon::prelude::*;

/// Counts undefined rays, and keeps the error of the first.
#[derive(Default)]
pub(super) struct Undefined {
    rays: usize,
    count: usize,
    first: Option<(u64, String)>,
}

impl Undefined {
    /// Looks at rays of the input, the first of which is in this row.
    pub(super) fn look<R: CastRay>(&mut self, first_row: u64, rays: &[R]) {
        let is_undefined = |ray: &R| ray.check().is_err();
        let count = rays
            .par_iter()
            .with_min_len(1 << 13)
            .filter(|ray| is_undefined(ray))
            .count();
        if count > 0 && self.first.is_none() {
            let first = rays.iter().position(is_undefined).unwrap_or_default();
            let error = rays[first].check().err().map(|error| error.to_string());
            self.first = Some((first_row + first as u64, error.unwrap_or_default()));
        }
        self.count += count;
        self.rays += rays.len();
    }

    /// Returns a note about the undefined rays, if there were any.
    pub(super) fn note(&self) -> Option<String> {
        let (index, error) = self.first.as_ref()?;
        let verb = match self.count {
            1 => "is undefined and hits",
            _ => "are undefined and hit",
        };
        let (count, of) = (self.count, counted(self.rays, "ray"));
        Some(format!(
            "{count} of {of} {verb} nothing (first: ray {index}: {error})"
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use estoc::Ray;

    #[test]
    fn undefined_rays_are_counted_and_the_first_is_named_by_its_row() {
        let (good, bad) = (
            Ray::new([0.0; 3], [1.0, 0.0, 0.0]),
            Ray::new([0.0; 3], [0.0; 3]),
        );
        let mut undefined = Undefined::default();
        undefined.look(10, &[good, good]);
        assert_eq!(undefined.note(), None);
        undefined.look(12, &[good, bad]);
        assert_eq!(
            undefined.note().unwrap(),
            "1 of 4 rays is undefined and hits nothing (first: ray 13: the ray's direction must \
             not be zero)"
        );
        undefined.look(30, &[bad]);
        assert!(
            undefined
                .note()
                .unwrap()
                .starts_with("2 of 5 rays are undefined and hit nothing (first: ray 13: ")
        );
    }
}
