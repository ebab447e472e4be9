//! `estoc demo`.

use crate::common::{command, estoc};
use serde_json::Value;

#[test]
fn the_main_job_is_done_and_a_picture_painted() {
    let folder = tempfile::tempdir().unwrap();
    let picture = folder.path().join("picture.png");
    let picture = picture.to_str().unwrap();
    let args = [
        "demo",
        "--json",
        "--count",
        "20000",
        "--size",
        "64x40",
        "--picture",
        picture,
    ];
    let object: Value = serde_json::from_str(&estoc(args).ok()).unwrap();
    assert_eq!(object["schema"], "estoc.demo/1");
    let meshes = object["meshes"].as_array().unwrap();
    assert_eq!(meshes.len(), 4);
    for mesh in meshes {
        assert!(mesh["mesh"].as_str().unwrap().starts_with("data/"));
        assert_eq!((&mesh["ok"], &mesh["checked"]), (&true.into(), &200.into()));
        assert_eq!(mesh["wrong"], Value::Null);
        assert!(mesh["hits"].as_u64().unwrap() > 10_000);
    }
    assert!(object["picture"]["rays"].as_u64().unwrap() > 4 * 64 * 40);

    let decoder = png::Decoder::new(std::io::BufReader::new(
        std::fs::File::open(picture).unwrap(),
    ));
    let mut reader = decoder.read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut pixels).unwrap();
    assert_eq!((info.width, info.height), (64, 40));
    // Four tiles: the one of ambient occlusion, at the bottom left, is grey except for the sky seen
    // through windows; the other three are not.
    let (pixels, _) = pixels.as_chunks::<3>();
    let grey = |columns: std::ops::Range<usize>, rows: std::ops::Range<usize>| {
        let places = rows.flat_map(|y| columns.clone().map(move |x| y * 64 + x));
        let greys = places.filter(|&at| {
            let [low, .., high] = {
                let mut pixel = pixels[at];
                pixel.sort_unstable();
                pixel
            };
            high - low < 12
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
    assert!(
        tiles[0].max(tiles[1]).max(tiles[3]) < 270,
        "{tiles:?} of 540"
    );
}

#[test]
fn without_the_folder_data_the_meshes_are_made() {
    let folder = tempfile::tempdir().unwrap();
    let output = command()
        .current_dir(folder.path())
        .args([
            "demo",
            "--count",
            "1000",
            "--size",
            "16x10",
            "--threads",
            "2",
        ])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0));
    let table = String::from_utf8(output.stdout).unwrap();
    assert!(table.contains("demo:hall?n=20000"), "{table}");
    assert_eq!(table.matches("200 of 200 equal").count(), 4, "{table}");
    assert!(table.contains("estoc-demo.png: 16x10 pixels, "), "{table}");
    assert_eq!(crate::common::names(folder.path()), ["estoc-demo.png"]);
}

#[test]
fn pictures_of_any_size_have_tiles() {
    let folder = tempfile::tempdir().unwrap();
    let picture = folder.path().join("picture.png");
    for size in ["1x1", "2x1", "1x9", "7x7"] {
        let args = ["demo", "--count=1", "--quiet", "--size", size, "--picture"];
        let picture = picture.to_str().unwrap();
        let said = estoc(args.into_iter().chain([picture])).ok();
        assert!(
            said.contains(&format!(": {size} pixels, ")),
            "{size}: {said}"
        );
    }
}
