//! Files without faces, and files truncated to zero bytes.

use crate::common::{Folder, assert_has, estoc_reading};

/// Every verb that needs triangles, without the mesh argument.
const VERBS: [&str; 9] = [
    "cast --ray=0,0,0,1,0,0",
    "render --out=-",
    "pick --pixel=1,1",
    "verify",
    "build --out=-",
    "bench --seconds=0.01 --rounds=3",
    "check",
    "contains --points=F/points.csv",
    "near --points=F/points.csv",
];

#[test]
fn a_file_without_faces_is_an_error_in_every_format() {
    let ply = "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\n\
        property float z\nend_header\n1 2 3\n";
    // gzip of empty input.
    let packed = b"\x1f\x8b\x08\0\0\0\0\0\0\x03\x03\0\0\0\0\0\0\0\0\0";
    let files: [(&str, &[u8]); 8] = [
        ("zero.obj", b""),
        ("vertices.obj", b"v 1 2 3\n"),
        ("short.obj", b"v 1 2 3\nf 1 1\n"),
        ("a.ply", ply.as_bytes()),
        ("a.off", b"OFF\n1 0 0\n1 2 3\n"),
        ("a.stl", b"solid a\nendsolid a\n"),
        ("a.gltf", br#"{"asset":{"version":"2.0"}}"#),
        ("packed.obj.gz", packed),
    ];
    let folder = Folder::with(&[("points.csv", "x,y,z\n")]);
    let mut names: Vec<String> = Vec::new();
    for (name, bytes) in files {
        folder.put(name, bytes);
        names.push(format!("F/{name}"));
    }
    if cfg!(unix) {
        names.push("/dev/null".into());
    }
    for file in &names {
        for verb in VERBS {
            let told = folder.run(&format!("{verb} {file}")).fails(3);
            let problem = match file.ends_with("short.obj") {
                true => "its only face cannot be used",
                false => "it has no faces",
            };
            let expected = format!(
                "estoc: {file}: {problem}, so nothing can be hit; estoc info {file} shows what it \
                 contains\n"
            );
            assert_eq!(told, expected, "{verb}");
        }
        let ran = folder.run(&format!("info --json {file}"));
        assert_eq!(ran.status, 0, "{file}: {}", ran.stderr);
        let info = ran.json();
        let warnings = info["warnings"].as_array().unwrap();
        let warned = warnings.iter().any(|warning| {
            let warning = warning.as_str().unwrap();
            warning.ends_with(": nothing can be hit") || warning.contains("fewer than three")
        });
        assert!(warned, "{file}: {info}");
        assert!(info["closed"].is_null(), "{file}");
        assert!(ran.stderr.contains("estoc: "), "{file}: {}", ran.stderr);
    }
    let told = estoc_reading(["verify", "-"], b"").fails(3);
    assert!(told.starts_with("estoc: -: it has no faces"), "{told}");
    folder.put("bad.obj", "v 1 2 3\nf 1 1 7\nf 1 8 1\n");
    let told = folder.run("verify --skip-bad-faces F/bad.obj").fails(3);
    assert_has(&told, "none of its 2 faces can be used");
}

#[test]
fn files_that_were_cut_to_nothing_are_damaged() {
    let folder = Folder::with(&[("points.csv", "x,y,z\n")]);
    for (name, text, expected) in [
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
        folder.put(name, text);
        for verb in VERBS.into_iter().chain(["info"]) {
            let told = folder.run(&format!("{verb} F/{name}")).fails(3);
            assert!(told.contains(expected), "{name} {verb}: {told}");
        }
    }
}
