//! Rays aimed exactly at shared corners and edges of closed meshes: whether they get through, and
//! whether the surface is counted once there.

mod aimed;
mod solids;

use crate::args::is_wanted;
use crate::engine::{Builder, Engine, Queries};
use crate::ray::{Hit, Ray};
use crate::row::{Measured, Row};
use crate::scenes::Scene;
use aimed::{Aimed, PLACES, Place};
use estoc::Mesh;
use estoc::glam::Vec3;
use solids::Solid;
use std::error::Error;
use std::sync::Arc;

/// The default engines: single calls of each library in its usual form, and in its most robust one.
pub(crate) const ENGINES: [&str; 8] = [
    "estoc$",
    "estoc-float$",
    "embree-medium$",
    "embree-robust$",
    "obvhs-bvh2-medium$",
    "obvhs-cwbvh-medium$",
    "bvh-nearest$",
    "parry$",
];

/// The results of the rays at one place of the surface.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Spot {
    pub(crate) rays: usize,
    /// Rays that got through.
    pub(crate) leaks: usize,
    /// Other rays, on which surfaces were miscounted.
    pub(crate) miscounts: usize,
}

/// The picture's mesh, and the results of each engine at its places.
pub(crate) struct Globe {
    pub(crate) places: Vec<[f64; 3]>,
    pub(crate) edges: Vec<[u32; 2]>,
    pub(crate) engines: Vec<(String, Vec<Spot>)>,
}

/// Measures all selected engines of these builders; returns the rows, and the data of the picture.
pub(crate) fn measure(
    builders: &[Builder],
    patterns: &[String],
) -> Result<(Vec<Row>, Globe), Box<dyn Error>> {
    let mut rows = Vec::new();
    let solids = solids::all();
    let drawn = &solids[0];
    let unit = |x: i64| x as f64 / solids::RADIUS as f64;
    let mut globe = Globe {
        places: drawn.targets().iter().map(|p| p.map(unit)).collect(),
        edges: drawn.edges(),
        engines: Vec::new(),
    };
    for solid in &solids {
        for place in PLACES {
            let scene = Arc::new(scene(solid, place)?);
            let aimed = aimed::rays(solid, place);
            eprintln!("{} {}: {} rays", solid.name, place.0, aimed.len());
            for builder in builders {
                let mut engines = (builder.build)(&scene, 1)?.engines;
                engines.retain(|engine| is_wanted(&engine.name, patterns));
                for engine in &engines {
                    let faults = faults(&*engine.queries, &aimed);
                    rows.push(faults.row(engine, solid, place));
                    if std::ptr::eq(solid, drawn) {
                        globe.add(engine, &faults, &aimed);
                    }
                }
            }
        }
    }
    Ok((rows, globe))
}

fn scene(solid: &Solid, place: Place) -> Result<Scene, Box<dyn Error>> {
    let corners = solid
        .corners
        .iter()
        .map(|&p| Vec3::from(aimed::at(place, p)));
    let mesh = Mesh::try_new(corners, solid.faces.iter().copied())?;
    Ok(Scene::of_mesh(solid.name, &mesh)?)
}

/// The faults in an engine's answers.
struct Faults {
    /// Rays that get through the surface: those that hit nothing, or nothing before the point
    /// inside that lies behind it.
    leaks: Vec<bool>,
    /// The number of surfaces counted on each ray, with the right number, if the library lists
    /// hits.
    counts: Option<Vec<[usize; 2]>>,
}

fn faults(engine: &dyn Queries, aimed: &[Aimed]) -> Faults {
    let rays: Vec<Ray> = aimed.iter().map(|aimed| aimed.ray).collect();
    let mut hits = vec![Hit::MISS; rays.len()];
    engine.closest_hits(&rays, &mut hits);
    let is_leak = |(aimed, hit): (&Aimed, &Hit)| {
        let behind = aimed.t + 0.5;
        !hit.is_hit() || hit.t > behind
    };
    let counts = engine.count_surfaces(&rays);
    let beside = |(count, aimed): (usize, &Aimed)| [count, aimed.surfaces];
    Faults {
        leaks: aimed.iter().zip(&hits).map(is_leak).collect(),
        counts: counts.map(|counts| counts.into_iter().zip(aimed).map(beside).collect()),
    }
}

