//! Checks every question about the side of a surface that a point is on.

use crate::oracle::{EdgeUses, Oracle};
use estoc_core::glam::Vec3;
use estoc_core::{
    BruteForce, ContainsBy, PointEngine, PointQuery, RayQuery, SignRule, SignedDistance,
    SurfaceEdge, SurfaceError, Triangle, Winding, WindingEstimate,
};
use std::fmt;

/// What the signs at a scene are compared with.
pub(super) struct Signs<'a> {
    oracle: &'a Oracle,
    brute: BruteForce,
    uses: EdgeUses,
    inside_out: Vec<Triangle>,
}

/// The right answers about a point.
pub(super) struct SignTruth {
    is_on_surface: bool,
    /// The winding number, if the surface is oriented and the point not on it.
    number: Option<i64>,
    /// Whether the point is inside by the parity of crossings.
    inside: Option<bool>,
    distance: Option<f32>,
    /// The sum over all triangles one by one.
    estimate: WindingEstimate,
}

impl<'a> Signs<'a> {
    pub(super) fn new(oracle: &'a Oracle) -> Self {
        let inside_out = |t: &Triangle| Triangle::new(t.p0, t.p2, t.p1);
        Signs {
            oracle,
            brute: BruteForce::new(oracle.triangles()),
            uses: oracle.edge_uses(),
            inside_out: oracle.triangles().iter().map(inside_out).collect(),
        }
    }

    /// Returns the triangles turned around.
    pub(super) fn inside_out(&self) -> &[Triangle] {
        &self.inside_out
    }

    pub(super) fn ask(&self, point: Vec3) -> SignTruth {
        let is_on_surface = point.is_finite() && self.oracle.is_on_surface(point);
        let closest = self.oracle.closest_points(point, 1);
        SignTruth {
            is_on_surface,
            number: match self.is_oriented() {
                true if !point.is_finite() => Some(0),
                true if !is_on_surface => Some(self.oracle.winding_number(point)),
                _ => None,
            },
            inside: self.oracle.contains(point),
            distance: closest.first().map(|closest| closest.distance),
            estimate: self.brute.winding_estimate(point),
        }
    }

    fn is_oriented(&self) -> bool {
        self.uses.count_unpaired() == 0
    }

    /// Checks the report about the surface. Returns the number of questions asked.
    pub(super) fn check_surface<Q: PointEngine>(
        &self,
        engine: &Q,
        case: &impl fmt::Display,
    ) -> usize {
        let report = engine.surface();
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

    /// Checks every question about the point to an engine, and to the one with all triangles turned
    /// around. Returns the number of questions asked.
    pub(super) fn check_point<Q: PointEngine>(
        &self,
        engines: [&Q; 2],
        point: Vec3,
        truth: &SignTruth,
        case: &impl fmt::Display,
    ) -> usize {
        let (inside, number, on_surface) = (truth.inside, truth.number, truth.is_on_surface);
        self.check_winding(engines, point, truth, case);
        let estimate = check_estimate(engines, point, truth, case);
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
            self.check_distance(engines[0], point, rule, (inside, truth.distance), case);
            self.check_contains(engines[0], point, rule, inside, case);
        }
        9
    }

    fn check_winding<Q: PointEngine>(
        &self,
        engines: [&Q; 2],
        point: Vec3,
        truth: &SignTruth,
        case: &impl fmt::Display,
    ) {
        match engines.map(|engine| engine.winding_number(point)) {
            [Ok(found), Ok(turned)] => {
                assert!(self.is_oriented(), "{case}");
                match truth.number {
                    None => {
                        assert!(truth.is_on_surface, "{case}");
                        assert_eq!([found, turned], [Winding::OnSurface; 2], "{case}");
                    }
                    Some(number) => {
                        assert_eq!(found, Winding::Number(number), "{case}");
                        assert_eq!(turned, Winding::Number(-number), "turned around, {case}");
                    }
                }
            }
            [Err(error), Err(_)] => {
                assert!(!self.is_oriented(), "{case}");
                self.check_error(&error, case);
            }
            [found, turned] => panic!("{found:?}, turned around {turned:?}, {case}"),
        }
    }

    fn check_contains<Q: PointEngine>(
        &self,
        engine: &Q,
        point: Vec3,
        rule: SignRule,
        inside: Option<bool>,
        case: &impl fmt::Display,
    ) {
        assert_eq!(
            engine.ask(ContainsBy(rule), &point),
            inside,
            "{rule}, {case}"
        );
        match (engine.contains_by(point, rule), inside) {
            (Ok(found), Some(inside)) => assert_eq!(found, inside, "{rule}, {case}"),
            (Err(error), None) => self.check_error(&error, case),
            (found, inside) => panic!("{found:?}, not {inside:?}, by {rule}, {case}"),
        }
    }

    fn check_distance<Q: PointEngine>(
        &self,
        engine: &Q,
        point: Vec3,
        rule: SignRule,
        (inside, distance): (Option<bool>, Option<f32>),
        case: &impl fmt::Display,
    ) {
        let found = engine.signed_distance_by(point, rule);
        if rule == SignRule::Parity {
            let default = engine.signed_distance(point);
            assert_eq!(default.map(bits), found.map(bits), "{case}");
        }
        let Some(inside) = inside else {
            let error = found.expect_err("no inside by this rule");
            return self.check_error(&error, case);
        };
        let want = distance.map(|distance| {
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

/// Checks the estimate against the exact number, and against that of all triangles one by one.
fn check_estimate<Q: PointEngine>(
    engines: [&Q; 2],
    point: Vec3,
    truth: &SignTruth,
    case: &impl fmt::Display,
) -> WindingEstimate {
    let [found, turned] = engines.map(|engine| engine.winding_estimate(point));
    let near = |a: WindingEstimate, b: f64, error: f64| {
        let off = (a.value - b).abs();
        assert!(off <= a.error + error, "{a:?} is {off} from {b}, {case}");
    };
    near(found, truth.estimate.value, truth.estimate.error);
    near(found, -turned.value, turned.error);
    if let Some(number) = truth.number {
        near(found, number as f64, 0.0);
    }
    found
}

/// Returns an answer with its distance as bits, so that zeros of different sign differ.
fn bits(found: Option<SignedDistance>) -> Option<(u32, bool, SignRule)> {
    found.map(|found| (found.signed.to_bits(), found.inside, found.rule))
}
