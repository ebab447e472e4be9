//! `estoc verify`: compares the tree with brute force, ray by ray.

mod engine_agreement;

use crate::failure::Failure;
use crate::mesh_model::{MeshModel, brute_force};
use crate::mesh_source::{MeshSource, shell_word};
use crate::number::{counted, seconds};
use crate::output_name::Form;
use crate::precision::Precision;
use crate::ray_arg;
use crate::session::Session;
use crate::tree_args::TreeArgs;
use crate::value_name::name_of;
pub(crate) use engine_agreement::hit_text;
use engine_agreement::{EngineDifference, first_difference};
use estoc::Mesh;
use estoc::demo::RaySampler;
use estoc::engine::Engine;
use serde_json::{Value, json};
use std::fmt::Write;
use std::time::Instant;

const DEFAULT_COUNT: usize = 1000;
/// Pairs of a ray and a triangle that brute force tests in a few seconds.
const BUDGET: usize = 100_000_000;
const LEAST_COUNT: usize = 50;
/// Rays between updates of the progress bar.
const CHUNK: usize = 64;

/// Check the tree's structure, and its answers against brute force on sampled rays.
///
/// Some rays are random, others start inside or on the surface, run along axes, or pass exactly
/// through corners and edges. The closest hit (all bits), any hit, all hits, their number and the
/// crossings are compared. The first ray with different answers is printed with commands that show
/// both answers, and named on stderr; the exit status is then 1.
///
/// With --json, prints an object of schema "estoc.verify/1": mesh, triangles, count (of rays),
/// seed, ok, seconds, and if not ok: error (the tree is invalid), or sample (the index of the ray,
/// from 0), ray, query, tree, brute_force, commands. With --local-frame, whose rays no command takes, local_ray
/// is in the place of ray and commands.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// A mesh file, - for stdin, or demo:NAME
    mesh: MeshSource,
    /// Number of rays [default: 1000, or fewer if brute force would take more than a few seconds]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    count: Option<u32>,
    /// Seed of the random numbers
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,
    #[command(flatten)]
    tree: TreeArgs,
}

pub(crate) fn run(args: &Args, session: &Session) -> Result<(), Failure> {
    let output = session.output(Form::Text, &args.mesh.files())?;
    let model = MeshModel::open(&args.mesh, args.tree, session)?;
    let (mesh, bvh) = (model.mesh()?, model.bvh());
    let start = Instant::now();
    let count = args
        .count
        .map_or_else(|| affordable(mesh.triangle_count()), |count| count as usize);
    if args.count.is_none() && count < DEFAULT_COUNT {
        session.note(format_args!(
            "checking only {}, since brute force is slow for {}; use --count for more",
            counted(count, "ray"),
            counted(mesh.triangle_count(), "triangle"),
        ));
    }
    let mut found = Agreement::Equal;
    if let Err(error) = bvh.validate() {
        found = Agreement::Invalid(error.to_string());
    } else if let Some(difference) = compare_all(bvh, &mesh, count, args.seed, session)? {
        found = Agreement::Differs(difference);
    }
    let commands = match &found {
        // Brute force is not cast at in the coordinates of the file.
        Agreement::Differs(difference) if !model.frame().is_local() => {
            commands(difference, &args.mesh, &mesh_flags(session)).to_vec()
        }
        _ => Vec::new(),
    };
    let mut object = json!({
        "schema": "estoc.verify/1",
        "mesh": args.mesh.to_string(),
        "triangles": mesh.triangle_count(),
        "count": count,
        "seed": args.seed,
        "ok": matches!(found, Agreement::Equal),
        "seconds": seconds(start.elapsed().as_secs_f64()),
    });
    let mut text = String::new();
    match &found {
        Agreement::Equal => {
            let _ = writeln!(
                text,
                "ok: {}: the tree is valid and agrees with brute force on {} (seed {})",
                args.mesh,
                counted(count, "ray"),
                args.seed
            );
        }
        Agreement::Invalid(error) => {
            object["error"] = json!(error);
            let _ = writeln!(text, "FAILED: {}: the tree is invalid: {error}", args.mesh);
        }
        Agreement::Differs(difference) => describe(difference, &commands, &mut object, &mut text),
    }
    session.print(output, &text, &object)?;
    match found {
        Agreement::Equal => Ok(()),
        Agreement::Invalid(error) => Err(Failure::Check(format!("the tree is invalid: {error}"))),
        Agreement::Differs(EngineDifference { ray, query, .. }) => Err(Failure::Check(format!(
            "query {}, ray {}",
            name_of(&query),
            ray_arg::print(&ray)
        ))),
    }
}

enum Agreement {
    Equal,
    Invalid(String),
    Differs(EngineDifference),
}

fn affordable(triangles: usize) -> usize {
    (BUDGET / triangles.max(1)).clamp(LEAST_COUNT, DEFAULT_COUNT)
}

