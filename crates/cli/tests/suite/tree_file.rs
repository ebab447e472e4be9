//! `estoc build`, and the other verbs on its output.

use crate::common::{command, estoc, estoc_reading, names};
use serde_json::Value;
use std::fs;
use std::path::Path;
use tempfile::TempDir;

const HALL: &str = "data/hall.obj";

/// Returns the path of a tree file built from a mesh.
fn built(folder: &TempDir, name: &str, args: &[&str]) -> String {
    let path = folder.path().join(name).display().to_string();
    let quiet = ["build", "--quiet", "--out", &path];
    estoc(quiet.iter().chain(args)).ok();
    path
}

fn json(args: &[&str]) -> Value {
    serde_json::from_str(&estoc(args.iter().chain(&["--json"])).ok()).unwrap()
}

#[test]
fn every_verb_says_of_the_tree_file_what_it_says_of_the_mesh() {
    let folder = tempfile::tempdir().unwrap();
    let files = [
        built(&folder, "hall.estoc", &[HALL]),
        built(
            &folder,
            "compact.estoc",
            &[HALL, "--layout=compact", "--quality=best"],
        ),
    ];
    // A tree file is recognised by its content, whatever its name.
    let named = folder.path().join("named.obj").display().to_string();
    fs::rename(&files[1], &named).unwrap();
    let files = [&files[0], &named];
    let rays = folder.path().join("rays.csv");
    let mut text = String::from("ox,oy,oz,dx,dy,dz\n");
    for i in 0..300 {
        let angle = 0.1 * f64::from(i);
        text += &format!(
            "0,{},-6,{},{},{}\n",
            1 + i % 4,
            angle.sin(),
            0.3 - 0.002 * f64::from(i),
            angle.cos()
        );
    }
    fs::write(&rays, text).unwrap();
    let rays = rays.to_str().unwrap();
    let verbs: [&[&str]; 7] = [
        &["cast", "--rays", rays],
        &["cast", "--rays", rays, "--query=all", "--json"],
        &[
            "cast",
            "--rays",
            rays,
            "--query=crossings",
            "--engine=brute",
        ],
        &["pick", "--size=640x400", "--pixel=320,160"],
        &[
            "pick",
            "--size=640x400",
            "--pixel=320,160",
            "--json",
            "--eye=-1.35,2.05,-1.2",
            "--at=0.75,4.15,-20",
        ],
        &[
            "render",
            "--size=64x40",
            "--samples=1",
            "--quiet",
            "--out=-",
            "--shade=material",
        ],
        &[
            "render",
            "--size=64x40",
            "--samples=1",
            "--quiet",
            "--out=-",
        ],
    ];
    for file in files {
        for verb in verbs {
            let output = |mesh: &str| {
                let output = command()
                    .arg(verb[0])
                    .arg(mesh)
                    .args(&verb[1..])
                    .output()
                    .unwrap();
                assert!(
                    output.status.success() && output.stderr.is_empty(),
                    "{output:?}"
                );
                output.stdout
            };
            let [ours, theirs] = [output(file), output(HALL)];
            let same = match verb[0] {
                "pick" => without_attributes(&ours) == without_attributes(&theirs),
                _ => ours == theirs,
            };
            let [ours, theirs] =
                [ours, theirs].map(|text| String::from_utf8_lossy(&text).into_owned());
            assert!(same, "{verb:?} {file}\n{ours}\n{theirs}");
        }
        let verified = estoc(["verify", file, "--count=60"]).ok();
        assert!(verified.starts_with("ok: "), "{verified}");
        let bench = crate::common::bench(
            &[file],
            &["--thread-counts=1", "--kinds=primary", "--calls=single"],
        );
        assert_eq!(bench.status, 0, "{}", bench.stderr);
    }
}

/// Returns the lines of `pick` without what tree files do not keep.
fn without_attributes(text: &[u8]) -> Vec<String> {
    let text = String::from_utf8(text.to_vec()).unwrap();
    if let Ok(mut object) = serde_json::from_str::<Value>(&text) {
        for name in ["shading_normal", "texcoord"] {
            object["hit"][name] = Value::Null;
        }
        return vec![object.to_string()];
    }
    let kept = |line: &&str| !line.starts_with("shading normal") && !line.starts_with("texture");
    text.lines().filter(kept).map(str::to_owned).collect()
}

