//! Tests of the suite itself: it must detect faulty engines.

mod wrong;

use super::*;
use estoc_core::BruteForce;
use std::panic::{AssertUnwindSafe, catch_unwind};
use wrong::{Mistake, Wrong};

/// Asserts that a check finds each of these mistakes, and nothing in engines without any.
fn assert_found(rays_per_scene: usize, mistakes: &[Mistake], check: fn(&[Mistake], &Effort)) {
    let effort = Effort {
        seeds: 1,
        rays_per_scene,
    };
    let is_found = |mistake| {
        let check = || check(&[Mistake::None, mistake], &effort);
        catch_unwind(AssertUnwindSafe(check)).is_err()
    };
    assert!(!is_found(Mistake::None) && !is_found(Mistake::LastFirst));
    for &mistake in mistakes {
        assert!(is_found(mistake), "{mistake:?}");
    }
}

#[test]
fn mistakes_about_rays_are_found() {
    let mistakes = [
        Mistake::DecidesInDouble,
        Mistake::PrunesTies,
        Mistake::LosesFlatBoxes,
        Mistake::LosesLast,
        Mistake::OffersTwice,
        Mistake::ClaimsClosed,
    ];
    assert_found(20, &mistakes, |mistakes, effort| {
        check_engines(mistakes, Wrong::of, effort);
    });
}

#[test]
fn mistakes_about_points_are_found() {
    let mistakes = [
        Mistake::LosesEdgeCrossings,
        Mistake::LosesVertexCrossings,
        Mistake::LosesCrossingsFromBehind,
        Mistake::TurnsCrossings,
        Mistake::LosesTouched,
        Mistake::PrunesEquallyClose,
        Mistake::LosesEdges,
        Mistake::LosesLast,
        Mistake::EstimateLacksOne,
        Mistake::EstimateHasOneTwice,
        Mistake::EstimateMovesCorners,
        Mistake::ClusterLacksOne,
        Mistake::ClaimsOriented,
        Mistake::SurfaceLacksOne,
        Mistake::OffersTwice,
    ];
    assert_found(8, &mistakes, |mistakes, effort| {
        check_near(mistakes, Wrong::of, effort);
    });
}

#[test]
fn mistakes_about_regions_are_found() {
    let mistakes = [
        Mistake::LosesTouchingBoxes,
        Mistake::TakesCrossing,
        Mistake::LosesFlatBoxes,
        Mistake::LosesInside,
        Mistake::LosesLast,
        Mistake::OffersTwice,
    ];
    assert_found(8, &mistakes, |mistakes, effort| {
        check_regions(mistakes, Wrong::of, effort);
    });
}

#[test]
fn mistakes_about_least_distances_are_found() {
    let mistakes = [
        Mistake::PrunesEquallyClose,
        Mistake::LosesFlatBoxes,
        Mistake::LosesLast,
    ];
    assert_found(20, &mistakes, |mistakes, effort| {
        check_least_distances(mistakes, Wrong::of, effort);
    });
}

#[test]
fn mistakes_about_moving_spheres_are_found() {
    let mistakes = [
        Mistake::PrunesEqualTimes,
        Mistake::LosesStart,
        Mistake::ForgetsRadius,
        Mistake::StopsAtOne,
        Mistake::LosesLast,
    ];
    assert_found(8, &mistakes, |mistakes, effort| {
        check_sweeps(mistakes, Wrong::of, effort);
    });
}

#[test]
fn engines_are_compared_with_each_other() {
    let scene = generate::scene("voxels", 3).unwrap();
    let engine = |mistake| Wrong::of(&mistake, &scene.triangles);
    let rays = generate::rays(&scene, &mut Rng::new(1), 200);
    let right = engine(Mistake::None);
    let report = check_against(&BruteForce::new(&scene.triangles[..]), &right, &rays);
    assert_eq!(report.rays, 200);
    let wrong = engine(Mistake::LosesFlatBoxes);
    let check = || check_against(&wrong, &right, &rays);
    assert!(catch_unwind(AssertUnwindSafe(check)).is_err());
}

#[test]
fn the_short_mode_asks_tens_of_thousands_of_rays_and_the_long_mode_a_million() {
    let scenes = generate::scene_names().count();
    let rays = |effort: &Effort| scenes * effort.seeds as usize * effort.rays_per_scene;
    assert!(rays(&Effort::SHORT) >= 10_000);
    assert!(rays(&Effort::LONG) >= 1_000_000);
}
