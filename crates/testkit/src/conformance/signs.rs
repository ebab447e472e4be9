//! Checks every question about the side of a surface that a point is on.

use crate::oracle::{EdgeUses, Oracle};
use estoc_core::glam::Vec3;
use estoc_core::{
    BruteForce, PointEngine, PointQuery, SignRule, SignedDistance, SurfaceEdge, SurfaceError,
    Triangle, Winding, WindingEstimate,
};
use std::fmt;

/// An engine, the same with all triangles turned around, and what they are compared with.
pub(super) struct SignCheck<'a, Q> {
    engine: &'a Q,
    turned: Q,
    brute: BruteForce,
    oracle: &'a Oracle,
    uses: EdgeUses,
}

impl<'a, Q: PointEngine> SignCheck<'a, Q> {
    pub(super) fn new(engine: &'a Q, oracle: &'a Oracle, build: impl Fn(&[Triangle]) -> Q) -> Self {
        let turned = |t: &Triangle| Triangle::new(t.p0, t.p2, t.p1);
        let turned: Vec<Triangle> = oracle.triangles().iter().map(turned).collect();
        SignCheck {
            engine,
            turned: build(&turned),
            brute: BruteForce::new(oracle.triangles()),
            oracle,
            uses: oracle.edge_uses(),
        }
    }

    fn is_oriented(&self) -> bool {
        self.uses.count_unpaired() == 0
    }

    /// Checks the report about the surface. Returns the number of questions asked.
    pub(super) fn check_surface(&self, case: &impl fmt::Display) -> usize {
        let report = self.engine.surface();
        let counts = [report.edges, report.open_edges, report.unpaired_edges];
        let uses = &self.uses;
        let want = [uses.count(), uses.count_open(), uses.count_unpaired()];
        assert_eq!(counts, want, "{case}");
        assert_eq!(report.is_closed(), self.oracle.is_closed(), "{case}");
        assert_eq!(report.is_oriented(), self.is_oriented(), "{case}");
        assert_eq!(report.first_open.is_some(), report.open_edges > 0, "{case}");
        for edge in [report.first_open, report.first_unpaired]
            .into_iter()
            .flatten()
        {
            self.check_edge(&edge, case);
        }
        if let Some(edge) = report.first_open {
            assert_eq!((edge.forward + edge.backward) % 2, 1, "{case}");
        }
        1
    }

    /// Checks that an edge is in the way of a winding number.
    fn check_edge(&self, edge: &SurfaceEdge, case: &impl fmt::Display) {
        let found = [edge.forward, edge.backward];
        assert_eq!(found, self.uses.uses(edge.ends), "{edge:?}, {case}");
        assert_ne!(edge.forward, edge.backward, "{edge:?}, {case}");
    }

    fn check_error(&self, error: &SurfaceError, case: &impl fmt::Display) {
        match error {
            SurfaceError::Open { edge } => {
                self.check_edge(edge, case);
                assert!(!self.oracle.is_closed(), "{case}");
            }
            SurfaceError::Unpaired { edge } => {
                self.check_edge(edge, case);
                assert!(self.oracle.is_closed() && !self.is_oriented(), "{case}");
            }
            _ => panic!("{error}, {case}"),
        }
    }

    /// Checks every question about the point. Returns the number of questions asked.
    pub(super) fn check_point(&self, point: Vec3, case: &impl fmt::Display) -> usize {
        let on_surface = point.is_finite() && self.oracle.is_on_surface(point);
        let number = match self.is_oriented() {
            true if !point.is_finite() => Some(0),
            true if !on_surface => Some(self.oracle.winding_number(point)),
            _ => None,
        };
        self.check_winding(point, on_surface, number, case);
        let estimate = self.check_estimate(point, on_surface, number, case);
        let inside = self.oracle.contains(point);
        if let (Some(inside), Some(number), false) = (inside, number, on_surface) {
            let is_odd = number.rem_euclid(2) == 1;
            assert_eq!(inside, is_odd, "parity and winding number {number}, {case}");
        }
        let oriented = self.is_oriented().then_some(());
        for (rule, inside) in [
            (SignRule::Parity, inside),
            (
                SignRule::WindingNumber,
                oriented.map(|()| on_surface || number.is_some_and(|number| number > 0)),
            ),
            (
                SignRule::WindingEstimate,
                Some(on_surface || estimate.is_inside()),
            ),
        ] {
            self.check_distance(point, rule, inside, case);
        }
        6
    }

    fn check_winding(
        &self,
        point: Vec3,
        on_surface: bool,
        number: Option<i64>,
        case: &impl fmt::Display,
    ) {
        let (found, turned) = (
            self.engine.winding_number(point),
            self.turned.winding_number(point),
        );
        match (found, turned) {
            (Ok(found), Ok(turned)) => {
                assert!(self.is_oriented(), "{case}");
                match number {
                    None => {
                        assert!(on_surface, "{case}");
                        assert_eq!([found, turned], [Winding::OnSurface; 2], "{case}");
                    }
                    Some(number) => {
                        assert_eq!(found, Winding::Number(number), "{case}");
                        assert_eq!(turned, Winding::Number(-number), "turned around, {case}");
                    }
                }
            }
            (Err(error), Err(_)) => {
                assert!(!self.is_oriented(), "{case}");
                self.check_error(&error, case);
            }
            (found, turned) => panic!("{found:?}, turned around {turned:?}, {case}"),
        }
    }

    /// Checks the estimate against the exact number, or that of all triangles one by one.
    fn check_estimate(
        &self,
        point: Vec3,
        on_surface: bool,
        number: Option<i64>,
        case: &impl fmt::Display,
    ) -> WindingEstimate {
        let found = self.engine.winding_estimate(point);
        let turned = self.turned.winding_estimate(point);
        let brute = self.brute.winding_estimate(point);
        let near = |a: WindingEstimate, b: f64, error: f64| {
            let off = (a.value - b).abs();
            assert!(off <= a.error + error, "{a:?} is {off} from {b}, {case}");
        };
        near(found, brute.value, brute.error);
        near(found, -turned.value, turned.error);
        if let (Some(number), false) = (number, on_surface) {
            near(found, number as f64, 0.0);
        }
        found
    }

    fn check_distance(
        &self,
        point: Vec3,
        rule: SignRule,
        inside: Option<bool>,
        case: &impl fmt::Display,
    ) {
        let found = self.engine.signed_distance_by(point, rule);
        if rule == SignRule::Parity {
            let default = self.engine.signed_distance(point);
            assert_eq!(default.map(bits), found.map(bits), "{case}");
        }
        let Some(inside) = inside else {
            let error = found.expect_err("no inside by this rule");
            return self.check_error(&error, case);
        };
        let closest = self.oracle.closest_points(point, 1);
        let want = closest.first().map(|closest| {
            let distance = closest.distance;
            let signed = match inside && distance > 0.0 {
                true => -distance,
                false => distance,
            };
            (signed.to_bits(), inside, rule)
        });
        assert_eq!(
            found.map(bits),
            Ok(want),
            "signed distance by {rule}, {case}"
        );
    }
}

/// Returns an answer with its distance as bits, so that zeros of different sign differ.
fn bits(found: Option<SignedDistance>) -> Option<(u32, bool, SignRule)> {
    found.map(|found| (found.signed.to_bits(), found.inside, found.rule))
}
