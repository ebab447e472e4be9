//! Invalid requests: exit status, message, and no result.

use crate::common::{Folder, assert_has, estoc, run, run_reading};

#[test]
fn wrong_usage_is_2_and_names_what_is_right() {
    for (line, told) in [
        ("cast demo:soup?n=5", "<--rays <FILE>|--ray <NUMBERS>>"),
        (
            "cast demo:soup?n=5 --ray 1,2,3",
            "6 numbers (ox,oy,oz,dx,dy,dz)",
        ),
        (
            "cast demo:soup?n=5 --ray 1,2,3,4,5,zero",
            "\"zero\" is not a number",
        ),
        (
            "cast demo:soup?n=5 --ray 1,2,3,4,5,6 --rays -",
            "cannot be used with",
        ),
        (
            "cast demo:soup?n=5 --ray 1,2,3,4,5,6 --query nearest",
            "closest, any, all, count, crossings",
        ),
        (
            "cast demo:soup?n=5 --ray 1,2,3,4,5,6 --threads 0",
            "1..=1024",
        ),
        ("info demo:hall?n=none", "n=\"none\" is not a whole"),
        ("paint x.obj", "unrecognized subcommand"),
        ("demo --count 1000000000000", "1..=100000000"),
        ("demo --count=0", ""),
        ("verify --count=0 demo:soup?n=5", ""),
        ("demo --picture=-", ""),
        ("info demo:sphere?n=5&n=6", "the key n is given twice"),
        ("demo --size 12", "WIDTHxHEIGHT"),
    ] {
        let message = run(line).fails(2);
        assert!(message.contains(told), "{line}: {message}");
    }
    assert_eq!(
        run("info demo:kettle").fails(2),
        "estoc: demo:kettle: there is no demo scene \"kettle\": choose one of sphere, terrain, \
         hall, solids, soup, teapot, box, tower, court, house, gallery, mountains, specks, \
         hairball; scenes of placed meshes are city and pick\n"
    );
}

#[test]
fn formats_that_are_not_read_are_named() {
    let folder = Folder::new();
    for (name, bytes, what) in [
        ("a.fbx", &b"Kaydara FBX Binary  \0"[..], "FBX"),
        ("a.dae", b"<?xml version=\"1.0\"?>", "COLLADA"),
        ("a.3mf", b"PK\x03\x04", "3MF"),
    ] {
        folder.put(name, bytes);
        assert_eq!(
            folder.run(&format!("info F/{name}")).fails(3),
            format!(
                "estoc: F/{name}: {what} is not supported; convert it to OBJ, PLY, STL, OFF or glTF\n"
            )
        );
    }
    folder.put("a.png", b"\x89PNG\r\n\x1a\n");
    let told = folder.run("info F/a.png").fails(3);
    assert_eq!(told, "estoc: F/a.png: is a PNG picture, not a mesh\n");
    let told = run_reading("info -", b"; FBX 7.4.0 project file\n").fails(3);
    let start = "estoc: <stdin>: FBX is not supported;";
    assert!(told.starts_with(start), "{told}");
}

#[test]
fn stdin_is_one_thing_only() {
    run("cast - --rays -").fails_with(2, "stdin cannot be both");
}

#[test]
fn files_of_other_formats_say_where() {
    let told = run_reading("info -", b"OFF\n3 1 0\n0 0 0\n").fails(3);
    let expected = "estoc: <stdin>:3: invalid OFF: the file ends after 1 of 3 vertices\n";
    assert_eq!(told, expected);
    let off = b"OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 3\n";
    let told = run_reading("info -", off).fails(3);
    let expected = "estoc: <stdin>:6: vertex index 3 is out of range (3 vertices); \
                    use --skip-bad-faces to skip such faces\n";
    assert_eq!(told, expected);
}

#[test]
fn help_lists_the_generated_scenes() {
    let help = estoc(["--help"]).ok();
    let all = ::estoc::demo::Demo::ALL.map(|demo| format!("demo:{}", demo.name()));
    let is_listed = |name: &String| {
        let mut words = help.split(|c: char| !c.is_alphanumeric() && c != ':');
        words.any(|word| word == name)
    };
    let missing: Vec<_> = all.iter().filter(|name| !is_listed(name)).collect();
    assert_eq!(missing, [""; 0]);
}

#[test]
fn help_and_version_are_0() {
    for line in ["--help", "--version", "help cast", "verify -h"] {
        assert!(run(line).ok().contains("estoc"), "{line}");
    }
}

