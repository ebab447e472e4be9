//! Hostile files of every format, each with the allowed outcomes. They are beside the repository.

use estoc_mesh::{BadFaces, Mesh, MeshError, MeshLoader, ObjLoader};
use std::fs;
use std::path::PathBuf;

/// Returns the folder of the files.
fn hostile() -> PathBuf {
    PathBuf::from(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../../shared/data/hostile"
    ))
}

/// An allowed outcome.
#[derive(Debug, PartialEq)]
enum Allowed {
    /// The file loads, with this number of triangles if one is given, and with a warning if `told`.
    Load {
        triangles: Option<usize>,
        told: bool,
    },
    /// The file is rejected, with this line in the error if one is given.
    Refuse { line: Option<u64> },
}

impl Allowed {
    fn parse(text: &str) -> Allowed {
        let (what, told) = match text.strip_suffix("(warn)") {
            Some(what) => (what, true),
            None => (text, false),
        };
        if let Some(refusal) = what.strip_prefix("err") {
            let line = refusal.strip_prefix('@');
            return Allowed::Refuse {
                line: line.map(|line| line.parse().expect("a line number")),
            };
        }
        let count = what
            .strip_prefix("ok")
            .expect("ok or err")
            .strip_prefix(':');
        Allowed::Load {
            triangles: count.map(|count| count.parse().expect("a count")),
            told,
        }
    }

    fn permits(&self, outcome: &Result<Mesh, MeshError>) -> bool {
        match (self, outcome) {
            (Allowed::Load { triangles, told }, Ok(mesh)) => {
                triangles.is_none_or(|count| count == mesh.triangle_count())
                    && (!told || !mesh.report().warnings().is_empty())
            }
            (Allowed::Refuse { line }, Err(error)) => {
                line.is_none_or(|line| line_of(error) == Some(line))
            }
            _ => false,
        }
    }
}

fn line_of(error: &MeshError) -> Option<u64> {
    error.location().line
}

fn in_words(outcome: &Result<Mesh, MeshError>) -> String {
    match outcome {
        Ok(mesh) => {
            let warnings = mesh.report().warnings();
            let warnings: Vec<_> = warnings.iter().map(ToString::to_string).collect();
            format!("{} triangles, {warnings:?}", mesh.triangle_count())
        }
        Err(error) => error.to_string(),
    }
}

#[test]
#[ignore = "needs hostile files beside the repository"]
fn every_file_does_what_it_may_under_both_policies() {
    let folder = hostile();
    let table = fs::read_to_string(folder.join("expect.tsv")).unwrap();
    let mut files = 0;
    let mut wrong = Vec::new();
    for row in table.lines().skip(1) {
        let columns: Vec<_> = row.split('\t').collect();
        let (file, expect) = (columns[0], columns[2]);
        if expect == "-" || (file.starts_with("gltf/") && !cfg!(feature = "gltf")) {
            continue;
        }
        files += 1;
        let allowed: Vec<_> = expect.split('|').map(Allowed::parse).collect();
        let refusable = allowed.iter().any(|a| matches!(a, Allowed::Refuse { .. }));
        for policy in [BadFaces::Reject, BadFaces::Skip] {
            let outcome = MeshLoader::new().bad_faces(policy).load(folder.join(file));
            // The table does not cover callers who skip invalid faces: then faces of a file that
            // may be rejected may also be left out, with a warning.
            let left_out = outcome
                .as_ref()
                .is_ok_and(|mesh| mesh.report().skipped_faces() > 0);
            let skipped = policy == BadFaces::Skip && refusable && left_out;
            if !skipped && !allowed.iter().any(|a| a.permits(&outcome)) {
                wrong.push(format!(
                    "{file} {policy:?}: {expect}, but {}",
                    in_words(&outcome)
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let least = if cfg!(feature = "gltf") { 130 } else { 115 };
    assert!(files >= least, "only {files} files");
}

/// Our choices where the table allows several, or does not cover skipping.
#[test]
#[ignore = "needs hostile files beside the repository"]
fn our_choices() {
    let folder = hostile();
    let loaded = |triangles| Allowed::Load {
        triangles: Some(triangles),
        told: false,
    };
    let told = |triangles| Allowed::Load {
        triangles: Some(triangles),
        told: true,
    };
    let refused = |line| Allowed::Refuse { line: Some(line) };
    use BadFaces::{Reject, Skip};
    for (file, policy, choice) in [
        ("own-continuation-comment", Reject, loaded(1)),
        ("own-inline-comment", Reject, loaded(1)),
        ("own-forward-ref", Reject, loaded(1)),
        ("own-tabs-vt-ff", Reject, loaded(1)),
        ("own-slash-mixed", Reject, loaded(1)),
        ("own-number-forms", Reject, loaded(1)),
        ("own-nan-unused", Reject, told(1)),
        ("own-vt-out-of-range", Reject, told(1)),
        ("own-face-1v", Reject, told(1)),
        ("own-face-repeat", Reject, told(2)),
        ("own-all-degenerate", Reject, told(100)),
        ("own-denormal", Reject, loaded(1)),
        ("own-freeform", Reject, told(2)),
        ("own-verts-only", Reject, loaded(0)),
        ("own-empty", Reject, loaded(0)),
        ("own-ply-as-obj", Reject, refused(1)),
        ("own-ply-as-obj", Skip, refused(1)),
        ("own-nan-used", Reject, refused(6)),
        ("own-overflow-double", Reject, refused(6)),
        ("own-comma-decimals", Skip, told(0)),
        ("own-hex-number", Skip, told(0)),
        ("own-float-index", Skip, told(0)),
        ("own-truncated-v", Skip, told(1)),
        ("own-u64-wrap", Skip, told(0)),
        ("tinyobj-test-nan", Reject, refused(27)),
        ("tinyobj-issue-140-zero-face-idx", Skip, told(1)),
    ] {
        let path = folder.join(format!("obj/{file}.obj"));
        let outcome = ObjLoader::new().bad_faces(policy).load(path);
        assert!(
            choice.permits(&outcome),
            "{file} {policy:?}: {choice:?}, but {}",
            in_words(&outcome)
        );
    }
}
