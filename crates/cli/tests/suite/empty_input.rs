//! Files without faces, and files truncated to zero bytes.

use crate::common::{Ran, estoc, estoc_reading};
use serde_json::Value;
use std::path::Path;

/// Every verb that needs triangles, without the mesh argument.
const VERBS: [&[&str]; 9] = [
    &["cast", "--ray=0,0,0,1,0,0"],
    &["render", "--out=-"],
    &["pick", "--pixel=1,1"],
    &["verify"],
    &["build", "--out=-"],
    &["bench", "--seconds=0.01", "--rounds=3"],
    &["check"],
    &["contains", "--points=points.csv"],
    &["near", "--points=points.csv"],
];

fn run(verb: &[&str], mesh: &str, folder: &Path) -> Ran {
    let points = folder.join("points.csv");
    std::fs::write(&points, "x,y,z\n").unwrap();
    let points = format!("--points={}", points.display());
    let args = verb.iter().map(|arg| match *arg {
        "--points=points.csv" => points.as_str(),
        arg => arg,
    });
    estoc(args.chain([mesh]))
}

#[test]
fn a_file_without_faces_is_an_error_in_every_format() {
    let folder = tempfile::tempdir().unwrap();
    let put = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let ply = "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\n\
        property float z\nend_header\n1 2 3\n";
    // gzip of empty input.
    let packed = b"\x1f\x8b\x08\0\0\0\0\0\0\x03\x03\0\0\0\0\0\0\0\0\0";
    let gz = folder.path().join("packed.obj.gz");
    std::fs::write(&gz, packed).unwrap();
    let mut files = vec![
        put("zero.obj", ""),
        put("vertices.obj", "v 1 2 3\n"),
        put("short.obj", "v 1 2 3\nf 1 1\n"),
        put("a.ply", ply),
        put("a.off", "OFF\n1 0 0\n1 2 3\n"),
        put("a.stl", "solid a\nendsolid a\n"),
        put("a.gltf", r#"{"asset":{"version":"2.0"}}"#),
        gz.to_str().unwrap().to_owned(),
    ];
    if cfg!(unix) {
        files.push("/dev/null".into());
    }
    for file in &files {
        for verb in VERBS {
            let told = run(verb, file, folder.path()).fails(3);
            let problem = match file.ends_with("short.obj") {
                true => "its only face cannot be used",
                false => "it has no faces",
            };
            let expected = format!(
                "estoc: {file}: {problem}, so nothing can be hit; estoc info {file} shows what it \
                 contains\n"
            );
            assert_eq!(told, expected, "{verb:?}");
        }
        let ran = estoc(["info", "--json", file]);
        assert_eq!(ran.status, 0, "{file}: {}", ran.stderr);
        let info: Value = serde_json::from_str(&ran.stdout).unwrap();
        let warnings = info["warnings"].as_array().unwrap();
        let warned = warnings.iter().any(|warning| {
            let warning = warning.as_str().unwrap();
            warning.ends_with(": nothing can be hit") || warning.contains("fewer than three")
        });
        assert!(warned, "{file}: {info}");
        assert_eq!(info["closed"], Value::Null, "{file}");
        assert!(ran.stderr.contains("estoc: "), "{file}: {}", ran.stderr);
    }
    let told = estoc_reading(["verify", "-"], b"").fails(3);
    assert!(told.starts_with("estoc: -: it has no faces"), "{told}");
    let skipped = put("bad.obj", "v 1 2 3\nf 1 1 7\nf 1 8 1\n");
    let told = estoc(["verify", "--skip-bad-faces", &skipped]).fails(3);
    assert!(told.contains("none of its 2 faces can be used"), "{told}");
}

#[test]
fn files_that_were_cut_to_nothing_are_damaged() {
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes, expected) in [
        ("a.estoc", &b""[..], "is truncated: 0 of 128 bytes"),
        ("b.ESTOC", &b"\x89EST"[..], "is truncated: 4 of 128 bytes"),
        (
            "a.obj.gz",
            &b""[..],
            "cannot be decompressed (gzip): the file is empty",
        ),
        (
            "a.obj.zst",
            &b""[..],
            "cannot be decompressed (zstd): the file is empty",
        ),
        (
            "a.ply.ZSTD",
            &b""[..],
            "cannot be decompressed (zstd): the file is empty",
        ),
    ] {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        let path = path.to_str().unwrap();
        for verb in VERBS.into_iter().chain([&["info"][..]]) {
            let told = run(verb, path, folder.path()).fails(3);
            assert!(told.contains(expected), "{name} {verb:?}: {told}");
        }
    }
}
