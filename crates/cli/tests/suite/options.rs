//! Options shared by several verbs, and the program's description of itself.

use crate::common::{command, estoc};
use serde_json::Value;

#[test]
fn quality_and_layout_are_options_wherever_a_tree_is_built() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).display().to_string();
    let tree = ["--quality", "fast", "--layout", "compact"];
    let run = |args: &[&str]| estoc(args.iter().chain(&tree)).ok();
    let mesh = "demo:sphere?n=300";

    let info: Value = serde_json::from_str(&run(&["info", mesh, "--json"])).unwrap();
    assert_eq!(info["bvh"]["layout"], "compact");
    let built: Value = serde_json::from_str(&run(&[
        "build",
        mesh,
        "--quiet",
        "--json",
        "--out",
        &at("t.estoc"),
    ]))
    .unwrap();
    assert_eq!(
        (&built["quality"], &built["layout"]),
        (&"fast".into(), &"compact".into())
    );

    // The answers stay the same.
    let ray = ["cast", mesh, "--ray", "-3,0.1,0.2,1,0,0"];
    assert_eq!(run(&ray), estoc(ray).ok());
    let pick = ["pick", mesh, "--size=20x20", "--pixel=10,10"];
    assert_eq!(run(&pick), estoc(pick).ok());
    let points = at("p.csv");
    std::fs::write(&points, "x,y,z\n0,0,0\n").unwrap();
    assert!(run(&["contains", mesh, "--points", &points]).ends_with("0,1\n"));
    let near = ["near", mesh, "--points", &points];
    assert_eq!(run(&near), estoc(near).ok());
    assert!(run(&["verify", mesh, "--count", "50"]).starts_with("ok: "));
    let (one, other) = (at("1.png"), at("2.png"));
    let render = [
        "render",
        mesh,
        "--quiet",
        "--size=16x16",
        "--samples=1",
        "--out",
    ];
    run(&[&render[..], &[&one]].concat());
    estoc(render.into_iter().chain([other.as_str()])).ok();
    assert_eq!(std::fs::read(one).unwrap(), std::fs::read(other).unwrap());
    let picture = at("d.png");
    let demo = [
        "demo",
        "--count=10",
        "--size=8x8",
        "--quiet",
        "--picture",
        &picture,
    ];
    assert!(run(&demo).contains("equal"));
    let bench = [
        "--qualities=best",
        "--layout=compact",
        "--json",
        "--kinds=random",
    ];
    let bench: Value = serde_json::from_str(&crate::common::bench(&[mesh], &bench).ok()).unwrap();
    assert_eq!(bench["settings"]["layout"], "compact");
    assert!(bench["others"].is_null() || bench["others"].as_f64().unwrap() <= 1.0);

    // A tree file contains its tree.
    let told = estoc(["info", &at("t.estoc"), "--quality", "best"]);
    assert!(
        told.stderr
            .contains("the file contains a tree, so --quality"),
        "{}",
        told.stderr
    );
    assert!(told.stdout.contains("quality    fast"), "{}", told.stdout);
}

/// A flag has one meaning: `--rays` and `--points` are files, `--count` is a number of rays.
#[test]
fn flags_have_one_meaning() {
    let help = |verb: &str| estoc(["help", verb]).ok();
    for verb in ["bench", "demo", "verify"] {
        assert!(help(verb).contains("--count <N>"), "{verb}");
        assert!(!help(verb).contains("--rays"), "{verb}");
        assert!(!help(verb).contains("--samples"), "{verb}");
    }
    assert!(help("cast").contains("--rays <FILE>"));
    assert!(help("render").contains("--samples <N>"));
    let bench = help("bench");
    for list in ["--kinds", "--qualities", "--thread-counts", "--calls"] {
        assert!(bench.contains(list), "{list}");
    }
    assert!(bench.contains("--threads <N>"), "{bench}");
}

#[test]
fn the_version_names_the_instruction_set_and_the_commit() {
    let version = |simd: &str| {
        let ran = command().arg("--version").env("ESTOC_SIMD", simd).output();
        String::from_utf8(ran.unwrap().stdout).unwrap()
    };
    let start = concat!("estoc ", env!("CARGO_PKG_VERSION"), " (");
    let text = version("baseline");
    assert!(
        text.starts_with(start) && text.ends_with("baseline)\n"),
        "{text}"
    );
    if let Some((_, commit)) = text.split_once("commit ") {
        let commit = commit.split(',').next().unwrap();
        assert_eq!(commit.len(), 12, "{text}");
        assert!(
            commit.bytes().all(|byte| byte.is_ascii_hexdigit()),
            "{text}"
        );
    }
    // The version is printed even if the machine lacks the level.
    assert!(version("none").starts_with(start));
}

