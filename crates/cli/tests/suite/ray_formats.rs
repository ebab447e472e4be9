//! Rays, points and results in NPY and Parquet: the same as in CSV.

use crate::common::{Folder, assert_has, root, run, run_reading};

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

/// Returns the data of an array of records, and its size of a record in bytes.
fn records(bytes: &[u8], rows: usize) -> (Vec<u8>, usize) {
    let header = 10 + usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
    let data = bytes[header..].to_vec();
    let size = data.len() / rows;
    assert_eq!(data.len(), size * rows);
    (data, size)
}

#[test]
fn rays_of_numpy_have_the_hits_of_csv() {
    let folder = Folder::new();
    let rows = numbers("data/hall.rays.csv");
    folder.put("rays.npy", npy(&rows, false));
    folder.put("rays.bin", npy(&rows, true));
    for query in ["closest", "any", "all", "count"] {
        let with = |rays: &str| {
            let line = format!("cast data/hall.obj --rays {rays} --query {query}");
            folder.run(&line).ok()
        };
        let expected = with("data/hall.rays.csv");
        assert!(with("F/rays.npy") == expected);
        // Numbers that were f32s are not rounded, so no note says so.
        assert!(with("F/rays.bin") == expected);
    }
    let line = "cast data/hall.obj --rays - --memory 64M";
    let piped = run_reading(line, &npy(&rows, false)).ok();
    assert!(piped == run("cast data/hall.obj --rays data/hall.rays.csv").ok());
}

#[test]
fn hits_of_numpy_are_records() {
    let folder = Folder::new();
    let line = "cast data/hall.obj --rays data/hall.rays.csv";
    let csv = run(line).ok();
    let expected = cells(&csv);
    let with = |more: &str| folder.run(&format!("{line} --out F/hits.npy {more}"));
    let written = |more: &str| {
        assert_eq!(with(more).ok(), "");
        records(&folder.bytes("hits.npy"), expected.len())
    };
    let (data, size) = written("");
    assert_eq!(size, 16);
    for (cells, record) in expected.iter().zip(data.as_chunks::<16>().0) {
        let word = |at: usize| [record[at], record[at + 1], record[at + 2], record[at + 3]];
        let bits = |at: usize| u32::from_le_bytes(word(at));
        let cell = |cell: usize| cells[cell].parse::<f32>().unwrap().to_bits();
        assert_eq!(bits(0), cell(2));
        let prim = cells[3].parse::<i32>().unwrap();
        assert_eq!(i32::from_le_bytes(word(4)), prim);
        match cells[1] {
            "1" => assert_eq!(bits(12), cell(5)),
            _ => assert!([8, 12].iter().all(|&at| f32::from_bits(bits(at)).is_nan())),
        }
    }
    let (data, size) = written("--query any");
    assert_eq!(size, 1);
    for (cells, any) in expected.iter().zip(&data) {
        assert_eq!(cells[1], any.to_string());
    }
    assert_eq!(written("--columns ray,point").1, 8 + 12);
    let told = "hits.npy: NPY cannot hold the column object, which is text";
    with("--columns t,object").fails_with(2, told);
    let refused = with("--json");
    assert_eq!(refused.status, 2);
    assert_has(&refused.stderr, "the extension .npy is for NPY arrays");
}

#[test]
fn points_of_numpy_have_the_answers_of_csv() {
    let folder = Folder::new();
    let row = |i: i32| [7, 11, 13].map(|step| f64::from(i * step % 101) / 50.0 - 1.0);
    let rows: Vec<Vec<f64>> = (0..500).map(|i| row(i).to_vec()).collect();
    let line = |row: &Vec<f64>| format!("{},{},{}\n", row[0], row[1], row[2]);
    let text: String = rows.iter().map(line).collect();
    folder.put("p.csv", format!("x,y,z\n{text}"));
    folder.put("p.npy", npy(&rows, false));
    for verb in ["contains", "near"] {
        let with = |points: &str| folder.run(&format!("{verb} data/sphere.obj --points {points}"));
        let expected = with("F/p.csv").ok();
        assert!(with("F/p.npy").ok() == expected);
    }
    let line = "contains data/sphere.obj --points F/p.csv --out F/inside.npy --columns inside";
    folder.run(line).ok();
    assert_eq!(records(&folder.bytes("inside.npy"), 500).1, 1);
}

