//! Rays, points and results in NPY and Parquet: the same as in CSV.

use crate::common::{estoc, estoc_reading, root};

/// Returns the cells of CSV without its first line.
fn cells(csv: &str) -> Vec<Vec<&str>> {
    let lines = csv.lines().skip(1);
    lines.map(|line| line.split(',').collect()).collect()
}

/// Returns a file of NPY of rows of numbers.
fn npy(rows: &[Vec<f64>], is_wide: bool) -> Vec<u8> {
    let (columns, dtype) = (rows[0].len(), if is_wide { "<f8" } else { "<f4" });
    let mut text = format!(
        "{{'descr': '{dtype}', 'fortran_order': False, 'shape': ({}, {columns}), }}",
        rows.len()
    );
    text.push('\n');
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend_from_slice(&(text.len() as u16).to_le_bytes());
    bytes.extend_from_slice(text.as_bytes());
    for &x in rows.iter().flatten() {
        match is_wide {
            true => bytes.extend_from_slice(&x.to_le_bytes()),
            false => bytes.extend_from_slice(&(x as f32).to_le_bytes()),
        }
    }
    bytes
}

/// Returns the numbers of a CSV file.
fn numbers(path: &str) -> Vec<Vec<f64>> {
    let text = std::fs::read_to_string(root().join(path)).unwrap();
    let number = |cell: &&str| f64::from(cell.parse::<f32>().unwrap());
    let rows = cells(&text).into_iter();
    rows.map(|cells| cells.iter().map(number).collect())
        .collect()
}

fn write(folder: &tempfile::TempDir, name: &str, bytes: &[u8]) -> String {
    let path = folder.path().join(name);
    std::fs::write(&path, bytes).unwrap();
    path.to_str().unwrap().to_owned()
}

/// Returns the data of an array of records, and its size of a record in bytes.
fn records(path: &str, rows: usize) -> (Vec<u8>, usize) {
    let bytes = std::fs::read(path).unwrap();
    let header = 10 + usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
    let data = bytes[header..].to_vec();
    let size = data.len() / rows;
    assert_eq!(data.len(), size * rows);
    (data, size)
}

#[test]
fn rays_of_numpy_have_the_hits_of_csv() {
    let folder = tempfile::tempdir().unwrap();
    let rows = numbers("data/hall.rays.csv");
    let array = write(&folder, "rays.npy", &npy(&rows, false));
    let wide = write(&folder, "rays.bin", &npy(&rows, true));
    for query in ["closest", "any", "all", "count"] {
        let with = |rays: &str| estoc(["cast", "data/hall.obj", "--rays", rays, "--query", query]);
        let expected = with("data/hall.rays.csv").ok();
        assert!(with(&array).ok() == expected);
        // Numbers that were f32s are not rounded, so no note says so.
        assert!(with(&wide).ok() == expected);
    }
    let args = ["cast", "data/hall.obj", "--rays", "-", "--memory", "64M"];
    let piped = estoc_reading(args, &npy(&rows, false)).ok();
    assert!(piped == estoc(["cast", "data/hall.obj", "--rays", "data/hall.rays.csv"]).ok());
}

#[test]
fn hits_of_numpy_are_records() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("hits.npy");
    let out = out.to_str().unwrap();
    let args = ["cast", "data/hall.obj", "--rays", "data/hall.rays.csv"];
    let with = |more: &[&str]| estoc(args.iter().chain(more)).ok();
    let csv = with(&[]);
    let expected = cells(&csv);
    assert_eq!(with(&["--out", out]), "");
    let (data, size) = records(out, expected.len());
    assert_eq!(size, 16);
    for (cells, record) in expected.iter().zip(data.as_chunks::<16>().0) {
        let word = |at: usize| [record[at], record[at + 1], record[at + 2], record[at + 3]];
        let number = |at: usize| f32::from_le_bytes(word(at));
        assert_eq!(
            number(0).to_bits(),
            cells[2].parse::<f32>().unwrap().to_bits()
        );
        assert_eq!(
            i32::from_le_bytes(word(4)),
            cells[3].parse::<i32>().unwrap()
        );
        match cells[1] {
            "1" => assert_eq!(
                number(12).to_bits(),
                cells[5].parse::<f32>().unwrap().to_bits()
            ),
            _ => assert!(number(8).is_nan() && number(12).is_nan()),
        }
    }
    with(&["--out", out, "--query", "any"]);
    let (data, size) = records(out, expected.len());
    assert_eq!(size, 1);
    assert!(
        expected
            .iter()
            .zip(&data)
            .all(|(cells, &any)| cells[1] == any.to_string())
    );
    with(&["--out", out, "--columns", "ray,point"]);
    assert_eq!(records(out, expected.len()).1, 8 + 12);
    let refused = estoc(args.iter().chain(&["--out", out, "--columns", "t,object"])).fails(2);
    assert!(
        refused.contains("hits.npy: NPY cannot hold the column object, which is text"),
        "{refused}"
    );
    let refused = estoc(args.iter().chain(&["--out", out, "--json"]));
    assert_eq!(refused.status, 2);
    let told = refused.stderr;
    assert!(
        told.contains("the extension .npy is for NPY arrays"),
        "{told}"
    );
}

