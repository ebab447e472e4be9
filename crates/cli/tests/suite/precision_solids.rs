//! Cuts, checks and least distances of meshes in `f64`.

use crate::common::{Folder, Ran, assert_has};
use crate::precision::HOUSE;
use serde_json::{Value, json};

/// The house, and one that is 0.125 farther north.
fn files() -> Folder {
    let moved = HOUSE.replace(".751 ", ".876 ");
    Folder::with(&[("house.obj", HOUSE), ("moved.obj", &moved)])
}

/// What a check printed that found something.
fn object_of(ran: &Ran) -> Value {
    serde_json::from_str(&ran.stdout).unwrap()
}

#[test]
fn a_cut_of_a_house_on_a_map_has_the_corners_of_its_file() {
    let folder = files();
    let ran = folder.run("section -q F/house.obj --plane 1,0,0,-502350.125");
    let mut rows: Vec<Vec<&str>> = { ran.stdout.lines() }
        .skip(1)
        .map(|line| line.split(',').skip(5).collect())
        .collect();
    rows.sort_unstable();
    let corner = |y, z| vec!["502350.125", y, z];
    // Of each wall, and on both diagonals.
    for (y, z) in [
        ("5201234.751", "310.25"),
        ("5201234.751", "313.25"),
        ("5201244.751", "310.25"),
        ("5201244.751", "313.25"),
    ] {
        assert!(rows.contains(&corner(y, z)), "{}", ran.stdout);
    }
    let ran = folder.run("section -q F/house.obj --plane 0,0,2,-622.5 --every 1.5 --areas --json");
    let object = ran.ok_json();
    let sections = object["sections"].as_array().unwrap();
    let planes: Vec<_> = sections
        .iter()
        .map(|section| &section["plane"][3])
        .collect();
    assert_eq!(planes, [&json!(-622.5), &json!(-625.5)], "{object}");
    // A corner on the plane counts as in front: the roof has no cut, and the lowest plane the whole outline.
    let area = sections[1]["area"].as_f64().unwrap();
    let wall = 5_201_244.751f64 - 5_201_234.751;
    assert!((area - 10.0 * wall).abs() <= 1e-9, "{object}");
}

#[test]
fn parallel_planes_have_the_same_distances_at_any_length_of_the_normal() {
    let folder = files();
    let areas = |length: &str| -> Vec<f64> {
        let plane = format!("--plane 0,0,{length},0 --every 1.5");
        let ran = folder.run(&format!("section -q F/house.obj {plane} --areas --json"));
        let object = ran.ok_json();
        let sections = object["sections"].as_array().unwrap();
        let area = |section: &Value| section["area"].as_f64().unwrap();
        sections.iter().map(area).collect()
    };
    // At z = 310.5 and 312.
    for length in ["1", "1e200", "-1e305", "1e-200", "-1e-305"] {
        let found = areas(length);
        let is_whole = |area: &f64| (area - 100.0).abs() <= 1e-6;
        assert!(
            found.len() == 2 && found.iter().all(is_whole),
            "{length}: {found:?}"
        );
    }
}

#[test]
fn a_house_on_a_map_is_checked_in_the_numbers_of_its_file() {
    let folder = files();
    let ran = folder.run("check F/house.obj");
    assert_has(&ran.stdout, "closed         yes");
    let open = HOUSE.trim_end().rsplit_once('\n').unwrap().0;
    folder.put("open.obj", open);
    let object = object_of(&folder.run("check -q F/open.obj --json"));
    assert_eq!(object["open_edges"]["count"], 4, "{object}");
    assert_eq!(
        object["open_edges"]["first"]["from"][1], 5_201_234.751,
        "{object}"
    );
    // Rounded to f32, the two are one.
    let object = object_of(&folder.run("check -q F/house.obj --with F/moved.obj --json"));
    assert!(
        object["intersections"]["coplanar_overlap"] == 12,
        "{object}"
    );
    let narrow = "check -q F/house.obj --with F/moved.obj --precision f32 --json";
    let narrow = object_of(&folder.run(narrow));
    assert_ne!(
        object["intersections"]["count"],
        narrow["intersections"]["count"]
    );
}

#[test]
fn commands_of_a_check_show_where_triangles_meet() {
    let folder = files();
    let ran = folder.run("check -q F/house.obj --with F/moved.obj --pairs 1");
    let command = { ran.stdout.lines() }
        .find_map(|line| line.trim().strip_prefix("estoc "))
        .expect("a command");
    let command = command.split(" --out ").next().unwrap();
    folder
        .run(&format!("{command} -q --size 40x30 --out F/pair.png"))
        .ok();
    assert!(folder.has("pair.png"));
}

#[test]
fn the_least_distance_of_houses_on_a_map_is_that_of_their_files() {
    let folder = Folder::with(&[
        ("house.obj", HOUSE),
        (
            "next.obj",
            &HOUSE
                .replace("520124", "520125")
                .replace("520123", "520124"),
        ),
    ]);
    let object = folder
        .run("near -q F/house.obj --to F/next.obj --json")
        .ok_json();
    assert_eq!(object["distance"], 0.0, "{object}");
    let next = HOUSE
        .replace("5201244.751", "5201254.876")
        .replace("5201234.751", "5201244.876");
    folder.put("next.obj", &next);
    let object = folder
        .run("near -q F/house.obj --to F/next.obj --json")
        .ok_json();
    assert_eq!(
        object["distance"],
        5_201_244.876 - 5_201_244.751,
        "{object}"
    );
    assert_eq!(object["nearest"][0]["point"][1], 5_201_244.751, "{object}");
}
