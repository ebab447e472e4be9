//! `estoc demo`.

use crate::common::{Folder, assert_has, command, root};
use crate::pictures::picture as read_png;

#[test]
fn the_main_job_is_done_and_a_picture_painted() {
    let folder = Folder::new();
    let args = "demo --json --count 20000 --size 64x40 --picture F/picture.png";
    let object = folder.run(args).ok_json();
    assert_eq!(object["schema"], "estoc.demo/1");
    let meshes = object["meshes"].as_array().unwrap();
    assert_eq!(meshes.len(), 4);
    for mesh in meshes {
        assert!(mesh["mesh"].as_str().unwrap().starts_with("data/"));
        assert_eq!((&mesh["ok"], &mesh["checked"]), (&true.into(), &200.into()));
        assert!(mesh["wrong"].is_null());
        assert!(mesh["hits"].as_u64().unwrap() > 10_000);
    }
    assert!(object["picture"]["rays"].as_u64().unwrap() > 4 * 64 * 40);

    let (width, pixels) = read_png(folder.path("picture.png").as_ref());
    assert_eq!((width, pixels.len()), (64, 64 * 40));
    // Four tiles: the one of ambient occlusion, at the bottom left, is grey except for the sky seen
    // through windows; the other three are not.
    let grey = |columns: std::ops::Range<usize>, rows: std::ops::Range<usize>| {
        let places = rows.flat_map(|y| columns.clone().map(move |x| y * 64 + x));
        let greys = places.filter(|&at| {
            let mut pixel = pixels[at];
            pixel.sort_unstable();
            pixel[2] - pixel[0] < 12
        });
        greys.count()
    };
    let tiles = [
        grey(0..30, 0..18),
        grey(34..64, 0..18),
        grey(0..30, 22..40),
        grey(34..64, 22..40),
    ];
    assert!(tiles[2] > 400, "{tiles:?} of 540");
    let others = tiles[0].max(tiles[1]).max(tiles[3]);
    assert!(others < 270, "{tiles:?} of 540");
}

#[test]
fn without_the_folder_data_the_meshes_are_made() {
    let folder = Folder::new();
    let output = command()
        .current_dir(folder.path(""))
        .args("demo --count 1000 --size 16x10 --threads 2".split(' '))
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0));
    let table = String::from_utf8(output.stdout).unwrap();
    assert_has(&table, "demo:hall?n=20000");
    assert_eq!(table.matches("200 of 200 equal").count(), 4, "{table}");
    assert_has(&table, "estoc-demo.png: 16x10 pixels, ");
    assert_eq!(folder.names(), ["estoc-demo.png"]);
}

#[test]
fn pictures_of_any_size_have_tiles() {
    let folder = Folder::new();
    for size in ["1x1", "2x1", "1x9", "7x7"] {
        let args = format!("demo --count=1 --quiet --size {size} --picture F/picture.png");
        assert_has(&folder.run(&args).ok(), &format!(": {size} pixels, "));
    }
}

/// The numbers of steps differ between instruction sets at a pixel or so; the other tiles do not.
#[test]
fn the_picture_in_docs_is_what_the_demo_paints() {
    let folder = tempfile::tempdir().unwrap();
    let painted = folder.path().join("picture.png");
    let mut command = command();
    command.args(["demo", "--count", "1000", "--size", "760x475", "--picture"]);
    assert!(command.arg(&painted).output().unwrap().status.success());
    let (width, painted) = read_png(&painted);
    assert_eq!((width, painted.len()), (760, 760 * 475));
    let (_, shown) = read_png(&root().join("docs/demo.png"));
    let is_steps = |i: usize| i % 760 >= 380 && i / 760 >= 237;
    let differ = (0..painted.len()).filter(|&i| painted[i] != shown[i]);
    let (steps, others): (Vec<_>, Vec<_>) = differ.partition(|&i| is_steps(i));
    let remedy = "repaint it by the command in data/README.md";
    assert_eq!(others, Vec::<usize>::new(), "{remedy}");
    assert!(steps.len() < 20, "{} pixels", steps.len());
}
