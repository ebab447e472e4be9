//! Checks every question about the side of a surface that a point is on.

use super::answer::{Answer, Check};
use crate::oracle::{DoubleOracle, EdgeUses, Oracle};
use estoc_core::glam::{DVec3, Vec3};
use estoc_core::{
    BruteForce, ContainsBy, Coordinate, Length, PointEngine, PointKind, PointQuery, RayQuery,
    SignRule, SignedDistance, SurfaceEdge, SurfaceError, Triangle, Triangle64, Winding,
    WindingEstimate,
};
use std::ops::Neg;

/// An oracle about points of a kind.
pub(super) trait SignOracle<V: PointKind> {
    fn triangles(&self) -> &[V::Triangle];
    fn turned_around(triangle: &V::Triangle) -> V::Triangle;
    fn edge_uses(&self) -> EdgeUses;
    fn is_on_surface(&self, point: V) -> bool;
    /// Returns the winding number around a point that is not on an oriented surface.
    fn winding_number(&self, point: V) -> i64;
    fn contains(&self, point: V) -> Option<bool>;
    fn distance(&self, point: V) -> Option<V::Coordinate>;
}

impl SignOracle<Vec3> for Oracle {
    fn triangles(&self) -> &[Triangle] {
        self.triangles()
    }

    fn turned_around(&Triangle { p0, p1, p2 }: &Triangle) -> Triangle {
        Triangle::new(p0, p2, p1)
    }

    fn edge_uses(&self) -> EdgeUses {
        self.edge_uses()
    }

    fn is_on_surface(&self, point: Vec3) -> bool {
        self.is_on_surface(point)
    }

    fn winding_number(&self, point: Vec3) -> i64 {
        self.winding_number(point)
    }

    fn contains(&self, point: Vec3) -> Option<bool> {
        self.contains(point)
    }

    fn distance(&self, point: Vec3) -> Option<f32> {
        Some(self.closest_points(point, 1).first()?.distance)
    }
}

impl SignOracle<DVec3> for DoubleOracle {
    fn triangles(&self) -> &[Triangle64] {
        self.triangles()
    }

    fn turned_around(&Triangle64 { p0, p1, p2 }: &Triangle64) -> Triangle64 {
        Triangle64::new(p0, p2, p1)
    }

    fn edge_uses(&self) -> EdgeUses {
        self.edge_uses()
    }

    fn is_on_surface(&self, point: DVec3) -> bool {
        self.near(point)
            .first()
            .is_some_and(|near| near.is_within(0.0))
    }

    fn winding_number(&self, point: DVec3) -> i64 {
        self.winding_number(point)
    }

    fn contains(&self, point: DVec3) -> Option<bool> {
        self.contains(point)
    }

    fn distance(&self, point: DVec3) -> Option<f64> {
        Some(self.near(point).first()?.rounded.distance)
    }
}

/// Asks engines of triangles in `f64` for the side of points, and compares with the oracle. `build` makes the engine of
/// triangles.
///
/// # Panics
/// If an answer is not that of the oracle.
pub fn check_double_signs<E: PointEngine<DVec3>>(
    build: impl Fn(&[Triangle64]) -> E,
    points: &[DVec3],
    oracle: &DoubleOracle,
    name: &str,
) {
    let signs = Signs::new(oracle);
    let [engine, turned] = [oracle.triangles(), signs.inside_out()].map(build);
    signs.check_surface(&engine, &Check::about(&name));
    for &point in points {
        let case = format!("{name} {point:?}");
        let truth = signs.ask(point);
        signs.check_point([&engine, &turned], point, &truth, &Check::about(&case));
    }
}

/// What the signs at a scene are compared with.
pub(super) struct Signs<'a, V: PointKind, O> {
    oracle: &'a O,
    brute: BruteForce<V::Triangle>,
    uses: EdgeUses,
    inside_out: Vec<V::Triangle>,
}

/// The right answers about a point.
pub(super) struct SignTruth<C> {
    is_on_surface: bool,
    /// The winding number, if the surface is oriented and the point not on it.
    number: Option<i64>,
    /// Whether the point is inside by the parity of crossings.
    inside: Option<bool>,
    distance: Option<C>,
    /// The sum over all triangles one by one.
    estimate: WindingEstimate,
}

