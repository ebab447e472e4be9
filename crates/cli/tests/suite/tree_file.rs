//! `estoc build`, and the other verbs on its output.

use crate::common::{BENCH, Folder, assert_has, command, root, run};
use serde_json::Value;
use std::fs;

const HALL: &str = "data/hall.obj";

/// Builds a tree file.
fn build(folder: &Folder, name: &str, args: &str) {
    folder
        .run(&format!("build --quiet --out F/{name} {args}"))
        .ok();
}

#[test]
fn every_verb_says_of_the_tree_file_what_it_says_of_the_mesh() {
    let folder = Folder::new();
    build(&folder, "hall.estoc", HALL);
    // A tree file is recognised by its content, whatever its name.
    build(
        &folder,
        "compact.estoc",
        &format!("{HALL} --layout=compact --quality=best"),
    );
    fs::rename(folder.path("compact.estoc"), folder.path("named.obj")).unwrap();
    let mut text = String::from("ox,oy,oz,dx,dy,dz\n");
    for i in 0..300 {
        let angle = 0.1 * f64::from(i);
        let (y, dy) = (1 + i % 4, 0.3 - 0.002 * f64::from(i));
        text += &format!("0,{y},-6,{},{dy},{}\n", angle.sin(), angle.cos());
    }
    folder.put("rays.csv", text);
    for file in ["F/hall.estoc", "F/named.obj"] {
        for line in [
            "cast --rays F/rays.csv",
            "cast --rays F/rays.csv --query=all --json",
            "cast --rays F/rays.csv --query=crossings --engine=brute",
            "pick --size=640x400 --pixel=320,160",
            "pick --size=640x400 --pixel=320,160 --json --eye=-1.35,2.05,-1.2 --at=0.75,4.15,-20",
            "render --size=64x40 --samples=1 --quiet --out=- --shade=material",
            "render --size=64x40 --samples=1 --quiet --out=-",
        ] {
            let output = |mesh: &str| {
                let words = folder.words(&format!("{line} {mesh}"));
                let output = command().args(words).output().unwrap();
                let is_silent = output.status.success() && output.stderr.is_empty();
                assert!(is_silent, "{output:?}");
                output.stdout
            };
            let [ours, theirs] = [output(file), output(HALL)];
            let same = match line.starts_with("pick") {
                true => without_attributes(&ours) == without_attributes(&theirs),
                false => ours == theirs,
            };
            let [ours, theirs] =
                [ours, theirs].map(|text| String::from_utf8_lossy(&text).into_owned());
            assert!(same, "{line} {file}\n{ours}\n{theirs}");
        }
        let verified = folder.run(&format!("verify {file} --count=60")).ok();
        assert!(verified.starts_with("ok: "), "{verified}");
        let options = "--thread-counts=1 --kinds=primary --calls=single";
        let bench = folder.run(&format!("{BENCH} {file} {options}"));
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
    let folder = Folder::new();
    build(&folder, "hall.estoc", &format!("{HALL} --quality=fast"));
    let ours = folder.run("info F/hall.estoc --json").ok_json();
    let theirs = run(&format!("info {HALL} --json")).ok_json();
    for name in "triangles vertices bounds closed objects groups materials".split(' ') {
        assert_eq!(ours[name], theirs[name], "{name}");
    }
    let said = &ours["file"];
    assert_eq!(said["version"], 1);
    assert_eq!(said["source"], HALL);
    assert_eq!(said["quality"], "fast");
    assert_eq!(said["bytes"], folder.bytes("hall.estoc").len());
    assert_eq!(ours["report"], Value::Null);

    let text = folder.run("info F/hall.estoc").ok();
    for part in [
        "tree file  version 1 by estoc",
        HALL,
        "quality    fast",
        "read in",
    ] {
        assert_has(&text, part);
    }

    let line = format!("build {HALL} --quiet --quality=fast --out F/b.estoc --json");
    let build = folder.run(&line).ok_json();
    assert_eq!(build["schema"], "estoc.build/1");
    assert_eq!(build["mesh_hash"], said["mesh_hash"]);
    assert_eq!(build["bytes"], said["bytes"]);
    assert_eq!(build["triangles"], ours["triangles"]);
    assert_eq!(build["bvh"]["nodes"], ours["bvh"]["nodes"]);
    assert_eq!(build["quality"], "fast");
    assert_eq!(build["layout"], "fast");
}

#[test]
fn the_bytes_are_the_same_for_any_number_of_threads_and_on_stdout() {
    let folder = Folder::new();
    let mesh = "demo:soup?n=20000";
    build(&folder, "1", &format!("{mesh} --threads=1"));
    build(&folder, "3", &format!("{mesh} --threads=3"));
    let one = folder.bytes("1");
    assert!(one == folder.bytes("3"));
    let out = command()
        .args(["build", mesh, "--quiet", "--out=-"])
        .output()
        .unwrap();
    assert!(out.status.success() && out.stdout == one);
    // A tree file can be built from another.
    build(&folder, "again", "F/1 --quality=best");
    let again = folder.run("info F/again --json").ok_json();
    assert_eq!(again["file"]["quality"], "best");
}

#[test]
fn what_cannot_be_done_is_told_and_leaves_nothing_behind() {
    let folder = Folder::new();
    run(&format!("build {HALL}")).fails_with(2, "--out FILE.estoc");
    let both = run(&format!("build {HALL} --json --out=-"));
    assert_eq!(both.status, 2);
    assert_has(&both.stderr, "--json writes to stdout");
    folder
        .run("build missing.obj --out F/a.estoc")
        .fails_with(3, "missing.obj");
    folder
        .run(&format!("build {HALL} --out F/missing/a.estoc"))
        .fails(3);
    assert_eq!(folder.names(), [""; 0]);

    // A tree does not replace the mesh that it is built from.
    folder.put(
        "mesh.obj",
        fs::read(root().join("data/solids.obj")).unwrap(),
    );
    folder.run("build F/mesh.obj --out F/mesh.obj").fails(2);

    build(&folder, "a.estoc", HALL);
    let mut bytes = folder.bytes("a.estoc");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    folder.put("a.estoc", &bytes);
    let told = folder.run("cast F/a.estoc --ray=0,1,0,0,0,1").fails(3);
    assert_has(&told, "a.estoc: bytes ");
    assert_has(&told, "copy or build it again");
    folder.put("a.estoc", &bytes[..middle]);
    folder.run("info F/a.estoc").fails_with(3, "is truncated: ");
    bytes[12] = 9;
    folder.put("a.estoc", &bytes);
    let render = folder.run("render F/a.estoc --out F/a.png");
    render.fails_with(3, "has format version 9");
    assert_eq!(folder.names(), ["a.estoc", "mesh.obj"]);
}

#[test]
fn a_tree_file_that_is_packed_or_in_a_pipe_says_what_to_do() {
    let folder = Folder::new();
    build(&folder, "a.estoc", "demo:box");
    let bytes = folder.bytes("a.estoc");
    // A frame with one uncompressed block, and the length less 256 in two bytes.
    let mut zst = vec![0x28, 0xb5, 0x2f, 0xfd, 0x60];
    zst.extend(((bytes.len() - 256) as u16).to_le_bytes());
    zst.extend(&((bytes.len() << 3 | 1) as u32).to_le_bytes()[..3]);
    zst.extend(&bytes);
    folder.put("a.estoc.zst", zst);
    assert_eq!(
        folder.run("cast F/a.estoc.zst --ray=0,0,0,0,0,1").fails(3),
        "estoc: F/a.estoc.zst: is a tree file compressed with zstd; tree files are read uncompressed; \
         decompress it first\n"
    );
    let told = "is a tree file, not a mesh; give the name of the file alone: tree files are read neither \
                from pipes nor as scene:FILE\n";
    let piped = folder.run_reading("cast - --ray=0,0,0,0,0,1", &bytes);
    assert_eq!(piped.fails(3), format!("estoc: <stdin>: {told}"));
    let scene = folder.run("info scene:F/a.estoc");
    assert_eq!(scene.fails(3), format!("estoc: F/a.estoc: {told}"));
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_told() {
    run("build demo:sphere?n=100 --out=/dev/full").fails_with(3, "/dev/full");
}
