//! The certificate that two parts are the nearest of two triangles, by a few signs.

use super::parts_apart::{Two, interval};
use crate::arithmetic::{Bounded, InlineMap, Interval, Number, Vector, cross_product, dot};
use crate::exact::proximity::Feature;

impl Two<Bounded> {
    /// Returns the squared distance of two parts if it is certainly the least, and no other parts are
    /// as near: the points lie inside both parts, and all other corners are farther along the line through
    /// both points.
    #[inline(always)]
    pub(super) fn certain_square(&self, parts: [Feature; 2]) -> Option<Interval> {
        let square = self.square(parts);
        if square.is_inside != Some(true) {
            return None;
        }
        let [a, b] = parts;
        let from = parts.inline_map(|part| match part {
            Feature::Vertex(i) | Feature::Edge(i) => i.into(),
            Feature::Face => 0,
        });
        // A multiple of the vector between the points.
        let along = match parts {
            [Feature::Vertex(_), Feature::Vertex(_)] => self.between[from[0]][from[1]],
            [Feature::Vertex(_), Feature::Edge(_)] => self.arm(0, from[0], from[1]),
            [Feature::Edge(_), Feature::Vertex(_)] => {
                self.arm(1, from[1], from[0]).inline_map(Bounded::negated)
            }
            [Feature::Edge(_), Feature::Edge(_)] => {
                cross_product(&self.edges[0][from[0]], &self.edges[1][from[1]])
            }
            [Feature::Vertex(_), Feature::Face] => self.normals[1],
            [Feature::Face, Feature::Vertex(_)] => self.normals[0],
            _ => return None,
        };
        // Towards the first triangle.
        let side = dot(&along, &self.between[from[0]][from[1]]).sign()?;
        let is_beyond = |side_of: usize, corner: usize| {
            // From the part's corner to another one of the same triangle.
            let step = self.step(side_of, from[side_of], corner);
            let sign = dot(&along, &step).sign();
            sign == Some(if side_of == 0 { side } else { -side })
        };
        let belongs = |part: Feature, corner: usize| match part {
            Feature::Vertex(i) => corner == usize::from(i),
            Feature::Edge(i) => corner != (usize::from(i) + 2) % 3,
            Feature::Face => true,
        };
        let is_least = side != 0
            && (0..3).all(|corner| belongs(a, corner) || is_beyond(0, corner))
            && (0..3).all(|corner| belongs(b, corner) || is_beyond(1, corner));
        is_least.then(|| interval(&square))
    }

    /// Returns the vector from one corner of a triangle to another one.
    #[inline(always)]
    fn step(&self, side: usize, from: usize, to: usize) -> Vector<Bounded> {
        let edges = &self.edges[side];
        match (to + 3 - from) % 3 {
            1 => edges[from],
            _ => edges[to].inline_map(Bounded::negated),
        }
    }

    /// Returns the vector from the foot of a corner on an edge of the other triangle to the corner, times
    /// the square of the edge.
    #[inline(always)]
    fn arm(&self, side: usize, corner: usize, edge: usize) -> Vector<Bounded> {
        let (along, whole) = self.foot(side, corner, edge);
        let from_edge = self.vector_to(1 - side, edge, corner);
        let f = &self.edges[1 - side][edge];
        [0, 1, 2]
            .inline_map(|axis: usize| whole.times(&from_edge[axis]).minus(&along.times(&f[axis])))
    }
}
