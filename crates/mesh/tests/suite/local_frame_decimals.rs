//! Decimals in local frames that need care.

use crate::common::assert_starts;
use crate::common::decimals::{Decimals, assert_exact, load, obj};
use estoc_core::glam::DVec3;
use estoc_mesh::{BadFaces, LocalFrame, MeshError, MeshLoader};
use estoc_testkit::oracle::rational;
use estoc_testkit::tables::Rng;
use num_rational::BigRational;

/// Decimals at the middle of two numbers, and just beside it, which `f64` does not tell apart.
#[test]
fn ties_are_decided_on_the_decimal() {
    let mut rng = Rng::new(4);
    let mut corners = Vec::new();
    let origin = DVec3::new(500_000.1, 5_200_000.0, -0.3);
    for round in 0..300 {
        let mut words = [(); 3].map(|()| String::new());
        for (axis, word) in words.iter_mut().enumerate() {
            let exponent = 90 + rng.below(60) as u32;
            let x = f32::from_bits(exponent << 23 | rng.below(1 << 23) as u32);
            let middle = (f64::from(x) + f64::from(x.next_up())) / 2.0;
            // Both are multiples of 2^-150 or so, whose decimals are finite.
            let exact = rational(middle) + rational(origin[axis]);
            *word = finite_decimal(&exact);
            match (round + axis) % 3 {
                0 => {}
                1 => *word += "00000000000000000000000000000000000000001",
                _ => {
                    let last = word.pop().unwrap();
                    assert_eq!(last, '5');
                    *word += "49999999999999999999999999999999999999999";
                }
            }
        }
        corners.push(words);
    }
    let text = obj(&corners, &[[0, 1, 2]]);
    let mesh = load(text.as_bytes(), "ties.obj", LocalFrame::At(origin));
    assert_exact(&mesh, &corners);
}

/// Decimals near the origin, where the error of an `f64` shows, and far from it.
#[test]
fn decimals_of_any_size_are_rounded_once() {
    let mut rng = Rng::new(6);
    for _ in 0..40 {
        let size = 10f64.powi(rng.below(13) as i32 - 3);
        let origin = [(); 3].map(|()| size * (f64::from(rng.between(-9.0, 9.0)) + 0.1));
        let corners: Decimals = (0..30)
            .map(|_| {
                origin.map(|origin| {
                    let step = 10f64.powi(rng.below(16) as i32 - 15);
                    let x = origin + size * step * f64::from(rng.between(-9.0, 9.0));
                    let digits = rng.below(19) as usize;
                    match rng.below(3) {
                        0 => format!("{x:.digits$}"),
                        1 => format!("{x:.digits$e}"),
                        _ => format!("{x}"),
                    }
                })
            })
            .collect();
        let text = obj(&corners, &[[0, 1, 2]]);
        let mesh = load(text.as_bytes(), "any.obj", LocalFrame::At(origin.into()));
        assert_exact(&mesh, &corners);
    }
}

/// Writes a number whose denominator is a power of two with all digits, of which the last is 5.
fn finite_decimal(x: &BigRational) -> String {
    let places = x.denom().bits() - 1;
    let digits = (x.numer().clone() << places) / x.denom();
    let fives = (0..places).fold(digits, |digits, _| digits * 5);
    let (sign, digits) = match fives.to_string() {
        text if text.starts_with('-') => ("-", text[1..].to_owned()),
        text => ("", text),
    };
    let digits = format!("{digits:0>width$}", width = places as usize + 1);
    let (whole, fraction) = digits.split_at(digits.len() - places as usize);
    format!("{sign}{whole}.{fraction}")
}

#[test]
fn numbers_that_need_care_are_exact_too() {
    let zeros = "0".repeat(3000);
    let origin = DVec3::new(1e39, 5e-324, 16_777_217.0);
    let words: [&[&str]; 3] = [
        &[
            "1e39",
            "1.0000001e39",
            "999999999999999999999999999999999999999",
            "1e40",
            "-1e38",
            "0",
        ],
        &[
            "0",
            "1e-300",
            "7.0064923216240853e-46",
            "1.5",
            "-2.5e-45",
            "1e38",
        ],
        &[
            "16777217",
            "16777217.5",
            "+16777218",
            "1.6777217e7",
            "-0",
            "16777217000000e-6",
        ],
    ];
    let mut corners: Decimals = (0..6)
        .map(|i| words.map(|words| words[i].to_owned()))
        .collect();
    corners.push(
        ["1e39", "0", "16777217"].map(|word| match word.contains('e') {
            true => format!("1{}", &zeros[..39]),
            false => format!("{word}.{zeros}1"),
        }),
    );
    let text = obj(&corners, &[[0, 1, 2], [4, 5, 6]]);
    let mut loader = MeshLoader::new().local_frame(LocalFrame::At(origin));
    loader = loader.bad_faces(BadFaces::Skip);
    let mesh = loader.read(text.as_bytes(), "care.obj").unwrap();
    for corner in &mut corners {
        corner[2] = corner[2].trim_start_matches('+').to_owned();
    }
    assert_exact(&mesh, &corners);
}

#[test]
fn hostile_numbers_end_in_errors_or_infinities() {
    let text = |x: &str| format!("v {x} 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    for origin in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let loader = MeshLoader::new().local_frame(LocalFrame::At(DVec3::new(0.0, origin, 0.0)));
        for (name, text) in [("a.obj", text("0")), ("a.off", "OFF 0 0 0\n".into())] {
            let error = loader.read(text.as_bytes(), name).unwrap_err();
            assert!(matches!(error, MeshError::OriginNotFinite { .. }));
            let start = format!("{name}: the origin [0, {origin}, 0] of the local frame");
            assert_starts(&error.to_string(), &start);
        }
    }
    let is_not_finite = |error: &MeshError| matches!(error, MeshError::NonFiniteVertex { .. });
    let long = "9".repeat(100_000);
    for origin in [0.1, f64::MAX, -f64::MAX].map(DVec3::splat) {
        for x in [
            "1e39",
            "-1e400",
            "1e99999999999999999999",
            "inf",
            "nan",
            "1.#INF",
            &long,
        ] {
            let loader = MeshLoader::new().local_frame(LocalFrame::At(origin));
            let error = loader.read(text(x).as_bytes(), "a.obj").unwrap_err();
            assert!(is_not_finite(&error), "{x}: {error}");
        }
    }
    for x in [
        "1e-99999999999999999999",
        "-1e-400",
        &format!("0.{}1", "0".repeat(100_000)),
    ] {
        let frame = LocalFrame::At(DVec3::splat(0.5));
        let mesh = load(text(x).as_bytes(), "a.obj", frame);
        assert_eq!(mesh.positions()[0].x, -0.5, "{x}");
    }
    let error = MeshLoader::new().local_frame(LocalFrame::Auto);
    let error = error.read(text("1e39").as_bytes(), "a.obj").unwrap_err();
    assert!(is_not_finite(&error), "{error}");
}
