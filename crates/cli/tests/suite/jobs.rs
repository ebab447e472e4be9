//! `estoc cast --out-dir` and `estoc merge`: parts that do not depend on the run.

use crate::common::{Jobs, estoc};

/// The formats that this build writes.
pub(crate) const FORMATS: &[&str] = match cfg!(feature = "parquet") {
    true => &["csv", "npy", "parquet"],
    false => &["csv", "npy"],
};

/// What is asked, with columns of the input or without.
const QUERIES: [&[&str]; 4] = [
    &[],
    &["--query", "all"],
    &["--query", "any"],
    &["--query", "count", "--cull", "back"],
];

#[test]
fn parts_and_manifest_do_not_depend_on_threads_and_memory() {
    let jobs = Jobs::new(1000);
    for format in FORMATS {
        for (i, query) in QUERIES.iter().enumerate() {
            let run = |name: &str, rest: &[&str]| {
                let name = format!("{format}-{i}-{name}");
                let usual = ["--format", format, "--part-rows", "300"];
                jobs.run(&name, &[&usual, *query, rest].concat()).ok();
                jobs.files(&name)
            };
            let first = run("1", &["--threads", "1"]);
            assert_eq!(first.len(), 6, "{:?}", first.keys());
            assert_eq!(run("2", &["--threads", "2", "--memory", "8M"]), first);
            let other_tree = ["--quality", "fast", "--layout", "compact", "--threads=3"];
            assert_eq!(run("3", &other_tree), first);
        }
    }
}

#[test]
fn shards_that_are_merged_give_the_bytes_of_one_run() {
    let jobs = Jobs::new(1000);
    for format in FORMATS {
        for (i, query) in QUERIES.iter().enumerate() {
            let usual = [&["--format", format, "--part-rows", "150"], *query].concat();
            let name = |what: &str| format!("{format}-{i}-{what}");
            jobs.run(&name("whole"), &usual).ok();
            for shard in ["1/3", "2/3", "3/3"] {
                let folder = name(&shard.replace('/', "-"));
                jobs.run(&folder, &[&usual[..], &["--shard", shard]].concat())
                    .ok();
            }
            let folders = ["3-3", "1-3", "2-3"].map(|shard| format!("F/{}", name(shard)));
            let [three, one, two] = &folders;
            let out = format!("F/{}", name("merged"));
            jobs.estoc(&["merge", three, one, two, "--out-dir", &out])
                .ok();
            assert_eq!(jobs.files(&name("merged")), jobs.files(&name("whole")));
            // One file, from shards, from the merged folder, and of a run without parts.
            let file = |what: &str| format!("F/{}.{format}", name(what));
            jobs.estoc(&["merge", three, one, two, "--out", &file("shards")])
                .ok();
            jobs.estoc(&["merge", &out, "--out", &file("folder")]).ok();
            let (out, format) = (file("cast"), ["--out", &file("cast")]);
            let rays = ["cast", jobs.mesh, "--rays", "F/rays.csv"];
            let args = [&rays[..], query, &format].concat();
            jobs.estoc(&args).ok();
            let bytes = |name: &str| std::fs::read(jobs.path(&name[2..])).unwrap();
            assert_eq!(bytes(&file("shards")), bytes(&out));
            assert_eq!(bytes(&file("folder")), bytes(&out));
        }
    }
}

#[test]
fn columns_of_the_input_are_passed_through() {
    let jobs = Jobs::new(100);
    let columns = ["--columns", "id,ray,prim,point", "--part-rows", "30"];
    jobs.run("job", &columns).ok();
    jobs.estoc(&["merge", "F/job", "--out", "F/merged.csv"])
        .ok();
    let cast = [
        "cast",
        jobs.mesh,
        "--rays",
        "F/rays.csv",
        "--out",
        "F/cast.csv",
    ];
    jobs.estoc(&[&cast[..], &columns[..2]].concat()).ok();
    let read = |name: &str| std::fs::read_to_string(jobs.path(name)).unwrap();
    assert_eq!(read("merged.csv"), read("cast.csv"));
    let second = read("job/part-00000001.csv");
    assert!(second.starts_with("id,ray,prim,point_x,point_y,point_z\nr30,30,-1,,,\nr31,31,"));
}

#[test]
fn an_empty_file_of_rays_has_one_empty_part() {
    let jobs = Jobs::new(0);
    let told = jobs.run("job", &[]).ok();
    assert_eq!(
        told,
        "F/job: 0 rays in 1 part, 1 of them made by this run\n"
    );
    assert_eq!(
        jobs.files("job")["part-00000000.csv"],
        b"ray,hit,t,prim,u,v\n"
    );
    let told = jobs.run("shard", &["--shard", "2/2"]).ok();
    assert_eq!(
        told,
        "F/shard: 0 rays in 0 parts, 0 of them made by this run\n"
    );
}

