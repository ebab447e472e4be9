//! Scenes compared with the independent oracle. `ESTOC_LONG=1` runs a million rays.

use crate::common::{effort, scene_of};
use estoc_testkit::conformance::check_placements;

#[test]
fn scenes_equal_the_oracle() {
    let (effort, least) = effort([500, 200, 1_000_000], [4, 30, 1_000]);
    let report = check_placements(scene_of, &effort);
    eprintln!("scenes: {report}");
    assert!(report.rays >= least, "{report}");
    assert!(report.rays_that_hit * 4 > report.rays, "{report}");
    assert!(report.rays_with_ties * 20 > report.rays, "{report}");
}
