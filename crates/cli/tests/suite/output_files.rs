//! Output files: which files they must not replace, and what is left after a failure.

use crate::common::{Folder, command};
use std::fs;
use std::io::Write;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::process::{Command, Stdio};
use std::time::Duration;

#[test]
fn what_a_mesh_is_made_of_is_not_replaced() {
    let folder = Folder::new();
    let obj = "mtllib lib/a.mtl\nusemtl m\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    let gltf = r#"{"asset":{"version":"2.0"},"meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],
        "accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"}],
        "bufferViews":[{"buffer":0,"byteLength":36}],
        "buffers":[{"uri":"my%20a.bin","byteLength":36}],"images":[{"uri":"a.ktx"},{"uri":7}]}"#;
    folder.put("a.obj", obj);
    folder.put("lib/a.mtl", "newmtl m\nKd 1 0 0\nmap_Kd wood.tga\n");
    for name in ["lib/wood.tga", "a.ktx", "my a.bin"] {
        folder.put(name, [0; 36]);
    }
    folder.put("a.gltf", gltf.replace(r#",{"uri":7}"#, ""));
    symlink(folder.path("lib/a.mtl"), folder.path("link")).unwrap();
    for (mesh, part) in [
        ("a.obj", "lib/a.mtl"),
        ("a.obj", "link"),
        ("a.obj", "lib/wood.tga"),
        ("a.gltf", "my a.bin"),
        ("a.gltf", "a.ktx"),
    ] {
        let before = folder.bytes(part);
        for verb in [
            "info --out",
            "render --size=8x8 --out",
            "build --out",
            "cast --ray=0,0,1,0,0,-1 --out",
            "bench --csv",
        ] {
            // The name of the part has a space.
            let mut words = folder.words(&format!("{verb} F/"));
            *words.last_mut().unwrap() += part;
            words.push(folder.path(mesh));
            let told = crate::common::estoc(words).fails(2);
            assert!(told.contains("would replace"), "{verb} {mesh}: {told}");
        }
        assert_eq!(folder.bytes(part), before);
    }
    // A fault in the images does not make the mesh invalid.
    folder.put("a.gltf", gltf);
    folder.run("info --quiet F/a.gltf").ok();
    let mut all = folder.names();
    all.retain(|name| name.ends_with(".part"));
    assert_eq!(all, Vec::<String>::new());
}

#[test]
fn mode_bits_of_an_existing_file_are_kept() {
    let folder = Folder::new();
    let out = folder.path("out");
    for verb in ["info", "build"] {
        folder.put("out", "old");
        fs::set_permissions(&out, fs::Permissions::from_mode(0o600)).unwrap();
        let ran = folder.run(&format!("{verb} demo:soup?n=5 --out F/out"));
        assert_eq!(ran.status, 0, "{}", ran.stderr);
        assert_ne!(folder.bytes("out"), b"old");
        let mode = fs::metadata(&out).unwrap().permissions().mode();
        assert_eq!(mode & 0o7777, 0o600);
    }
}

#[test]
fn a_link_to_nothing_stays_a_link() {
    let folder = Folder::new();
    let link = folder.path("link");
    symlink("later", &link).unwrap();
    folder.run("info demo:soup?n=5 --out F/link").ok();
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert!(folder.read("later").contains("triangles"));
}

#[test]
fn the_next_run_removes_what_a_killed_one_left() {
    let folder = Folder::new();
    let start = || {
        let mut child = command()
            .args(folder.words("cast demo:soup?n=5 --rays - --out F/hits.csv"))
            .stdin(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stdin = child.stdin.take().unwrap();
        stdin.write_all(b"ox,oy,oz,dx,dy,dz\n").unwrap();
        (child, stdin)
    };
    let parts = |count| {
        while folder.names().len() != count {
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
    folder.run("info demo:soup?n=5 --out F/other").ok();
    let left = folder.names();
    let expected = "that of the run that goes on is there";
    assert_eq!(left.len(), 2, "{expected}: {left:?}");
    drop(stdin);
    assert!(running.wait().unwrap().success());
    assert_eq!(folder.names(), ["hits.csv", "other"]);
}

#[test]
fn a_file_that_may_not_grow_is_an_error_that_names_it() {
    let folder = Folder::new();
    let out = folder.path("out");
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
        assert!(told.contains(&out), "{args}: {told}");
        assert!(told.contains("too large"), "{args}: {told}");
        assert!(!told.contains(".part"), "{args}: {told}");
        assert_eq!(folder.names(), Vec::<String>::new());
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
