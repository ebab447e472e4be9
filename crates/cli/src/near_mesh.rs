//! `estoc near MESH --to OTHER`: how far two meshes are apart, and where.

use crate::answer_columns::row_values::feature_name;
use crate::failure::Failure;
use crate::mesh_model::MeshModel;
use crate::mesh_source::MeshSource;
use crate::model_number::ModelNumber;
use crate::number::Number;
use crate::output::ResultOutput;
use crate::output_name::Form;
use crate::session::Session;
use crate::tree_args::TreeArgs;
use crate::two_models::TwoModels;
use serde_json::{Value, json};

/// Prints how far two meshes are apart, if they are within a distance.
pub(crate) fn write(
    [mesh, to]: [&MeshSource; 2],
    within: f32,
    tree: TreeArgs,
    session: &Session,
) -> Result<(), Failure> {
    let files = [mesh, to].into_iter().flat_map(MeshSource::files);
    let output = session.output(Form::Text, &files.collect::<Vec<_>>())?;
    match TwoModels::open([mesh, to], tree, session)? {
        TwoModels::F32(models) => write_found(&models, [mesh, to], within, output, session),
        TwoModels::F64(models) => write_found(&models, [mesh, to], within, output, session),
    }
}

fn write_found<C: ModelNumber>(
    [model, other]: &[MeshModel<C>; 2],
    [mesh, to]: [&MeshSource; 2],
    within: f32,
    output: ResultOutput,
    session: &Session,
) -> Result<(), Failure> {
    let spinner = session.progress("comparing", None);
    let batch = session.batch();
    let found = batch.least_distance(C::engine(model.bvh()), C::engine(other.bvh()), within)?;
    drop(spinner);
    let mut text = format!("{mesh} to {to}\n");
    text += &match &found {
        Some(found) => format!("  distance       {}\n", found.distance.text()),
        None if within < f32::INFINITY => {
            format!("  distance       none within {}\n", Number(within))
        }
        None => "  distance       none, as a mesh has no triangle with area\n".into(),
    };
    let places = ["from", "to"].iter().zip(0..).map(|(label, side)| {
        let Some(found) = &found else {
            return Value::Null;
        };
        let (prim, part) = (found.prims[side], feature_name(found.features[side]));
        let point = C::in_file(model.frame(), found.points[side]);
        text += &format!("  {label:<14} triangle {prim}, {part}, at {point}\n");
        json!({ "prim": prim.get(), "feature": part, "point": point.json() })
    });
    let places: Vec<Value> = places.collect();
    let object = json!({
        "schema": "estoc.near-mesh/1",
        "mesh": mesh.to_string(),
        "to": to.to_string(),
        "distance": found.map(|found| found.distance.json()),
        "nearest": places,
    });
    session.print(output, &text, &object)
}