#[test]
fn bad_input_is_3_and_names_file_line_value_and_way_out() {
    let folder = Folder::new();
    let message = folder.run("info F/missing.obj").fails(3);
    assert_has(&message, "missing.obj");
    assert_has(&message, "; check the path");

    let bad = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nf 1 2 9\n";
    folder.put("bad.obj", bad);
    for verb in ["info", "verify"] {
        let message = folder.run(&format!("{verb} F/bad.obj")).fails(3);
        assert_has(&message, "bad.obj:5:");
        let end = "; use --skip-bad-faces to skip such faces\n";
        assert!(message.ends_with(end), "{message}");
        assert_has(&message, "9");
        assert!(!message.contains("BadFaces"), "{message}");
    }
    let skipping = folder.run("info --json --skip-bad-faces F/bad.obj");
    assert_eq!(skipping.status, 0);
    assert_has(&skipping.stderr, "bad.obj");
    let info = skipping.json();
    assert_eq!(info["triangles"], 1);
    assert_eq!(info["report"]["skipped_faces"], 1);
    assert_eq!(info["report"]["out_of_range"]["count"], 1);
    assert_eq!(info["report"]["out_of_range"]["first"][0]["line"], 5);
    let quiet = folder.run("info --json --skip-bad-faces --quiet F/bad.obj");
    assert_eq!(quiet.stderr, "");

    for (csv, told) in [
        (
            "ox,oy,oz,dx,dy\n",
            "rays.csv:1: missing column dz; the first line must name",
        ),
        ("", "rays.csv: the file is empty; its first line must name"),
    ] {
        folder.put("rays.csv", csv);
        folder
            .run("cast demo:soup?n=5 --rays F/rays.csv")
            .fails_with(3, told);
    }
    let missing = folder.run("cast demo:soup?n=5 --rays F/missing.obj");
    missing.fails_with(3, "missing.obj");
    let stdin = run_reading("cast demo:soup?n=5 --rays -", b"ox,oy,oz,dx,dy,dw\n");
    stdin.fails_with(3, "<stdin>:1:");
}

/// The rows before the bad one may be on stdout already; a file must not be created.
#[test]
fn an_error_on_the_way_leaves_no_file() {
    let folder = Folder::new();
    let good = "0,0,0,1,0,0\n".repeat(100_000);
    let rays = format!("ox,oy,oz,dx,dy,dz\n{good}0,0,0,1,0,up\n");
    let fails = || {
        let line = "cast demo:soup?n=5 --rays - --out F/hits.csv";
        folder.run_reading(line, rays.as_bytes()).fails(3)
    };
    assert_eq!(
        fails(),
        "estoc: <stdin>:100002: dz is \"up\", which is not a number such as -1.5, 2e-3 or inf\n"
    );
    assert_eq!(folder.names(), Vec::<String>::new());

    folder.put("hits.csv", "old");
    fails();
    assert_eq!(folder.read("hits.csv"), "old");
    assert_eq!(folder.names(), ["hits.csv"]);
}

#[test]
fn a_file_that_cannot_be_written_is_3() {
    let folder = Folder::new();
    let start = "estoc: cannot write F/no/such/folder/result: ";
    for line in [
        "info demo:soup?n=5 --out",
        // Before the mesh is read.
        "info no-such.obj --out",
        "verify no-such.obj --out",
        "cast no-such.obj --ray=0,0,0,1,0,0 --out",
        "render no-such.obj --out",
        "demo --picture",
    ] {
        let message = folder
            .run(&format!("{line} F/no/such/folder/result"))
            .fails(3);
        assert!(message.starts_with(start), "{line}: {message}");
        assert!(!message.contains(".part"), "{line}: {message}");
    }
    folder
        .run("info demo:soup?n=5 --out F/")
        .fails_with(3, "cannot write");
}

#[test]
fn a_result_does_not_replace_what_it_comes_from() {
    let text = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    let rows = "ox,oy,oz,dx,dy,dz\n0,0,0,0,0,1\n";
    let folder = Folder::with(&[("mesh.obj", text), ("rays.csv", rows)]);
    for (line, option) in [
        ("info F/mesh.obj --out F/./mesh.obj", "--out"),
        (
            "cast F/mesh.obj --rays F/rays.csv --out F/rays.csv",
            "--out",
        ),
        ("demo --picture F/new --out F/new", "--picture"),
    ] {
        let told = format!("{option} would replace");
        folder.run(line).fails_with(2, &told);
    }
    assert_eq!(folder.read("mesh.obj"), text);
    assert_eq!(folder.read("rays.csv"), rows);
}

/// Only Linux allows arbitrary bytes in file names.
#[cfg(target_os = "linux")]
#[test]
fn a_file_may_have_any_name() {
    use std::os::unix::ffi::OsStrExt;
    let folder = tempfile::tempdir().unwrap();
    let name = std::ffi::OsStr::from_bytes(b"m\xff.obj");
    let path = folder.path().join(name);
    std::fs::write(&path, "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n").unwrap();
    let text = estoc(["info".as_ref(), path.as_os_str()]).ok();
    assert_has(&text, "triangles  1");
}

#[test]
fn what_is_no_file_says_what_it_is() {
    let folder = Folder::new();
    for verb in ["info", "check"] {
        let told = folder.run(&format!("{verb} F/")).fails(3);
        let start = "estoc: F/: it is a directory; name a file";
        assert!(told.starts_with(start), "{told}");
    }
    #[cfg(unix)]
    {
        let _listener = std::os::unix::net::UnixListener::bind(folder.path("socket")).unwrap();
        let told = folder.run("near demo:box --points F/socket").fails(3);
        let expected = "estoc: cannot read points from F/socket: it is a socket; name a file\n";
        assert_eq!(told, expected);
    }
}
