//! `estoc verify`.

use crate::common::run;

#[test]
fn trees_equal_brute_force() {
    for mesh in [
        "data/solids.obj",
        "demo:soup?n=2000&seed=2",
        "demo:terrain?n=1",
    ] {
        let text = run(&format!("verify {mesh} --count 300 --seed 9")).ok();
        let expected = format!(
            "ok: {mesh}: the tree is valid and agrees with brute force on 300 rays (seed 9)\n"
        );
        assert_eq!(text, expected);
    }
}

#[test]
fn json_says_what_was_checked() {
    let object = run("verify --json demo:sphere?n=800 --count 100").ok_json();
    assert_eq!(object["schema"], "estoc.verify/1");
    assert_eq!(object["ok"], true);
    for (name, number) in [("count", 100), ("seed", 0), ("triangles", 800)] {
        assert_eq!(object[name], number, "{name}");
    }
}
