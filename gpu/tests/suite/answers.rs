//! Every answer of a device equals that of the processor, to the bit.

use crate::{devices, tree_of};
use estoc::query::{All, Any, Closest, Count, CountCrossings, Crossings, Distinct, FirstK, Masks};
use estoc::{Batch, Bvh, Cull, PrimId, QueryOptions, Ray};
use estoc_batch::{BatchQuestion, HitRows};
use estoc_gpu::{GpuBatch, GpuBvh, GpuEngine};
use estoc_testkit::generate::{self, Rng};
use std::fmt::Debug;
use std::ops::ControlFlow;

/// Asks the processor and each device, which has a batch here, and returns how many of how many rays the devices left to
/// the processor.
fn compare<'a, Q>(
    batches: &[GpuBatch<'a>],
    bvh: &Bvh,
    question: Q,
    rays: &[Ray],
    what: &dyn Debug,
) -> (u64, u64)
where
    Q: Copy
        + Debug
        + BatchQuestion<GpuEngine<'a>, Answers: Compared>
        + BatchQuestion<Bvh, Answers = <Q as BatchQuestion<GpuEngine<'a>>>::Answers>,
{
    let mut expected: Option<<Q as BatchQuestion<Bvh>>::Answers> = None;
    let (mut doubts, mut total) = (0, 0);
    for batch in batches {
        let mut plain = Batch::new();
        let (found, report) = batch
            .run(|settings, engine| {
                plain = *settings;
                settings.ask(engine, question, rays)
            })
            .unwrap();
        let ask = || plain.chunk_size(4096).ask(bvh, question, rays).unwrap();
        if let Some((ray, told)) = found.first_difference(expected.get_or_insert_with(ask)) {
            panic!(
                "{what:?}, {question:?}: ray {ray} {:?}: {told}, {batch:?}",
                rays[ray]
            );
        }
        assert_eq!(report.fault, None);
        (doubts, total) = (doubts + report.doubts, total + report.rays);
    }
    (doubts, total)
}

/// Returns the tree on each device.
fn on_devices(bvh: &Bvh) -> Vec<GpuBvh<'_>> {
    let on = |device| GpuBvh::new(bvh, device).unwrap();
    devices().iter().map(on).collect()
}

/// Answers in a container.
trait Compared {
    /// Returns the first place where two differ, and what they hold.
    fn first_difference(&self, other: &Self) -> Option<(usize, String)>;
}

impl<T: PartialEq + Debug> Compared for Vec<T> {
    fn first_difference(&self, other: &Self) -> Option<(usize, String)> {
        assert_eq!(self.len(), other.len());
        // As text, where 0 and -0 differ.
        let differ =
            |place: &usize| format!("{:?}", self[*place]) != format!("{:?}", other[*place]);
        let place = (0..self.len()).find(differ)?;
        Some((
            place,
            format!("{:?} instead of {:?}", self[place], other[place]),
        ))
    }
}

impl<T: PartialEq + Debug + Clone> Compared for HitRows<T> {
    fn first_difference(&self, other: &Self) -> Option<(usize, String)> {
        let of = |rows: &Self| Vec::from_iter(rows.rows().map(<[T]>::to_vec));
        of(self).first_difference(&of(other))
    }
}

#[test]
fn answers_at_small_scenes_equal_those_of_the_processor() {
    let (mut doubts, mut total) = (0, 0);
    for scene in generate::scenes(7) {
        let bvh = tree_of(&scene.triangles);
        let on = on_devices(&bvh);
        let batches = Vec::from_iter(on.iter().map(GpuBatch::new));
        let rays: Vec<Ray> = generate::cases(&scene, 20_000)
            .map(|case| case.ray)
            .collect();
        let (of, all) = compare(&batches, &bvh, Closest, &rays, &scene.name);
        (doubts, total) = (doubts + of, total + all);
        let (of, all) = compare(&batches, &bvh, Any, &rays, &scene.name);
        (doubts, total) = (doubts + of, total + all);
        let rays = &rays[..4000];
        compare(&batches, &bvh, Count, rays, &scene.name);
        compare(&batches, &bvh, CountCrossings, rays, &scene.name);
        compare(&batches, &bvh, All, rays, &scene.name);
        compare(&batches, &bvh, Crossings, rays, &scene.name);
        compare(&batches, &bvh, Distinct, rays, &scene.name);
        compare(&batches, &bvh, FirstK(2), rays, &scene.name);
    }
    // Hostile rays at hostile scenes.
    eprintln!("{doubts} doubts of {total} rays");
    assert!(total >= 1_500_000 * devices().len() as u64);
}

