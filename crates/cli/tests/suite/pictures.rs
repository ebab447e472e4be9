//! Readable pictures: colours, noise, differences, and the up direction.

use crate::common::{Folder, assert_has, estoc};
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
fn render(folder: &Folder, args: &str) -> (usize, Vec<[u8; 3]>) {
    let line = format!("render {args} --quiet --out F/p.png");
    folder.run(&line).ok();
    picture(folder.path("p.png").as_ref())
}

#[test]
fn the_far_end_of_depth_is_not_the_background() {
    // A near sheet on the left, a far one on the right, and a gap between them.
    let text = "v -9 -9 -4\nv -1 -9 -4\nv -1 9 -4\nv -9 9 -4\nf 1 2 3 4\n\
                v 300 -900 -400\nv 900 -900 -400\nv 900 900 -400\nv 300 900 -400\nf 5 6 7 8\n";
    let folder = Folder::with(&[("m.obj", text)]);
    let view = "--eye=0,0,0 --at=0,0,-1 --fov=90 --size=60x40 --samples=1";
    let (width, pixels) = render(&folder, &format!("F/m.obj --shade=depth {view}"));
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
        let args = format!("demo:sphere?n={n} --shade=id --size=80x60 --samples=8");
        saturation(&render(&Folder::new(), &args).1)
    };
    let (few, many) = (strong("2000"), strong("400000"));
    assert!(many > 0.6 * few, "{many} of {few}");
}

/// The error of the previous sampling method here, in steps of 1/256: Kronecker points, with 4 rays
/// towards the sky from each of 16 camera rays.
const OLD_ERROR: f64 = 7.018;

#[test]
fn ambient_occlusion_has_half_the_error_that_it_had() {
    let paint = |samples: u32| {
        let args = format!("demo:hall?n=3000 --shade=ao --size=32x20 --samples={samples}");
        render(&Folder::new(), &args).1
    };
    let (some, many) = (paint(16), paint(1024));
    let squares = some.iter().flatten().zip(many.iter().flatten());
    let sum: f64 = squares
        .map(|(a, b)| f64::from(a.abs_diff(*b)).powi(2))
        .sum();
    let error = (sum / (3 * some.len()) as f64).sqrt();
    assert!(error <= 0.5 * OLD_ERROR, "{error} instead of {OLD_ERROR}");
}

#[test]
fn differences_are_shown_where_they_are() {
    let folder = Folder::new();
    let run = |rest: &str| {
        let scene = "demo:sphere?n=300 --size=240x200 --samples=1";
        folder.run(&format!("render --quiet {scene} {rest}"))
    };
    let difference = || picture(folder.path("d.png").as_ref());
    run("--shade=normal --out F/r.png").ok();

    // The same picture: the difference is all grey.
    run("--shade=normal --compare F/r.png --difference F/d.png").ok();
    let (_, pixels) = difference();
    assert!(pixels.iter().all(|[r, g, b]| r == g && g == b));

    // Another picture: coloured where they differ. The file is kept although the check fails.
    run("--shade=facing --compare F/r.png --difference F/d.png").fails(1);
    let (width, pixels) = difference();
    let [r, g, b] = pixels[100 * width + 120];
    assert!(r != g || g != b, "{r} {g} {b}");

    run("--out F/x.png --difference F/d.png").fails_with(2, "--compare");
    let same = run("--compare F/r.png --difference F/r.png");
    same.fails_with(2, "--difference would replace");
}

#[test]
fn a_view_straight_down_has_another_up() {
    let folder = Folder::new();
    let ran = folder.run(
        "render demo:terrain?n=500 --eye=0,60,0 --at=0,0,0 --size=30x20 --samples=1 --out F/p.png",
    );
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    let note = "estoc: the view is parallel to --up 0,1,0; using 0,0,-1 as up instead\n";
    assert!(ran.stderr.starts_with(note), "{}", ran.stderr);
    assert_has(&ran.stderr, " --up 0,0,-1 --fov 40");
    for (view, up) in [
        // From below, the same edge of the mesh is at the bottom.
        ("--eye=0,-60,0 --at=0,0,0", [0.0, 0.0, 1.0]),
        // Along z, too.
        ("--eye=0,0,9 --at=0,0,0 --up=z", [0.0, 1.0, 0.0]),
    ] {
        let line = format!("pick demo:terrain?n=500 {view} --pixel=10,10 --json");
        assert_eq!(folder.run(&line).json()["up"], serde_json::json!(up));
    }
}

