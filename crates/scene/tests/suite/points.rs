//! Points at scenes compared with the independent oracle, and with the same triangles as one mesh.
//! `ESTOC_LONG=1` asks about many more.

use crate::common::scene_of;
use estoc_testkit::conformance::{Effort, check_placed_points};

#[test]
fn points_at_scenes_equal_the_oracle() {
    let (effort, least) = match Effort::is_long() {
        true => (
            Effort {
                seeds: 250,
                rays_per_scene: 60,
            },
            150_000,
        ),
        false => (
            Effort {
                seeds: 2,
                rays_per_scene: 12,
            },
            250,
        ),
    };
    let report = check_placed_points(scene_of, &effort);
    eprintln!("points at scenes: {report}");
    assert!(report.points >= least, "{report}");
    assert!(report.ties * 8 > report.points, "{report}");
    assert!(
        report
            .features
            .iter()
            .all(|&count| count * 10 > report.points),
        "{report}"
    );
}
