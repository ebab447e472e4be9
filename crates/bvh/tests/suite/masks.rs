//! Masks and filters, with every question and every way of asking it: compared with brute force
//! with the same masks, and with the list of all hits without those that do not count.

use super::techniques::{finite, mesh};
use estoc_bvh::{Bvh, Layout, Quality, SimdLevel};
use estoc_core::glam::Vec3;
use estoc_core::{
    All, Any, BruteForce, Closest, Contains, Count, CountCrossings, Crossings, Cull, FirstK, Hit,
    HitRowQuestion, Masks, MeshEngine, PrimId, QueryOptions, QuerySlice, Question, Ray, RayQuery,
    Side, Technique, TechniqueCounts, Triangle, ValueQuestion,
};
use estoc_demo::DemoSpec;
use estoc_testkit::generate::{self, Rng};

const QUALITIES: [Quality; 3] = [Quality::Fast, Quality::Balanced, Quality::Best];
const RAYS: usize = 20;
const FIRST: [usize; 4] = [0, 1, 2, 5];

/// The masks of groups and rays.
const MASKS: [u32; 7] = [1, 2, 3, 4, 0, 1 << 31, u32::MAX];

/// A filter that depends on the ray, on the primitive, and on every bit of the parameter.
fn accept(ray: &Ray, hit: &Hit) -> bool {
    let ray = u32::from(ray.origin.x > 0.0);
    (ray ^ hit.prim.get() ^ hit.t.to_bits()) & 1 == 0
}

type Accept = fn(&Ray, &Hit) -> bool;

/// The options of each ray, and whether hits are filtered.
struct Query {
    name: &'static str,
    options: Vec<QueryOptions>,
    accept: Option<Accept>,
    expected: Vec<Expected>,
}

/// The hits that count.
struct Expected {
    hits: Vec<Hit>,
    crossings: Vec<Hit>,
}

/// Triangles with masks, and rays at them.
struct Scene {
    name: String,
    triangles: Vec<Triangle>,
    /// The mask of each triangle.
    groups: Vec<u32>,
    rays: Vec<Ray>,
    /// All hits without masks or options.
    hits: Vec<Vec<Hit>>,
    crossings: Vec<Vec<Hit>>,
}

impl Scene {
    fn new(name: &str, triangles: Vec<Triangle>, rays: Vec<Ray>, groups: Vec<u32>) -> Self {
        let brute = BruteForce::new(&triangles[..]);
        Scene {
            name: name.to_owned(),
            hits: rays.iter().map(|ray| brute.all_hits(ray)).collect(),
            crossings: rays.iter().map(|ray| brute.crossings(ray)).collect(),
            triangles,
            groups,
            rays,
        }
    }

    fn masks(&self) -> Masks {
        Masks::from_runs(self.groups.iter().map(|&mask| (1, mask)))
    }

    fn brute(&self) -> BruteForce {
        BruteForce::new(&self.triangles[..]).with_masks(self.masks())
    }

    fn trees(&self) -> Vec<Bvh> {
        let mesh = mesh(&self.triangles);
        let kinds = { Layout::ALL.into_iter() }.flat_map(|l| QUALITIES.map(|q| (l, q)));
        let build = |(layout, quality)| {
            let builder = Bvh::builder().layout(layout).quality(quality);
            builder.build(&mesh).unwrap().with_masks(self.masks())
        };
        kinds.map(build).collect()
    }

    /// Returns whether a hit counts, by the rules and independently of the engines' code.
    fn counts(&self, place: usize, hit: &Hit, query: &Query) -> bool {
        let (ray, options) = (&self.rays[place], &query.options[place]);
        let all = &self.hits[place];
        let at = |prim: PrimId| all.iter().position(|hit| hit.prim == prim).unwrap();
        // Triangles beyond those that have a mask have all bits set.
        let group = self.groups.get(hit.prim.index()).copied();
        let side = self.triangles[hit.prim.index()].side(ray.dir).unwrap();
        group.unwrap_or(u32::MAX) & options.mask != 0
            && options.skip != Some(hit.prim)
            && options.after.is_none_or(|after| at(hit.prim) > at(after))
            && match options.cull {
                Cull::None => true,
                Cull::Back => side == Side::Front,
                Cull::Front => side == Side::Back,
            }
            && query.accept.is_none_or(|accept| accept(ray, hit))
    }

