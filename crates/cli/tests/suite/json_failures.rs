//! Failures under `--json`, and rows before a bad line.

use crate::common::{estoc, estoc_reading};
use serde_json::{Value, json};

#[test]
fn every_failure_is_an_object_on_stdout() {
    let ray = "--ray=0,0,1,0,0,-1";
    for (args, status, told) in [
        (&["info", "no-such.obj", "--json"][..], 3, "no-such.obj"),
        (&["--json", "info", "demo:kettle"], 2, "no demo scene"),
        (&["info", "--json"], 2, "<MESH>"),
        (&["cast", "demo:soup?n=5", "--json"], 2, "--rays <FILE>"),
        (
            &["cast", "demo:soup?n=5", "--json", "--ray=1,2"],
            2,
            "but 2 were given",
        ),
        (&["paint", "--json"], 2, "unrecognized subcommand"),
        (&["verify", "--json", "no-such.obj"], 3, "no-such.obj"),
        (
            &["render", "demo:soup?n=5", "--json", "--out", "-"],
            2,
            "--json",
        ),
        (
            &["completions", "bash", "--json"],
            2,
            "does not support --json",
        ),
        (
            &["cast", "demo:soup?n=5", ray, "--json", "--out", "no/such/x"],
            3,
            "no/such/x",
        ),
    ] {
        let ran = estoc(args);
        assert_eq!(ran.status, status, "{args:?}: {}", ran.stderr);
        let object: Value = serde_json::from_str(&ran.stdout)
            .unwrap_or_else(|error| panic!("{args:?}: {error}: {}", ran.stdout));
        assert_eq!(object["schema"], "estoc.error/1", "{args:?}");
        assert_eq!(object["error"]["status"], status, "{args:?}");
        let message = object["error"]["message"].as_str().unwrap();
        assert!(message.contains(told), "{args:?}: {message}");
        assert!(ran.stderr.contains(message), "{args:?}: {}", ran.stderr);
    }
    // After -- it is a file name.
    let ran = estoc(["info", "--", "--json"]);
    assert_eq!((ran.status, ran.stdout.as_str()), (3, ""));
}

#[test]
fn good_rows_before_a_bad_one_are_kept() {
    let head = "ox,oy,oz,dx,dy,dz\n";
    let rays = format!("{head}0,0,0,1,0,0\n0,0,0,0,1,0\n0,0,0,1,0,up\n0,0,0,1,0,0\n");
    let args = ["cast", "demo:sphere?n=200", "--query", "any", "--rays", "-"];
    let ran = estoc_reading(args, rays.as_bytes());
    assert_eq!(
        (ran.status, ran.stdout.as_str()),
        (3, "ray,hit\n0,1\n1,1\n")
    );
    assert!(ran.stderr.starts_with("estoc: <stdin>:4: dz is \"up\""));

    let ran = estoc_reading(args.iter().chain(&["--json"]), rays.as_bytes());
    assert_eq!(ran.status, 3);
    let object: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(object["schema"], "estoc.cast/1");
    assert_eq!(object["rays"], 2);
    assert_eq!(
        object["results"],
        json!([{"ray": 0, "hit": true}, {"ray": 1, "hit": true}])
    );
    assert_eq!(object["error"]["status"], 3);
    let message = object["error"]["message"].as_str().unwrap();
    assert!(message.starts_with("<stdin>:4: dz is \"up\""), "{message}");

    let points = "x,y,z\n0,0,0\n5,5,5\n1,2\n";
    let args = ["contains", "demo:sphere?n=200", "--points", "-"];
    let ran = estoc_reading(args, points.as_bytes());
    assert_eq!(
        (ran.status, ran.stdout.as_str()),
        (3, "point,inside\n0,1\n1,0\n")
    );
    let ran = estoc_reading(args.iter().chain(&["--json"]), points.as_bytes());
    let object: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(
        (&object["points"], &object["error"]["status"]),
        (&2.into(), &3.into())
    );
}

#[test]
fn a_file_of_rows_does_not_appear_and_the_failure_is_an_object() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("hits.json");
    let rays = b"ox,oy,oz,dx,dy,dz\n0,0,0,1,0,0\n0,0,0,1,0,up\n";
    let args = ["cast", "demo:soup?n=5", "--rays", "-", "--json", "--out"];
    let ran = estoc_reading(args.into_iter().chain(out.to_str()), rays);
    let object: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(
        (&object["schema"], ran.status),
        (&"estoc.error/1".into(), 3)
    );
    assert!(!out.exists());
}
