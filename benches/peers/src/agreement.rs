//! Comparison of an engine's answers with the exact ones.

use crate::answers::Answers;
use crate::number::Number;
use crate::ray::{Hit, Ray};
use crate::row::Row;

/// Which hit agrees with the exact one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Judge {
    /// That of the same triangle, or a tie.
    Triangles,
    /// A tie: the triangles of placed meshes have other numbers in each library.
    Parameters,
    /// One with the same bits.
    Bits,
}

/// The result of comparing an engine's answers with the exact ones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Agreement {
    /// The number of rays for which the engine reports a hit.
    hits: usize,
    /// Rays that miss instead of hitting.
    lost: usize,
    /// Rays that hit instead of missing.
    invented: usize,
    /// Rays whose hit is another one.
    elsewhere: usize,
}

impl Agreement {
    pub(crate) fn of<F: Number>(
        judge: Judge,
        rays: &[Ray<F>],
        exact: &[Hit<F>],
        answers: &Answers<F>,
    ) -> Self {
        let mut agreement = Agreement::default();
        let both = rays.iter().zip(exact);
        match answers {
            Answers::Closest(hits) => both.zip(hits).for_each(|((ray, exact), hit)| {
                agreement.count(ray, exact, hit.is_hit(), judge.agree(hit, exact));
            }),
            Answers::Any(hits) => both.zip(hits).for_each(|((ray, exact), &hit)| {
                agreement.count(ray, exact, hit, true);
            }),
        }
        agreement
    }

    fn count<F: Number>(&mut self, ray: &Ray<F>, exact: &Hit<F>, is_hit: bool, is_same: bool) {
        self.hits += usize::from(is_hit);
        // estoc counts both ends of a ray, other libraries exclude one or both: neither is wrong.
        if exact.is_hit() && (exact.t == F::ZERO || exact.t == ray.t_max) {
            return;
        }
        match (exact.is_hit(), is_hit) {
            (true, false) => self.lost += 1,
            (false, true) => self.invented += 1,
            (true, true) => self.elsewhere += usize::from(!is_same),
            (false, false) => {}
        }
    }

    /// Returns a row with these numbers, of `count` rays.
    pub(crate) fn row(&self, count: usize) -> Row {
        Row {
            count: Some(count),
            hits: Some(self.hits),
            lost: Some(self.lost),
            invented: Some(self.invented),
            elsewhere: Some(self.elsewhere),
            ..Row::default()
        }
    }
}

impl Judge {
    fn agree<F: Number>(self, hit: &Hit<F>, exact: &Hit<F>) -> bool {
        let is_tie = hit.t == exact.t || (hit.t - exact.t).abs() <= F::TIE * exact.t.abs();
        match self {
            Judge::Triangles => hit.prim == exact.prim || is_tie,
            Judge::Parameters => is_tie,
            Judge::Bits => hit == exact,
        }
    }
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

    #[test]
    fn only_ties_and_ends_excuse() {
        let wrong = |judge: Judge, exact: Hit, answer: Hit| {
            let answers = Answers::Closest(vec![answer]);
            Agreement::of(judge, &[RAY], &[exact], &answers)
                .row(1)
                .wrong()
                == 1
        };
        let exact = hit(2.0, 7);
        for judge in [Judge::Triangles, Judge::Parameters, Judge::Bits] {
            let wrong = |exact, answer| wrong(judge, exact, answer);
            assert!(!wrong(exact, exact));
            assert!(wrong(exact, hit(2.001, 8)));
            assert!(wrong(exact, Hit::MISS));
            assert!(wrong(Hit::MISS, exact));
            assert!(!wrong(Hit::MISS, Hit::MISS));
            assert!(!wrong(hit(9.0, 7), Hit::MISS));
            assert!(!wrong(hit(0.0, 7), hit(5.0, 8)));
            assert_eq!(wrong(exact, hit(2.0001, 8)), judge == Judge::Bits);
            assert_eq!(wrong(exact, hit(2.001, 7)), judge != Judge::Triangles);
        }
    }

    #[test]
    fn hits_are_lost_invented_or_elsewhere() {
        let rays = [RAY; 6];
        let exact = [2.0, 2.0, f32::INFINITY, 2.0, 9.0, f32::INFINITY];
        let exact = exact.map(|t| if t < 10.0 { hit(t, 0) } else { Hit::MISS });
        let found = [
            hit(2.0001, 1),
            hit(2.001, 1),
            hit(1.0, 1),
            Hit::MISS,
            Hit::MISS,
            Hit::MISS,
        ];
        let of = |answers| Agreement::of(Judge::Triangles, &rays, &exact, &answers);
        let expected = Agreement {
            hits: 3,
            lost: 1,
            invented: 1,
            elsewhere: 1,
        };
        assert_eq!(of(Answers::Closest(found.into())), expected);
        let any = of(Answers::Any(found.map(Hit::is_hit).into()));
        assert_eq!(
            any,
            Agreement {
                elsewhere: 0,
                ..expected
            }
        );
    }
}
