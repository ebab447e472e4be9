//! Readable pictures: colours, noise, differences, and the up direction.

use crate::common::estoc;
use std::path::Path;

/// Returns the width, and rows of red, green and blue.
pub(crate) fn picture(path: &Path) -> (usize, Vec<[u8; 3]>) {
    let file = std::io::BufReader::new(std::fs::File::open(path).unwrap());
    let mut reader = png::Decoder::new(file).read_info().unwrap();
    let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut bytes).unwrap();
    let (pixels, _) = bytes.as_chunks::<3>();
    (info.width as usize, pixels.to_vec())
}

/// Renders with these arguments.
fn render(args: &[&str]) -> (usize, Vec<[u8; 3]>) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("p.png");
    let out = ["--quiet", "--out", path.to_str().unwrap()];
    estoc(["render"].iter().chain(args).chain(&out)).ok();
    picture(&path)
}

fn put(folder: &tempfile::TempDir, name: &str, text: &str) -> String {
    let path = folder.path().join(name);
    std::fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

#[test]
fn the_far_end_of_depth_is_not_the_background() {
    let folder = tempfile::tempdir().unwrap();
    // A near sheet on the left, a far one on the right, and a gap between them.
    let text = "v -9 -9 -4\nv -1 -9 -4\nv -1 9 -4\nv -9 9 -4\nf 1 2 3 4\n\
                v 300 -900 -400\nv 900 -900 -400\nv 900 900 -400\nv 300 900 -400\nf 5 6 7 8\n";
    let mesh = put(&folder, "m.obj", text);
    let (width, pixels) = render(&[
        &mesh,
        "--eye=0,0,0",
        "--at=0,0,-1",
        "--fov=90",
        "--shade=depth",
        "--size=60x40",
        "--samples=1",
    ]);
    let row = &pixels[20 * width..21 * width];
    let (near, sky, far) = (row[2], row[width / 2], row[width - 2]);
    let off = |a: [u8; 3], b: [u8; 3]| -> u32 {
        a.iter().zip(b).map(|(a, b)| u32::from(a.abs_diff(b))).sum()
    };
    assert!(off(far, sky) > 120, "{far:?} before {sky:?}");
    assert!(off(near, far) > 200, "{near:?} before {far:?}");
}

/// Returns the saturation of the colours, from 0 to 1, without the background.
fn saturation(pixels: &[[u8; 3]]) -> f64 {
    let strong = pixels.iter().filter_map(|pixel| {
        let (low, high) = (*pixel.iter().min()?, *pixel.iter().max()?);
        (high > 60).then(|| f64::from(high - low) / f64::from(high))
    });
    let all: Vec<f64> = strong.collect();
    assert!(all.len() > 1000);
    all.iter().sum::<f64>() / all.len() as f64
}

#[test]
fn triangles_smaller_than_pixels_do_not_mix_to_grey() {
    let strong = |n: &str| {
        let mesh = format!("demo:sphere?n={n}");
        let args = [&mesh, "--shade=id", "--size=80x60", "--samples=8"];
        saturation(&render(&args).1)
    };
    let (few, many) = (strong("2000"), strong("400000"));
    assert!(many > 0.6 * few, "{many} of {few}");
}

/// The error of the previous sampling method here, in steps of 1/256: Kronecker points, with 4 rays
/// towards the sky from each of 16 camera rays.
const OLD_ERROR: f64 = 7.018;

#[test]
fn ambient_occlusion_has_half_the_error_that_it_had() {
    let paint = |samples: &str| {
        let args = ["demo:hall?n=3000", "--shade=ao", "--size=32x20", samples];
        render(&args).1
    };
    let (some, many) = (paint("--samples=16"), paint("--samples=1024"));
    let squares = some.iter().flatten().zip(many.iter().flatten());
    let sum: f64 = squares
        .map(|(a, b)| f64::from(a.abs_diff(*b)).powi(2))
        .sum();
    let error = (sum / (3 * some.len()) as f64).sqrt();
    assert!(error <= 0.5 * OLD_ERROR, "{error} instead of {OLD_ERROR}");
}

#[test]
fn differences_are_shown_where_they_are() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).display().to_string();
    let (reference, difference) = (at("r.png"), at("d.png"));
    let scene = ["demo:sphere?n=300", "--size=240x200", "--samples=1"];
    let run = |rest: &[&str]| estoc(["render", "--quiet"].iter().chain(&scene).chain(rest));
    run(&["--shade=normal", "--out", &reference]).ok();
    let compare = ["--compare", &reference, "--difference", &difference];

    // The same picture: the difference is all grey.
    run(&[&["--shade=normal"], &compare[..]].concat()).ok();
    let (_, pixels) = picture(Path::new(&difference));
    assert!(pixels.iter().all(|[r, g, b]| r == g && g == b));

    // Another picture: coloured where they differ. The file is kept although the check fails.
    run(&[&["--shade=facing"], &compare[..]].concat()).fails(1);
    let (width, pixels) = picture(Path::new(&difference));
    let [r, g, b] = pixels[100 * width + 120];
    assert!(r != g || g != b, "{r} {g} {b}");

    let alone = run(&["--out", &at("x.png"), "--difference", &difference]).fails(2);
    assert!(alone.contains("--compare"), "{alone}");
    let same = run(&["--compare", &reference, "--difference", &reference]).fails(2);
    assert!(same.contains("--difference would replace"), "{same}");
}

