//! `estoc render`.

use crate::common::{command, estoc, names};
use serde_json::Value;
use std::path::Path;

const SHADES: [&str; 8] = [
    "depth",
    "normal",
    "facing",
    "id",
    "material",
    "ao",
    "heat",
    "thickness",
];

/// Two small scenes, and the hashes of their pictures in the order of [`SHADES`]. After an intended
/// change of a shade, look at the pictures and update these.
const SCENES: [(&str, [u64; 8]); 2] = [
    (
        "demo:hall?n=3000",
        [
            0xbf50_fce7_ae6d_cbfd,
            0x67f3_ea6d_ffae_c042,
            0x6b15_a00e_a04f_b320,
            0x08fc_ea98_af7d_6442,
            0x6da8_6973_0f31_ee1e,
            0x7c09_d9fa_cc2c_df2a,
            0x9e6b_f6c7_7382_f337,
            0x7899_b690_65f8_9eb7,
        ],
    ),
    (
        "demo:solids?n=600",
        [
            0xc9e7_8990_5f71_4eff,
            0xe59e_e206_b313_3ce8,
            0x1f41_522b_6fa1_e024,
            0xa502_64a4_b23c_6ff1,
            0xa723_b6a4_a700_48b8,
            0xd527_6b67_8fe5_cc12,
            0x8fa2_50db_94bf_6e3c,
            0xc939_954d_2e6b_c27f,
        ],
    ),
];

fn pixels(file: &Path) -> (u32, u32, Vec<u8>) {
    let file = std::io::BufReader::new(std::fs::File::open(file).unwrap());
    let mut reader = png::Decoder::new(file).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut pixels).unwrap();
    (info.width, info.height, pixels)
}

/// Returns the FNV-1a hash of the pixels.
fn hash(pixels: &[u8]) -> u64 {
    pixels.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[test]
fn every_shade_of_two_scenes_is_the_same_picture_for_any_number_of_threads() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("picture.png");
    let mut found = Vec::new();
    for (scene, _) in SCENES {
        let mut hashes = Vec::new();
        for shade in SHADES {
            let mut of_threads = Vec::new();
            for threads in ["1", "5"] {
                let args = [
                    "render",
                    scene,
                    "--quiet",
                    "--size",
                    "80x50",
                    "--samples",
                    "3",
                ];
                let out = file.to_str().unwrap();
                let rest = ["--shade", shade, "--threads", threads, "--out", out];
                estoc(args.into_iter().chain(rest)).ok();
                let (width, height, pixels) = pixels(&file);
                assert_eq!((width, height), (80, 50));
                of_threads.push(hash(&pixels));
            }
            assert!(
                of_threads.iter().all(|&hash| hash == of_threads[0]),
                "{scene} {shade}: threads 1 and 5 give {of_threads:#x?}"
            );
            hashes.push(of_threads[0]);
        }
        found.push(hashes);
    }
    let pinned: Vec<Vec<u64>> = SCENES.iter().map(|(_, pins)| pins.to_vec()).collect();
    assert_eq!(found, pinned, "found {found:#018x?}");
}

#[test]
fn distances_from_another_mesh_are_painted() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let render = |more: &[&str]| {
        let args = [
            "render",
            "demo:sphere?n=600",
            "--quiet",
            "--size",
            "60x60",
            "--samples",
            "1",
        ];
        estoc(args.iter().chain(more))
    };
    // From itself, where the distance is 0 or a rounding, and from another mesh.
    let (same, other) = (file("same.png"), file("other.png"));
    let distance = ["--shade", "distance", "--to"];
    render(&[&distance[..], &["demo:sphere?n=600", "--out", &same]].concat()).ok();
    render(&[&distance[..], &["demo:solids?n=600", "--out", &other]].concat()).ok();
    let hashes = [same, other].map(|file| hash(&pixels(Path::new(&file)).2));
    let pinned = [0x9efd_52e2_6c25_6c08, 0xfa11_00ee_7c7c_1198];
    assert_eq!(hashes, pinned, "{hashes:#018x?}");
    let out = file("none.png");
    let told = render(&["--shade", "distance", "--out", &out]).fails(2);
    assert!(told.contains("--to <MESH>"), "{told}");
    let told = render(&["--shade", "ao", "--to", "demo:sphere", "--out", &out]).fails(2);
    assert!(told.contains("--shade distance"), "{told}");
}

