//! Invalid requests: exit status, message, and no result.

use crate::common::{estoc, estoc_reading, names};

#[test]
fn wrong_usage_is_2_and_names_what_is_right() {
    let cast = |rest: &[&str]| estoc(["cast", "demo:soup?n=5"].iter().chain(rest)).fails(2);
    assert!(cast(&[]).contains("<--rays <FILE>|--ray <NUMBERS>>"));
    assert!(cast(&["--ray", "1,2,3"]).contains("6 numbers (ox,oy,oz,dx,dy,dz)"));
    assert!(cast(&["--ray", "1,2,3,4,5,zero"]).contains("\"zero\" is not a number"));
    let both = cast(&["--ray", "1,2,3,4,5,6", "--rays", "-"]);
    assert!(both.contains("cannot be used with"), "{both}");
    let query = cast(&["--ray", "1,2,3,4,5,6", "--query", "nearest"]);
    assert!(
        query.contains("closest, any, all, count, crossings"),
        "{query}"
    );
    assert!(cast(&["--ray", "1,2,3,4,5,6", "--threads", "0"]).contains("1..=1024"));
    assert_eq!(
        estoc(["info", "demo:kettle"]).fails(2),
        "estoc: demo:kettle: there is no demo scene \"kettle\": choose one of sphere, terrain, \
         hall, solids, soup, teapot, box, tower, court, house, gallery, mountains, specks, \
         hairball; scenes of placed meshes are city and pick\n"
    );
    assert!(
        estoc(["info", "demo:hall?n=none"])
            .fails(2)
            .contains("n=\"none\" is not a whole")
    );
    assert!(
        estoc(["paint", "x.obj"])
            .fails(2)
            .contains("unrecognized subcommand")
    );
    let too_many = estoc(["demo", "--count", "1000000000000"]).fails(2);
    assert!(too_many.contains("1..=100000000"), "{too_many}");
    for wrong in [
        ["demo", "--count=0"],
        ["verify", "--count=0"],
        ["demo", "--picture=-"],
    ] {
        let mesh = (wrong[0] == "verify").then_some("demo:soup?n=5");
        estoc(wrong.into_iter().chain(mesh)).fails(2);
    }
    assert!(
        estoc(["info", "demo:sphere?n=5&n=6"])
            .fails(2)
            .contains("the key n is given twice")
    );
    assert!(
        estoc(["demo", "--size", "12"])
            .fails(2)
            .contains("WIDTHxHEIGHT")
    );
}

#[test]
fn formats_that_are_not_read_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let put = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        path.to_str().unwrap().to_owned()
    };
    for (name, bytes, what) in [
        ("a.fbx", &b"Kaydara FBX Binary  \0"[..], "FBX"),
        ("a.dae", b"<?xml version=\"1.0\"?>", "COLLADA"),
        ("a.3mf", b"PK\x03\x04", "3MF"),
    ] {
        let mesh = put(name, bytes);
        assert_eq!(
            estoc(["info", &mesh]).fails(3),
            format!(
                "estoc: {mesh}: {what} is not supported; convert it to OBJ, PLY, STL, OFF or glTF\n"
            )
        );
    }
    let mesh = put("a.png", b"\x89PNG\r\n\x1a\n");
    assert_eq!(
        estoc(["info", &mesh]).fails(3),
        format!("estoc: {mesh}: is a PNG picture, not a mesh\n")
    );
    let told = estoc_reading(["info", "-"], b"; FBX 7.4.0 project file\n").fails(3);
    assert!(
        told.starts_with("estoc: <stdin>: FBX is not supported;"),
        "{told}"
    );
}

#[test]
fn stdin_is_one_thing_only() {
    let told = estoc(["cast", "-", "--rays", "-"]).fails(2);
    assert!(told.contains("stdin cannot be both"), "{told}");
}

#[test]
fn files_of_other_formats_say_where() {
    let told = estoc_reading(["info", "-"], b"OFF\n3 1 0\n0 0 0\n").fails(3);
    assert_eq!(
        told,
        "estoc: <stdin>:3: invalid OFF: the file ends after 1 of 3 vertices\n"
    );
    let off = b"OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 3\n";
    let told = estoc_reading(["info", "-"], off).fails(3);
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
    for args in [
        vec!["--help"],
        vec!["--version"],
        vec!["help", "cast"],
        vec!["verify", "-h"],
    ] {
        assert!(estoc(&args).ok().contains("estoc"), "{args:?}");
    }
}

#[test]
fn bad_input_is_3_and_names_file_line_value_and_way_out() {
    let folder = tempfile::tempdir().unwrap();
    let put = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let missing = folder.path().join("missing.obj");
    let missing = missing.to_str().unwrap();
    let message = estoc(["info", missing]).fails(3);
    assert!(message.contains("missing.obj"), "{message}");
    assert!(message.contains("; check the path"), "{message}");

    let mesh = put("bad.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nf 1 2 9\n");
    for verb in ["info", "verify"] {
        let message = estoc([verb, &mesh]).fails(3);
        assert!(message.contains("bad.obj:5:"), "{message}");
        assert!(
            message.ends_with("; use --skip-bad-faces to skip such faces\n"),
            "{message}"
        );
        assert!(
            message.contains('9') && !message.contains("BadFaces"),
            "{message}"
        );
    }
    let skipping = estoc(["info", "--json", "--skip-bad-faces", &mesh]);
    assert_eq!(skipping.status, 0);
    assert!(skipping.stderr.contains("bad.obj"), "{}", skipping.stderr);
    let info: serde_json::Value = serde_json::from_str(&skipping.stdout).unwrap();
    assert_eq!(info["triangles"], 1);
    assert_eq!(info["report"]["skipped_faces"], 1);
    assert_eq!(info["report"]["out_of_range"]["count"], 1);
    assert_eq!(info["report"]["out_of_range"]["first"][0]["line"], 5);
    let quiet = estoc(["info", "--json", "--skip-bad-faces", "--quiet", &mesh]);
    assert_eq!(quiet.stderr, "");

    let cast = |csv: &str| {
        let rays = put("rays.csv", csv);
        estoc(["cast", "demo:soup?n=5", "--rays", &rays]).fails(3)
    };
    let message = cast("ox,oy,oz,dx,dy\n");
    assert!(message.contains("rays.csv:1: missing column dz; the first line must name"));
    let message = cast("");
    assert!(
        message.contains("rays.csv: the file is empty; its first line must name"),
        "{message}"
    );
    assert!(
        estoc(["cast", "demo:soup?n=5", "--rays", missing])
            .fails(3)
            .contains("missing.obj")
    );
    let head = "ox,oy,oz,dx,dy,dz\n";
    let stdin = estoc_reading(
        ["cast", "demo:soup?n=5", "--rays", "-"],
        head.replace("dz", "dw").as_bytes(),
    );
    assert!(stdin.fails(3).contains("<stdin>:1:"));
}

