//! `estoc cast --out-dir` and `estoc merge`: parts that do not depend on the run.

use crate::common::{Jobs, assert_has};

/// The formats that this build writes.
pub(crate) const FORMATS: &[&str] = match cfg!(feature = "parquet") {
    true => &["csv", "npy", "parquet"],
    false => &["csv", "npy"],
};

/// What is asked, with columns of the input or without.
const QUERIES: [&str; 4] = [
    "",
    "--query all",
    "--query any",
    "--query count --cull back",
];

#[test]
fn parts_and_manifest_do_not_depend_on_threads_and_memory() {
    let jobs = Jobs::new(1000);
    for format in FORMATS {
        for (i, query) in QUERIES.iter().enumerate() {
            let run = |name: &str, rest: &str| {
                let name = format!("{format}-{i}-{name}");
                let usual = format!("--format {format} --part-rows 300");
                jobs.run(&name, &format!("{usual} {query} {rest}")).ok();
                jobs.files(&name)
            };
            let first = run("1", "--threads 1");
            assert_eq!(first.len(), 6, "{:?}", first.keys());
            assert_eq!(run("2", "--threads 2 --memory 8M"), first);
            let other_tree = "--quality fast --layout compact --threads=3";
            assert_eq!(run("3", other_tree), first);
        }
    }
}

#[test]
fn shards_that_are_merged_give_the_bytes_of_one_run() {
    let jobs = Jobs::new(1000);
    for format in FORMATS {
        for (i, query) in QUERIES.iter().enumerate() {
            let usual = format!("--format {format} --part-rows 150 {query}");
            let name = |what: &str| format!("{format}-{i}-{what}");
            jobs.run(&name("whole"), &usual).ok();
            for shard in ["1/3", "2/3", "3/3"] {
                let folder = name(&shard.replace('/', "-"));
                jobs.run(&folder, &format!("{usual} --shard {shard}")).ok();
            }
            let [three, one, two] = ["3-3", "1-3", "2-3"].map(name);
            let shards = format!("F/{three} F/{one} F/{two}");
            let out = name("merged");
            jobs.estoc(&format!("merge {shards} --out-dir F/{out}"))
                .ok();
            assert_eq!(jobs.files(&out), jobs.files(&name("whole")));
            // One file, from shards, from the merged folder, and of a run without parts.
            let written = |what: &str, line: &str| {
                let file = format!("{}.{format}", name(what));
                jobs.estoc(&format!("{line} --out F/{file}")).ok();
                jobs.folder.bytes(&file)
            };
            let rays = format!("cast {} --rays F/rays.csv {query}", jobs.mesh);
            let of_cast = written("cast", &rays);
            assert_eq!(written("shards", &format!("merge {shards}")), of_cast);
            assert_eq!(written("folder", &format!("merge F/{out}")), of_cast);
        }
    }
}

#[test]
fn columns_of_the_input_are_passed_through() {
    let jobs = Jobs::new(100);
    let columns = "--columns id,ray,prim,point";
    jobs.run("job", &format!("{columns} --part-rows 30")).ok();
    jobs.estoc("merge F/job --out F/merged.csv").ok();
    let cast = format!(
        "cast {} --rays F/rays.csv --out F/cast.csv {columns}",
        jobs.mesh
    );
    jobs.estoc(&cast).ok();
    assert_eq!(jobs.folder.read("merged.csv"), jobs.folder.read("cast.csv"));
    let second = jobs.folder.read("job/part-00000001.csv");
    assert!(second.starts_with("id,ray,prim,point_x,point_y,point_z\nr30,30,-1,,,\nr31,31,"));
}

#[test]
fn an_empty_file_of_rays_has_one_empty_part() {
    let jobs = Jobs::new(0);
    let told = jobs.run("job", "").ok();
    let expected = "F/job: 0 rays in 1 part, 1 of them made by this run\n";
    assert_eq!(told, expected);
    let part = &jobs.files("job")["part-00000000.csv"];
    assert_eq!(part, b"ray,hit,t,prim,u,v\n");
    let told = jobs.run("shard", "--shard 2/2").ok();
    let expected = "F/shard: 0 rays in 0 parts, 0 of them made by this run\n";
    assert_eq!(told, expected);
}

#[test]
fn a_summary_in_json_is_for_schedulers() {
    let jobs = Jobs::new(100);
    let args = "--part-rows 30 --json --shard 2/2";
    let summary = jobs.run("job", args).ok_json();
    let bytes = summary["bytes"].as_u64().unwrap();
    let expected = serde_json::json!({
        "schema": "estoc.job-summary/1",
        "out_dir": "F/job",
        "format": "csv",
        "shard": "2/2",
        "rays": 100,
        "rays_of_parts": 40,
        "rows": 40,
        "bytes": bytes,
        "parts": 2,
        "made": 2,
        "kept": 0,
    });
    assert_eq!(summary, expected);
    let again = jobs.run("job", &format!("{args} --resume")).ok_json();
    assert_eq!((&again["made"], &again["kept"]), (&0.into(), &2.into()));
    let failed = jobs.run("job", args);
    assert_eq!(failed.status, 2);
    let object = failed.json();
    assert_eq!(object["schema"], "estoc.error/1");
    let message = object["error"]["message"].as_str().unwrap();
    let start = "F/job: a job was begun in this folder";
    assert!(message.starts_with(start), "{message}");
}