#[test]
fn a_mesh_without_materials_says_so() {
    let folder = Folder::with(&[("m.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")]);
    let told = |mesh: &str| {
        let options = "--size=9x9 --samples=1 --shade=material --out F/p.png";
        folder.run(&format!("render {mesh} {options}")).stderr
    };
    let note = "estoc: F/m.obj: the mesh has no materials, so everything is grey";
    let of_mesh = told("F/m.obj");
    assert!(of_mesh.starts_with(note), "{of_mesh}");
    let of_hall = told("data/hall.obj");
    assert!(!of_hall.contains("no materials"), "{of_hall}");
}

#[test]
fn data_whose_z_is_up_gets_a_hint() {
    let folder = Folder::new();
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
    folder.put("z.obj", hills(&|x, y, h| format!("v {x} {y} {h}\n")));
    folder.put("y.obj", hills(&|x, y, h| format!("v {x} {h} -{y}\n")));
    let pick = |mesh: &str, rest: &[&str]| {
        let words = folder.words(&format!("pick F/{mesh} --size=20x20 --pixel=10,10"));
        estoc(words.iter().map(String::as_str).chain(rest.iter().copied()))
    };
    // No shape tells which axis is up.
    for mesh in ["z.obj", "y.obj"] {
        assert_eq!(pick(mesh, &[]).stderr, "");
    }

    // An axis name stands for a direction.
    let up = |up: &str| pick("z.obj", &["--up", up]).ok();
    assert_eq!(up("z"), up("0,0,1"));
    assert_eq!(up("-x"), up("-1,0,0"));
    assert_ne!(up("z"), up("y"));
    for wrong in ["w", "", "1,2"] {
        let ran = pick("z.obj", &["--up", wrong]);
        ran.fails_with(2, "an axis such as y, z or -z");
    }
}

/// A cube of side 2 across a face, with 10 pixels for each unit, and what is picked in each pixel.
#[test]
fn orthographic_pictures_have_the_exact_size_and_show_what_is_picked() {
    let cube = "boxes = [{ min = [-1, -1, -1], max = [1, 1, 1] }]";
    let text = format!("[[object]]\nname = 'c'\n{cube}\n[[placement]]\nobject = 'c'\n");
    let folder = Folder::with(&[("c.toml", &text)]);
    let view = "--eye=0,0,50 --at=0,0,0 --ortho=3 --size=40x30";
    let args = format!("F/c.toml --shade=normal --samples=1 {view}");
    let (width, pixels) = render(&folder, &args);
    let front = pixels[15 * width + 20];
    for (i, &pixel) in pixels.iter().enumerate() {
        let (column, row) = (i % width, i / width);
        let is_in = (10..30).contains(&column) && (5..25).contains(&row);
        assert_eq!(pixel == front, is_in, "{column},{row}");
    }
    for (pixel, is_hit) in [
        ("10,5", true),
        ("29,24", true),
        ("9,15", false),
        ("20,25", false),
    ] {
        let line = format!("pick F/c.toml {view} --pixel={pixel} --json");
        let object = folder.run(&line).ok_json();
        let hit = &object["hit"];
        assert_eq!(hit.is_object(), is_hit, "{pixel}");
        let t = if is_hit {
            49.0.into()
        } else {
            serde_json::Value::Null
        };
        assert_eq!(hit["t"], t);
        assert_eq!(object["ray"]["dir"], serde_json::json!([0.0, 0.0, -1.0]));
    }
}
