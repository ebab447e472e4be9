//! Options shared by several verbs, and the program's description of itself.

use crate::common::{BENCH, Folder, assert_has, command, run};
use serde_json::Value;

#[test]
fn quality_and_layout_are_options_wherever_a_tree_is_built() {
    let folder = Folder::with(&[("p.csv", "x,y,z\n0,0,0\n")]);
    let with_tree = |line: &str| folder.run(&format!("{line} --quality fast --layout compact"));

    let mesh = "demo:sphere?n=300";
    let info = with_tree(&format!("info {mesh} --json")).ok_json();
    assert_eq!(info["bvh"]["layout"], "compact");
    let built = with_tree(&format!("build {mesh} --quiet --json --out F/t.estoc")).ok_json();
    assert_eq!(built["quality"], "fast");
    assert_eq!(built["layout"], "compact");

    // The answers stay the same.
    for line in [
        "cast demo:sphere?n=300 --ray -3,0.1,0.2,1,0,0",
        "pick demo:sphere?n=300 --size=20x20 --pixel=10,10",
        "near demo:sphere?n=300 --points F/p.csv",
    ] {
        assert_eq!(with_tree(line).ok(), folder.run(line).ok(), "{line}");
    }
    let inside = with_tree(&format!("contains {mesh} --points F/p.csv")).ok();
    assert!(inside.ends_with("0,1\n"), "{inside}");
    let verified = with_tree(&format!("verify {mesh} --count 50")).ok();
    assert!(verified.starts_with("ok: "), "{verified}");
    let render = format!("render {mesh} --quiet --size=16x16 --samples=1 --out");
    with_tree(&format!("{render} F/1.png")).ok();
    folder.run(&format!("{render} F/2.png")).ok();
    assert_eq!(folder.bytes("1.png"), folder.bytes("2.png"));
    let demo = with_tree("demo --count=10 --size=8x8 --quiet --picture F/d.png");
    assert_has(&demo.ok(), "equal");
    let options = "--qualities=best --layout=compact --json --kinds=random";
    let bench = run(&format!("{BENCH} {mesh} {options}")).ok_json();
    assert_eq!(bench["settings"]["layout"], "compact");
    assert!(bench["others"].is_null() || bench["others"].as_f64().unwrap() <= 1.0);

    // A tree file contains its tree.
    let told = folder.run("info F/t.estoc --quality best");
    assert_has(&told.stderr, "the file contains a tree, so --quality");
    assert_has(&told.stdout, "quality    fast");
}

/// A flag has one meaning: `--rays` and `--points` are files, `--count` is a number of rays.
#[test]
fn flags_have_one_meaning() {
    let help = |verb: &str| run(&format!("help {verb}")).ok();
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
    assert!(text.starts_with(start), "{text}");
    assert!(text.ends_with("baseline)\n"), "{text}");
    if let Some((_, commit)) = text.split_once("commit ") {
        let commit = commit.split(',').next().unwrap();
        assert_eq!(commit.len(), 12, "{text}");
        let is_hex = commit.bytes().all(|byte| byte.is_ascii_hexdigit());
        assert!(is_hex, "{text}");
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
        let script = run(&format!("completions {shell}")).ok();
        assert!(script.contains(mark), "{shell}");
        assert!(script.contains("thread-counts"), "{shell}");
    }
    run("completions tcsh").fails_with(2, "bash");
    for (line, parts) in [
        ("man", &[".TH estoc 1", "estoc\\-cast(1)"][..]),
        (
            "man cast",
            &[
                ".TH estoc-cast 1",
                "\\-\\-columns",
                "\\-\\-json",
                "\\-\\-rays",
            ],
        ),
    ] {
        let page = run(line).ok();
        for part in parts {
            assert_has(&page, part);
        }
    }
    run("man paint").fails_with(2, "no verb \"paint\"; use one of info, build, cast");
}

#[test]
fn messages_are_plain() {
    let text = "mtllib gone.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    let folder = Folder::with(&[("m.obj", text)]);
    for line in [
        "info gone.obj",
        "info F/m.obj",
        "info F/m.obj --json",
        "verify F/m.obj --count 1",
        "build F/m.obj --out F/t.estoc",
        "build F/m.obj --out no/such/t.estoc",
        "render F/m.obj --size=1x1 --samples=1 --shade=id --out F/p.png",
        "render F/m.obj --compare gone.png",
        "bench F/m.obj --compare gone.json",
        "bench F/m.obj --kinds=random --rounds=1 --build-rounds=1 --seconds=0.01",
        "cast F/m.obj --ray=0.2,0.2,1,0,0,-1 --explain",
        "contains F/m.obj --points gone.csv",
        "near F/m.obj --points gone.csv",
    ] {
        let ran = folder.run(line);
        let said = format!("{}{}", ran.stdout, ran.stderr);
        assert!(!said.contains("os error"), "{line}: {said}");
        let nouns = "rays triangles rounds builds nodes leaves pixels";
        for noun in nouns.split(' ') {
            for (place, _) in said.match_indices(&format!("1 {noun}")) {
                let before = said[..place].chars().next_back();
                let is_one = before.is_none_or(|c| !c.is_ascii_digit() && !".,".contains(c));
                assert!(!is_one, "{line}: 1 {noun} in {said}");
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
        let help = run(&format!("help {verb}")).ok();
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