    fn query(&self, name: &'static str, options: &[QueryOptions], accept: bool) -> Query {
        let mut query = Query {
            name,
            options: options.to_vec(),
            accept: accept.then_some(self::accept as Accept),
            expected: Vec::new(),
        };
        let kept = |place: usize, hits: &[Hit]| -> Vec<Hit> {
            let kept = hits.iter().filter(|hit| self.counts(place, hit, &query));
            kept.copied().collect()
        };
        let expected = (0..self.rays.len()).map(|place| Expected {
            hits: kept(place, &self.hits[place]),
            crossings: kept(place, &self.crossings[place]),
        });
        query.expected = expected.collect();
        query
    }

    /// Returns rays without options, with one mask, with individual options, and all of these with
    /// a filter.
    fn queries(&self, rng: &mut Rng) -> Vec<Query> {
        let rays = self.rays.len();
        let plain = vec![QueryOptions::new(); rays];
        let masked = vec![QueryOptions::new().mask(rng.pick(&MASKS)); rays];
        let each = (0..rays).map(|_| QueryOptions::new().mask(rng.pick(&MASKS)));
        let each: Vec<_> = each.collect();
        let more: Vec<_> = (0..rays).map(|place| self.options(place, rng)).collect();
        vec![
            self.query("plain", &plain, false),
            self.query("one mask", &masked, false),
            self.query("masks", &each, false),
            self.query("options", &more, false),
            self.query("filter", &plain, true),
            self.query("filter and options", &more, true),
        ]
    }

    fn options(&self, place: usize, rng: &mut Rng) -> QueryOptions {
        let hits = &self.hits[place];
        let mut hit = |of: usize| {
            let some = !hits.is_empty() && rng.below(of) == 0;
            some.then(|| hits[rng.below(hits.len())].prim)
        };
        let (skip, after) = (hit(2), hit(3));
        let cull = rng.pick(&[Cull::None, Cull::Back, Cull::Front]);
        let options = QueryOptions::new().skip(skip).after(after);
        options.cull(cull).mask(rng.pick(&MASKS))
    }
}

/// Returns runs of random lengths, for as many triangles as there are, fewer or more.
fn groups(triangles: usize, rng: &mut Rng) -> Vec<u32> {
    let count = rng.pick(&[triangles, triangles / 2, triangles + 3]);
    let longest = 1 + rng.below(1 + triangles / 3);
    let mut groups = Vec::new();
    while groups.len() < count {
        let mask = rng.pick(&MASKS);
        groups.resize(groups.len() + 1 + rng.below(longest), mask);
    }
    groups.truncate(count);
    groups
}

/// Asks a question about one ray.
fn one<E: MeshEngine, Q: Question<E>>(
    engine: &E,
    question: Q,
    (ray, options): (&Ray, &QueryOptions),
    accept: Option<Accept>,
) -> Q::Answer {
    let answer = match accept {
        None => engine.ask_with(question, ray, options),
        Some(accept) => engine.ask_where(question, ray, options, &mut |ray, hit| accept(ray, hit)),
    };
    answer.expect("the ray hits what it continues behind")
}