/// The rows before the bad one may be on stdout already; a file must not be created.
#[test]
fn an_error_on_the_way_leaves_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("hits.csv");
    let out_text = out.to_str().unwrap();
    let mut rays = String::from("ox,oy,oz,dx,dy,dz\n");
    rays.push_str(&"0,0,0,1,0,0\n".repeat(100_000));
    rays.push_str("0,0,0,1,0,up\n");
    let args = ["cast", "demo:soup?n=5", "--rays", "-", "--out", out_text];
    let message = estoc_reading(args, rays.as_bytes()).fails(3);
    assert_eq!(
        message,
        "estoc: <stdin>:100002: dz is \"up\", which is not a number such as -1.5, 2e-3 or inf\n"
    );
    assert_eq!(names(folder.path()), Vec::<String>::new());

    std::fs::write(&out, "old").unwrap();
    estoc_reading(args, rays.as_bytes()).fails(3);
    assert_eq!(std::fs::read_to_string(&out).unwrap(), "old");
    assert_eq!(names(folder.path()), ["hits.csv"]);
}

#[test]
fn a_file_that_cannot_be_written_is_3() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("no/such/folder/result");
    let args = ["info", "demo:soup?n=5", "--out"];
    let message = estoc(args.iter().copied().chain(out.to_str())).fails(3);
    let expected = format!("estoc: cannot write {}: ", out.display());
    assert!(message.starts_with(&expected), "{message}");
    assert!(!message.contains(".part"), "{message}");
    // Before the mesh is read.
    for verb in [
        &["info", "no-such.obj", "--out"][..],
        &["verify", "no-such.obj", "--out"],
        &["cast", "no-such.obj", "--ray=0,0,0,1,0,0", "--out"],
        &["render", "no-such.obj", "--out"],
        &["demo", "--picture"],
    ] {
        let message = estoc(verb.iter().copied().chain(out.to_str())).fails(3);
        assert!(message.starts_with(&expected), "{message}");
    }
    let message = estoc(args.iter().copied().chain(folder.path().to_str())).fails(3);
    assert!(message.contains("cannot write"), "{message}");
}

#[test]
fn a_result_does_not_replace_what_it_comes_from() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mesh.obj");
    let text = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    std::fs::write(&path, text).unwrap();
    let mesh = path.to_str().unwrap();
    let again = folder.path().join("./mesh.obj");
    let message = estoc(["info", mesh, "--out", again.to_str().unwrap()]).fails(2);
    assert!(message.contains("--out would replace"), "{message}");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), text);

    let rays = folder.path().join("rays.csv");
    let rows = "ox,oy,oz,dx,dy,dz\n0,0,0,0,0,1\n";
    std::fs::write(&rays, rows).unwrap();
    let rays_name = rays.to_str().unwrap();
    let args = ["cast", mesh, "--rays", rays_name, "--out", rays_name];
    let message = estoc(args).fails(2);
    assert!(message.contains("--out would replace"), "{message}");
    assert_eq!(std::fs::read_to_string(&rays).unwrap(), rows);

    let new = folder.path().join("new");
    let new = new.to_str().unwrap();
    let message = estoc(["demo", "--picture", new, "--out", new]).fails(2);
    assert!(message.contains("--picture would replace"), "{message}");
}

/// Only Linux allows arbitrary bytes in file names.
#[cfg(target_os = "linux")]
#[test]
fn a_file_may_have_any_name() {
    use std::os::unix::ffi::OsStrExt;
    let folder = tempfile::tempdir().unwrap();
    let path = folder
        .path()
        .join(std::ffi::OsStr::from_bytes(b"m\xff.obj"));
    std::fs::write(&path, "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n").unwrap();
    let text = estoc(["info".as_ref(), path.as_os_str()]).ok();
    assert!(text.contains("triangles  1"), "{text}");
}

#[test]
fn what_is_no_file_says_what_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_str().unwrap();
    for verb in ["info", "check"] {
        let told = estoc([verb, path]).fails(3);
        assert!(
            told.starts_with(&format!("estoc: {path}: it is a directory; name a file")),
            "{told}"
        );
    }
    #[cfg(unix)]
    {
        let socket = folder.path().join("socket");
        let _listener = std::os::unix::net::UnixListener::bind(&socket).unwrap();
        let socket = socket.to_str().unwrap();
        assert_eq!(
            estoc(["near", "demo:box", "--points", socket]).fails(3),
            format!("estoc: cannot read points from {socket}: it is a socket; name a file\n")
        );
    }
}