fn compare_all(
    bvh: &estoc::Bvh,
    mesh: &Mesh,
    count: usize,
    seed: u64,
    session: &Session,
) -> Result<Option<EngineDifference>, Failure> {
    let brute = brute_force(mesh, bvh.masks().cloned(), session)?;
    let mut sampler = RaySampler::new(mesh, seed);
    let bar = session.progress("comparing", Some(count as u64));
    // Chunks of one ray: brute force takes long for each.
    let batch = session.batch().chunk_size(1);
    let mut done = 0;
    while done < count {
        let rays = sampler.take((count - done).min(CHUNK));
        if let Some(difference) = first_difference(bvh, &brute, &rays, &batch)? {
            return Ok(Some(EngineDifference {
                sample: done + difference.sample,
                ..difference
            }));
        }
        done += rays.len();
        bar.set(done as u64);
        session.check_interrupt()?;
    }
    Ok(None)
}

/// Returns the options with which a command loads the mesh, which is one in `f32`.
fn mesh_flags(session: &Session) -> String {
    let flags = session.mesh_flags();
    match session.precision() {
        Precision::Auto => flags + " --precision f32",
        _ => flags,
    }
}

/// Returns commands that show the answers of the tree and of brute force.
fn commands(difference: &EngineDifference, mesh: &MeshSource, mesh_flags: &str) -> [String; 2] {
    ["tree", "brute"].map(|engine| {
        format!(
            "estoc cast {} --query {} --engine {engine} --ray {}{mesh_flags}",
            shell_word(&mesh.to_string()),
            name_of(&difference.query),
            ray_arg::print(&difference.ray),
        )
    })
}

fn describe(
    difference: &EngineDifference,
    commands: &[String],
    object: &mut Value,
    text: &mut String,
) {
    let EngineDifference {
        sample,
        ray,
        query,
        tree,
        brute,
    } = difference;
    let query = name_of(query);
    let ray = ray_arg::print(ray);
    object["sample"] = json!(sample);
    object["query"] = json!(query);
    object["tree"] = json!(tree);
    object["brute_force"] = json!(brute);
    let _ = write!(
        text,
        "FAILED: sample {sample}, query {query}\n  tree:        {tree}\n  brute force: {brute}\n"
    );
    if commands.is_empty() {
        let _ = writeln!(
            text,
            "  local ray:   {ray}, relative to the origin of the frame"
        );
        object["local_ray"] = json!(ray);
        return;
    }
    object["ray"] = json!(ray);
    object["commands"] = json!(commands);
    text.push_str("These commands show both:\n");
    for command in commands {
        let _ = writeln!(text, "  {command}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cast::CastQuery;
    use estoc::Ray;

    /// Checks the report of an invented difference.
    #[test]
    fn a_difference_is_told_with_commands_that_show_it() {
        let ray = Ray::new([-0.0, 1e-40, 0.1], [-3e38, -1.0, 0.0]).with_interval(-1.5, 2e-7);
        let difference = EngineDifference {
            sample: 41,
            ray,
            query: CastQuery::Crossings,
            tree: "1".into(),
            brute: "2".into(),
        };
        let mesh = MeshSource::File("it's here.obj".into());
        let word = shell_word("it's here.obj");
        let commands = commands(&difference, &mesh, " --skip-bad-faces");
        let rest = format!("estoc cast {word} --query crossings --engine");
        let ray_text = "-0,1e-40,0.1,-3e38,-1,0,-1.5,2e-7";
        assert_eq!(
            commands,
            ["tree", "brute"]
                .map(|engine| format!("{rest} {engine} --ray {ray_text} --skip-bad-faces"))
        );

        let (mut object, mut text) = (json!({}), String::new());
        describe(&difference, &commands, &mut object, &mut text);
        assert_eq!(
            text,
            format!(
                "FAILED: sample 41, query crossings\n  tree:        1\n  brute force: 2\n\
                 These commands show both:\n  {}\n  {}\n",
                commands[0], commands[1]
            )
        );
        assert_eq!(
            object,
            json!({
                "sample": 41, "ray": ray_text, "query": "crossings", "tree": "1",
                "brute_force": "2", "commands": commands,
            })
        );
        let (mut object, mut text) = (json!({}), String::new());
        describe(&difference, &[], &mut object, &mut text);
        assert!(text.ends_with(&format!(
            "  local ray:   {ray_text}, relative to the origin of the frame\n"
        )));
        assert_eq!(
            (&object["local_ray"], &object["ray"]),
            (&json!(ray_text), &Value::Null)
        );
        let words: Vec<&str> = commands[0].split(' ').collect();
        let place = words.iter().position(|word| *word == "--ray").unwrap();
        let back = ray_arg::parse(words[place + 1]).unwrap().near;
        assert_eq!(back, ray);
        assert_eq!(back.origin.x.to_bits(), ray.origin.x.to_bits());
    }

    #[test]
    fn large_meshes_get_fewer_rays() {
        assert_eq!([0, 1, 100_000].map(affordable), [1000; 3]);
        assert_eq!(affordable(1_000_000), 100);
        assert_eq!(affordable(usize::MAX), 50);
    }
}
