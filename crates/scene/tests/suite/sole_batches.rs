//! Batches at scenes of one mesh that is placed where it is.

use crate::common::{bits, bvh_of, here, world_of};
use estoc_batch::{Batch, Rows};
use estoc_bvh::Bvh;
use estoc_core::glam::{DVec3, Vec3};
use estoc_core::{
    All, Closest, Contains, Crossings, Cull, FirstK, Hit, Masks, PrimId, QueryOptions, Ray,
    RayQuery, SceneHit, ScenePath, ScenePrim, ShapeEnd, Technique,
};
use estoc_scene::SceneSnapshot;
use estoc_testkit::generate::{self, Rng};
use std::sync::Arc;

struct Case {
    mesh: Arc<Bvh>,
    scene: Arc<SceneSnapshot>,
    path: ScenePath,
    rays: Vec<Ray>,
}

/// Returns a mesh, the scene, and rays: hostile ones, undefined ones, and a picture.
fn case(name: &str) -> Case {
    let soup = generate::scene(name, 5).expect("a name");
    let mesh = Arc::new(bvh_of(&soup.triangles));
    let scene = world_of([here(mesh.clone())]);
    let mut rays = generate::rays(&soup, &mut Rng::new(9), 300);
    rays[17].dir = [f32::NAN; 3].into();
    let bounds = mesh.bounds();
    let middle = 0.5 * (bounds.min() + bounds.max());
    let size = bounds.max() - bounds.min();
    let eye = middle + size * 2.0;
    rays.extend((0..24 * 24).map(|pixel| {
        let [x, y] = [pixel % 24, pixel / 24].map(|at| at as f32 / 24.0 - 0.5);
        let to = middle + size * Vec3::new(1.5 * x, 1.5 * y, 0.2 * y);
        Ray::new(eye, to - eye)
    }));
    let path = ScenePath::ROOT.then(0).unwrap();
    Case {
        mesh,
        scene,
        path,
        rays,
    }
}

impl Case {
    fn id(&self, prim: PrimId) -> ScenePrim {
        ScenePrim::triangle(self.path, prim)
    }

    fn renamed(&self, hit: &Hit) -> (ScenePrim, [u32; 3]) {
        (self.id(hit.prim), [hit.t, hit.u, hit.v].map(f32::to_bits))
    }

    fn assert_same_rows(&self, found: &Rows<SceneHit>, expected: &Rows<Hit>) {
        assert_eq!(found.len(), expected.len());
        for (found, expected) in found.rows().zip(expected.rows()) {
            assert!((found.iter().map(bits)).eq(expected.iter().map(|hit| self.renamed(hit))));
        }
    }
}

#[test]
fn they_are_those_at_the_mesh() {
    for name in ["grid soup", "integer sphere"] {
        let case = case(name);
        let techniques = Technique::ALL.map(Some).into_iter().chain([None]);
        for (technique, threads) in techniques.flat_map(|t| [(t, 1), (t, 2)]) {
            let ours = Batch::new().technique(technique).threads(threads);
            let theirs = Batch::new().technique(technique).threads(threads);
            let (mut hits, mut expected) = (vec![None; case.rays.len()], vec![None; 876]);
            let report = ours.ask_into(&*case.scene, Closest, &case.rays, &mut hits[..]);
            let of_mesh = theirs.ask_into(&*case.mesh, Closest, &case.rays, &mut expected[..]);
            // The plan and the technique that each ray was traced by, too.
            assert_eq!(report.unwrap(), of_mesh.unwrap());
            let hits: Vec<_> = hits.iter().map(|hit| hit.as_ref().map(bits)).collect();
            let renamed = expected.iter().map(|hit| Some(case.renamed(hit.as_ref()?)));
            assert_eq!(hits, renamed.collect::<Vec<_>>());
            assert!(hits.iter().flatten().count() > 100);
            let any = ours.any_hits(&*case.scene, &case.rays).unwrap();
            assert_eq!(any, theirs.any_hits(&*case.mesh, &case.rays).unwrap());
        }
        let (ours, theirs) = (Batch::new().threads(2), Batch::new().threads(2));
        let (scene, mesh, rays) = (&*case.scene, &*case.mesh, &case.rays[..]);
        let counts = ours.count_hits(scene, rays).unwrap();
        assert_eq!(counts, theirs.count_hits(mesh, rays).unwrap());
        let counts = ours.count_crossings(scene, rays).unwrap();
        assert_eq!(counts, theirs.count_crossings(mesh, rays).unwrap());
        let rows = |found: &Rows<_>, expected: &Rows<_>| case.assert_same_rows(found, expected);
        let all = theirs.all_hits(mesh, rays).unwrap();
        rows(&ours.all_hits(scene, rays).unwrap(), &all);
        let two = theirs.ask(mesh, FirstK(2), rays).unwrap();
        rows(&ours.ask(scene, FirstK(2), rays).unwrap(), &two);
        let crossings = theirs.ask(mesh, Crossings, rays).unwrap();
        rows(&ours.ask(scene, Crossings, rays).unwrap(), &crossings);
        let points: Vec<_> = rays.iter().map(|ray| ray.origin).collect();
        let inside = ours.contains(scene, &points[..]).unwrap();
        assert_eq!(inside, theirs.contains(mesh, &points[..]).unwrap());
        let single: Vec<_> = points.iter().map(|&point| scene.contains(point)).collect();
        assert_eq!(inside, single);
    }
}

