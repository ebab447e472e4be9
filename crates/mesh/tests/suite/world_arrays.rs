//! Meshes of arrays of `f64`s in local frames.

use estoc_core::glam::DVec3;
use estoc_mesh::{BadFaces, LocalFrame, Mesh, MeshError};

fn mesh(corners: &[DVec3], frame: LocalFrame, bad_faces: BadFaces) -> Result<Mesh, MeshError> {
    let faces: Vec<[u32; 3]> = (0..corners.len() as u32 / 3)
        .map(|i| [3 * i, 3 * i + 1, 3 * i + 2])
        .collect();
    Mesh::in_local_frame(corners, &faces, frame, bad_faces)
}

/// Returns the first coordinate of corners at `x`, relative to an origin.
fn rounded(x: f64, origin: f64) -> f32 {
    let corners = [[x, 0.0, 0.0], [x, 1.0, 0.0], [x, 0.0, 1.0]].map(DVec3::from_array);
    let frame = LocalFrame::At(DVec3::new(origin, 0.0, 0.0));
    let mesh = mesh(&corners, frame, BadFaces::Reject).expect("finite numbers");
    assert_eq!(mesh.origin().x, origin);
    mesh.positions()[0].x
}

#[test]
fn each_number_is_rounded_once() {
    // In the middle of two f32s, but for what f64 cannot hold beside it.
    let (middle, little) = (1.0 + f64::powi(2.0, -24), f64::powi(2.0, -80));
    let (one, next) = (1.0f32, 1.0 + f32::EPSILON);
    assert_eq!(rounded(middle, -little), next);
    assert_eq!(rounded(middle, little), one);
    assert_eq!(rounded(-middle, little), -next);
    assert_eq!(rounded(-middle, -little), -one);
    // A tie to even.
    assert_eq!(rounded(middle, 0.0), one);
    let found = rounded(middle + 2.0 * f64::powi(2.0, -24), 0.0);
    assert_eq!(found, 1.0 + 2.0 * f32::EPSILON);
    let largest = f64::from(f32::MAX);
    assert_eq!(rounded(2.0 * largest, largest), f32::MAX);
    assert_eq!(rounded(5e300, 5e300).to_bits(), 0);
}

#[test]
fn what_is_not_finite_is_refused_or_left_out() {
    let good = [DVec3::ZERO, DVec3::X, DVec3::Y];
    for bad in [f64::NAN, f64::INFINITY, 1e300] {
        let mut corners = [DVec3::ZERO; 6];
        corners[..3].copy_from_slice(&good);
        corners[5].z = bad;
        let error = mesh(&corners, LocalFrame::At(DVec3::ZERO), BadFaces::Reject).unwrap_err();
        assert!(
            matches!(error, MeshError::NonFiniteVertex { .. }),
            "{error}"
        );
        let rest = mesh(&corners, LocalFrame::At(DVec3::ZERO), BadFaces::Skip).unwrap();
        assert_eq!(rest.triangle_count(), 1);
        let origin = LocalFrame::At(DVec3::new(bad, 0.0, 0.0));
        if !bad.is_finite() {
            let error = mesh(&good, origin, BadFaces::Skip).unwrap_err();
            assert!(
                matches!(error, MeshError::OriginNotFinite { .. }),
                "{error}"
            );
        }
    }
    // The origin is chosen by the triangles that are kept.
    let far = |x: f64, y: f64| DVec3::new(5e6 + x, y - 7e5, f64::NAN);
    let mut corners = [good, good, good].concat();
    corners[3..6].copy_from_slice(&[far(0.0, 0.0), far(1.0, 0.0), far(0.0, 1.0)]);
    let chosen = mesh(&corners, LocalFrame::Auto, BadFaces::Skip).unwrap();
    assert_eq!((chosen.origin(), chosen.triangle_count()), (DVec3::ZERO, 2));
    let empty = mesh(&[], LocalFrame::Auto, BadFaces::Reject).unwrap();
    assert_eq!((empty.origin(), empty.triangle_count()), (DVec3::ZERO, 0));
}
