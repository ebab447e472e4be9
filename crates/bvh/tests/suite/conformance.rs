//! Trees compared with the independent oracle, at every quality, in both layouts, and with every
//! instruction set. `ESTOC_LONG=1` asks each a million questions of every sort.

use estoc_bvh::{Bvh, Layout, Quality, SimdLevel};
use estoc_core::exact::PreparedRay;
use estoc_core::{
    Collector, Engine, Hit, NearEngine, PointCollector, PointEngine, PrimId, Ray, RegionCollector,
    RegionEngine, SurfaceReport, SweepCollector, SweepEngine, Triangle, WindingCollector,
    is_closed,
};
use estoc_mesh::Mesh;
use estoc_testkit::conformance::{
    Effort, Report, check_engines, check_least_distances, check_near, check_regions,
    check_sections, check_sweeps,
};
use std::fmt;

/// A tree over triangles some of which a mesh would reject. Triangles with corners that are not
/// finite are replaced by the origin, three times, which is never hit either, so that the others
/// keep their ids.
struct Tree {
    bvh: Bvh,
    given: Vec<Triangle>,
}

impl Tree {
    fn new(kind: &Kind, given: &[Triangle]) -> Self {
        let corners = given.iter().flat_map(|triangle| {
            let finite = triangle.is_finite();
            triangle
                .corners()
                .map(|p| if finite { p } else { [0.0; 3].into() })
        });
        let faces = (0..given.len() as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]);
        let mesh = Mesh::try_new(corners, faces).expect("all corners are finite");
        let bvh = Bvh::builder()
            .quality(kind.quality)
            .layout(kind.layout)
            .simd_level(kind.level)
            .build(&mesh);
        let bvh = bvh.expect("nothing cancels, and the machine has the level");
        bvh.validate().expect("a tree that was built is valid");
        let given = given.to_vec();
        Tree { bvh, given }
    }
}

impl Engine for Tree {
    type Primitive = Triangle;

    fn primitive_count(&self) -> usize {
        self.bvh.primitive_count()
    }

    fn primitive(&self, prim: PrimId) -> Option<Triangle> {
        let triangle = self.bvh.primitive(prim)?;
        let given = self.given[prim.index()];
        Some(if given.is_finite() { triangle } else { given })
    }

    fn is_closed(&self) -> bool {
        if self.given.iter().all(Triangle::is_finite) {
            self.bvh.is_closed()
        } else {
            is_closed(self.given.iter().copied())
        }
    }

    fn visit(&self, ray: &PreparedRay<'_>, collector: &mut Collector<'_>) {
        self.bvh.visit(ray, collector);
    }

    fn closest(&self, ray: &Ray, skip: Option<PrimId>) -> Option<Hit> {
        self.bvh.closest(ray, skip)
    }

    fn any(&self, ray: &Ray, skip: Option<PrimId>) -> bool {
        self.bvh.any(ray, skip)
    }
}

impl NearEngine for Tree {
    fn visit_near(&self, collector: &mut PointCollector) {
        self.bvh.visit_near(collector);
    }
}

impl PointEngine for Tree {
    fn visit_winding(&self, collector: &mut WindingCollector) {
        self.bvh.visit_winding(collector);
    }

    fn surface(&self) -> SurfaceReport {
        self.bvh.surface()
    }
}

impl RegionEngine for Tree {
    fn visit_region(&self, collector: &mut RegionCollector<'_>) {
        self.bvh.visit_region(collector);
    }
}

impl SweepEngine for Tree {
    fn visit_swept(&self, collector: &mut SweepCollector) {
        self.bvh.visit_swept(collector);
    }
}

struct Kind {
    level: SimdLevel,
    quality: Quality,
    layout: Layout,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Kind {
            level,
            quality,
            layout,
        } = self;
        write!(f, "{quality:?} tree, {layout}, {level}")
    }
}

/// Returns the kinds to test. All combinations would take too long: every level runs with one
/// quality, the best level with all of them, and the layouts alternate unless there is much time.
fn kinds() -> Vec<Kind> {
    let kind = |level, quality, layout| Kind {
        level,
        quality,
        layout,
    };
    let best = SimdLevel::best();
    let mut kinds = vec![
        kind(best, Quality::Balanced, Layout::Fast),
        kind(best, Quality::Fast, Layout::Compact),
        kind(best, Quality::Best, Layout::Fast),
    ];
    let others = SimdLevel::available()
        .into_iter()
        .filter(|level| *level != best);
    let layouts = Layout::ALL.into_iter().rev().cycle();
    for (level, layout) in others.zip(layouts) {
        let both = Effort::is_long();
        let layouts = Layout::ALL.into_iter().filter(|&one| both || one == layout);
        kinds.extend(layouts.map(|layout| kind(level, Quality::Balanced, layout)));
    }
    kinds
}

fn tell(what: &str, report: &Report) {
    let names: Vec<String> = kinds().iter().map(Kind::to_string).collect();
    eprintln!("{what}, {}: {report}", names.join("; "));
}

#[test]
fn rays_to_trees_equal_the_oracle() {
    let mut effort = Effort::from_env();
    if !Effort::is_long() {
        // Each ray is asked of every kind of tree; two seeds have every kind of scene and of ray.
        effort.rays_per_scene /= 3;
        effort.seeds /= 2;
    }
    let report = check_engines(&kinds(), Tree::new, &effort);
    tell("rays", &report);
    assert!(report.rays >= 4_500, "{report}");
}

#[test]
fn points_near_trees_equal_the_oracle() {
    let report = check_near(&kinds(), Tree::new, &Effort::near_from_env());
    tell("points", &report);
    assert!(report.points >= 1_000, "{report}");
}

#[test]
fn regions_of_trees_equal_the_oracle() {
    let report = check_regions(&kinds(), Tree::new, &Effort::regions_from_env());
    tell("regions", &report);
    assert!(report.regions >= 1_000, "{report}");
}

#[test]
fn least_distances_of_trees_equal_the_oracle() {
    let effort = match Effort::is_long() {
        true => Effort {
            seeds: 40,
            rays_per_scene: 80,
        },
        false => Effort {
            seeds: 1,
            rays_per_scene: 12,
        },
    };
    let report = check_least_distances(&kinds(), |kind, mesh| Tree::new(kind, mesh).bvh, &effort);
    tell("least distances", &report);
    assert!(report.regions_that_overlap * 5 > report.regions, "{report}");
    assert!(
        report.regions_that_overlap * 5 < report.regions * 4,
        "{report}"
    );
}

#[test]
fn moving_spheres_at_trees_equal_the_oracle() {
    let report = check_sweeps(&kinds(), Tree::new, &Effort::sweeps_from_env());
    tell("moving spheres", &report);
    assert!(report.rays_that_hit >= 500, "{report}");
}

#[test]
fn sections_of_trees_equal_the_oracle() {
    let report = check_sections(&kinds(), Tree::new, &Effort::near_from_env());
    tell("sections", &report);
    assert!(report.regions_that_overlap * 2 > report.regions, "{report}");
}
