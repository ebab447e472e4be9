//! Rays aimed exactly at shared corners and edges of closed meshes: whether they get through, and
//! whether the surface is counted once there.

mod aimed;
mod solids;

use crate::args::is_wanted;
use crate::engine::{Builder, Engine, Mode};
use crate::ray::{Hit, Ray};
use crate::row::{Row, TightRow};
use crate::scenes::Scene;
use aimed::{Aimed, Place};
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
    builders: &[Box<dyn Builder>],
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
        for place in Place::ALL {
            let scene = Arc::new(scene(solid, place)?);
            let aimed = aimed::rays(solid, place);
            eprintln!("{} {}: {} rays", solid.name, place.name(), aimed.len());
            for builder in builders {
                let built = builder
                    .build(&scene, 1)
                    .map_err(|error| error.to_string())?;
                for engine in built.engines {
                    if !is_wanted(engine.name(), patterns) {
                        continue;
                    }
                    let faults = faults(&*engine, &aimed);
                    rows.push(Row::Tight(faults.row(&*engine, solid, place)));
                    if std::ptr::eq(solid, drawn) {
                        globe.add(&*engine, &faults, &aimed);
                    }
                }
            }
        }
    }
    Ok((rows, globe))
}

fn scene(solid: &Solid, place: Place) -> Result<Scene, Box<dyn Error>> {
    let corners = solid.corners.iter().map(|&p| Vec3::from(place.at(p)));
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

fn faults(engine: &dyn Engine, aimed: &[Aimed]) -> Faults {
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
    fn row(&self, engine: &dyn Engine, solid: &Solid, place: Place) -> TightRow {
        let count = |is_wrong: fn(&[usize; 2]) -> bool| {
            let counts = self.counts.as_ref()?;
            Some(counts.iter().filter(|counts| is_wrong(counts)).count())
        };
        TightRow {
            mesh: solid.name.to_owned(),
            place: place.name().to_owned(),
            mode: engine.mode().name().to_owned(),
            engine: engine.name().to_owned(),
            rays: self.leaks.len(),
            leaks: self.leaks.iter().filter(|&&is_leak| is_leak).count(),
            double: count(|[count, right]| count > right),
            parity: count(|[count, right]| count % 2 != right % 2),
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
    fn add(&mut self, engine: &dyn Engine, faults: &Faults, aimed: &[Aimed]) {
        if engine.mode() != Mode::Single {
            return;
        }
        let name = engine.name();
        let known = self.engines.iter().position(|(engine, _)| engine == name);
        let index = known.unwrap_or_else(|| {
            let none = vec![Spot::default(); self.places.len()];
            self.engines.push((name.to_owned(), none));
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

    /// An engine that returns a hit at this parameter, or a miss, and this count.
    struct Told(Hit, usize);

    impl Engine for Told {
        fn name(&self) -> &str {
            "told"
        }

        fn mode(&self) -> Mode {
            Mode::Single
        }

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
        let mut aimed = aimed::rays(solid, Place::Near);
        aimed.retain(|aimed| aimed.surfaces == 1);
        let row = |t: f32, count| {
            let prim = if t < 9.0 { 0 } else { u32::MAX };
            let engine = Told(Hit { t, prim }, count);
            let row = faults(&engine, &aimed).row(&engine, solid, Place::Near);
            let all = aimed.len();
            (
                row.leaks / all,
                row.double.unwrap() / all,
                row.parity.unwrap() / all,
            )
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
        builders.retain(|builder| builder.name() == "estoc" && builder.preset() == "balanced");
        let (rows, _) = measure(&builders, &["estoc$".to_owned()])?;
        assert_eq!(rows.len(), 3 * 2 * 2);
        for row in rows {
            let Row::Tight(row) = row else {
                panic!("{row}");
            };
            assert_eq!(
                (row.leaks, row.double, row.parity),
                (0, Some(0), Some(0)),
                "{row:?}"
            );
        }
        Ok(())
    }
}
