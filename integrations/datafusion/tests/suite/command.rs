//! The command.

use crate::data::{TestMesh, bits_of, expected, fields, random_rays, write_parquet};
use datafusion::arrow::array::RecordBatch;
use datafusion::parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use std::fs::File;
use std::path::Path;
use std::process::{Command, Output, Stdio};

pub(crate) const COMMAND: &str = env!("CARGO_BIN_EXE_estoc-query");

/// What a process of the command leaves.
#[derive(Debug)]
pub(crate) struct Done {
    pub(crate) success: bool,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl From<Output> for Done {
    fn from(output: Output) -> Done {
        Done {
            success: output.status.success(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

pub(crate) fn run(arguments: &[&str]) -> Done {
    Command::new(COMMAND)
        .args(arguments)
        .output()
        .unwrap()
        .into()
}

pub(crate) fn read_parquet(path: &Path) -> (Vec<RecordBatch>, Vec<(String, String)>) {
    let reader = ParquetRecordBatchReaderBuilder::try_new(File::open(path).unwrap()).unwrap();
    let pairs = reader
        .metadata()
        .file_metadata()
        .key_value_metadata()
        .cloned()
        .unwrap_or_default();
    let pairs = pairs
        .into_iter()
        .map(|pair| (pair.key, pair.value.unwrap_or_default()))
        .collect();
    (reader.build().unwrap().map(Result::unwrap).collect(), pairs)
}

#[test]
fn a_query_is_printed_or_written() {
    let mesh = TestMesh::new("terrain?n=500");
    let rays = random_rays(&mesh.bvh, 1200, 1);
    let folder = mesh.folder.path().join("rays");
    write_parquet(&folder, &rays, 3);
    let m = mesh.marker();
    let sql = format!("SELECT {} FROM rays ORDER BY ray_id", fields(&m));
    let table = format!("rays={}", folder.display());
    let out = mesh.folder.path().join("hits.parquet");
    let done = run(&[
        "--table",
        &table,
        "--threads",
        "2",
        "--out",
        out.to_str().unwrap(),
        "--time",
        &sql,
    ]);
    assert!(done.success, "{done:?}");
    assert!(done.stderr.starts_with("1200 rows in "), "{done:?}");
    let (found, pairs) = read_parquet(&out);
    assert_eq!(bits_of(&found), expected(&mesh.bvh, &rays));
    let pair = |key: &str| {
        pairs
            .iter()
            .find(|pair| pair.0 == key)
            .map(|pair| pair.1.clone())
    };
    assert_eq!(
        pair("estoc.mesh"),
        Some(format!("{}#{:016x}", mesh.path.display(), mesh.hash))
    );
    assert_eq!(pair("estoc.query"), Some(sql.clone()));

    let done = run(&["--table", &table, &sql]);
    assert!(
        done.stdout
            .contains("the first 1000 rows; --out FILE writes all")
    );
    let file = folder.join("part-000.parquet");
    let sql = format!("SELECT count({m}['t']) AS hits FROM '{}'", file.display());
    let done = run(&[&sql]);
    let hits = expected(&mesh.bvh, &rays[..400]).iter().flatten().count();
    assert!(done.stdout.contains(&format!("| {hits} ")), "{done:?}");
}

#[test]
fn a_query_that_fails_leaves_no_file() {
    let mesh = TestMesh::new("sphere?n=100");
    let out = mesh.folder.path().join("out.parquet");
    let out = out.to_str().unwrap();
    // It fails after rows have come.
    let sql = "SELECT 1 / (1000000 - value) FROM generate_series(1, 1000000)";
    let done = run(&["--out", out, sql]);
    assert!(!done.success);
    assert!(done.stderr.starts_with("estoc-query: "), "{done:?}");
    let files = std::fs::read_dir(mesh.folder.path())
        .unwrap()
        .map(|file| file.unwrap().file_name());
    assert_eq!(files.collect::<Vec<_>>(), ["mesh.estoc"]);
    let done = run(&["--out", "/no/such/folder/out.parquet", "SELECT 1"]);
    assert_eq!(
        done.stderr,
        "estoc-query: Execution error: cannot write /no/such/folder/out.parquet: No such file or directory\n"
    );
}

#[cfg(unix)]
#[test]
fn a_pipe_is_not_replaced_by_a_file() {
    use std::os::unix::fs::FileTypeExt;
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe");
    assert!(
        Command::new("mkfifo")
            .arg(&pipe)
            .status()
            .unwrap()
            .success()
    );
    let link = folder.path().join("link");
    std::os::unix::fs::symlink(&pipe, &link).unwrap();
    for path in [&pipe, &link] {
        let done = run(&["--out", path.to_str().unwrap(), "SELECT 1"]);
        assert_eq!(
            done.stderr,
            format!(
                "estoc-query: Execution error: cannot write {}: it is a device or a pipe; name a file\n",
                path.display()
            )
        );
        assert!(!done.success);
    }
    assert!(pipe.metadata().unwrap().file_type().is_fifo());
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2);
}

#[test]
fn a_reader_that_leaves_ends_nothing_with_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let demo = folder.path().to_str().unwrap();
    for arguments in [
        &["SELECT value FROM generate_series(1, 2000)"][..],
        &["demo", demo, "--mesh", "sphere?n=100", "--rays", "10"],
    ] {
        let child = Command::new(COMMAND)
            .args(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn();
        let mut child = child.unwrap();
        drop(child.stdout.take());
        let done = Done::from(child.wait_with_output().unwrap());
        assert_eq!(done.stderr, "", "{arguments:?}");
        assert!(done.success, "{arguments:?}");
    }
}

#[test]
fn a_statement_without_columns_writes_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out.parquet");
    let done = run(&[
        "--out",
        out.to_str().unwrap(),
        "CREATE VIEW ones AS SELECT 1",
    ]);
    assert!(!done.success && !out.exists());
    assert!(done.stderr.contains("leave out --out"), "{done:?}");
    let done = run(&["--time", "SELECT 1"]);
    assert!(done.stderr.starts_with("1 row in "), "{done:?}");
}

#[test]
fn the_folder_of_meshes_is_an_option() {
    let mesh = TestMesh::new("sphere?n=100");
    let sql = "SELECT raycast('mesh.estoc', 0, 0, 5, 0, 0, -1)['prim'] IS NOT NULL AS is_hit";
    let done = run(&["--mesh-dir", mesh.folder.path().to_str().unwrap(), sql]);
    assert!(done.stdout.contains("true"), "{done:?}");
    let done = run(&[sql]);
    assert!(done.stderr.contains("--mesh-dir"), "{done:?}");
}

#[test]
fn demo_writes_what_queries_read() {
    let folder = tempfile::tempdir().unwrap();
    for (files, table) in [("1", "rays.parquet"), ("3", "rays")] {
        let path = folder.path().join(files);
        let path = path.to_str().unwrap();
        let sizes = ["--mesh", "sphere?n=100", "--rays", "1000", "--files", files];
        let done = run(&[&["demo", path], &sizes[..]].concat());
        assert!(done.success, "{done:?}");
        let table = format!("rays={path}/{table}");
        let sql =
            "SELECT count(*) AS rays, count(DISTINCT ray_id) AS ids, max(ray_id) AS last FROM rays";
        let done = run(&["--table", &table, sql]);
        assert!(done.stdout.contains("| 1000 | 1000 | 999  |"), "{done:?}");
    }
}

#[test]
fn what_the_command_line_refuses() {
    for (arguments, part) in [
        (&[][..], "<SQL>"),
        (&["--table", "rays", "SELECT 1"], "NAME=PATH"),
        (&["SELEC 1"], "SELEC"),
        (&["SELECT * FROM rays"], "rays"),
        (
            &[
                "--table",
                "rays=/no/such/file.parquet",
                "SELECT * FROM rays",
            ],
            "file.parquet",
        ),
    ] {
        let done = run(arguments);
        assert!(!done.success);
        assert!(done.stderr.contains(part), "{arguments:?}: {}", done.stderr);
    }
}
