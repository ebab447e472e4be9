//! The command with a device answers as it does without one.
//!
//! The device is one that is software, where there is any; without one, these tests say so and pass.

use std::path::Path;
use std::process::{Command, Output};

/// The mesh, relative to this package.
const SPHERE: &str = "../../data/sphere.obj";

fn estoc(line: &str) -> Output {
    Command::new(env!("CARGO_BIN_EXE_estoc"))
        .args(line.split_whitespace())
        .output()
        .unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn succeed(line: &str) -> Output {
    let output = estoc(line);
    assert!(output.status.success(), "{line}: {}", text(&output.stderr));
    output
}

fn fails(line: &str, status: i32, told: &str) {
    let output = estoc(line);
    let stderr = text(&output.stderr);
    assert_eq!(output.status.code(), Some(status), "{line}: {stderr}");
    assert!(stderr.contains(told), "{line}: {stderr}");
}

/// Returns the first word of the name of a device that is software, if there is one.
fn software() -> Option<String> {
    let all = estoc_gpu::Device::all();
    let software = all.into_iter().find(|device| device.is_software);
    let found = software.and_then(|device| Some(device.name.split_whitespace().next()?.to_owned()));
    if found.is_none() {
        println!("there is no device that is software, so nothing is tested");
    }
    found
}

/// Writes some thousand rays, or points without `directions`: a grid around the sphere, and what is not finite.
fn items(path: &Path, directions: bool) {
    let mut lines = String::from(match directions {
        true => "ox,oy,oz,dx,dy,dz\n0,0,0,0,0,0\nnan,0,0,1,0,0\n",
        false => "x,y,z\nnan,0,0\ninf,0,0\n",
    });
    for number in 0..4096 {
        let [x, y, z] = [number % 16, number / 16 % 16, number / 256]
            .map(|place: i32| f64::from(place) * 0.15 - 1.125);
        let direction = match directions {
            true => format!(",{},{},{}", 0.3 - x, -y, 0.1 - z),
            false => String::new(),
        };
        lines += &format!("{x},{y},{z}{direction}\n");
    }
    std::fs::write(path, lines).unwrap();
}

#[test]
fn a_device_gives_the_same_bytes() {
    let Some(name) = software() else { return };
    let folder = tempfile::tempdir().unwrap();
    let [rays, points] = ["rays.csv", "points.csv"].map(|name| folder.path().join(name));
    items(&rays, true);
    items(&points, false);
    let [rays, points] = [rays, points].map(|path| path.display().to_string());
    let mut lines: Vec<String> = [
        "closest",
        "any",
        "all",
        "first --k 2",
        "count",
        "crossings",
        "crossing-hits",
        "closest --cull back",
        "count --cull front --open-ends",
        "closest --columns ray,t,prim,u,v,point,normal,object,group,material",
        "all --json",
    ]
    .map(|query| format!("cast {SPHERE} --rays {rays} --query {query}"))
    .into();
    lines.push(format!("contains {SPHERE} --points {points}"));
    for line in lines {
        let plain = succeed(&line);
        let asked = succeed(&format!("{line} --device {name}"));
        assert!(plain.stdout.len() > 4096, "{line}");
        assert!(asked.stdout == plain.stdout, "{line}");
        assert_eq!(text(&asked.stderr), text(&plain.stderr), "{line}");
    }
}

#[test]
fn a_device_paints_the_same_pictures() {
    let Some(name) = software() else { return };
    let folder = tempfile::tempdir().unwrap();
    let paint = |mesh: &str, shade: &str, device: &str| {
        let out = folder.path().join("picture.png");
        let (out, size) = (out.display(), "--size 70x50 --samples 2");
        succeed(&format!(
            "render {mesh} {size} --shade {shade} {device} --out {out}"
        ));
        std::fs::read(out.to_string()).unwrap()
    };
    let local = format!("{SPHERE} --local-frame 5,5,5");
    for (mesh, shade) in [
        (SPHERE, "ao"),
        (SPHERE, "id"),
        (SPHERE, "thickness"),
        (&local, "normal"),
    ] {
        let plain = paint(mesh, shade, "");
        assert!(
            paint(mesh, shade, &format!("--device {name}")) == plain,
            "{mesh}, {shade}"
        );
    }
}

#[test]
fn what_a_device_did_is_told() {
    let Some(name) = software() else { return };
    let folder = tempfile::tempdir().unwrap();
    let rays = folder.path().join("rays.csv");
    items(&rays, true);
    let rays = rays.display();
    let asked = succeed(&format!(
        "cast {SPHERE} --rays {rays} --device {name} --explain --json"
    ));
    let told = text(&asked.stderr);
    // The other two are undefined.
    assert!(told.contains("traced 4,096 rays, and left "), "{told}");
    let object = text(&asked.stdout);
    assert!(object.contains("\"rays\":4096,\"doubts\":"), "{object}");
    let listed = text(&succeed("info --devices").stdout);
    assert!(
        listed.contains(&name) && listed.contains(", software)"),
        "{listed}"
    );
    let listed = text(&succeed("info --devices --json").stdout);
    assert!(
        listed.contains("\"schema\": \"estoc.devices/1\""),
        "{listed}"
    );
    let little = "--seconds 0.01 --rounds 1 --build-rounds 1 --count 4096 --kinds primary,ao";
    // Its warm-up compares the answers with those of single calls.
    let bench = text(&succeed(&format!("bench {SPHERE} {little} --device {name}")).stdout);
    assert!(bench.contains(&format!("on {name}")), "{bench}");
}

#[test]
fn what_devices_do_not_serve_is_refused() {
    fails(
        "cast demo:sphere --ray 1,2,3,4,5,6 --device no-such-device",
        3,
        "no-such-device",
    );
    if estoc_gpu::Device::all()
        .iter()
        .all(|device| device.is_software)
    {
        fails(
            "cast demo:sphere --ray 1,2,3,4,5,6 --device gpu",
            3,
            "there is no graphics processor",
        );
        // The processor answers.
        succeed("cast demo:city --ray 1,2,3,4,5,6 --device auto");
    }
    let Some(name) = software() else { return };
    for (line, told) in [
        ("render demo:city --out -", "a scene of placed objects"),
        ("render demo:sphere --with demo:box --out -", "--with"),
        (
            "render demo:sphere --precision f64 --out -",
            "a mesh in f64",
        ),
        (
            "cast demo:city --ray 1,2,3,4,5,6",
            "a scene of placed objects",
        ),
        (
            "cast demo:sphere --precision f64 --ray 1,2,3,4,5,6",
            "a mesh in f64",
        ),
        (
            "cast ../../data/sphere.obj --local-frame 5,5,5 --ray 1,2,3,4,5,6",
            "a local frame",
        ),
        (
            "cast demo:sphere --engine brute --ray 1,2,3,4,5,6",
            "--engine brute",
        ),
        (
            "contains demo:city --point 1,2,3",
            "a scene of placed objects",
        ),
        (
            "contains demo:sphere --point 1,2,3 --rule winding",
            "--rule winding",
        ),
    ] {
        fails(&format!("{line} --device {name}"), 2, told);
    }
}
