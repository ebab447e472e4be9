//! `estoc verify`.

use crate::common::estoc;

#[test]
fn trees_equal_brute_force() {
    for mesh in [
        "data/solids.obj",
        "demo:soup?n=2000&seed=2",
        "demo:terrain?n=1",
    ] {
        let text = estoc(["verify", mesh, "--count", "300", "--seed", "9"]).ok();
        let expected = format!(
            "ok: {mesh}: the tree is valid and agrees with brute force on 300 rays (seed 9)\n"
        );
        assert_eq!(text, expected);
    }
}

#[test]
fn json_says_what_was_checked() {
    let text = estoc(["verify", "--json", "demo:sphere?n=800", "--count", "100"]).ok();
    let object: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(object["schema"], "estoc.verify/1");
    assert_eq!(object["ok"], true);
    assert_eq!(
        (&object["count"], &object["seed"]),
        (&100.into(), &0.into())
    );
    assert_eq!(object["triangles"], 800);
}
