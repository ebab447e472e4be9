//! Compares the answers of two engines.

use crate::cast::CastQuery;
use crate::failure::Failure;
use crate::number::Number;
use estoc::{Batch, Hit, Ray, engine::MeshEngine};

/// One ray that two engines answer differently.
#[derive(Debug)]
pub(super) struct EngineDifference {
    pub(super) sample: usize,
    pub(super) ray: Ray,
    pub(super) query: CastQuery,
    pub(super) tree: String,
    pub(super) brute: String,
}

/// Runs all queries for every ray on both engines and returns the first difference. The closest
/// hit, any hit and number of hits of brute force are derived from all its hits, whose order
/// defines these queries.
pub(super) fn first_difference(
    tree: &(impl MeshEngine + Sync),
    brute: &(impl MeshEngine + Sync),
    rays: &[Ray],
    batch: &Batch<'_>,
) -> Result<Option<EngineDifference>, Failure> {
    let truth = batch.all_hits(brute, rays)?;
    let true_crossings = batch.count_crossings(brute, rays)?;
    let closest = batch.closest_hits(tree, rays)?;
    let any = batch.any_hits(tree, rays)?;
    let all = batch.all_hits(tree, rays)?;
    let counts = batch.count_hits(tree, rays)?;
    let crossings = batch.count_crossings(tree, rays)?;
    for (sample, &ray) in rays.iter().enumerate() {
        let row = |rows: &estoc::batch::Rows<Hit>| -> Vec<Hit> {
            rows.values[rows.offsets[sample]..rows.offsets[sample + 1]].to_vec()
        };
        let hits = row(&truth);
        let pairs = [
            (
                CastQuery::Closest,
                hit_text(closest[sample].as_ref()),
                hit_text(hits.first()),
            ),
            (
                CastQuery::Any,
                any[sample].to_string(),
                (!hits.is_empty()).to_string(),
            ),
            (CastQuery::All, hits_text(&row(&all)), hits_text(&hits)),
            (
                CastQuery::Count,
                counts[sample].to_string(),
                hits.len().to_string(),
            ),
            (
                CastQuery::Crossings,
                crossings[sample].to_string(),
                true_crossings[sample].to_string(),
            ),
        ];
        for (query, tree, brute) in pairs {
            if tree != brute {
                return Ok(Some(EngineDifference {
                    sample,
                    ray,
                    query,
                    tree,
                    brute,
                }));
            }
        }
    }
    Ok(None)
}

/// Formats all bits of a hit, since these texts are compared.
pub(crate) fn hit_text(hit: Option<&Hit>) -> String {
    hit.map_or("no hit".into(), |hit| {
        let [t, u, v] = [hit.t, hit.u, hit.v].map(Number);
        format!("prim {}, t {t}, u {u}, v {v}", hit.prim)
    })
}

fn hits_text(hits: &[Hit]) -> String {
    let hits: Vec<String> = hits.iter().map(|hit| hit_text(Some(hit))).collect();
    format!("[{}]", hits.join("; "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use estoc::demo::{DemoSpec, RaySampler};
    use estoc::{BruteForce, RayQuery, Triangle};

    #[test]
    fn a_lost_triangle_is_found() {
        let spec: DemoSpec = "soup?n=300&seed=3".parse().unwrap();
        let mesh = spec.mesh();
        let all: Vec<Triangle> = mesh.triangles().collect();
        let mut lossy = all.clone();
        lossy[120].p1 = lossy[120].p0;
        let (whole, lossy) = (BruteForce::new(all), BruteForce::new(lossy));
        let rays = RaySampler::new(&mesh, 5).take(2000);
        let batch = Batch::new();
        assert!(
            first_difference(&whole, &whole, &rays, &batch)
                .unwrap()
                .is_none()
        );
        let difference = first_difference(&lossy, &whole, &rays, &batch)
            .unwrap()
            .unwrap();
        assert!(difference.brute.contains("prim 120"), "{difference:?}");
        assert!(!difference.tree.contains("prim 120"), "{difference:?}");
        assert_ne!(
            lossy.all_hits(&difference.ray),
            whole.all_hits(&difference.ray)
        );
    }
}