/// Asks all questions about each ray alone.
fn check_single<E: MeshEngine>(engine: &E, scene: &Scene, query: &Query, who: &str) {
    let accept = query.accept;
    for (place, expected) in query.expected.iter().enumerate() {
        let (ray, options) = (&scene.rays[place], &query.options[place]);
        let about = (ray, options);
        let Expected { hits, crossings } = expected;
        let names = (&*scene.name, query.name);
        let who = || format!("{names:?}, {who}, ray {place}: {about:?}");
        let first = hits.first().copied();
        assert_eq!(one(engine, Closest, about, accept), first, "{}", who());
        let any = one(engine, Any, about, accept);
        assert_eq!(any, first.is_some(), "{}", who());
        assert_eq!(one(engine, All, about, accept), *hits, "{}", who());
        assert_eq!(one(engine, Count, about, accept), hits.len(), "{}", who());
        for k in FIRST {
            let some = &hits[..k.min(hits.len())];
            assert_eq!(one(engine, FirstK(k), about, accept), some, "{}", who());
        }
        let found = one(engine, Crossings, about, accept);
        assert_eq!(found, *crossings, "{}", who());
        let count = one(engine, CountCrossings, about, accept);
        assert_eq!(count, crossings.len(), "{}", who());
        if query.name == "plain" {
            assert_eq!(engine.closest_hit(ray), first, "{}", who());
            assert_eq!(engine.any_hit(ray), first.is_some(), "{}", who());
            // Continues behind hidden hits, too.
            for (at, hit) in scene.hits[place].iter().enumerate().take(3) {
                let behind = &scene.hits[place][at + 1..];
                let next = behind.iter().find(|hit| scene.counts(place, hit, query));
                let found = engine.next_hit(ray, hit.prim).unwrap();
                assert_eq!(found.as_ref(), next, "{}", who());
            }
        }
    }
}

/// Asks a question with one answer per ray about many rays.
fn value<E: MeshEngine, Q: ValueQuestion<E>>(
    engine: &E,
    question: Q,
    many: &QuerySlice<'_>,
    accept: Option<Accept>,
) -> (Vec<Q::Answer>, TechniqueCounts) {
    let mut answers = vec![Q::Answer::default(); many.len()];
    let techniques = match &accept {
        None => engine.ask_many(question, many, &mut answers),
        Some(accept) => question.ask_many(engine, many, Some(accept), &mut answers),
    };
    (answers, techniques.unwrap())
}

/// Asks a question that lists hits about many rays.
fn rows<E: MeshEngine, Q: HitRowQuestion<E>>(
    engine: &E,
    question: Q,
    many: &QuerySlice<'_>,
    accept: Option<Accept>,
) -> Vec<Vec<Hit>> {
    let mut rows = vec![Vec::new(); many.len()];
    let mut emit = |place: usize, hits: &[Hit]| rows[place] = hits.to_vec();
    let techniques = match &accept {
        None => engine.ask_rows(question, many, &mut emit),
        Some(accept) => question.ask_rows(engine, many, Some(accept), &mut emit),
    };
    techniques.unwrap();
    rows
}

/// Asks all questions about all rays together; returns the techniques used for first hits.
fn check_many<E: MeshEngine>(
    engine: &E,
    scene: &Scene,
    query: &Query,
    technique: Technique,
    who: &str,
) -> TechniqueCounts {
    let many = QuerySlice::new(&scene.rays).technique(technique);
    let many = match query.options.first() {
        // Options given once for all rays take another code path.
        Some(same) if query.options.iter().all(|options| options == same) => many.options(same),
        _ => many.options_each(&query.options),
    };
    let who = format!("{}, {}, {who}, {technique}", scene.name, query.name);
    let of = |answer: &dyn Fn(&Expected) -> Vec<Hit>| -> Vec<Vec<Hit>> {
        query.expected.iter().map(answer).collect()
    };
    let all = of(&|expected| expected.hits.clone());
    let crossings = of(&|expected| expected.crossings.clone());
    let lengths = |lists: &[Vec<Hit>]| -> Vec<usize> { lists.iter().map(Vec::len).collect() };

    let accept = query.accept;
    let first: Vec<_> = all.iter().map(|hits| hits.first().copied()).collect();
    let (found, techniques) = value(engine, Closest, &many, accept);
    assert_eq!(found, first, "{who}");
    let any: Vec<_> = all.iter().map(|hits| !hits.is_empty()).collect();
    assert_eq!(value(engine, Any, &many, accept).0, any, "{who}");
    let counts = value(engine, Count, &many, accept).0;
    assert_eq!(counts, lengths(&all), "{who}");
    let counts = value(engine, CountCrossings, &many, accept).0;
    assert_eq!(counts, lengths(&crossings), "{who}");
    assert_eq!(rows(engine, All, &many, accept), all, "{who}");
    assert_eq!(rows(engine, Crossings, &many, accept), crossings, "{who}");
    let some = of(&|expected| expected.hits.iter().copied().take(2).collect());
    assert_eq!(rows(engine, FirstK(2), &many, accept), some, "{who}");
    techniques
}