#[test]
fn a_summary_in_json_is_for_schedulers() {
    let jobs = Jobs::new(100);
    let args = ["--part-rows", "30", "--json", "--shard", "2/2"];
    let text = jobs.run("job", &args).ok();
    let summary: serde_json::Value = serde_json::from_str(&text).unwrap();
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
    let again = jobs.run("job", &[&args[..], &["--resume"]].concat()).ok();
    let summary: serde_json::Value = serde_json::from_str(&again).unwrap();
    assert_eq!((&summary["made"], &summary["kept"]), (&0.into(), &2.into()));
    let failed = jobs.run("job", &args);
    assert_eq!(failed.status, 2);
    let object: serde_json::Value = serde_json::from_str(&failed.stdout).unwrap();
    assert_eq!(object["schema"], "estoc.error/1");
    let message = object["error"]["message"].as_str().unwrap();
    assert!(
        message.starts_with("F/job: a job was begun in this folder"),
        "{message}"
    );
}

#[test]
fn rays_from_stdin_are_a_job_that_cannot_go_on() {
    let jobs = Jobs::new(100);
    let text = std::fs::read(jobs.path("rays.csv")).unwrap();
    let out = jobs.path("job");
    let args = [
        "cast",
        jobs.mesh,
        "--rays",
        "-",
        "--part-rows",
        "30",
        "--out-dir",
    ];
    let args: Vec<&str> = args.into_iter().chain([out.to_str().unwrap()]).collect();
    crate::common::estoc_reading(&args, &text).ok();
    jobs.run("file", &["--part-rows", "30"]).ok();
    let (mut stdin, mut file) = (jobs.files("job"), jobs.files("file"));
    let manifest = stdin.remove("_manifest.json").unwrap();
    assert!(String::from_utf8_lossy(&manifest).contains("\"input\": \"stdin\""));
    assert_ne!(file.remove("_manifest.json"), Some(manifest));
    assert_eq!(stdin, file);
    let told = |rest: &[&str]| estoc([&args[..], rest].concat()).fails(2);
    assert_eq!(
        told(&["--resume"]),
        "estoc: --resume needs a file of rays: stdin or a pipe cannot be read a second time\n"
    );
    assert_eq!(
        told(&["--shard", "1/2"]),
        "estoc: --shard needs a file of rays: no other run can read the same stdin or pipe\n"
    );
}

#[test]
fn the_first_undefined_ray_is_named_by_its_row_in_a_shard() {
    let jobs = Jobs::new(0);
    let ray = "r,0,0,3,0,0,-1\n";
    let undefined = "r,0,0,3,0,0,0\n";
    let text = [
        "id,ox,oy,oz,dx,dy,dz\n",
        &ray.repeat(12),
        undefined,
        &ray.repeat(7),
    ];
    jobs.put("rays.csv", &text.concat());
    let ran = jobs.run("job", &["--part-rows", "10", "--shard", "2/2"]);
    assert_eq!(ran.status, 0);
    assert!(
        ran.stderr
            .contains("1 of 10 rays is undefined and hits nothing (first: ray 12: "),
        "{}",
        ran.stderr
    );
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
        jobs.run("job", &["--part-rows", "1"]).fails(2),
        "estoc: the job would have more than 1000000 parts; give --part-rows more than 1\n"
    );
    assert!(!jobs.path("job").exists());
}

#[test]
fn a_source_of_a_merge_is_not_its_result() {
    let jobs = Jobs::new(20);
    jobs.run("job", &["--part-rows", "10"]).ok();
    let before = jobs.files("job");
    let merge = ["merge", "F/job", "--out-dir", "F/./job", "--resume"];
    assert_eq!(
        jobs.estoc(&merge).fails(2),
        "estoc: --out-dir F/./job is one of the folders to merge; name another folder\n"
    );
    assert_eq!(jobs.files("job"), before);
}

#[cfg(unix)]
#[test]
fn a_pipe_is_neither_resumed_nor_shared() {
    let jobs = Jobs::new(0);
    let pipe = jobs.path("pipe");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.unwrap().success());
    for (option, told) in [
        (&["--resume"][..], "--resume needs a file of rays"),
        (&["--shard", "1/2"], "--shard needs a file of rays"),
    ] {
        let args = ["cast", jobs.mesh, "--rays", "F/pipe", "--out-dir", "F/job"];
        let error = jobs.estoc(&[&args, option].concat()).fails(2);
        assert!(error.contains(told), "{error}");
        assert!(!jobs.path("job").exists());
    }
}

/// The mesh comes from stdin, so that the rays are open while the command waits for it.
#[cfg(target_os = "linux")]
#[test]
fn rays_that_are_replaced_before_the_mesh_is_read_are_not_taken_for_those_that_are_cast() {
    use std::io::Write;
    let jobs = Jobs::new(40);
    let before = std::fs::read(jobs.path("rays.csv")).unwrap();
    let mut command = crate::common::command();
    let args = ["cast", "-", "--part-rows", "10", "--rays"];
    command.args(args).arg(jobs.path("rays.csv"));
    command.arg("--out-dir").arg(jobs.path("job"));
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
    let text = String::from_utf8(before).unwrap().replace(",3,", ",5,");
    jobs.put("other.csv", &text);
    std::fs::rename(jobs.path("other.csv"), jobs.path("rays.csv")).unwrap();
    let mut stdin = child.stdin.take().unwrap();
    // The command may have ended.
    let _ = stdin.write_all(b"v -9 -9 0\nv 9 -9 0\nv 0 9 0\nf 1 2 3\n");
    drop(stdin);
    let output = child.wait_with_output().unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(3), "{told}");
    assert!(
        told.starts_with("estoc: the input changed while the job ran: "),
        "{told}"
    );
}
