//! Builds of the command that have no devices.

use crate::common::{BENCH, assert_has, run};

/// The way to a build that has devices.
const WAY: &str = "`cargo install --locked --path gpu/cli`";

#[test]
fn a_build_without_devices_names_the_way_to_one() {
    let bench = format!("{BENCH} demo:solids?n=1");
    for line in [
        "cast demo:sphere --ray 1,2,3,4,5,6",
        "contains demo:sphere --point 1,2,3",
        "render demo:sphere --out -",
        &bench,
    ] {
        for device in ["gpu", "llvmpipe"] {
            let told = run(&format!("{line} --device {device}")).fails(2);
            assert_has(&told, WAY);
        }
    }
    assert_has(&run("info --devices").fails(2), WAY);
    let object = run("info --devices --json");
    assert_eq!(object.status, 2);
    let told = object.json()["error"]["message"].clone();
    assert_has(told.as_str().unwrap(), WAY);
}

#[test]
fn without_devices_the_processor_answers() {
    for line in [
        "cast demo:sphere --ray 3,0.1,0.2,-1,0,0",
        "contains demo:sphere --point 0,0,0",
    ] {
        let plain = run(line);
        for device in ["cpu", "auto"] {
            let asked = run(&format!("{line} --device {device}"));
            assert_eq!(asked.stderr, plain.stderr, "{line}");
            assert_eq!(asked.stdout, plain.stdout, "{line}");
        }
        plain.ok();
    }
}

#[test]
fn devices_are_listed_without_a_mesh() {
    run("info --devices demo:sphere").fails_with(2, "cannot be used with");
    run("info").fails_with(2, "<MESH>...");
}