#[test]
fn options_flags_and_filters_apply() {
    let case = case("grid soup");
    let (scene, mesh, rays) = (&*case.scene, &*case.mesh, &case.rays[..]);
    let mut rng = Rng::new(3);
    let all = Batch::new().all_hits(mesh, rays).unwrap();
    let mut theirs = Vec::new();
    let mut ours: Vec<QueryOptions<ScenePrim>> = Vec::new();
    for row in all.rows() {
        let mut pick = || (!row.is_empty()).then(|| row[rng.below(row.len())].prim);
        let (after, skip) = (pick(), pick());
        let cull = rng.pick(&[Cull::None, Cull::None, Cull::Back, Cull::Front]);
        let mask = rng.pick(&[u32::MAX, u32::MAX, 2, 0]);
        let options = QueryOptions::new().cull(cull).mask(mask);
        theirs.push(options.after(after.filter(|_| mask == 2)).skip(skip));
        let mut renamed = QueryOptions::default().cull(cull).mask(mask);
        renamed.after = theirs.last().unwrap().after.map(|prim| case.id(prim));
        renamed.skip = skip.map(|prim| case.id(prim));
        ours.push(renamed);
    }
    let active: Vec<bool> = (0..rays.len()).map(|i| i % 5 != 0).collect();
    let ours = Batch::new().options_each(&ours).active(&active);
    let ours = ours.threads(2).chunk_size(50);
    let theirs = Batch::new().options_each(&theirs).active(&active);
    let found = ours.all_hits(scene, rays).unwrap();
    case.assert_same_rows(&found, &theirs.all_hits(mesh, rays).unwrap());
    assert!(found.rows().flatten().count() > 100);
    let any = ours.any_hits(scene, rays).unwrap();
    assert_eq!(any, theirs.any_hits(mesh, rays).unwrap());
    let is_odd = |_: &Ray, hit: &SceneHit| hit.path == case.path && hit.prim.get() % 2 == 1;
    let is_odd_prim = |_: &Ray, hit: &Hit| hit.prim.get() % 2 == 1;
    let found = ours.ask_where(scene, All, rays, &is_odd);
    let expected = theirs.ask_where(mesh, All, rays, &is_odd_prim);
    case.assert_same_rows(&found.unwrap(), &expected.unwrap());

    // What is on another path, or no triangle, skips nothing; nothing comes after it.
    let hits = all.rows().flatten().count();
    let mut stranger = case.id(all.rows().flatten().next().unwrap().prim);
    for (path, end) in [(ScenePath::ROOT, None), (case.path, Some(ShapeEnd::Entry))] {
        (stranger.path, stranger.end) = (path, end);
        let batch = Batch::new().skip(Some(stranger));
        let found = batch.all_hits(scene, rays).unwrap();
        assert_eq!(found.rows().flatten().count(), hits);
        let options = QueryOptions::default().after(Some(stranger));
        let error = Batch::new().options(options).closest_hits(scene, rays);
        let single = scene.ask_with(Closest, &rays[0], &options).unwrap_err();
        assert!(error.unwrap_err().to_string().contains(&single.to_string()));
    }
    // The error names the same ray as the mesh's.
    let missed = PrimId::new(0).unwrap();
    let options = QueryOptions::default().after(Some(case.id(missed)));
    let found = Batch::new().options(options).any_hits(scene, rays);
    let found = found.unwrap_err().to_string();
    let options = QueryOptions::new().after(Some(missed));
    let expected = Batch::new().options(options).any_hits(mesh, rays);
    assert_eq!(found, expected.unwrap_err().to_string());
}