#[test]
fn a_view_straight_down_has_another_up() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("p.png");
    let out = out.to_str().unwrap();
    let size = ["--size=30x20", "--samples=1"];
    let down = ["render", "demo:terrain?n=500", "--eye=0,60,0", "--at=0,0,0"];
    let ran = estoc(down.iter().chain(&size).chain(&["--out", out]));
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    let note = "estoc: the view is parallel to --up 0,1,0; using 0,0,-1 as up instead\n";
    assert!(ran.stderr.starts_with(note), "{}", ran.stderr);
    assert!(
        ran.stderr.contains(" --up 0,0,-1 --fov 40"),
        "{}",
        ran.stderr
    );
    // From below, the same edge of the mesh is at the bottom.
    let up = ["pick", "demo:terrain?n=500", "--eye=0,-60,0", "--at=0,0,0"];
    let ran = estoc(up.iter().chain(&["--pixel=10,10", "--json"]));
    let object: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(object["up"], serde_json::json!([0.0, 0.0, 1.0]));
    // Along z, too.
    let along = [
        "pick",
        "demo:terrain?n=500",
        "--eye=0,0,9",
        "--at=0,0,0",
        "--up=z",
    ];
    let ran = estoc(along.iter().chain(&["--pixel=10,10", "--json"]));
    let object: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(object["up"], serde_json::json!([0.0, 1.0, 0.0]));
}

#[test]
fn a_mesh_without_materials_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let mesh = put(&folder, "m.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    let out = folder.path().join("p.png");
    let args = [
        "render",
        &mesh,
        "--size=9x9",
        "--samples=1",
        "--shade=material",
    ];
    let ran = estoc(args.into_iter().chain(["--out", out.to_str().unwrap()]));
    let note = format!("estoc: {mesh}: the mesh has no materials, so everything is grey");
    assert!(ran.stderr.starts_with(&note), "{}", ran.stderr);
    let args = [
        "render",
        "data/hall.obj",
        "--size=9x9",
        "--samples=1",
        "--shade=material",
    ];
    let ran = estoc(args.into_iter().chain(["--out", out.to_str().unwrap()]));
    assert!(!ran.stderr.contains("no materials"), "{}", ran.stderr);
}

#[test]
fn data_whose_z_is_up_gets_a_hint() {
    let folder = tempfile::tempdir().unwrap();
    // Hills of 20 by 20 squares, with z up and with y up.
    let hills = |vertex: &dyn Fn(i32, i32, i32) -> String| {
        let mut text = String::new();
        for x in 0..21 {
            for y in 0..21 {
                text += &vertex(x, y, (x + y) / 9);
            }
        }
        for corner in (0..20).flat_map(|x| (0..20).map(move |y| 21 * x + y + 1)) {
            let [a, b, c, d] = [corner, corner + 21, corner + 22, corner + 1];
            text += &format!("f {a} {b} {c} {d}\n");
        }
        text
    };
    let z_up = put(
        &folder,
        "z.obj",
        &hills(&|x, y, h| format!("v {x} {y} {h}\n")),
    );
    let y_up = put(
        &folder,
        "y.obj",
        &hills(&|x, y, h| format!("v {x} {h} -{y}\n")),
    );
    let pick = |mesh: &str, rest: &[&str]| {
        let args = ["pick", mesh, "--size=20x20", "--pixel=10,10"];
        estoc(args.iter().chain(rest))
    };
    // No shape tells which axis is up.
    for mesh in [&z_up, &y_up] {
        assert_eq!(pick(mesh, &[]).stderr, "");
    }

    // An axis name stands for a direction.
    let up = |up: &str| pick(&z_up, &["--up", up]).ok();
    assert_eq!(up("z"), up("0,0,1"));
    assert_eq!(up("-x"), up("-1,0,0"));
    assert_ne!(up("z"), up("y"));
    for wrong in ["w", "", "1,2"] {
        let told = pick(&z_up, &["--up", wrong]).fails(2);
        assert!(told.contains("an axis such as y, z or -z"), "{told}");
    }
}