impl<'a, V, O> Signs<'a, V, O>
where
    V: PointKind<Coordinate: Answer + Neg<Output = V::Coordinate>>,
    O: SignOracle<V>,
    BruteForce<V::Triangle>: PointEngine<V>,
    SignedDistance<V::Coordinate>: Answer,
{
    pub(super) fn new(oracle: &'a O) -> Self {
        let triangles = oracle.triangles();
        Signs {
            oracle,
            brute: triangles.iter().copied().collect(),
            uses: oracle.edge_uses(),
            inside_out: triangles.iter().map(O::turned_around).collect(),
        }
    }

    /// Returns the triangles turned around.
    pub(super) fn inside_out(&self) -> &[V::Triangle] {
        &self.inside_out
    }

    pub(super) fn ask(&self, point: V) -> SignTruth<V::Coordinate> {
        let is_finite = point.is_defined();
        let is_on_surface = is_finite && self.oracle.is_on_surface(point);
        SignTruth {
            is_on_surface,
            number: match self.is_oriented() {
                true if !is_finite => Some(0),
                true if !is_on_surface => Some(self.oracle.winding_number(point)),
                _ => None,
            },
            inside: self.oracle.contains(point),
            distance: self.oracle.distance(point),
            estimate: PointQuery::<V>::winding_estimate(&self.brute, point),
        }
    }

    fn is_oriented(&self) -> bool {
        self.uses.count_unpaired() == 0
    }

    fn is_closed(&self) -> bool {
        self.uses.count_open() == 0
    }

    /// Checks the report about the surface.
    pub(super) fn check_surface<Q: PointEngine<V>>(&self, engine: &Q, check: &Check<'_>) {
        let report = engine.surface();
        let counts = [report.edges, report.open_edges, report.unpaired_edges];
        let uses = &self.uses;
        let want = [uses.count(), uses.count_open(), uses.count_unpaired()];
        check.same("edges, open and unpaired", &counts, &want);
        check.same("is_closed", &report.is_closed(), &self.is_closed());
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
    fn check_edge(&self, edge: &SurfaceEdge<V::Coordinate>, check: &Check<'_>) {
        let found = [edge.forward, edge.backward];
        let is_used_so = found == self.uses.uses(edge.ends.map(V::Coordinate::wide));
        let wrong = format_args!("{edge:?} is used otherwise, or as often both ways");
        check.holds(is_used_so && edge.forward != edge.backward, wrong);
    }

    fn check_error(&self, error: &SurfaceError<V::Coordinate>, check: &Check<'_>) {
        let (edge, is_right) = match error {
            SurfaceError::Open { edge } => (edge, !self.is_closed()),
            SurfaceError::Unpaired { edge } => (edge, self.is_closed() && !self.is_oriented()),
            _ => return check.holds(false, error),
        };
        self.check_edge(edge, check);
        check.holds(is_right, error);
    }

    /// Checks every question about the point to an engine, and to the one with all triangles turned
    /// around.
    pub(super) fn check_point<Q: PointEngine<V>>(
        &self,
        engines: [&Q; 2],
        point: V,
        truth: &SignTruth<V::Coordinate>,
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

    fn check_winding<Q: PointEngine<V>>(
        &self,
        engines: [&Q; 2],
        point: V,
        truth: &SignTruth<V::Coordinate>,
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
    fn check_rule<Q: PointEngine<V>>(
        &self,
        engine: &Q,
        point: V,
        rule: SignRule,
        (inside, distance): (Option<bool>, Option<V::Coordinate>),
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
                        signed: match inside && distance > V::Coordinate::ZERO {
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
fn check_estimate<V: PointKind, Q: PointEngine<V>>(
    engines: [&Q; 2],
    point: V,
    truth: &SignTruth<V::Coordinate>,
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
    // Off edges, where even single triangles are uncertain, the bound is below 1.
    check.holds(
        found.error < 1.0 || truth.estimate.error > 1e-9,
        found.error,
    );
    if let Some(number) = truth.number {
        near(found, number as f64, 0.0);
    }
    found
}
