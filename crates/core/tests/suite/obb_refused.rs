//! Invalid oriented boxes and their error messages.

use estoc_core::glam::{Mat4, Vec3, Vec4};
use estoc_core::{Aabb, Obb, ObbError, Ray};

const INF: f32 = f32::INFINITY;
const XYZ: [Vec3; 3] = [Vec3::X, Vec3::Y, Vec3::Z];

fn cube() -> Aabb {
    Aabb::try_new([-1.0; 3], [1.0; 3]).unwrap()
}

fn image(model: Mat4) -> Obb {
    Obb::from_model(&cube(), &model).unwrap()
}

#[test]
fn bad_axes_and_sizes_are_refused_with_their_numbers() {
    let refused = |center: [f32; 3], axes: [Vec3; 3], half_sizes: [f32; 3]| {
        let error = Obb::try_new(center, axes, half_sizes).unwrap_err();
        error.to_string()
    };
    let with = |axis: usize, v: [f32; 3]| {
        let mut axes = XYZ;
        axes[axis] = v.into();
        refused([0.0; 3], axes, [1.0; 3])
    };
    #[rustfmt::skip]
    let cases = [
        (refused([0.0, INF, 0.0], XYZ, [1.0; 3]), ["(0, inf, 0)", "finite"]),
        (refused([0.0; 3], XYZ, [1.0, f32::NAN, 1.0]), ["(1, NaN, 1)", "finite"]),
        (refused([0.0; 3], XYZ, [1.0, 1.0, -2.5]), ["-2.5 along axis 2", "absolute value"]),
        (with(1, [0.0, f32::NAN, 0.0]), ["axis 1, (0, NaN, 0)", "finite"]),
        (with(1, [0.0, 2.0, 0.0]), ["axis 1, (0, 2, 0), has length 2", "from_model"]),
        (with(2, [0.0; 3]), ["has length 0", "normalise"]),
        (with(2, [0.6, 0.0, 0.8]), ["axes 0 and 2", "cosine between them is 0.6"]),
        (refused([3e38, 0.0, 0.0], XYZ, [1e38, 1.0, 1.0]), ["greatest f32", "larger unit"]),
    ];
    for (message, parts) in cases {
        assert!(parts.iter().all(|part| message.contains(part)), "{message}");
    }
    // Three decimals are accurate enough, and a left-handed frame is valid.
    let rounded = [[0.707, 0.707, 0.0], [0.707, -0.707, 0.0], [0.0, 0.0, 1.0]].map(Vec3::from);
    assert!(Obb::try_new([0.0; 3], rounded, [1.0; 3]).is_ok());
    assert!(Obb::try_new([f32::MAX, 0.0, 0.0], XYZ, [0.0; 3]).is_ok());
}

#[test]
fn a_corner_may_lie_on_the_greatest_number_and_not_beyond_it() {
    let at = |center: f32, half: f32| Obb::try_new([center, 0.0, 0.0], XYZ, [half, 1.0, 1.0]);
    let step = f32::MAX - f32::MAX.next_down();
    // 1e-30 is lost next to the greatest number, in f64 too.
    for half in [f32::from_bits(1), 1e-30, 1.0, step] {
        assert_eq!(at(f32::MAX, half), Err(ObbError::TooLarge), "{half:e}");
        assert_eq!(at(-f32::MAX, half), Err(ObbError::TooLarge), "{half:e}");
        let model = Mat4::from_translation(Vec3::Y * f32::MAX);
        let local = Aabb::try_new([0.0; 3], [half; 3]).unwrap();
        let image = Obb::from_model(&local, &model);
        assert_eq!(image, Err(ObbError::TooLarge), "{half:e}");
        let local = Aabb::try_new([-half; 3], [0.0; 3]).unwrap();
        let image = Obb::from_model(&local, &model).unwrap();
        assert_eq!(image.bounds().max(), Vec3::Y * f32::MAX, "{half:e}");
    }
    let inside = at(f32::MAX.next_down(), step).unwrap();
    let bounds = inside.bounds();
    assert_eq!((bounds.min().y, bounds.max().y), (-1.0, 1.0));
    assert_eq!(bounds.max().x, f32::MAX);
}

#[test]
fn bad_models_are_refused() {
    let refused = |model: Mat4| Obb::from_model(&cube(), &model).unwrap_err();
    let empty = Obb::from_model(&Aabb::EMPTY, &Mat4::IDENTITY);
    assert_eq!(empty, Err(ObbError::Empty));
    let nan = Mat4::from_translation(Vec3::new(0.0, f32::NAN, 0.0));
    let message = refused(nan).to_string();
    assert!(message.contains("row 1, column 3"), "{message}");
    let mut projection = Mat4::IDENTITY;
    (projection.z_axis.w, projection.w_axis.w) = (-1.0, 0.0);
    let ObbError::Model(entry) = refused(projection) else {
        panic!("{projection}");
    };
    assert_eq!((entry.row, entry.column, entry.value), (3, 2, -1.0));
    let flat = Mat4::from_scale(Vec3::new(1.0, 0.0, 1.0));
    assert!(matches!(refused(flat), ObbError::Singular(_)));
    // In f32 and in f64 this determinant has rounding noise; exactly it is 0.
    let column = |x, y, z| Vec4::new(x, y, z, 0.0);
    let dependent = [column(0.1, 0.7, 1.3), column(0.3, 1.9, 0.9)];
    let sum = |a: f32, b: f32| Vec4::splat(a) * dependent[0] + Vec4::splat(b) * dependent[1];
    let singular = Mat4::from_cols(dependent[0], dependent[1], sum(2.0, 0.0), Vec4::W);
    assert!(matches!(refused(singular), ObbError::Singular(_)));
    // One step away from singular is a valid box, however thin.
    let mut thin = singular;
    thin.z_axis.x = thin.z_axis.x.next_up();
    let towards = Ray::new([5.0, 4.0, 3.0], [-5.0, -4.0, -3.0]);
    assert!(image(thin).hit(&towards).is_some());
    let huge = Mat4::from_scale(Vec3::splat(2e38));
    assert!(Obb::from_model(&cube(), &huge).is_ok());
    let corner = Mat4::from_rotation_z(0.5) * huge;
    let twice = Aabb::try_new([0.0; 3], [2.0; 3]).unwrap();
    assert_eq!(Obb::from_model(&twice, &corner), Err(ObbError::TooLarge));
    let [nan, projection, flat] = [nan, projection, flat].map(refused);
    for error in [&nan, &projection, &flat, &ObbError::Empty] {
        assert!(error.to_string().len() > 20);
    }
    assert!(flat.to_string().contains("(0, 0, 0)"));
}
