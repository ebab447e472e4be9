//! Trees compared with the independent oracle, at every quality, in both layouts, and with every
//! instruction set. `ESTOC_LONG=1` runs a million rays with each.

use estoc_bvh::{Bvh, Layout, Quality, SimdLevel};
use estoc_core::exact::PreparedRay;
use estoc_core::{
    Collector, Engine, Hit, PointCollector, PointEngine, PrimId, Ray, RegionCollector,
    RegionEngine, SurfaceReport, SweepCollector, SweepEngine, Triangle, WindingCollector,
    is_closed,
};
use estoc_mesh::Mesh;
use estoc_testkit::conformance::{Effort, check_engine, check_near, check_regions, check_sweeps};

/// A tree over triangles some of which a mesh would reject. Triangles with corners that are not
/// finite are replaced by the origin, three times, which is never hit either, so that the others
/// keep their ids.
struct Tree {
    bvh: Bvh,
    given: Vec<Triangle>,
}

impl Tree {
    fn new(given: &[Triangle], (level, quality, layout): Kind) -> Self {
        let corners = given.iter().flat_map(|triangle| {
            let finite = triangle.is_finite();
            triangle
                .corners()
                .map(|p| if finite { p } else { [0.0; 3].into() })
        });
        let faces = (0..given.len() as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]);
        let mesh = Mesh::new(corners, faces).expect("all corners are finite");
        let bvh = Bvh::builder()
            .quality(quality)
            .layout(layout)
            .simd_level(level)
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

    fn closest(&self, ray: &Ray) -> Option<Hit> {
        self.bvh.closest(ray)
    }

    fn any(&self, ray: &Ray) -> bool {
        self.bvh.any(ray)
    }

    fn closest_skipping(&self, ray: &Ray, skip: PrimId) -> Option<Hit> {
        self.bvh.closest_skipping(ray, skip)
    }

    fn any_skipping(&self, ray: &Ray, skip: PrimId) -> bool {
        self.bvh.any_skipping(ray, skip)
    }
}

impl PointEngine for Tree {
    fn visit_near(&self, collector: &mut PointCollector) {
        self.bvh.visit_near(collector);
    }

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

type Kind = (SimdLevel, Quality, Layout);

/// Returns the kinds to test. All combinations would take too long: every level runs with one
/// quality, the best level with all of them, the layouts alternate unless there is much time, and
/// unusual kinds run a part of the rays.
fn kinds() -> Vec<Kind> {
    let best = SimdLevel::best();
    let mut kinds = vec![
        (best, Quality::Fast, Layout::Compact),
        (best, Quality::Best, Layout::Fast),
    ];
    let others = SimdLevel::available()
        .into_iter()
        .filter(|level| *level != best);
    let layouts = Layout::ALL.into_iter().rev().cycle();
    for (level, layout) in others.zip(layouts) {
        let both = Effort::is_long();
        let layouts = Layout::ALL.into_iter().filter(|&one| both || one == layout);
        kinds.extend(layouts.map(|layout| (level, Quality::Balanced, layout)));
    }
    kinds
}

fn check(kind: Kind, share: usize) {
    let mut effort = Effort::from_env();
    if !Effort::is_long() {
        effort.rays_per_scene /= share;
    }
    let (level, quality, layout) = kind;
    let name = format!("{quality:?} tree, {layout}, {level}");
    let report = check_engine(&name, |given| Tree::new(given, kind), &effort);
    eprintln!("{name}: {report}");
}

#[test]
fn the_tree_equals_the_oracle() {
    check((SimdLevel::best(), Quality::Balanced, Layout::Fast), 1);
}

#[test]
fn other_qualities_layouts_and_levels_equal_the_oracle() {
    for kind in kinds() {
        check(kind, 4);
    }
}

fn check_points((level, quality, layout): Kind, effort: &Effort) {
    let name = format!("{quality:?} tree, {layout}, {level}");
    let kind = (level, quality, layout);
    let report = check_near(&name, |given| Tree::new(given, kind), effort);
    eprintln!("{name}, near points: {report}");
    assert!(report.points >= 400, "{report}");
}

#[test]
fn the_tree_near_points_equals_the_oracle() {
    let kind = (SimdLevel::best(), Quality::Balanced, Layout::Fast);
    check_points(kind, &Effort::near_from_env());
}

#[test]
fn other_trees_near_points_equal_the_oracle() {
    let mut effort = Effort::near_from_env();
    effort.rays_per_scene /= 4;
    for kind in kinds() {
        check_points(kind, &effort);
    }
}

fn check_volumes((level, quality, layout): Kind, effort: &Effort) {
    let name = format!("{quality:?} tree, {layout}, {level}");
    let kind = (level, quality, layout);
    let report = check_regions(&name, |given| Tree::new(given, kind), effort);
    eprintln!("{name}, in regions: {report}");
    assert!(report.regions >= 400, "{report}");
}

#[test]
fn the_tree_in_regions_equals_the_oracle() {
    let kind = (SimdLevel::best(), Quality::Balanced, Layout::Fast);
    check_volumes(kind, &Effort::regions_from_env());
}

#[test]
fn other_trees_in_regions_equal_the_oracle() {
    let mut effort = Effort::regions_from_env();
    effort.rays_per_scene /= 8;
    for kind in kinds() {
        check_volumes(kind, &effort);
    }
}

fn check_moving_spheres((level, quality, layout): Kind, effort: &Effort) {
    let name = format!("{quality:?} tree, {layout}, {level}");
    let kind = (level, quality, layout);
    let report = check_sweeps(&name, |given| Tree::new(given, kind), effort);
    eprintln!("{name}, moving spheres: {report}");
    assert!(report.rays_that_hit >= 100, "{report}");
}

#[test]
fn the_tree_about_moving_spheres_equals_the_oracle() {
    let kind = (SimdLevel::best(), Quality::Balanced, Layout::Fast);
    check_moving_spheres(kind, &Effort::sweeps_from_env());
}

#[test]
fn other_trees_about_moving_spheres_equal_the_oracle() {
    let mut effort = Effort::sweeps_from_env();
    effort.rays_per_scene /= 6;
    for kind in kinds() {
        check_moving_spheres(kind, &effort);
    }
}