/// PLY, text and binary, and lines of numbers, also as a stream.
#[test]
fn points_of_point_clouds_have_the_answers_of_csv() {
    let folder = Folder::new();
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
    folder.put("p.csv", format!("x,y,z\n{}", text(",")));
    let numbers = points.iter().flatten().flat_map(|x| x.to_be_bytes());
    let binary: Vec<u8> = header("binary_big_endian").bytes().chain(numbers).collect();
    let clouds = [
        ("p.ply", [header("ascii"), text(" ")].concat().into_bytes()),
        ("b.ply", binary),
        (
            "p.xyz",
            ["# a scan\n500\n", &text("\t")].concat().into_bytes(),
        ),
    ];
    for verb in ["contains", "near"] {
        let line = |points: &str| format!("{verb} data/sphere.obj --points {points}");
        let expected = folder.run(&line("F/p.csv")).ok();
        for (name, bytes) in &clouds {
            folder.put(name, bytes);
            let of_file = folder.run(&line(&format!("F/{name}"))).ok();
            assert!(of_file == expected, "{name}");
            let piped = run_reading(&line("-"), bytes).ok();
            assert!(piped == expected, "{name}");
        }
    }
    // The columns of text have names.
    folder.put("c.xyz", b"3 0 0 wall\n0 0 0 \"in\"\n");
    let line = "contains data/sphere.obj --points F/c.xyz --columns column4,inside";
    let named = folder.run(line).ok();
    assert_eq!(named, "column4,inside\nwall,0\n\"in\",1\n");
}

#[test]
fn files_of_something_else_are_named() {
    let folder = Folder::new();
    folder.put("scan.pcd", b"# .PCD v0.7\nVERSION 0.7\n\0\x01\xee\n");
    assert_eq!(
        folder
            .run("near data/sphere.obj --points F/scan.pcd")
            .fails(3),
        "estoc: F/scan.pcd: is a PCD point cloud, not points; points are read from CSV, NPY, NPZ with one \
         array, Parquet, PLY and text with three numbers or more a line\n"
    );
    assert_eq!(
        run("cast data/sphere.obj --rays data/sphere.obj").fails(3),
        "estoc: data/sphere.obj: is an OBJ mesh, not rays; rays are read from CSV, NPY, NPZ with one array \
         and Parquet\n"
    );
}

#[test]
fn numbers_that_are_rounded_are_told() {
    let folder = Folder::new();
    folder.put("r.npy", npy(&[vec![0.1, 0.0, 3.0, 0.0, 0.0, -1.0]], true));
    let ran = folder.run("cast data/sphere.obj --rays F/r.npy");
    let expected = "estoc: F/r.npy: 1 number that f32 cannot hold was rounded to the nearest f32\n";
    assert_eq!((ran.status, &*ran.stderr), (0, expected));
    let csv = b"ox,oy,oz,dx,dy,dz\n0.1,0,3,0,0,-1\n";
    let of_text = run_reading("cast data/sphere.obj --rays -", csv);
    assert_eq!(ran.stdout, of_text.ok());
}

#[test]
fn broken_arrays_are_told_with_file_and_row() {
    let folder = Folder::new();
    let mut bytes = npy(&numbers("data/sphere.rays.csv"), false);
    bytes.truncate(bytes.len() - 4);
    folder.put("cut.npy", &bytes);
    let refused = folder.run("cast data/sphere.obj --rays F/cut.npy").fails(3);
    assert_has(&refused, "cut.npy: row ");
    assert_has(&refused, "the file ends here");
    let expected = match cfg!(feature = "parquet") {
        true => "no file named *.parquet",
        false => "does not read Parquet; install it with",
    };
    folder
        .run("cast data/sphere.obj --rays F/")
        .fails_with(3, expected);
}

#[cfg(not(feature = "parquet"))]
#[test]
fn a_build_without_parquet_says_so() {
    let refused = run("cast data/sphere.obj --rays data/sphere.rays.csv --out hits.parquet");
    let expected = "--out hits.parquet: this build of estoc does not write Parquet; install it with \
                    --features parquet, or name a .csv or .npy file";
    refused.fails_with(2, expected);
    assert!(!root().join("hits.parquet").exists());
}

#[cfg(feature = "parquet")]
#[test]
fn parquet_has_the_hits_of_csv() {
    let folder = Folder::new();
    // Columns of CSV are passed through as texts, so they are no rays.
    let all = "--columns ray_id,ox,oy,oz,dx,dy,dz,t --out F/rays.parquet";
    folder
        .run(&format!(
            "cast data/hall.obj --rays data/hall.rays.csv {all}"
        ))
        .ok();
    let told = "the column ox is of type Utf8; it must be Float32 or Float64";
    folder
        .run("cast data/hall.obj --rays F/rays.parquet")
        .fails_with(3, told);
    // The closest points of some points are points themselves, with numbers.
    let points: String = (0..300)
        .map(|i| format!("{},{},1.5\n", i % 17, i % 13))
        .collect();
    folder.put("p.csv", format!("x,y,z\n{points}"));
    let near = "near data/sphere.obj --points F/p.csv --columns x,y,z";
    folder.run(&format!("{near} --out F/hits.parquet")).ok();
    folder.put("q.csv", folder.run(near).ok());
    for verb in ["contains", "near"] {
        let with = |rest: &str| {
            folder
                .run(&format!("{verb} data/sphere.obj --points {rest}"))
                .ok()
        };
        assert!(with("F/hits.parquet") == with("F/q.csv"));
        let written = |rest: &str| {
            with(&format!("{rest} --out F/again.parquet"));
            folder.bytes("again.parquet")
        };
        let of_csv = written("F/q.csv --threads 2");
        assert!(written("F/hits.parquet --threads 1") == of_csv);
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
