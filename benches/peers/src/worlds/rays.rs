//! The rays of a world.

use super::World;
use crate::peers::EstocWorld;
use crate::ray::Ray;
use crate::rays::{from_around, primary, ray};
use estoc::glam::Vec3;
use estoc_demo::SingleRandom;
use estoc_demo::ray_kinds::{LIFT, LIGHT_SIZE, Places, WAY_TO_LIGHT};

/// A kind of rays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// First hits of a camera at the height of a person.
    Street,
    /// First hits of a camera above a corner.
    Above,
    /// First hits of rays from where those hit.
    Diffuse,
    /// First hits of rays from around the world through its box.
    Random,
    /// Any hit between the places of both cameras and a light.
    Shadow,
    /// Any hit of the random rays.
    RandomAny,
}

impl Kind {
    pub(crate) const ALL: [Kind; 6] = [
        Kind::Street,
        Kind::Above,
        Kind::Diffuse,
        Kind::Random,
        Kind::Shadow,
        Kind::RandomAny,
    ];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Kind::Street => "street",
            Kind::Above => "above",
            Kind::Diffuse => "diffuse",
            Kind::Random => "random",
            Kind::Shadow => "shadow",
            Kind::RandomAny => "random-any",
        }
    }

    pub(crate) const fn is_any(self) -> bool {
        matches!(self, Kind::Shadow | Kind::RandomAny)
    }
}

/// Makes the rays of a world.
pub(crate) struct Maker<'a> {
    world: &'a World,
    bounds: [Vec3; 2],
    side: usize,
    /// Where the rays of both cameras hit, slightly above the surface.
    places: Places<Vec3>,
}

impl<'a> Maker<'a> {
    /// Prepares pictures of `side * side` rays.
    pub(crate) fn new(world: &'a World, exact: &EstocWorld, side: usize) -> Self {
        let bounds = exact.bounds();
        let lift = diagonal(bounds).min(LARGEST) * LIFT as f32;
        let mut places = Vec::new();
        for view in world.views() {
            let rays = primary(view, side);
            let found = exact.places(&rays);
            places.extend(rays.iter().zip(found).filter_map(|(ray, found)| {
                let (at, normal) = found?;
                let faces_away = normal.dot(Vec3::from(ray.dir)) > 0.0;
                let normal = if faces_away { -normal } else { normal };
                Some((at + normal * lift, normal))
            }));
        }
        Maker {
            world,
            bounds,
            side,
            places: places.into_iter().collect(),
        }
    }

    /// Returns the rays of a kind; they do not depend on the other kinds.
    pub(crate) fn rays(&self, kind: Kind) -> Vec<Ray> {
        let count = self.side * self.side;
        let [street, above] = self.world.views();
        let mut random = SingleRandom::new(2000 + kind as u64);
        match kind {
            Kind::Street => primary(street, self.side),
            Kind::Above => primary(above, self.side),
            Kind::Diffuse => self.places.each(count, |at, normal| {
                ray(at, random.above(normal), f32::INFINITY)
            }),
            Kind::Random | Kind::RandomAny => from_around(self.bounds, count),
            Kind::Shadow => {
                let spread = diagonal(self.bounds) * LIGHT_SIZE as f32;
                self.places.each(count, |at, _| {
                    let way = street.light + random.cube() * spread - at;
                    let length = way.length();
                    ray(at, way / length, length * WAY_TO_LIGHT as f32)
                })
            }
        }
    }
}

/// The largest diagonal for which the height of places above the surface grows: a house is lower.
const LARGEST: f32 = 500.0;

fn diagonal([min, max]: [Vec3; 2]) -> f32 {
    (max - min).length()
}