/// The camera rays of a tile are traced some at a time, by pixels and by their numbers: these sizes
/// and numbers leave rests of both. The hashes are of pictures whose rays were traced one by one.
#[test]
fn rests_of_tiles_and_of_samples_are_painted_like_the_others() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("picture.png");
    for (shade, samples, expected) in [
        ("ao", "5", 0x89e4_19a5_e421_f95f),
        ("normal", "37", 0xaa86_e62c_9ab6_dca4),
        ("facing", "16", 0xe40f_67ff_91e8_0dbc),
        ("heat", "33", 0x32e4_4f9e_4f39_1f39),
    ] {
        for threads in ["1", "3"] {
            let args = ["render", "demo:hall?n=3000", "--quiet", "--size", "70x41"];
            let rest = ["--shade", shade, "--samples", samples, "--threads", threads];
            let out = ["--out", file.to_str().unwrap()];
            estoc(args.into_iter().chain(rest).chain(out)).ok();
            let (width, height, pixels) = pixels(&file);
            assert_eq!((width, height), (70, 41));
            let found = hash(&pixels);
            assert_eq!(found, expected, "{shade}, {threads} threads: {found:#018x}");
        }
    }
}

#[test]
fn the_chosen_view_is_told_and_gives_the_same_picture_again() {
    let folder = tempfile::tempdir().unwrap();
    let picture = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let first = picture("first.png");
    let args = [
        "render",
        "demo:terrain?n=900",
        "--size",
        "60x40",
        "--samples",
        "2",
        "--up=0,1,0.25",
    ];
    let ran = estoc(args.into_iter().chain(["--out", &first]));
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    let told = ran.stderr.lines().last().unwrap();
    // estoc: 'demo:terrain?n=900' --eye ... --fov ...: N rays in ...
    let options = told.split_once("' ").unwrap().1.split_once(": ").unwrap().0;
    let options: Vec<&str> = options.split(' ').collect();
    assert_eq!(
        (options[0], options[2], options[4]),
        ("--eye", "--at", "--up")
    );
    let again = picture("again.png");
    let args = [
        "render",
        "demo:terrain?n=900",
        "--size",
        "60x40",
        "--samples",
        "2",
        "--quiet",
    ];
    let rest = ["--out", &again, "--compare", &first];
    estoc(args.into_iter().chain(options).chain(rest)).ok();
    assert_eq!(std::fs::read(first).unwrap(), std::fs::read(again).unwrap());
}

#[test]
fn a_reference_turns_a_picture_into_a_check() {
    let folder = tempfile::tempdir().unwrap();
    let reference = folder.path().join("reference.png");
    let reference = reference.to_str().unwrap();
    let scene = [
        "render",
        "demo:sphere?n=300",
        "--size",
        "40x30",
        "--samples",
        "2",
    ];
    let run = |rest: &[&str]| estoc(scene.iter().chain(rest));
    run(&["--quiet", "--shade", "normal", "--out", reference]).ok();

    run(&["--quiet", "--shade", "normal", "--compare", reference]).ok();
    let failed = run(&["--quiet", "--shade", "facing", "--compare", reference]).fails(1);
    assert!(failed.contains("the check failed: "), "{failed}");
    assert!(
        failed.contains("the picture differs from ") && failed.contains(", at pixel "),
        "{failed}"
    );
    let loose = [
        "--shade",
        "facing",
        "--threshold",
        "255",
        "--json",
        "--quiet",
    ];
    let object = run(&[loose.as_slice(), &["--compare", reference]].concat()).ok();
    let object: Value = serde_json::from_str(&object).unwrap();
    assert_eq!(object["schema"], "estoc.render/1");
    assert_eq!(object["compared"]["ok"], true);
    assert!(object["compared"]["rms"].as_f64().unwrap() > 10.0);
    assert_eq!(object["file"], Value::Null);

    let failed = run(&["--compare", reference, "--size", "40x31"]).status;
    assert_eq!(failed, 2); // --size is given twice
    let wide = [
        "render",
        "demo:sphere?n=300",
        "--size",
        "41x30",
        "--compare",
        reference,
    ];
    assert!(estoc(wide).fails(2).contains("add --size 40x30"));
    assert!(
        run(&["--compare", "Cargo.toml"])
            .fails(3)
            .contains("cannot be read as a PNG")
    );
    assert!(run(&["--compare", "no.png"]).fails(3).contains("no.png"));
    assert_eq!(names(folder.path()), ["reference.png"]);
}

