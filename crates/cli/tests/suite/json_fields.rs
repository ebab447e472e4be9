//! The fields of what `--json` prints, as `tests/data/fields.txt` keeps them: one that goes away is a difference.

use crate::common::{Folder, assert_kept, root};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// Lines that print each schema with as many of its fields as one run can fill.
const LINES: [&str; 19] = [
    "info data/sphere.obj",
    "info data/sphere.obj data/hall.obj",
    "info crates/cli/tests/data/0.2.0/scene.toml",
    "build data/sphere.obj --out F/tree.estoc",
    "info F/tree.estoc",
    "cast crates/cli/tests/data/0.2.0/house.obj --rays crates/cli/tests/data/0.2.0/rays.csv --columns id,hit,t,prim,u,v,object,group,material",
    "cast data/hall.obj --rays data/hall.rays.csv --out-dir F/job",
    "contains data/sphere.obj --point 0,0,3",
    "check data/sphere.obj",
    "check data/sphere.obj --with data/hall.obj",
    "near data/sphere.obj --point 0,0,3 --signed",
    "near data/sphere.obj --to data/hall.obj",
    "section data/sphere.obj --plane 0,0,1,0",
    "section data/sphere.obj --plane 0,0,1,0 --every 1",
    "verify data/sphere.obj --count 10",
    "render data/sphere.obj --size 8x6 --out F/picture.png",
    "pick data/sphere.obj --pixel 10,10 --size 40x30",
    "bench data/sphere.obj --count 100 --rounds 1 --build-rounds 1 --seconds 0.001",
    "demo --count 10 --size 8x6 --picture F/demo.png",
];

/// Schemas of what no line here prints: a server's, which view.rs runs, and that of builds with devices.
const ELSEWHERE: [&str; 2] = ["estoc.devices/1", "estoc.view/1"];

/// Adds the fields of a value to those of the schema in which it stands; one that has a schema begins anew.
fn add(fields: &mut BTreeMap<String, BTreeSet<String>>, schema: &str, path: &str, value: &Value) {
    match value {
        Value::Object(object) => {
            let own = object.get("schema").and_then(Value::as_str);
            let (schema, path) = own.map_or((schema, path), |own| (own, ""));
            for (name, value) in object {
                let path = format!("{path}{name}");
                { fields.entry(schema.to_owned()).or_default() }.insert(path.clone());
                add(fields, schema, &format!("{path}."), value);
            }
        }
        Value::Array(values) => values
            .iter()
            .for_each(|value| add(fields, schema, path, value)),
        _ => (),
    }
}

#[test]
fn fields_are_those_that_are_kept() {
    let folder = Folder::new();
    let mut fields = BTreeMap::new();
    for line in LINES {
        let ran = folder.run(&format!("{line} --json --quiet"));
        add(&mut fields, "", "", &ran.json());
        // What fails prints its own schema.
        assert!(!fields.contains_key("estoc.error/1"), "{line}");
    }
    add(
        &mut fields,
        "",
        "",
        &folder.run("info no-such-file.obj --json").json(),
    );

    let options = root().join("crates/cli/tests/data/options.txt");
    let options = std::fs::read_to_string(options).unwrap();
    let schemas: BTreeSet<&str> = options
        .split([' ', '\n'])
        .filter(|word| word.starts_with("estoc."))
        .filter(|schema| !ELSEWHERE.contains(schema))
        .collect();
    assert!(fields.keys().eq(schemas), "{:?}", fields.keys());

    let found: String = { fields.iter() }
        .map(|(schema, names)| {
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            format!("{schema}: {}\n", names.join(" "))
        })
        .collect();
    assert_kept("fields.txt", &found);
}
