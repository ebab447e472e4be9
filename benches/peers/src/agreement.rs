//! Comparison of an engine's answers with the exact ones.

use crate::ray::{Hit, Ray};

/// Hits closer together than this, relative to the exact one, count as a tie: only an exact engine
/// can tell which primitive comes first.
const TIE: f32 = 1e-4;

/// The result of comparing an engine's answers with the exact ones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Agreement {
    /// The number of rays for which the engine reports a hit.
    pub(crate) hits: usize,
    /// The number of rays with a different answer: a hit instead of a miss, a miss instead of a
    /// hit, or the wrong primitive.
    pub(crate) disagree: usize,
}

impl Agreement {
    pub(crate) fn of_closest_hits(rays: &[Ray], exact: &[Hit], answers: &[Hit]) -> Self {
        let mut agreement = Agreement::default();
        for ((ray, exact), answer) in rays.iter().zip(exact).zip(answers) {
            let agrees = match (exact.is_hit(), answer.is_hit()) {
                (true, true) => answer.prim == exact.prim || is_tie(answer.t, exact.t),
                (one, other) => one == other,
            };
            agreement.count(answer.is_hit(), agrees || is_at_an_end(ray, exact));
        }
        agreement
    }

    pub(crate) fn of_any_hits(rays: &[Ray], exact: &[Hit], answers: &[bool]) -> Self {
        let mut agreement = Agreement::default();
        for ((ray, exact), &answer) in rays.iter().zip(exact).zip(answers) {
            let agrees = answer == exact.is_hit();
            agreement.count(answer, agrees || is_at_an_end(ray, exact));
        }
        agreement
    }

    fn count(&mut self, hit: bool, agrees: bool) {
        self.hits += usize::from(hit);
        self.disagree += usize::from(!agrees);
    }
}

fn is_tie(t: f32, exact: f32) -> bool {
    t == exact || (t - exact).abs() <= TIE * exact.abs()
}

/// Returns whether the first hit is at the start or the end of the ray. estoc counts both ends,
/// other libraries exclude one or both: neither is wrong.
fn is_at_an_end(ray: &Ray, exact: &Hit) -> bool {
    exact.is_hit() && (exact.t == 0.0 || exact.t == ray.t_max)
}

#[cfg(test)]
mod tests {
    use super::*;

    const RAY: Ray = Ray {
        origin: [0.0; 3],
        t_max: 9.0,
        dir: [0.0, 0.0, 1.0],
    };

    fn hit(t: f32, prim: u32) -> Hit {
        Hit { t, prim }
    }

    fn closest_disagree(exact: Hit, answer: Hit) -> bool {
        Agreement::of_closest_hits(&[RAY], &[exact], &[answer]).disagree == 1
    }

    #[test]
    fn only_ties_and_ends_excuse() {
        let exact = hit(2.0, 7);
        assert!(!closest_disagree(exact, exact));
        assert!(!closest_disagree(exact, hit(2.0001, 8)));
        assert!(closest_disagree(exact, hit(2.001, 8)));
        assert!(closest_disagree(exact, Hit::MISS));
        assert!(closest_disagree(Hit::MISS, exact));
        assert!(!closest_disagree(Hit::MISS, Hit::MISS));
        assert!(!closest_disagree(hit(9.0, 7), Hit::MISS));
        assert!(!closest_disagree(hit(0.0, 7), hit(5.0, 8)));
    }

    #[test]
    fn any_hits_are_judged_by_the_first_hit() {
        let rays = [RAY; 4];
        let exact = [hit(2.0, 7), Hit::MISS, hit(9.0, 7), hit(1.0, 1)];
        let agreement = Agreement::of_any_hits(&rays, &exact, &[true, true, false, false]);
        assert_eq!((agreement.hits, agreement.disagree), (2, 2));
    }
}