#[test]
fn points_of_numpy_have_the_answers_of_csv() {
    let folder = tempfile::tempdir().unwrap();
    let rows: Vec<Vec<f64>> = (0..500)
        .map(|i| {
            [7, 11, 13]
                .map(|step| f64::from(i * step % 101) / 50.0 - 1.0)
                .to_vec()
        })
        .collect();
    let text: String = rows
        .iter()
        .map(|row| format!("{},{},{}\n", row[0], row[1], row[2]))
        .collect();
    let csv = write(&folder, "p.csv", format!("x,y,z\n{text}").as_bytes());
    let array = write(&folder, "p.npy", &npy(&rows, false));
    for verb in ["contains", "near"] {
        let with = |points: &str| estoc([verb, "data/sphere.obj", "--points", points]);
        let expected = with(&csv).ok();
        assert!(with(&array).ok() == expected);
    }
    let out = folder.path().join("inside.npy");
    let out = out.to_str().unwrap();
    estoc([
        "contains",
        "data/sphere.obj",
        "--points",
        &csv,
        "--out",
        out,
        "--columns",
        "inside",
    ])
    .ok();
    assert_eq!(records(out, 500).1, 1);
}

/// PLY, text and binary, and lines of numbers, also as a stream.
#[test]
fn points_of_point_clouds_have_the_answers_of_csv() {
    let folder = tempfile::tempdir().unwrap();
    let points: Vec<[f32; 3]> = (0..500)
        .map(|i| [7, 11, 13].map(|step| (i * step % 101) as f32 / 50.0 - 1.0))
        .collect();
    let text = |separator: &str| -> String {
        let line = |point: &[f32; 3]| point.map(|x| x.to_string()).join(separator) + "\n";
        points.iter().map(line).collect()
    };
    let header = |encoding: &str| {
        format!(
            "ply\nformat {encoding} 1.0\nelement vertex 500\nproperty float x\nproperty float y\n\
             property float z\nend_header\n"
        )
    };
    let csv = write(&folder, "p.csv", format!("x,y,z\n{}", text(",")).as_bytes());
    let numbers = points.iter().flatten().flat_map(|x| x.to_be_bytes());
    let binary: Vec<u8> = header("binary_big_endian").bytes().chain(numbers).collect();
    let clouds = [
        (
            "p.ply",
            header("ascii").into_bytes(),
            text(" ").into_bytes(),
        ),
        ("b.ply", binary, Vec::new()),
        (
            "p.xyz",
            b"# a scan\n500\n".to_vec(),
            text("\t").into_bytes(),
        ),
    ];
    for verb in ["contains", "near"] {
        let expected = estoc([verb, "data/sphere.obj", "--points", &csv]).ok();
        for (name, head, rest) in &clouds {
            let bytes = [&**head, rest].concat();
            let path = write(&folder, name, &bytes);
            assert!(estoc([verb, "data/sphere.obj", "--points", &path]).ok() == expected);
            let args = [verb, "data/sphere.obj", "--points", "-"];
            assert!(estoc_reading(args, &bytes).ok() == expected, "{name}");
        }
    }
    // The columns of text have names.
    let path = write(&folder, "c.xyz", b"3 0 0 wall\n0 0 0 \"in\"\n");
    let args = ["contains", "data/sphere.obj", "--points", &path];
    let named = estoc(args.iter().chain(&["--columns", "column4,inside"])).ok();
    assert_eq!(named, "column4,inside\nwall,0\n\"in\",1\n");
}

#[test]
fn files_of_something_else_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = write(
        &folder,
        "scan.pcd",
        b"# .PCD v0.7\nVERSION 0.7\n\0\x01\xee\n",
    );
    assert_eq!(
        estoc(["near", "data/sphere.obj", "--points", &path]).fails(3),
        format!(
            "estoc: {path}: is a PCD point cloud, not points; points are read from CSV, NPY, NPZ with one \
             array, Parquet, PLY and text with three numbers or more a line\n"
        )
    );
    let args = ["cast", "data/sphere.obj", "--rays", "data/sphere.obj"];
    assert_eq!(
        estoc(args).fails(3),
        "estoc: data/sphere.obj: is an OBJ mesh, not rays; rays are read from CSV, NPY, NPZ with one array \
         and Parquet\n"
    );
}