#[test]
fn options_apply_as_without_a_device() {
    for name in ["sphere", "soup of large triangles", "voxels", "layers"] {
        let scene = generate::scene(name, 3).unwrap();
        let masks = Masks::from_runs([
            (scene.triangles.len() / 2, 0b01),
            (scene.triangles.len(), 0b10),
        ]);
        let plain = tree_of(&scene.triangles);
        let masked = plain.clone().with_masks(masks);
        let mut rng = Rng::new(9);
        let rays: Vec<Ray> = generate::cases(&scene, 3000).map(|case| case.ray).collect();
        let each: Vec<QueryOptions> = (rays.iter())
            .map(|_| {
                let skip = PrimId::from_index(rng.below(scene.triangles.len()));
                match rng.below(4) {
                    0 => QueryOptions::new(),
                    1 => QueryOptions::new().cull(Cull::Front),
                    _ => QueryOptions::new().skip(skip),
                }
            })
            .collect();
        let skips: Vec<QueryOptions> = each
            .iter()
            .map(|options| QueryOptions::new().skip(options.skip))
            .collect();
        let active: Vec<bool> = rays.iter().map(|_| rng.one_in(2)).collect();
        for bvh in [&plain, &masked] {
            let on = on_devices(bvh);
            let with = |change: &dyn Fn(Batch<'_>) -> Batch<'_>| {
                Vec::from_iter(on.iter().map(|gpu| GpuBatch::new(gpu).set(change)))
            };
            let settings = [
                with(&|batch| batch.cull(Cull::Back)),
                with(&|batch| batch.cull(Cull::Front)),
                with(&|batch| batch.skip(PrimId::new(5))),
                with(&|batch| batch.mask(0b10)),
                with(&|batch| batch.options(QueryOptions::new().open_ends(true))),
                Vec::from_iter(
                    on.iter()
                        .map(|gpu| GpuBatch::new(gpu).set(|batch| batch.options_each(&each))),
                ),
                Vec::from_iter(
                    on.iter()
                        .map(|gpu| GpuBatch::new(gpu).set(|batch| batch.options_each(&skips))),
                ),
                Vec::from_iter(
                    on.iter()
                        .map(|gpu| GpuBatch::new(gpu).set(|batch| batch.active(&active))),
                ),
                with(&|batch| batch.reorder(true)),
            ];
            for (number, batches) in settings.iter().enumerate() {
                let what = (name, number);
                compare(batches, bvh, Closest, &rays, &what);
                compare(batches, bvh, Any, &rays, &what);
                compare(batches, bvh, Count, &rays, &what);
                compare(batches, bvh, FirstK(3), &rays, &what);
            }
        }
    }
}

#[test]
fn rays_go_on_after_hits() {
    let scene = generate::scene("sphere", 3).unwrap();
    let bvh = tree_of(&scene.triangles);
    let rays: Vec<Ray> = generate::cases(&scene, 3000).map(|case| case.ray).collect();
    let first = Batch::new().closest_hits(&bvh, &rays).unwrap();
    let (rays, after): (Vec<Ray>, Vec<QueryOptions>) = (rays.iter().zip(first))
        .filter_map(|(ray, hit)| Some((*ray, QueryOptions::new().after(Some(hit?.prim)))))
        .unzip();
    let on = on_devices(&bvh);
    let batches = Vec::from_iter(
        on.iter()
            .map(|gpu| GpuBatch::new(gpu).set(|batch| batch.options_each(&after))),
    );
    compare(&batches, &bvh, Closest, &rays, &"after");
    compare(&batches, &bvh, Count, &rays, &"after");
}

#[test]
fn filters_and_points_and_streams_are_served() {
    let scene = generate::scene("nested spheres", 3).unwrap();
    let bvh = tree_of(&scene.triangles);
    let rays: Vec<Ray> = generate::cases(&scene, 5000).map(|case| case.ray).collect();
    let points = generate::points(&scene, &mut Rng::new(1), 5000);
    for device in devices() {
        let gpu = GpuBvh::new(&bvh, device).unwrap();
        let batch = GpuBatch::new(&gpu);
        let odd = |_: &Ray, hit: &estoc::Hit| hit.prim.get() % 2 == 1;
        let (found, report) = batch
            .run(|batch, engine| batch.ask_where(engine, Closest, &rays, &odd))
            .unwrap();
        assert_eq!(
            found,
            Batch::new().ask_where(&bvh, Closest, &rays, &odd).unwrap()
        );
        assert_eq!((report.fault, report.rays > 4000), (None, true));
        let mut streamed = Vec::new();
        let stream = |batch: &Batch<'_>, engine: &GpuEngine<'_>| {
            batch
                .chunk_size(700)
                .stream(rays.iter().copied())
                .ask(engine, Closest, |_, hits| {
                    streamed.extend_from_slice(hits);
                    ControlFlow::<()>::Continue(())
                })
        };
        assert!(batch.run(stream).unwrap().0.is_continue());
        assert_eq!(streamed, Batch::new().closest_hits(&bvh, &rays).unwrap());
        assert_eq!(
            batch.contains(&points).unwrap(),
            Batch::new().contains(&bvh, &points).unwrap()
        );
        assert_eq!(
            batch.any_hits(&rays).unwrap(),
            Batch::new().any_hits(&bvh, &rays).unwrap()
        );
        assert_eq!(
            batch.count_hits(&rays).unwrap(),
            Batch::new().count_hits(&bvh, &rays).unwrap()
        );
        assert_eq!(
            batch.closest_hits(&rays).unwrap(),
            Batch::new().closest_hits(&bvh, &rays).unwrap()
        );
    }
}