#[test]
fn shells_and_man_have_their_files() {
    for (shell, mark) in [
        ("bash", "complete -F _estoc"),
        ("zsh", "#compdef estoc"),
        ("fish", "complete -c estoc"),
    ] {
        let script = estoc(["completions", shell]).ok();
        assert!(script.contains(mark), "{shell}");
        assert!(script.contains("thread-counts"), "{shell}");
    }
    assert!(estoc(["completions", "tcsh"]).fails(2).contains("bash"));
    let page = estoc(["man"]).ok();
    assert!(
        page.contains(".TH estoc 1") && page.contains("estoc\\-cast(1)"),
        "{page}"
    );
    let page = estoc(["man", "cast"]).ok();
    assert!(page.contains(".TH estoc-cast 1"), "{page}");
    for option in ["\\-\\-columns", "\\-\\-json", "\\-\\-rays"] {
        assert!(page.contains(option), "{option}: {page}");
    }
    let told = estoc(["man", "paint"]).fails(2);
    assert!(
        told.contains("no verb \"paint\"; use one of info, build, cast"),
        "{told}"
    );
}

#[test]
fn messages_are_plain() {
    let folder = tempfile::tempdir().unwrap();
    let mesh = folder.path().join("m.obj");
    std::fs::write(
        &mesh,
        "mtllib gone.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n",
    )
    .unwrap();
    let mesh = mesh.to_str().unwrap();
    let ray = ["cast", mesh, "--ray=0.2,0.2,1,0,0,-1", "--explain"];
    let points = ["contains", mesh, "--points", "gone.csv"];
    let near = ["near", mesh, "--points", "gone.csv"];
    let picture = folder.path().join("p.png");
    let picture = picture.to_str().unwrap();
    let tree = folder.path().join("t.estoc");
    let tree = tree.to_str().unwrap();
    let runs: [&[&str]; 13] = [
        &["info", "gone.obj"],
        &["info", mesh],
        &["info", mesh, "--json"],
        &["verify", mesh, "--count", "1"],
        &["build", mesh, "--out", tree],
        &["build", mesh, "--out", "no/such/t.estoc"],
        &[
            "render",
            mesh,
            "--size=1x1",
            "--samples=1",
            "--shade=id",
            "--out",
            picture,
        ],
        &["render", mesh, "--compare", "gone.png"],
        &["bench", mesh, "--compare", "gone.json"],
        &[
            "bench",
            mesh,
            "--kinds=random",
            "--rounds=1",
            "--build-rounds=1",
            "--seconds=0.01",
        ],
        &ray,
        &points,
        &near,
    ];
    for args in runs {
        let ran = estoc(args);
        let said = format!("{}{}", ran.stdout, ran.stderr);
        assert!(!said.contains("os error"), "{args:?}: {said}");
        for noun in [
            "rays",
            "triangles",
            "rounds",
            "builds",
            "nodes",
            "leaves",
            "pixels",
        ] {
            for (place, _) in said.match_indices(&format!("1 {noun}")) {
                let before = said[..place].chars().next_back();
                let is_one = before.is_none_or(|c| !c.is_ascii_digit() && !".,".contains(c));
                assert!(!is_one, "{args:?}: 1 {noun} in {said}");
            }
        }
        // Seconds in JSON have no long tail of digits.
        if let Ok(object) = serde_json::from_str::<Value>(&ran.stdout) {
            let seconds = object["bvh"]["seconds"].to_string();
            assert!(seconds.len() <= 10, "{seconds}");
        }
    }
    for verb in [
        "", "info", "build", "cast", "contains", "check", "near", "verify", "render", "pick",
        "bench", "demo",
    ] {
        let help = estoc(["help", verb].into_iter().filter(|word| !word.is_empty())).ok();
        for riddle in [
            "so many",
            "gone about",
            "made soon",
            "in threads of its own",
        ] {
            assert!(!help.contains(riddle), "{verb}: {riddle}");
        }
    }
}
