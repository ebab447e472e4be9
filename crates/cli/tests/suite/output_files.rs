//! Output files: which files they must not replace, and what is left after a failure.

use crate::common::{command, estoc, names};
use std::fs;
use std::io::Write;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

#[test]
fn what_a_mesh_is_made_of_is_not_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let obj = "mtllib lib/a.mtl\nusemtl m\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    let gltf = r#"{"asset":{"version":"2.0"},"meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],
        "accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"}],
        "bufferViews":[{"buffer":0,"byteLength":36}],
        "buffers":[{"uri":"my%20a.bin","byteLength":36}],"images":[{"uri":"a.ktx"},{"uri":7}]}"#;
    fs::create_dir(at("lib")).unwrap();
    fs::write(at("a.obj"), obj).unwrap();
    fs::write(at("lib/a.mtl"), "newmtl m\nKd 1 0 0\nmap_Kd wood.tga\n").unwrap();
    for name in ["lib/wood.tga", "a.ktx", "my a.bin"] {
        fs::write(at(name), [0; 36]).unwrap();
    }
    fs::write(at("a.gltf"), gltf.replace(r#",{"uri":7}"#, "")).unwrap();
    symlink(at("lib/a.mtl"), at("link")).unwrap();
    let refused = |args: &[&str]| {
        let told = estoc(args).fails(2);
        assert!(told.contains("would replace"), "{args:?}: {told}");
    };
    for (mesh, part) in [
        ("a.obj", "lib/a.mtl"),
        ("a.obj", "link"),
        ("a.obj", "lib/wood.tga"),
        ("a.gltf", "my a.bin"),
        ("a.gltf", "a.ktx"),
    ] {
        let (mesh, part) = (&at(mesh), &at(part));
        let before = fs::read(part).unwrap();
        refused(&["info", mesh, "--out", part]);
        refused(&["render", mesh, "--size=8x8", "--out", part]);
        refused(&["build", mesh, "--out", part]);
        refused(&["cast", mesh, "--ray=0,0,1,0,0,-1", "--out", part]);
        refused(&["bench", mesh, "--csv", part]);
        assert_eq!(fs::read(part).unwrap(), before);
    }
    // A fault in the images does not make the mesh invalid.
    fs::write(at("a.gltf"), gltf).unwrap();
    estoc(["info", "--quiet", &at("a.gltf")]).ok();
    let mut all = names(folder.path());
    all.retain(|name| name.ends_with(".part"));
    assert_eq!(all, Vec::<String>::new());
}

#[test]
fn mode_bits_of_an_existing_file_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    for args in [
        &["info", "demo:soup?n=5", "--out"][..],
        &["build", "demo:soup?n=5", "--out"],
    ] {
        fs::write(&out, "old").unwrap();
        fs::set_permissions(&out, fs::Permissions::from_mode(0o600)).unwrap();
        let ran = estoc(args.iter().copied().chain(out.to_str()));
        assert_eq!(ran.status, 0, "{}", ran.stderr);
        assert_ne!(fs::read(&out).unwrap(), b"old");
        assert_eq!(
            fs::metadata(&out).unwrap().permissions().mode() & 0o7777,
            0o600
        );
    }
}

#[test]
fn a_link_to_nothing_stays_a_link() {
    let folder = tempfile::tempdir().unwrap();
    let link = folder.path().join("link");
    symlink("later", &link).unwrap();
    estoc(["info", "demo:soup?n=5", "--out", link.to_str().unwrap()]).ok();
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert!(
        fs::read_to_string(folder.path().join("later"))
            .unwrap()
            .contains("triangles")
    );
}

#[test]
fn the_next_run_removes_what_a_killed_one_left() {
    let folder = tempfile::tempdir().unwrap();
    let start = || {
        let mut child = command()
            .args(["cast", "demo:soup?n=5", "--rays", "-", "--out"])
            .arg(folder.path().join("hits.csv"))
            .stdin(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stdin = child.stdin.take().unwrap();
        stdin.write_all(b"ox,oy,oz,dx,dy,dz\n").unwrap();
        (child, stdin)
    };
    let parts = |count| {
        while names(folder.path()).len() != count {
            std::thread::sleep(Duration::from_millis(5));
        }
    };
    let (mut killed, _stdin) = start();
    parts(1);
    let (mut running, stdin) = start();
    parts(2);
    killed.kill().unwrap();
    killed.wait().unwrap();
    parts(2);
    let other = folder.path().join("other");
    estoc(["info", "demo:soup?n=5", "--out", other.to_str().unwrap()]).ok();
    let left = names(folder.path());
    assert_eq!(
        left.len(),
        2,
        "that of the run that goes on is there: {left:?}"
    );
    drop(stdin);
    assert!(running.wait().unwrap().success());
    assert_eq!(names(folder.path()), ["hits.csv", "other"]);
}

#[test]
fn a_file_that_may_not_grow_is_an_error_that_names_it() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let limited = |args: &str| {
        let script = format!("ulimit -f 8; exec \"$0\" {args} --out \"$1\"");
        Command::new("sh")
            .args(["-c", &script, env!("CARGO_BIN_EXE_estoc")])
            .arg(&out)
            .output()
            .unwrap()
    };
    for args in [
        "build 'demo:sphere?n=5000'",
        "render 'demo:sphere?n=500' --quiet --size=200x200 --samples=1 --shade=id",
    ] {
        let output = limited(args);
        let told = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(3), "{args}: {told}");
        assert!(told.contains(out.to_str().unwrap()), "{args}: {told}");
        assert!(
            told.contains("too large") && !told.contains(".part"),
            "{args}: {told}"
        );
        assert_eq!(names(Path::new(folder.path())), Vec::<String>::new());
    }
}

#[test]
fn a_message_that_cannot_be_written_leaves_the_exit_status() {
    let cases: [(&str, &[u8], i32); 4] = [
        ("check", b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", 1),
        ("check", b"v 1 2", 3),
        ("info", b"f 1 2 3", 3),
        // Only warned about.
        ("info", b"v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n", 0),
    ];
    for (verb, input, status) in cases {
        let mut child = command()
            .args([verb, "-"])
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stderr.take());
        child.stdin.take().unwrap().write_all(input).unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(status), "{verb}");
    }
}
