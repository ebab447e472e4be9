//! Files of releases, kept as those wrote them (`tests/data/keep`): trees, scenes, rays and jobs. Later versions read
//! them, with the answers that they had, as docs/compatibility.md promises.

use crate::common::{Folder, assert_has, assert_kept, estoc, names, root};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Returns the folders of the kept releases.
fn releases() -> Vec<PathBuf> {
    let data = root().join("crates/cli/tests/data");
    let folders: Vec<PathBuf> = { names(&data).into_iter() }
        .map(|name| data.join(name))
        .filter(|path| path.is_dir())
        .collect();
    assert!(!folders.is_empty());
    folders
}

/// Returns a copy of a folder.
fn copy(from: &Path) -> Folder {
    fn put(folder: &Folder, from: &Path, prefix: &str) {
        for name in names(from) {
            let path = from.join(&name);
            match path.is_dir() {
                true => put(folder, &path, &format!("{prefix}{name}/")),
                false => drop(folder.put(&format!("{prefix}{name}"), fs::read(path).unwrap())),
            }
        }
    }
    let folder = Folder::new();
    put(&folder, from, "");
    folder
}

/// The job of the folders `job` and `killed`.
const JOB: &str =
    "cast F/fast.estoc --rays F/rays.csv --columns id,t,prim,u,v --part-rows 40 --verify-input";

/// A version that no build has.
const OTHER: &str = "0.1.0 (commit 0123456789ab)";

/// Changes the version in the manifest of a job.
fn name_version(folder: &Folder, job: &str, version: &str) {
    let name = format!("{job}/_manifest.json");
    let before = folder.json(&name)["job"]["estoc"]
        .as_str()
        .unwrap()
        .to_owned();
    folder.put(&name, folder.read(&name).replace(&before, version));
}

#[test]
fn trees_scenes_and_rays_have_the_answers_that_they_had() {
    let columns = "--columns id,hit,t,prim,u,v,object,group,material";
    let cases = [
        (
            format!("fast.estoc --rays F/rays.csv {columns}"),
            "hits.csv",
        ),
        (
            format!("compact.estoc --rays F/rays.csv {columns}"),
            "hits.csv",
        ),
        (format!("house.obj --rays F/rays.csv {columns}"), "hits.csv"),
        (
            format!("f64.estoc --rays F/far.rays.csv {columns}"),
            "f64.hits.csv",
        ),
        (
            format!("origin.estoc --rays F/far.rays.csv {columns}"),
            "origin.hits.csv",
        ),
        ("fast.estoc --rays F/rays.npy".into(), "npy.hits.npy"),
        (
            "fast.estoc --rays F/rays.npy --query all".into(),
            "npy.lists.csv",
        ),
        (
            "scene.toml --rays F/rays.csv --columns id,hit,t,prim,u,v,source,instance".into(),
            "scene.hits.csv",
        ),
    ];
    for release in releases() {
        let folder = copy(&release);
        for (words, kept) in &cases {
            let out = format!("found.{kept}");
            // Notes tell how many numbers f32 cannot hold.
            let ran = folder.run(&format!("cast F/{words} --out F/{out}"));
            assert_eq!(ran.status, 0, "{}", ran.stderr);
            assert!(
                folder.bytes(&out) == folder.bytes(kept),
                "{release:?}: {words}"
            );
        }
    }
}

#[test]
fn jobs_that_are_done_are_merged_with_their_bytes() {
    for release in releases() {
        let folder = copy(&release);
        name_version(&folder, "job", OTHER);
        folder.run("merge F/job --out F/found.csv").ok();
        assert_eq!(folder.read("found.csv"), folder.read("merged.csv"));
        folder.run("merge F/job --out-dir F/again").ok();
        for name in names(&release.join("job")) {
            let [kept, found] = ["job", "again"].map(|job| folder.bytes(&format!("{job}/{name}")));
            assert!(kept == found, "{release:?}: {name}");
        }
        // Not together with parts of another version, whose answers nobody has compared.
        folder
            .run(&format!("{JOB} --out-dir F/own --shard 1/2"))
            .ok();
        let told = "different jobs: the version of estoc is ";
        folder
            .run("merge F/job F/own --out F/both.csv")
            .fails_with(2, told);
    }
}

#[test]
fn a_killed_job_goes_on_in_the_build_that_began_it_alone() {
    for release in releases() {
        let folder = copy(&release);
        name_version(&folder, "killed", OTHER);
        let manifest = folder.read("killed/_manifest.json");
        let resumed = || folder.run(&format!("{JOB} --out-dir F/killed --resume"));
        let refused = resumed().fails(2);
        assert_has(&refused, "the version of estoc is ");
        assert_has(&refused, "name another folder");
        assert_eq!(folder.read("killed/_manifest.json"), manifest);

        // As in the build that began it.
        folder.run(&format!("{JOB} --out-dir F/own")).ok();
        let own = folder.json("own/_manifest.json")["job"]["estoc"].clone();
        for job in ["killed", "job"] {
            name_version(&folder, job, own.as_str().unwrap());
        }
        assert_has(
            &resumed().ok(),
            "120 rays in 3 parts, 2 of them made by this run",
        );
        for name in names(&release.join("job")) {
            let [kept, found] = ["job", "killed"].map(|job| folder.read(&format!("{job}/{name}")));
            assert_eq!(kept, found, "{release:?}: {name}");
        }
    }
}

/// Every verb with its long options and its schemas of JSON, as `estoc help` has them: a name that goes away is a
/// difference.
#[test]
fn verbs_and_options_are_those_that_are_kept() {
    let mut found = String::new();
    let mut put = |words: &[&str]| -> Vec<String> {
        let help = estoc(words.iter().copied().chain(["--help"])).ok();
        // Names of options are less indented than what is said of them.
        let options = help
            .lines()
            .filter_map(|line| line.split_once("--"))
            .filter(|(before, _)| before.len() == 6 && !before.contains('['))
            .map(|(_, rest)| "--".to_owned() + rest.split([' ', '=', '[']).next().unwrap());
        let schemas = { help.split(['"', ' ', '\n']) }
            .filter(|word| word.starts_with("estoc.") && word.contains('/'))
            .map(str::to_owned);
        let names: BTreeSet<String> = options.chain(schemas).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        found += &format!(
            "{}: {}\n",
            ["estoc"]
                .iter()
                .chain(words)
                .copied()
                .collect::<Vec<_>>()
                .join(" "),
            names.join(" ")
        );
        let commands = help.split("\nCommands:\n").nth(1).unwrap_or_default();
        let lines = commands.split("\n\n").next().unwrap_or_default().lines();
        lines
            .filter_map(|line| line.strip_prefix("  ")?.split(' ').next())
            .filter(|verb| !verb.is_empty())
            .map(str::to_owned)
            .collect()
    };
    for verb in put(&[]) {
        if verb != "help" {
            put(&[&verb]);
        }
    }
    assert_kept("options.txt", &found);
}