/// Masks of rays and primitives do not affect points.
fn check_points<E: MeshEngine>(engine: &E, points: &[Vec3], expected: &[Option<bool>], who: &str) {
    let hidden = QueryOptions::new().mask(0);
    for (point, inside) in points.iter().zip(expected) {
        assert_eq!(engine.contains(*point), *inside, "{who}, {point}");
        let found = engine.ask_with(Contains, point, &hidden).unwrap();
        assert_eq!(found, *inside, "{who}, {point}");
    }
    for technique in Technique::ALL {
        let mut found = vec![None; points.len()];
        let many = QuerySlice::new(points).technique(technique);
        engine.ask_many(Contains, &many, &mut found).unwrap();
        assert_eq!(found, expected, "{who}, {technique}");
    }
}

#[test]
fn masks_and_filters_strike_hits_off_the_list() {
    let levels = SimdLevel::available();
    let [mut hits, mut inside] = [0; 2];
    for (s, scene) in generate::scenes(15).enumerate() {
        let mut rng = Rng::named(15, scene.name);
        let rays = generate::cases(&scene, RAYS).map(|case| case.ray);
        let groups = groups(scene.triangles.len(), &mut rng);
        let points = generate::points(&scene, &mut rng, 8);
        let scene = Scene::new(scene.name, finite(&scene.triangles), rays.collect(), groups);
        let queries = scene.queries(&mut rng);
        let (brute, trees) = (scene.brute(), scene.trees());
        for query in &queries {
            check_single(&brute, &scene, query, "brute force");
            check_many(&brute, &scene, query, Technique::OneByOne, "brute force");
            hits += query.expected.iter().map(|e| e.hits.len()).sum::<usize>();
        }
        // Each layout and quality at each level with each technique occurs in some scene.
        for (l, level) in levels.iter().enumerate() {
            for (t, technique) in Technique::ALL.into_iter().enumerate() {
                let tree = (s + l * Technique::ALL.len() + t) % trees.len();
                let bvh = trees[tree].clone().with_simd_level(*level);
                let who = format!("tree {tree}, {level}");
                for query in &queries {
                    if t == 0 {
                        check_single(&bvh, &scene, query, &who);
                    }
                    check_many(&bvh, &scene, query, technique, &who);
                }
            }
        }
        let without = BruteForce::new(&scene.triangles[..]);
        let expected = points.iter().map(|&point| without.contains(point));
        let expected: Vec<_> = expected.collect();
        inside += { expected.iter() }
            .filter(|found| **found == Some(true))
            .count();
        check_points(&brute, &points, &expected, &scene.name);
        check_points(&trees[s % trees.len()], &points, &expected, &scene.name);
    }
    assert!(hits > 1500 && inside > 20, "{hits} {inside}");
}