impl Faults {
    fn row(&self, engine: &Engine, solid: &Solid, place: Place) -> Row {
        let count = |is_wrong: fn(&[usize; 2]) -> bool| {
            let counts = self.counts.as_ref()?;
            Some(counts.iter().filter(|counts| is_wrong(counts)).count())
        };
        Row {
            rays: place.0.to_owned(),
            mode: engine.mode.to_owned(),
            count: Some(self.leaks.len()),
            lost: Some(self.leaks.iter().filter(|&&is_leak| is_leak).count()),
            double: count(|[count, right]| count > right),
            parity: count(|[count, right]| count % 2 != right % 2),
            ..Row::of(Measured::Leaks, solid.name, &engine.name, 1)
        }
    }

    /// Returns whether surfaces were miscounted on a ray.
    fn is_miscount(&self, ray: usize) -> bool {
        let counts = self.counts.as_ref();
        counts.is_some_and(|counts| counts[ray][0] != counts[ray][1])
    }
}

impl Globe {
    /// Adds the faults of single calls.
    fn add(&mut self, engine: &Engine, faults: &Faults, aimed: &[Aimed]) {
        if engine.mode != "single" {
            return;
        }
        let known = self
            .engines
            .iter()
            .position(|(name, _)| *name == engine.name);
        let index = known.unwrap_or_else(|| {
            let none = vec![Spot::default(); self.places.len()];
            self.engines.push((engine.name.clone(), none));
            self.engines.len() - 1
        });
        let spots = &mut self.engines[index].1;
        for (ray, aimed) in aimed.iter().enumerate() {
            let spot = &mut spots[aimed.target];
            spot.rays += 1;
            spot.leaks += usize::from(faults.leaks[ray]);
            spot.miscounts += usize::from(!faults.leaks[ray] && faults.is_miscount(ray));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Queries that return a hit at this parameter, or a miss, and this count.
    struct Told(Hit, usize);

    impl Queries for Told {
        fn closest_hits(&self, _rays: &[Ray], hits: &mut [Hit]) {
            hits.fill(self.0);
        }

        fn any_hits(&self, _rays: &[Ray], hits: &mut [bool]) {
            hits.fill(self.0.is_hit());
        }

        fn count_surfaces(&self, rays: &[Ray]) -> Option<Vec<usize>> {
            Some(vec![self.1; rays.len()])
        }
    }

    #[test]
    fn leaks_and_wrong_counts_are_told_apart() {
        let solid = &solids::all()[2];
        let mut aimed = aimed::rays(solid, PLACES[0]);
        aimed.retain(|aimed| aimed.surfaces == 1);
        let row = |t: f32, count| {
            let prim = if t < 9.0 { 0 } else { u32::MAX };
            let engine = Engine::single("told", Told(Hit { t, prim }, count));
            let row = faults(&*engine.queries, &aimed).row(&engine, solid, PLACES[0]);
            let [lost, double, parity] =
                [row.lost, row.double, row.parity].map(|rays| rays.expect("counted") / aimed.len());
            (lost, double, parity)
        };
        assert_eq!(row(1.0, 1), (0, 0, 0));
        assert_eq!(row(9.0, 0), (1, 0, 1));
        assert_eq!(row(1.9, 1), (1, 0, 0));
        assert_eq!(row(1.0, 2), (0, 1, 1));
        assert_eq!(row(1.0, 3), (0, 1, 0));
    }

    #[test]
    fn estoc_has_no_faults() -> Result<(), Box<dyn Error>> {
        let mut builders = crate::peers::builders();
        builders.retain(|builder| builder.name == "estoc" && builder.preset == "balanced");
        let (rows, _) = measure(&builders, &["estoc$".to_owned()])?;
        assert_eq!(rows.len(), 3 * 2 * 2);
        for row in rows {
            let faults = (row.lost, row.double, row.parity);
            assert_eq!(faults, (Some(0), Some(0), Some(0)), "{row:?}");
        }
        Ok(())
    }
}