#[test]
fn what_cannot_be_painted_is_told_before_the_work() {
    let fails = |args: &[&str], status| {
        let args = ["render", "demo:sphere?n=50"].iter().chain(args);
        estoc(args).fails(status)
    };
    assert!(fails(&[], 2).contains("--out FILE.png"));
    let both = estoc(["render", "demo:sphere?n=50", "--json", "--out", "-"]);
    assert_eq!(both.status, 2);
    assert!(both.stderr.contains("--out FILE.png"), "{}", both.stderr);
    assert!(fails(&["--out", "-", "--eye", "1,2"], 2).contains("three finite numbers"));
    assert!(fails(&["--out", "-", "--eye", "1,2,nan"], 2).contains("three finite numbers"));
    for fov in ["180", "0", "-20", "nan", "inf", "wide"] {
        assert!(fails(&["--out", "-", "--fov", fov], 2).contains("below 180 degrees"));
    }
    assert!(fails(&["--out", "-", "--up", "0,0,0"], 2).contains("0,0,0 is not a direction"));
    let same = ["--out", "-", "--eye=1,1,1", "--at=1,1,1"];
    assert!(fails(&same, 2).contains("eye"));
    assert!(fails(&["--out", "-", "--shade", "pink"], 2).contains("depth, normal, facing"));
    assert!(fails(&["--out", "-", "--samples", "0"], 2).contains("1..=4096"));
    assert!(fails(&["--out", "-", "--threshold", "1"], 2).contains("--compare"));
    let out = estoc(["render", "data/sphere.obj", "--out", "data/sphere.obj"]).fails(2);
    assert!(out.contains("would replace"), "{out}");
}

#[test]
fn stdout_takes_a_picture_and_any_mesh_has_one() {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in [
        ("point.obj", "v 1 2 3\nf 1 1 1\n"),
        ("flat.obj", "v 0 0 0\nv 1 0 0\nv 0 0 1\nf 1 2 3\n"),
        ("huge.obj", "v 0 0 0\nv 3e38 0 0\nv 0 3e38 0\nf 1 2 3\n"),
        ("wide.obj", "v -3e38 0 0\nv 3e38 0 0\nv 0 3e38 0\nf 1 2 3\n"),
        ("tiny.obj", "v 0 0 0\nv 1e-40 0 0\nv 0 1e-40 0\nf 1 2 3\n"),
    ] {
        let mesh = folder.path().join(name);
        std::fs::write(&mesh, text).unwrap();
        for shade in SHADES {
            let output = command()
                .args([
                    "render",
                    "--quiet",
                    "--size=24x16",
                    "--samples=1",
                    "--out=-",
                ])
                .args(["--shade", shade])
                .arg(&mesh)
                .output()
                .unwrap();
            let message = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(0), "{name} {shade}: {message}");
            assert_eq!(&output.stdout[1..4], b"PNG", "{name} {shade}");
        }
    }
}

/// As `head` does.
#[cfg(unix)]
#[test]
fn a_reader_that_has_enough_is_no_error() {
    let mut child = command()
        .args(["render", "demo:sphere?n=500", "--quiet", "--out=-"])
        .args(["--size=800x600", "--samples=1", "--shade=id"])
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let ended = child.wait_with_output().unwrap();
    assert_eq!(String::from_utf8_lossy(&ended.stderr), "");
    assert_eq!(ended.status.code(), Some(0));
}