#[test]
fn info_tells_what_the_file_says_of_itself() {
    let folder = tempfile::tempdir().unwrap();
    let file = built(&folder, "hall.estoc", &[HALL, "--quality=fast"]);
    let (ours, theirs) = (json(&["info", &file]), json(&["info", HALL]));
    for name in [
        "triangles",
        "vertices",
        "bounds",
        "closed",
        "objects",
        "groups",
        "materials",
    ] {
        assert_eq!(ours[name], theirs[name], "{name}");
    }
    let said = &ours["file"];
    assert_eq!(said["version"], 1);
    assert_eq!(said["source"], HALL);
    assert_eq!(said["quality"], "fast");
    assert_eq!(said["bytes"], fs::metadata(&file).unwrap().len());
    assert_eq!(ours["report"], Value::Null);

    let text = estoc(["info", &file]).ok();
    for part in [
        "tree file  version 1 by estoc",
        HALL,
        "quality    fast",
        "read in",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }

    let path = folder.path().join("b.estoc").display().to_string();
    let build = json(&["build", HALL, "--quiet", "--quality=fast", "--out", &path]);
    assert_eq!(build["schema"], "estoc.build/1");
    assert_eq!(build["mesh_hash"], said["mesh_hash"]);
    assert_eq!(build["bytes"], said["bytes"]);
    assert_eq!(build["triangles"], ours["triangles"]);
    assert_eq!(build["bvh"]["nodes"], ours["bvh"]["nodes"]);
    assert_eq!(
        (&build["quality"], &build["layout"]),
        (&"fast".into(), &"fast".into())
    );
}

#[test]
fn the_bytes_are_the_same_for_any_number_of_threads_and_on_stdout() {
    let folder = tempfile::tempdir().unwrap();
    let mesh = "demo:soup?n=20000";
    let one = fs::read(built(&folder, "1", &[mesh, "--threads=1"])).unwrap();
    let three = fs::read(built(&folder, "3", &[mesh, "--threads=3"])).unwrap();
    assert!(one == three);
    let out = command()
        .args(["build", mesh, "--quiet", "--out=-"])
        .output()
        .unwrap();
    assert!(out.status.success() && out.stdout == one);
    // A tree file can be built from another.
    let again = built(
        &folder,
        "again",
        &[folder.path().join("1").to_str().unwrap(), "--quality=best"],
    );
    assert_eq!(json(&["info", &again])["file"]["quality"], "best");
}

#[test]
fn what_cannot_be_done_is_told_and_leaves_nothing_behind() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).display().to_string();
    let told = estoc(["build", HALL]).fails(2);
    assert!(told.contains("--out FILE.estoc"), "{told}");
    let both = estoc(["build", HALL, "--json", "--out=-"]);
    assert_eq!(both.status, 2);
    assert!(
        both.stderr.contains("--json writes to stdout"),
        "{}",
        both.stderr
    );
    let told = estoc(["build", "missing.obj", "--out", &at("a.estoc")]).fails(3);
    assert!(told.contains("missing.obj"), "{told}");
    estoc(["build", HALL, "--out", &at("missing/a.estoc")]).fails(3);
    assert_eq!(names(folder.path()), [""; 0]);

    // A tree does not replace the mesh that it is built from.
    let mesh = at("mesh.obj");
    fs::copy(
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/solids.obj"),
        &mesh,
    )
    .unwrap();
    estoc(["build", &mesh, "--out", &mesh]).fails(2);

    let file = built(&folder, "a.estoc", &[HALL]);
    let mut bytes = fs::read(&file).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&file, &bytes).unwrap();
    let told = estoc(["cast", &file, "--ray=0,1,0,0,0,1"]).fails(3);
    assert!(
        told.contains("a.estoc: bytes ") && told.contains("copy or build it again"),
        "{told}"
    );
    fs::write(&file, &bytes[..middle]).unwrap();
    let told = estoc(["info", &file]).fails(3);
    assert!(told.contains("is truncated: "), "{told}");
    bytes[12] = 9;
    fs::write(&file, &bytes).unwrap();
    let told = estoc(["render", &file, "--out", &at("a.png")]).fails(3);
    assert!(told.contains("has format version 9"), "{told}");
    assert_eq!(names(folder.path()), ["a.estoc", "mesh.obj"]);
}

#[test]
fn a_tree_file_that_is_packed_or_in_a_pipe_says_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    let file = built(&folder, "a.estoc", &["demo:box"]);
    let bytes = fs::read(&file).unwrap();
    // A frame with one uncompressed block, and the length less 256 in two bytes.
    let mut zst = vec![0x28, 0xb5, 0x2f, 0xfd, 0x60];
    zst.extend(((bytes.len() - 256) as u16).to_le_bytes());
    zst.extend(&((bytes.len() << 3 | 1) as u32).to_le_bytes()[..3]);
    zst.extend(&bytes);
    let packed = format!("{file}.zst");
    fs::write(&packed, zst).unwrap();
    assert_eq!(
        estoc(["cast", &packed, "--ray=0,0,0,0,0,1"]).fails(3),
        format!(
            "estoc: {packed}: is a tree file compressed with zstd; tree files are read uncompressed; \
             decompress it first\n"
        )
    );
    let told = "is a tree file, not a mesh; give the name of the file alone: tree files are read neither \
                from pipes nor as scene:FILE\n";
    assert_eq!(
        estoc_reading(["cast", "-", "--ray=0,0,0,0,0,1"], &bytes).fails(3),
        format!("estoc: <stdin>: {told}")
    );
    assert_eq!(
        estoc(["info", &format!("scene:{file}")]).fails(3),
        format!("estoc: {file}: {told}")
    );
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_told() {
    let told = estoc(["build", "demo:sphere?n=100", "--out=/dev/full"]).fails(3);
    assert!(told.contains("/dev/full"), "{told}");
}