#[test]
fn rays_from_stdin_are_a_job_that_cannot_go_on() {
    let jobs = Jobs::new(100);
    let text = jobs.folder.read("rays.csv");
    let line = format!("cast {} --rays - --part-rows 30 --out-dir F/job", jobs.mesh);
    jobs.folder.run_reading(&line, text.as_bytes()).ok();
    jobs.run("file", "--part-rows 30").ok();
    let (mut stdin, mut file) = (jobs.files("job"), jobs.files("file"));
    let manifest = stdin.remove("_manifest.json").unwrap();
    assert!(String::from_utf8_lossy(&manifest).contains("\"input\": \"stdin\""));
    assert_ne!(file.remove("_manifest.json"), Some(manifest));
    assert_eq!(stdin, file);
    let told = |rest: &str| jobs.estoc(&format!("{line} {rest}")).fails(2);
    assert_eq!(
        told("--resume"),
        "estoc: --resume needs a file of rays: stdin or a pipe cannot be read a second time\n"
    );
    assert_eq!(
        told("--shard 1/2"),
        "estoc: --shard needs a file of rays: no other run can read the same stdin or pipe\n"
    );
}

#[test]
fn the_first_undefined_ray_is_named_by_its_row_in_a_shard() {
    let jobs = Jobs::new(0);
    let ray = "r,0,0,3,0,0,-1\n";
    let (before, after) = (ray.repeat(12), ray.repeat(7));
    let text = format!("id,ox,oy,oz,dx,dy,dz\n{before}r,0,0,3,0,0,0\n{after}");
    jobs.put("rays.csv", &text);
    let ran = jobs.run("job", "--part-rows 10 --shard 2/2");
    assert_eq!(ran.status, 0);
    let note = "1 of 10 rays is undefined and hits nothing (first: ray 12: ";
    assert_has(&ran.stderr, note);
}

#[test]
fn a_job_of_too_many_parts_leaves_no_folder() {
    use std::io::Write;
    let jobs = Jobs::new(0);
    // Only the header counts: the rest of the file is a hole.
    let header = b"\x93NUMPY\x01\x00\x76\x00{'descr': '<f4', 'fortran_order': False, 'shape': (1000001, 6), }";
    let mut start = header.to_vec();
    start.resize(127, b' ');
    start.push(b'\n');
    let mut file = std::fs::File::create(jobs.path("rays.csv")).unwrap();
    file.write_all(&start).unwrap();
    file.set_len(128 + 1_000_001 * 24).unwrap();
    assert_eq!(
        jobs.run("job", "--part-rows 1").fails(2),
        "estoc: the job would have more than 1000000 parts; give --part-rows more than 1\n"
    );
    assert!(!jobs.path("job").exists());
}

#[test]
fn a_source_of_a_merge_is_not_its_result() {
    let jobs = Jobs::new(20);
    jobs.run("job", "--part-rows 10").ok();
    let before = jobs.files("job");
    let told = jobs
        .estoc("merge F/job --out-dir F/./job --resume")
        .fails(2);
    let expected = "estoc: --out-dir F/./job is one of the folders to merge; name another folder\n";
    assert_eq!(told, expected);
    assert_eq!(jobs.files("job"), before);
}

#[cfg(unix)]
#[test]
fn a_pipe_is_neither_resumed_nor_shared() {
    let jobs = Jobs::new(0);
    crate::common::make_pipe(jobs.path("pipe"));
    for option in ["--resume", "--shard 1/2"] {
        let line = format!("cast {} --rays F/pipe --out-dir F/job {option}", jobs.mesh);
        let (option, _) = option.split_once(' ').unwrap_or((option, ""));
        let told = format!("{option} needs a file of rays");
        jobs.estoc(&line).fails_with(2, &told);
        assert!(!jobs.path("job").exists());
    }
}

/// The mesh comes from stdin, so that the rays are open while the command waits for it.
#[cfg(target_os = "linux")]
#[test]
fn rays_that_are_replaced_before_the_mesh_is_read_are_not_taken_for_those_that_are_cast() {
    use std::io::Write;
    let jobs = Jobs::new(40);
    let before = jobs.folder.read("rays.csv");
    let mut command = crate::common::command();
    let line = "cast - --part-rows 10 --rays F/rays.csv --out-dir F/job";
    command.args(jobs.folder.words(line));
    let mut child = command
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let open = format!("/proc/{}/fd", child.id());
    let is_open = || {
        let files = std::fs::read_dir(&open).unwrap().flatten();
        let mut links = files.filter_map(|file| file.path().read_link().ok());
        links.any(|file| file.ends_with("rays.csv"))
    };
    while !is_open() {
        assert_eq!(child.try_wait().unwrap(), None, "ended by itself");
    }
    // The same rays from further away, in a file of its own.
    jobs.put("other.csv", &before.replace(",3,", ",5,"));
    std::fs::rename(jobs.path("other.csv"), jobs.path("rays.csv")).unwrap();
    let mut stdin = child.stdin.take().unwrap();
    // The command may have ended.
    let _ = stdin.write_all(b"v -9 -9 0\nv 9 -9 0\nv 0 9 0\nf 1 2 3\n");
    drop(stdin);
    let output = child.wait_with_output().unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(3), "{told}");
    let start = "estoc: the input changed while the job ran: ";
    assert!(told.starts_with(start), "{told}");
}
