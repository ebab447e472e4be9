//! Clusters on loopback: a scheduler and two executors, each a process.

use crate::command::{COMMAND, Done, read_parquet, run};
use crate::data::{
    RAY, TestMesh, bits_of, expected, fields, integers, random_rays, write_parquet, write_tree,
};
use datafusion::arrow::array::RecordBatch;
use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;
use tempfile::TempDir;

/// A process that is killed when the test ends, however it ends.
struct Process(Child);

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Process {
    /// Starts a role by words, and returns it with the first line that it prints.
    fn start(arguments: &str) -> (Process, String) {
        let child = Command::new(COMMAND)
            .args(arguments.split(' '))
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut process = Process(child);
        let mut line = String::new();
        BufReader::new(process.0.stdout.take().unwrap())
            .read_line(&mut line)
            .unwrap();
        assert!(!line.is_empty(), "{arguments} ended");
        (process, line.trim_end().to_owned())
    }
}

struct Cluster {
    executors: Vec<Process>,
    work: TempDir,
    _scheduler: Process,
    address: String,
}

impl Cluster {
    /// Starts a cluster whose executors run one task at a time, and look up meshes in these folders. The timeout is in
    /// seconds.
    fn start(mesh_folders: [&Path; 2], executor_timeout: &str) -> Cluster {
        let work = tempfile::tempdir().unwrap();
        let (scheduler, line) = Process::start(&format!(
            "scheduler --port 0 --executor-timeout {executor_timeout} --min-executors 2"
        ));
        let address = line.rsplit(' ').next().unwrap().to_owned();
        let mut executors = Vec::new();
        for (number, folder) in mesh_folders.into_iter().enumerate() {
            let own = work.path().join(number.to_string());
            std::fs::create_dir(&own).unwrap();
            let (executor, _) = Process::start(&format!(
                "executor --scheduler {address} --threads 1 --heartbeat 1 --work-dir {} --mesh-dir {}",
                own.display(),
                folder.display()
            ));
            executors.push(executor);
        }
        while !is_ready(&address) {
            for executor in &mut executors {
                assert_eq!(executor.0.try_wait().unwrap(), None, "an executor ended");
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        Cluster {
            executors,
            work,
            _scheduler: scheduler,
            address,
        }
    }

    fn submit(&self, arguments: &[&str]) -> Process {
        let arguments = ["submit", "--scheduler", &self.address]
            .into_iter()
            .chain(arguments.iter().copied());
        let child = Command::new(COMMAND)
            .args(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn();
        Process(child.unwrap())
    }
}

fn is_ready(address: &str) -> bool {
    let mut answer = String::new();
    let mut stream = TcpStream::connect(address).unwrap();
    write!(
        stream,
        "GET /readyz HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n"
    )
    .unwrap();
    stream.read_to_string(&mut answer).unwrap();
    answer.starts_with("HTTP/1.1 200")
}

/// Waits for the end of a process.
fn output(mut process: Process) -> Done {
    let mut streams = (String::new(), String::new());
    let (stdout, stderr) = (process.0.stdout.take(), process.0.stderr.take());
    stdout.unwrap().read_to_string(&mut streams.0).unwrap();
    stderr.unwrap().read_to_string(&mut streams.1).unwrap();
    Done {
        success: process.0.wait().unwrap().success(),
        stdout: streams.0,
        stderr: streams.1,
    }
}

fn select(mesh: &str) -> String {
    let m = format!("raycast('{mesh}', {RAY})");
    format!(
        "SELECT ray_id, {} FROM rays WHERE {m}['t'] >= 0 OR {m}['t'] IS NULL ORDER BY ray_id",
        fields(&m)
    )
}

#[test]
fn two_executors_give_the_rows_of_one_process() {
    let mesh = TestMesh::new("terrain?n=2000");
    let rays = random_rays(&mesh.bvh, 5000, 1);
    let folder = mesh.folder.path();
    write_parquet(&folder.join("rays"), &rays, 4);
    let cluster = Cluster::start([folder; 2], "60");
    let table = format!("rays={}", folder.join("rays").display());
    let path_of = |name: &str| folder.join(name).display().to_string();
    let (here, there) = (path_of("here.parquet"), path_of("there.parquet"));
    let sql = select("mesh.estoc");
    let options = [
        "--table",
        &table,
        "--mesh-dir",
        folder.to_str().unwrap(),
        "--threads",
        "4",
    ];
    let has_worked = |number: &str| has_files(&cluster.work.path().join(number));
    // On a machine that is busy, one executor may have done all before the other asks.
    for _ in 0..20 {
        let submit = output(cluster.submit(&[&options[..], &["--out", &there, &sql]].concat()));
        assert!(submit.success, "{submit:?}");
        if has_worked("0") && has_worked("1") {
            break;
        }
    }
    let local = run(&[&options[..], &["--out", &here, &sql]].concat());
    assert!(local.success, "{local:?}");
    let [here, there] = [here, there].map(|path| read_parquet(Path::new(&path)).0);
    assert_eq!(here[0].schema(), there[0].schema());
    assert_eq!(bits_of(&here), bits_of(&there));
    assert_eq!(integers(&here, "ray_id"), integers(&there, "ray_id"));
    assert_eq!(bits_of(&there), expected(&mesh.bvh, &rays));
    for number in ["0", "1"] {
        assert!(has_worked(number), "executor {number} had nothing to do");
    }

    // Markers that are left over are errors of the client, and so is what the cluster cannot run.
    let (m, path) = (mesh.marker(), mesh.path.display());
    let union = format!(
        "SELECT ray_id AS p, 1 AS n FROM rays WHERE ray_id < 100 UNION ALL SELECT {m}['prim'], count(*) FROM rays \
         GROUP BY 1"
    );
    for (sql, part) in [
        (format!("SELECT {m} FROM rays"), "select its fields"),
        (
            format!("{union} ORDER BY 1"),
            "cannot run a UNION below an ORDER BY",
        ),
        (
            format!("SELECT * FROM ({union}) LIMIT 9999"),
            "cannot run a UNION below a LIMIT",
        ),
        (
            format!(
                "SELECT raycast('{path}', (SELECT max(ox) FROM rays), oy, oz, dx, dy, dz)['t'] FROM rays"
            ),
            "cannot run a raycast with a subquery in its arguments",
        ),
    ] {
        let refused = output(cluster.submit(&["--table", &table, &sql]));
        let is_refused = !refused.success && refused.stderr.contains(part);
        assert!(is_refused, "{sql}: {refused:?}");
    }

    // A union whose rows are not sorted is right.
    let there = path_of("union.parquet");
    let submit = output(cluster.submit(&[&options[..], &["--out", &there, &union]].concat()));
    assert!(submit.success, "{submit:?}");
    let rows = |batches: Vec<RecordBatch>| batches.iter().map(RecordBatch::num_rows).sum::<usize>();
    let prims: BTreeSet<_> = expected(&mesh.bvh, &rays)
        .into_iter()
        .map(|hit| hit.map(|(_, prim, ..)| prim))
        .collect();
    assert_eq!(rows(read_parquet(Path::new(&there)).0), 100 + prims.len());
}

#[test]
fn a_job_survives_the_kill_of_an_executor() {
    let mesh = TestMesh::new("terrain?n=20000");
    let rays = random_rays(&mesh.bvh, 120_000, 2);
    let folder = mesh.folder.path();
    write_parquet(&folder.join("rays"), &rays, 24);
    let table = format!("rays={}", folder.join("rays").display());
    let there = folder.join("there.parquet");
    let arguments = [
        "--table",
        &table,
        "--mesh-dir",
        folder.to_str().unwrap(),
        "--threads",
        "24",
        "--out",
        there.to_str().unwrap(),
        &select("mesh.estoc"),
    ];
    // On a machine that is busy, a job may end before its second executor has a task.
    let killed =
        (0..5).find_map(|_| kill_an_executor(Cluster::start([folder; 2], "8"), &arguments));
    let (_cluster, submit) = killed.expect("each job ended before the kill");
    let done = output(submit);
    assert!(done.success, "{done:?}");
    let (found, _) = read_parquet(&there);
    assert_eq!(integers(&found, "ray_id"), (0..120_000).collect::<Vec<_>>());
    assert_eq!(bits_of(&found), expected(&mesh.bvh, &rays));
}

/// Submits a job and kills an executor that has begun a task; `None` if the job ended before.
fn kill_an_executor(mut cluster: Cluster, arguments: &[&str]) -> Option<(Cluster, Process)> {
    let mut submit = cluster.submit(arguments);
    let victim = cluster.work.path().join("1");
    while !has_files(&victim) {
        if submit.0.try_wait().unwrap().is_some() {
            return None;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    // SIGKILL, of which the process learns nothing.
    cluster.executors[1].0.kill().unwrap();
    let goes_on = submit.0.try_wait().unwrap().is_none();
    goes_on.then_some((cluster, submit))
}

#[test]
fn an_executor_with_another_mesh_is_refused() {
    let mesh = TestMesh::new("terrain?n=2000");
    let rays = random_rays(&mesh.bvh, 1000, 3);
    let folder = mesh.folder.path();
    write_parquet(&folder.join("rays"), &rays, 4);
    let other = tempfile::tempdir().unwrap();
    let (_, _, hash) = write_tree(&other.path().join("mesh.estoc"), "terrain?n=2000&seed=9");
    assert_ne!(hash, mesh.hash);
    let cluster = Cluster::start([folder, other.path()], "60");
    let table = format!("rays={}", folder.join("rays").display());
    let out = folder.join("there.parquet");
    // The client does not have the mesh, but knows its hash.
    let sql = select(&format!("mesh.estoc#{:016x}", mesh.hash));
    let arguments = [
        "--table",
        &table,
        "--threads",
        "4",
        "--out",
        out.to_str().unwrap(),
        &sql,
    ];
    let done = output(cluster.submit(&arguments));
    let wanted = format!(
        "has the hash {hash:016x} on this machine, and the query was planned with {:016x}",
        mesh.hash
    );
    assert!(!done.success && !out.exists(), "{done:?}");
    for part in [&*wanted, "--mesh-dir"] {
        assert!(done.stderr.contains(part), "{done:?}");
    }
}

fn has_files(folder: &Path) -> bool {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return false;
    };
    entries.flatten().any(|entry| match entry.file_type() {
        Ok(kind) if kind.is_dir() => has_files(&entry.path()),
        Ok(kind) => kind.is_file(),
        Err(_) => false,
    })
}