#[test]
fn masks_of_the_mesh_hide_the_same_triangles() {
    let case = case("grid soup");
    let third = case.mesh.triangle_count() / 3;
    let masks = Masks::from_runs([(third, 1), (third, 2)]);
    let mesh = Arc::new(Bvh::clone(&case.mesh).with_masks(masks));
    let scene = SceneSnapshot::of_mesh(mesh.clone()).unwrap();
    assert!(scene.sole().is_some());
    let mut counts = Vec::new();
    for mask in [0, 1, 2, u32::MAX] {
        let (ours, theirs) = (Batch::new().mask(mask), Batch::new().mask(mask));
        let found = ours.all_hits(&*scene, &case.rays).unwrap();
        let expected = theirs.all_hits(&*mesh, &case.rays).unwrap();
        case.assert_same_rows(&found, &expected);
        counts.push(expected.values.len());
        let closest = ours.closest_hits(&*scene, &case.rays).unwrap();
        let of_mesh = theirs.closest_hits(&*mesh, &case.rays).unwrap();
        let options = QueryOptions::default().mask(mask);
        for ((ray, hit), of_mesh) in case.rays.iter().zip(closest).zip(of_mesh) {
            assert_eq!(scene.ask_with(Closest, ray, &options), Ok(hit));
            assert_eq!(
                hit.as_ref().map(bits),
                of_mesh.map(|hit| case.renamed(&hit))
            );
        }
    }
    assert!(
        counts[0] == 0 && counts[1] > 20 && counts[1] < counts[3],
        "{counts:?}"
    );
}

#[test]
fn points_are_inside_what_masks_hide() {
    let case = case("integer sphere");
    let hidden = Masks::from_runs([(case.mesh.triangle_count(), 0)]);
    let mesh = Arc::new(Bvh::clone(&case.mesh).with_masks(hidden));
    let scene = SceneSnapshot::of_mesh(mesh).unwrap();
    let points: Vec<Vec3> = case.rays.iter().map(|ray| ray.at(0.5)).collect();
    let wide: Vec<DVec3> = points.iter().map(|point| point.as_dvec3()).collect();
    let expected: Vec<_> = points.iter().map(|&p| case.mesh.contains(p)).collect();
    assert!(expected.contains(&Some(true)) && expected.contains(&Some(false)));
    let batch = Batch::new();
    assert_eq!(batch.ask(&*scene, Contains, &points[..]).unwrap(), expected);
    assert_eq!(batch.ask(&*scene, Contains, &wide[..]).unwrap(), expected);
    for ((&point, &wide), expected) in points.iter().zip(&wide).zip(expected) {
        assert_eq!(scene.contains(point), expected);
        assert_eq!(scene.contains_64(wide), expected);
    }
}

#[test]
fn a_reversed_mesh_has_other_sides() {
    let case = case("integer sphere");
    let reversed = world_of([here(case.mesh.clone()).reversed(true)]);
    let hits = |scene: &SceneSnapshot, cull| {
        let batch = Batch::new().options(QueryOptions::default().cull(cull));
        let rows = batch.all_hits(scene, &case.rays).unwrap();
        rows.rows().flatten().map(bits).collect::<Vec<_>>()
    };
    let [front, back] = [Cull::Back, Cull::Front].map(|cull| hits(&case.scene, cull));
    assert!(front.len() > 100 && back.len() > 100 && front != back);
    assert_eq!(hits(&reversed, Cull::Back), back);
    assert_eq!(hits(&reversed, Cull::Front), front);
}
