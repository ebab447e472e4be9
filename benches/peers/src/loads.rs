//! The time from an OBJ file to a mesh in memory, by estoc and by tobj.

use crate::peak_memory::PeakMemory;
use crate::rounds::in_turns;
use crate::row::{Measured, Row};
use crate::scenes::Scene;
use estoc::Mesh;
use rayon::ThreadPool;
use std::error::Error;
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;
use tempfile::TempPath;

/// A reader of OBJ files: its name, and what reads a file and returns its number of triangles.
type Reader = (&'static str, fn(&Path) -> Result<usize, Box<dyn Error>>);

const READERS: [Reader; 2] = [
    ("estoc", |path| Ok(Mesh::load_obj(path)?.triangle_count())),
    ("tobj", |path| {
        // All other options take longer.
        let options = tobj::LoadOptions {
            triangulate: true,
            ..tobj::LoadOptions::default()
        };
        let (models, _) = tobj::load_obj(path, &options)?;
        let triangles = |model: &tobj::Model| model.mesh.indices.len() / 3;
        Ok(models.iter().map(triangles).sum())
    }),
];

/// Reads a scene's file once per round with each reader and number of threads. The first round
/// brings the file into memory and is not counted.
pub(crate) fn rows(
    scene: &Scene,
    mesh_dir: &Path,
    pools: &[ThreadPool],
    rounds: usize,
) -> Result<Vec<Row>, Box<dyn Error>> {
    let (file, _made) = file_of(scene, mesh_dir)?;
    let bytes = fs::metadata(&file)?.len() as usize;
    let mut rows = Vec::new();
    for pool in pools {
        let mut times = [const { Vec::new() }; READERS.len()];
        let mut peaks = [None; READERS.len()];
        for (round, index) in in_turns(rounds + 1, READERS.len()) {
            let (name, read) = READERS[index];
            let memory = PeakMemory::watch();
            let start = Instant::now();
            let triangles = pool.install(|| read(&file).map_err(|e| e.to_string()))?;
            let time = start.elapsed().as_secs_f64();
            let expected = scene.triangle_count();
            if triangles != expected {
                let scene = &scene.name;
                eprintln!("{name} read {triangles} triangles of {scene} instead of {expected}");
            }
            if round > 0 {
                times[index].push(time * 1e9);
            }
            peaks[index] = memory.and_then(PeakMemory::grown).max(peaks[index]);
        }
        for (((name, _), times), peak) in READERS.iter().zip(&times).zip(peaks) {
            let threads = pool.current_num_threads();
            let row = Row {
                count: Some(bytes),
                peak,
                ..Row::of(Measured::Load, &scene.name, name, threads)
            };
            rows.push(row.timed(times));
        }
    }
    Ok(rows)
}

/// Returns the file of a scene; if there is none, a temporary one, written for it.
fn file_of(scene: &Scene, mesh_dir: &Path) -> Result<(PathBuf, Option<TempPath>), Box<dyn Error>> {
    let given = mesh_dir.join(&scene.name).with_extension("obj");
    if given.is_file() {
        return Ok((given, None));
    }
    let mut made = tempfile::NamedTempFile::new()?;
    write_obj(scene, made.as_file_mut())?;
    let made = made.into_temp_path();
    Ok((made.to_path_buf(), Some(made)))
}

fn write_obj(scene: &Scene, file: &mut File) -> std::io::Result<()> {
    let mut out = BufWriter::new(file);
    for p in scene.mesh.positions() {
        writeln!(out, "v {} {} {}", p.x, p.y, p.z)?;
    }
    for face in scene.mesh.indices() {
        let [a, b, c] = face.map(|corner| corner + 1);
        writeln!(out, "f {a} {b} {c}")?;
    }
    out.flush()
}