/// Neighbouring rays, which are traced as packets and bundles where they see all primitives.
#[test]
fn rays_side_by_side_see_what_their_masks_show() {
    const ACROSS: usize = 16;
    let mut rng = Rng::new(16);
    let sphere = "sphere?n=600".parse::<DemoSpec>().unwrap().mesh();
    let triangles: Vec<_> = sphere.triangles().collect();
    let (min, max) = (sphere.bounds().min(), sphere.bounds().max());
    let eye = 0.5 * (min + max) - Vec3::Z * (max - min).length();
    let rays = (0..ACROSS * ACROSS).map(|i| {
        let [x, y] = [i % ACROSS, i / ACROSS].map(|i| (i as f32 + 0.3) / ACROSS as f32);
        let target = (min + Vec3::new(x, y, 0.0) * (max - min)).with_z(0.5 * (min.z + max.z));
        Ray::new(eye, target - eye)
    });
    let groups = (0..triangles.len()).map(|i| [1, 3, 5, 2][i / 40 % 4]);
    let scene = Scene::new("sphere", triangles, rays.collect(), groups.collect());
    let same = |mask| vec![QueryOptions::new().mask(mask); scene.rays.len()];
    // Most rays see all primitives, so that others are in groups with them.
    let pick = |_| QueryOptions::new().mask(rng.pick(&[3, 3, 3, 3, 1, 2, 4, 0]));
    let each: Vec<_> = (0..scene.rays.len()).map(pick).collect();
    let queries = [
        scene.query("everything", &same(3), false),
        scene.query("half", &same(2), false),
        scene.query("each", &each, false),
        scene.query("each filtered", &each, true),
    ];
    let count = |query: &Query| query.expected.iter().map(|e| e.hits.len()).sum::<usize>();
    let [all, half, each, filtered] = queries.each_ref().map(count);
    let counts = format!("{all} {half} {each} {filtered}");
    assert!(all > 300 && half < all && each < all, "{counts}");
    assert!(filtered > 50 && filtered < each, "{counts}");
    let trees = scene.trees();
    for level in SimdLevel::available() {
        for (tree, bvh) in trees.iter().enumerate() {
            let bvh = bvh.clone().with_simd_level(level);
            for technique in Technique::ALL {
                let who = format!("tree {tree}, {level}");
                let check = |query| check_many(&bvh, &scene, query, technique, &who);
                let techniques = queries.each_ref().map(check);
                // Masks that hide nothing from a ray do not cause it to be traced one by one.
                let plain = &techniques[0];
                if plain.one_by_one == 0 {
                    assert!(
                        technique != Technique::Packets || plain.packets > 0,
                        "{who}"
                    );
                    assert!(
                        technique != Technique::Bundles || plain.bundles > 0,
                        "{who}"
                    );
                }
                let filtered = &techniques[3];
                assert_eq!((filtered.packets, filtered.bundles), (0, 0), "{who}");
            }
        }
    }
}

/// All operations that move or copy a tree keep its masks.
#[test]
fn clones_and_refitted_trees_keep_their_masks() {
    let at = |z: f32| [[0.0, 0.0, z], [1.0, 0.0, z], [0.0, 1.0, z]];
    let sheets = |by: f32| {
        let corners = [1.0, 2.0, 3.0].map(|z| at(z + by));
        let faces = [[0, 1, 2], [3, 4, 5], [6, 7, 8]];
        estoc_mesh::Mesh::try_new(corners.into_iter().flatten(), faces).unwrap()
    };
    let masks = Masks::from_runs([(1, 0b01), (1, 0b10), (1, 0)]);
    let ray = Ray::new([0.2, 0.2, 0.0], [0.0, 0.0, 1.0]);
    let seen = |bvh: &Bvh, mask| -> Vec<f32> {
        let options = QueryOptions::new().mask(mask);
        let hits = bvh.ask_with(All, &ray, &options).unwrap();
        hits.iter().map(|hit| hit.t).collect()
    };
    for layout in Layout::ALL {
        let bvh = Bvh::builder().layout(layout).build(&sheets(0.0)).unwrap();
        let mut bvh = bvh.with_masks(masks.clone());
        let copy = bvh.clone();
        bvh.refit(&sheets(10.0)).unwrap();
        assert_eq!(seen(&bvh, 0b01), [11.0]);
        assert_eq!(seen(&bvh, 0b11), [11.0, 12.0]);
        assert_eq!(seen(&copy, 0b10), [2.0]);
        let other = copy.clone().with_simd_level(SimdLevel::Baseline);
        assert_eq!(seen(&other, 0b10), [2.0]);
        assert_eq!(seen(&copy.with_masks(None), u32::MAX), [1.0, 2.0, 3.0]);
    }
}