#[test]
fn numbers_that_are_rounded_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let rays = npy(&[vec![0.1, 0.0, 3.0, 0.0, 0.0, -1.0]], true);
    let rays = write(&folder, "r.npy", &rays);
    let ran = estoc(["cast", "data/sphere.obj", "--rays", &rays]);
    let expected =
        format!("estoc: {rays}: 1 number that f32 cannot hold was rounded to the nearest f32\n");
    assert_eq!((ran.status, ran.stderr), (0, expected));
    let csv = "ox,oy,oz,dx,dy,dz\n0.1,0,3,0,0,-1\n";
    let of_text = estoc_reading(["cast", "data/sphere.obj", "--rays", "-"], csv.as_bytes());
    assert_eq!(ran.stdout, of_text.ok());
}

#[test]
fn broken_arrays_are_told_with_file_and_row() {
    let folder = tempfile::tempdir().unwrap();
    let mut bytes = npy(&numbers("data/sphere.rays.csv"), false);
    bytes.truncate(bytes.len() - 4);
    let rays = write(&folder, "cut.npy", &bytes);
    let refused = estoc(["cast", "data/sphere.obj", "--rays", &rays]).fails(3);
    assert!(
        refused.contains("cut.npy: row ") && refused.contains("the file ends here"),
        "{refused}"
    );
    let folder = folder.path().to_str().unwrap();
    let refused = estoc(["cast", "data/sphere.obj", "--rays", folder]).fails(3);
    match cfg!(feature = "parquet") {
        true => assert!(refused.contains("no file named *.parquet"), "{refused}"),
        false => assert!(
            refused.contains("does not read Parquet; install it with"),
            "{refused}"
        ),
    }
}

#[cfg(not(feature = "parquet"))]
#[test]
fn a_build_without_parquet_says_so() {
    let args = [
        "cast",
        "data/sphere.obj",
        "--rays",
        "data/sphere.rays.csv",
        "--out",
        "hits.parquet",
    ];
    let refused = estoc(args).fails(2);
    let expected = "--out hits.parquet: this build of estoc does not write Parquet; install it with \
                    --features parquet, or name a .csv or .npy file";
    assert!(refused.contains(expected), "{refused}");
    assert!(!root().join("hits.parquet").exists());
}

#[cfg(feature = "parquet")]
#[test]
fn parquet_has_the_hits_of_csv() {
    let folder = tempfile::tempdir().unwrap();
    let [rays, hits, again] = ["rays.parquet", "hits.parquet", "again.parquet"]
        .map(|name| folder.path().join(name).to_str().unwrap().to_owned());
    // Columns of CSV are passed through as texts, so they are no rays.
    let all = "ray_id,ox,oy,oz,dx,dy,dz,t";
    let csv = "data/hall.rays.csv";
    let args = [
        "cast",
        "data/hall.obj",
        "--rays",
        csv,
        "--columns",
        all,
        "--out",
        &rays,
    ];
    estoc(args).ok();
    let told = estoc(["cast", "data/hall.obj", "--rays", &rays]).fails(3);
    assert!(
        told.contains("the column ox is of type Utf8; it must be Float32 or Float64"),
        "{told}"
    );
    // The closest points of some points are points themselves, with numbers.
    let points: String = (0..300)
        .map(|i| format!("{},{},1.5\n", i % 17, i % 13))
        .collect();
    let points = write(&folder, "p.csv", format!("x,y,z\n{points}").as_bytes());
    let near = ["near", "data/sphere.obj", "--points"];
    estoc(
        near.iter()
            .chain(&[&*points, "--columns", "x,y,z", "--out", &hits]),
    )
    .ok();
    let numbers = estoc(near.iter().chain(&[&*points, "--columns", "x,y,z"])).ok();
    let numbers = write(&folder, "q.csv", numbers.as_bytes());
    for verb in ["contains", "near"] {
        let with = |points: &str| estoc([verb, "data/sphere.obj", "--points", points]).ok();
        assert!(with(&hits) == with(&numbers));
        let written = |points: &str, out: &str, threads: &str| {
            let args = [verb, "data/sphere.obj", "--points", points, "--out", out];
            estoc(args.into_iter().chain(["--threads", threads])).ok();
            std::fs::read(out).unwrap()
        };
        let [of_parquet, of_csv] = [written(&hits, &again, "1"), written(&numbers, &again, "2")];
        assert!(of_parquet == of_csv);
        let text = String::from_utf8_lossy(&of_csv);
        for told in [
            "estoc.mesh_hash",
            "estoc.version",
            "estoc.query",
            "point_id",
        ] {
            assert!(text.contains(told), "{told}");
        }
    }
}
