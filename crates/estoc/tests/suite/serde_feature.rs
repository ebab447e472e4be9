//! Serialization of rays, hits, cameras, options and reports by serde.

use estoc::batch::{Coherence, HitColumns};
use estoc::camera::{FieldOfView, Viewport};
use estoc::demo::DemoSpec;
use estoc::query::Closest;
use estoc::{
    Batch, Bvh, Camera, Cull, Hit, Plane, PrimId, Quality, QueryOptions, Ray, RayQuery, RegionQuery,
};
use serde::{Serialize, de::DeserializeOwned};
use std::fmt::Debug;

fn comes_back<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T) -> String {
    let text = serde_json::to_string(value).unwrap();
    let back: T = serde_json::from_str(&text).unwrap();
    assert_eq!(&back, value, "{text}");
    text
}

#[test]
fn values_come_back_as_they_were() {
    let mesh = "sphere?n=500".parse::<DemoSpec>().unwrap().mesh();
    let bvh = Bvh::build(&mesh);
    let ray = Ray::new([-3.0, 0.1, 0.2], [1.0, 0.0, 0.0]).with_interval(0.0, 100.0);
    comes_back(&ray);
    let hit: Hit = bvh.closest_hit(&ray).unwrap();
    let text = comes_back(&hit);
    assert!(text.contains(&format!("\"prim\":{}", hit.prim)), "{text}");
    comes_back(&Some(hit));
    let options = QueryOptions::new()
        .cull(Cull::Back)
        .skip(PrimId::new(3))
        .mask(6);
    assert!(comes_back(&options).contains("\"cull\":\"back\""));
    let fov = FieldOfView::vertical_degrees(60.0);
    let view = Viewport::new(640.0, 480.0);
    let camera = Camera::look_at(view, [0.0, 0.0, 5.0], [0.0; 3], [0.0, 1.0, 0.0], fov).unwrap();
    comes_back(&camera);
    let section = bvh.section(&Plane::through([0.0; 3], [0.0, 0.0, 2.0]).unwrap());
    comes_back(&section);
    comes_back(&section.loops()[0]);
    comes_back(&bvh.stats());
    comes_back(mesh.report());
    comes_back(&Quality::Best);
    comes_back(&Coherence::Coherent);

    let rays = [ray; 70];
    let mut columns = HitColumns::default();
    let report = Batch::new()
        .ask_into(&bvh, Closest, &rays, &mut columns)
        .unwrap();
    comes_back(&report);
    comes_back(&columns);
}

#[test]
fn numbers_that_are_no_plane_are_refused() {
    let plane = Plane::from_offset([0.0, 2.0, 0.0], 0.5).unwrap();
    let text = serde_json::to_string(&plane).unwrap();
    let error = serde_json::from_str::<Plane>(&text.replace("2.0", "0.0")).unwrap_err();
    assert!(error.to_string().contains("must not be zero"), "{error}");
}

#[test]
fn the_number_that_stands_for_a_miss_is_no_triangle() {
    let error = serde_json::from_str::<PrimId>("4294967295").unwrap_err();
    assert!(error.to_string().contains("it means a miss"), "{error}");
}
