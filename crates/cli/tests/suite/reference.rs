//! Reference rays with exact answers over real meshes.

use crate::common::{command, root};
use estoc::engine::SimdLevel;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};

#[test]
#[ignore = "needs meshes and rays beside the repository"]
fn teapot() {
    check("utah-teapot", 20_000);
}

#[test]
#[ignore = "needs meshes and rays beside the repository"]
fn cad_part() {
    check("cad-adis16480", 20_000);
}

#[test]
#[ignore = "needs meshes and rays beside the repository"]
fn sponza() {
    check("sponza-dabrovic", 4000);
}

#[test]
#[ignore = "needs meshes and rays beside the repository"]
fn bunny() {
    check("stanford-bunny", 4000);
}

/// Casts all rays and requires the reference's hit and primitive, and its t, which is an f64 there,
/// rounded to f32. Rays classified as ambiguous are no exception.
fn check(name: &str, expected_rays: usize) {
    let data = root().join("../shared/data");
    let mesh = data.join(format!("meshes/{name}.obj.zst"));
    let rays = data.join(format!("reference/{name}.rays.csv.xz"));
    let folder = tempfile::tempdir().unwrap();
    let mesh = unpack("zstd", &mesh, folder.path().join("mesh.obj"));
    let rays = unpack("xz", &rays, folder.path().join("rays.csv"));
    let cast = |simd: &str| {
        let output = command()
            .arg("cast")
            .arg(&mesh)
            .arg("--rays")
            .arg(&rays)
            .env("ESTOC_SIMD", simd)
            .output()
            .unwrap();
        let told = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(0), "{told}");
        String::from_utf8(output.stdout).unwrap()
    };
    let ours = cast("");
    for level in SimdLevel::available() {
        // Then it suffices to check one of them.
        assert!(
            cast(&level.to_string()) == ours,
            "{level} answers otherwise"
        );
    }
    let theirs = std::fs::read_to_string(&rays).unwrap();
    let columns: Vec<&str> = theirs.lines().next().unwrap().split(',').collect();
    let column = |name: &str| columns.iter().position(|column| *column == name).unwrap();
    let [hit, t, prim, class] = ["hit", "t", "prim", "cls"].map(column);
    assert_eq!(ours.lines().next(), Some("ray,hit,t,prim,u,v"));

    let answers: Vec<&str> = ours.lines().skip(1).collect();
    let rays = theirs.lines().count() - 1;
    assert_eq!((answers.len(), rays), (expected_rays, expected_rays));
    let mut disagreements = Vec::new();
    for (index, (reference, answer)) in theirs.lines().skip(1).zip(answers).enumerate() {
        let cells: Vec<&str> = reference.split(',').collect();
        let expected = if cells[hit] == "1" {
            // The reference's t is rounded once to f64. Rounding it again can only be wrong if it
            // lies exactly between two f32s.
            let t = cells[t].parse::<f64>().unwrap() as f32;
            (index.to_string(), "1", t.to_bits(), cells[prim])
        } else {
            (index.to_string(), "0", f32::INFINITY.to_bits(), "-1")
        };
        let ours: Vec<&str> = answer.split(',').collect();
        let t: f32 = ours[2].parse().unwrap();
        if (ours[0].to_owned(), ours[1], t.to_bits(), ours[3]) != expected {
            let class = cells[class];
            disagreements.push(format!("{class}: {answer} instead of {expected:?}"));
        }
    }
    println!("{name}: {rays} rays, {} disagreements", disagreements.len());
    assert_eq!(disagreements, Vec::<String>::new());
}

fn unpack(tool: &str, packed: &Path, to: PathBuf) -> PathBuf {
    let status = Command::new(tool)
        .arg("-dc")
        .arg(packed)
        .stdout(std::fs::File::create(&to).unwrap())
        .stderr(Stdio::null())
        .status();
    let done = status.as_ref().is_ok_and(ExitStatus::success);
    let packed = packed.display();
    assert!(done, "{tool} cannot unpack {packed}: {status:?}");
    to
}
