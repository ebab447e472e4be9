//! Failures under `--json`, and rows before a bad line.

use crate::common::{Folder, run, run_reading};
use serde_json::json;

#[test]
fn every_failure_is_an_object_on_stdout() {
    for (line, status, told) in [
        ("info no-such.obj --json", 3, "no-such.obj"),
        ("--json info demo:kettle", 2, "no demo scene"),
        ("info --json", 2, "<MESH>"),
        ("cast demo:soup?n=5 --json", 2, "--rays <FILE>"),
        ("cast demo:soup?n=5 --json --ray=1,2", 2, "but 2 were given"),
        ("paint --json", 2, "unrecognized subcommand"),
        ("verify --json no-such.obj", 3, "no-such.obj"),
        ("render demo:soup?n=5 --json --out -", 2, "--json"),
        ("completions bash --json", 2, "does not support --json"),
        (
            "cast demo:soup?n=5 --ray=0,0,1,0,0,-1 --json --out no/such/x",
            3,
            "no/such/x",
        ),
    ] {
        let ran = run(line);
        assert_eq!(ran.status, status, "{line}: {}", ran.stderr);
        let object = ran.json();
        assert_eq!(object["schema"], "estoc.error/1", "{line}");
        assert_eq!(object["error"]["status"], status, "{line}");
        let message = object["error"]["message"].as_str().unwrap();
        assert!(message.contains(told), "{line}: {message}");
        assert!(ran.stderr.contains(message), "{line}: {}", ran.stderr);
    }
    // After -- it is a file name.
    run("info -- --json").fails(3);
}

#[test]
fn good_rows_before_a_bad_one_are_kept() {
    let head = "ox,oy,oz,dx,dy,dz\n";
    let rays = format!("{head}0,0,0,1,0,0\n0,0,0,0,1,0\n0,0,0,1,0,up\n0,0,0,1,0,0\n");
    let args = "cast demo:sphere?n=200 --query any --rays -";
    let ran = run_reading(args, rays.as_bytes());
    assert_eq!((ran.status, &*ran.stdout), (3, "ray,hit\n0,1\n1,1\n"));
    assert!(ran.stderr.starts_with("estoc: <stdin>:4: dz is \"up\""));

    let ran = run_reading(&format!("{args} --json"), rays.as_bytes());
    assert_eq!(ran.status, 3);
    let object = ran.json();
    assert_eq!(object["schema"], "estoc.cast/1");
    assert_eq!(object["rays"], 2);
    let rows = json!([{"ray": 0, "hit": true}, {"ray": 1, "hit": true}]);
    assert_eq!(object["results"], rows);
    assert_eq!(object["error"]["status"], 3);
    let message = object["error"]["message"].as_str().unwrap();
    assert!(message.starts_with("<stdin>:4: dz is \"up\""), "{message}");

    let points = b"x,y,z\n0,0,0\n5,5,5\n1,2\n";
    let args = "contains demo:sphere?n=200 --points -";
    let ran = run_reading(args, points);
    assert_eq!((ran.status, &*ran.stdout), (3, "point,inside\n0,1\n1,0\n"));
    let object = run_reading(&format!("{args} --json"), points).json();
    assert_eq!(object["points"], 2);
    assert_eq!(object["error"]["status"], 3);
}

#[test]
fn a_file_of_rows_does_not_appear_and_the_failure_is_an_object() {
    let folder = Folder::new();
    let rays = b"ox,oy,oz,dx,dy,dz\n0,0,0,1,0,0\n0,0,0,1,0,up\n";
    let args = "cast demo:soup?n=5 --rays - --json --out F/hits.json";
    let ran = folder.run_reading(args, rays);
    assert_eq!(ran.status, 3);
    assert_eq!(ran.json()["schema"], "estoc.error/1");
    assert!(!folder.has("hits.json"));
}
