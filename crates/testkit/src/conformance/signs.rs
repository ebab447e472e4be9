//! Checks every question about the side of a surface that a point is on.

use super::answer::Check;
use crate::oracle::{EdgeUses, Oracle};
use estoc_core::glam::Vec3;
use estoc_core::{
    BruteForce, ContainsBy, PointEngine, PointQuery, RayQuery, SignRule, SignedDistance,
    SurfaceEdge, SurfaceError, Triangle, Winding, WindingEstimate,
};

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

    /// Checks the report about the surface.
    pub(super) fn check_surface<Q: PointEngine>(&self, engine: &Q, check: &Check<'_>) {
        let report = engine.surface();
        let counts = [report.edges, report.open_edges, report.unpaired_edges];
        let uses = &self.uses;
        let want = [uses.count(), uses.count_open(), uses.count_unpaired()];
        check.same("edges, open and unpaired", &counts, &want);
        check.same("is_closed", &report.is_closed(), &self.oracle.is_closed());
        check.same("is_oriented", &report.is_oriented(), &self.is_oriented());
        let has_open = report.first_open.is_some();
        check.same("first_open is there", &has_open, &(report.open_edges > 0));
        let first = [report.first_open, report.first_unpaired];
        for edge in first.iter().flatten() {
            self.check_edge(edge, check);
        }
        if let Some(edge) = report.first_open {
            let is_open = (edge.forward + edge.backward) % 2 == 1;
            check.holds(is_open, format_args!("{edge:?} is not open"));
        }
    }

    /// Checks that an edge is in the way of a winding number.
    fn check_edge(&self, edge: &SurfaceEdge, check: &Check<'_>) {
        let found = [edge.forward, edge.backward];
        let is_used_so = found == self.uses.uses(edge.ends);
        let wrong = format_args!("{edge:?} is used otherwise, or as often both ways");
        check.holds(is_used_so && edge.forward != edge.backward, wrong);
    }

    fn check_error(&self, error: &SurfaceError, check: &Check<'_>) {
        let (edge, is_right) = match error {
            SurfaceError::Open { edge } => (edge, !self.oracle.is_closed()),
            SurfaceError::Unpaired { edge } => {
                (edge, self.oracle.is_closed() && !self.is_oriented())
            }
            _ => return check.holds(false, error),
        };
        self.check_edge(edge, check);
        check.holds(is_right, error);
    }

    /// Checks every question about the point to an engine, and to the one with all triangles turned
    /// around.
    pub(super) fn check_point<Q: PointEngine>(
        &self,
        engines: [&Q; 2],
        point: Vec3,
        truth: &SignTruth,
        check: &Check<'_>,
    ) {
        let (inside, number, on_surface) = (truth.inside, truth.number, truth.is_on_surface);
        self.check_winding(engines, point, truth, check);
        let estimate = check_estimate(engines, point, truth, check);
        if let (Some(inside), Some(number), false) = (inside, number, on_surface) {
            let is_odd = number.rem_euclid(2) == 1;
            check.same("the parity of the winding number", &is_odd, &inside);
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
            self.check_rule(engines[0], point, rule, (inside, truth.distance), check);
        }
    }

    fn check_winding<Q: PointEngine>(
        &self,
        engines: [&Q; 2],
        point: Vec3,
        truth: &SignTruth,
        check: &Check<'_>,
    ) {
        match engines.map(|engine| engine.winding_number(point)) {
            [Ok(found), Ok(turned)] if self.is_oriented() => {
                let want = match truth.number {
                    None => {
                        check.holds(truth.is_on_surface, "there is no winding number");
                        [Winding::OnSurface; 2]
                    }
                    Some(number) => [number, -number].map(Winding::Number),
                };
                check.same("winding_number, and turned around", &[found, turned], &want);
            }
            [Err(error), Err(_)] if !self.is_oriented() => self.check_error(&error, check),
            [found, turned] => {
                check.holds(false, format_args!("{found:?}, turned around {turned:?}"));
            }
        }
    }

    /// Checks whether the point is inside by a rule, and its signed distance.
    fn check_rule<Q: PointEngine>(
        &self,
        engine: &Q,
        point: Vec3,
        rule: SignRule,
        (inside, distance): (Option<bool>, Option<f32>),
        check: &Check<'_>,
    ) {
        let found = engine.ask(ContainsBy(rule), &point);
        check.same(format_args!("ContainsBy {rule}"), &found, &inside);
        let found = engine.contains_by(point, rule);
        match (&found, inside) {
            (Err(error), None) => self.check_error(error, check),
            _ => check.same(format_args!("contains_by {rule}"), &found.ok(), &inside),
        }
        let found = engine.signed_distance_by(point, rule);
        if rule == SignRule::Parity {
            let default = engine.signed_distance(point);
            check.holds(default.is_err() == found.is_err(), "signed_distance");
            check.same("signed_distance", &default.ok(), &found.ok());
        }
        let question = format_args!("signed_distance_by {rule}");
        match (found, inside) {
            (Err(error), None) => self.check_error(&error, check),
            (found, _) => {
                let want = distance
                    .zip(inside)
                    .map(|(distance, inside)| SignedDistance {
                        signed: match inside && distance > 0.0 {
                            true => -distance,
                            false => distance,
                        },
                        inside,
                        rule,
                    });
                check.holds(found.is_ok() == inside.is_some(), question);
                check.same(question, &found.ok().flatten(), &want);
            }
        }
    }
}

/// Checks the estimate against the exact number, and against that of all triangles one by one.
fn check_estimate<Q: PointEngine>(
    engines: [&Q; 2],
    point: Vec3,
    truth: &SignTruth,
    check: &Check<'_>,
) -> WindingEstimate {
    let [found, turned] = engines.map(|engine| engine.winding_estimate(point));
    let near = |a: WindingEstimate, b: f64, error: f64| {
        let off = (a.value - b).abs();
        check.holds(
            off <= a.error + error,
            format_args!("{a:?} is {off} from {b}"),
        );
    };
    near(found, truth.estimate.value, truth.estimate.error);
    near(found, -turned.value, turned.error);
    if let Some(number) = truth.number {
        near(found, number as f64, 0.0);
    }
    found
}
