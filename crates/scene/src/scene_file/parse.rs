//! Reads the text of a scene file.

use super::values::{Fields, Lines};
use super::{
    DemoScene, ObjectSource, SceneFile, SceneFileError, SceneFileObject, SceneFilePlacement,
    SceneLocation, by_name, scene_shapes,
};
use estoc_core::glam::{DQuat, DVec3};
use estoc_core::{MatrixError, PlacementMatrix};
use std::collections::HashMap;
use std::path::Path;
use toml::Spanned;
use toml::de::DeTable;

/// The keys that place an object without a matrix.
const PLACED: [&str; 3] = ["translation", "rotation", "scale"];
/// The number of objects that an error names.
const NAMED: usize = 6;

pub(super) fn parse(text: &str, path: &Path) -> Result<SceneFile, SceneFileError> {
    let lines = Lines::of(text, path);
    let table = DeTable::parse(text).map_err(|error| SceneFileError::Syntax {
        at: lines.at(error.span().unwrap_or_default()),
        problem: error.message().to_owned(),
    })?;
    let root = Fields {
        lines: &lines,
        table: table.get_ref(),
        what: "a scene file",
        span: 0..0,
    };
    root.know(&["object", "placement"], "[[object]] and [[placement]]")?;
    let mut objects: Vec<SceneFileObject> = Vec::new();
    let mut first_of: HashMap<String, u64> = HashMap::new();
    for fields in root.tables("object", "[[object]]")? {
        let object = object(&fields)?;
        let line = lines.line(fields.span.clone());
        if let Some(first) = first_of.insert(object.name.clone(), line) {
            return Err(SceneFileError::RepeatedObject {
                at: lines.at(fields.span),
                name: object.name,
                first,
            });
        }
        objects.push(object);
    }
    let names = by_name(&objects);
    let placements = root.tables("placement", "[[placement]]")?;
    let placements = placements
        .iter()
        .map(|fields| placement(fields, &objects, &names));
    let placements = placements.collect::<Result<_, _>>()?;
    Ok(SceneFile::new(path, objects, placements))
}

fn object(fields: &Fields<'_>) -> Result<SceneFileObject, SceneFileError> {
    let known = ["name", "mesh", "precision", "scene", "spheres", "boxes"];
    fields.know(&known, "name, mesh, precision, scene, spheres and boxes")?;
    let name = fields.text("name")?.ok_or_else(|| fields.missing("name"))?;
    let name = name.value.to_owned();
    let (mesh, scene) = (fields.text("mesh")?, fields.text("scene")?);
    let shapes = scene_shapes::read(fields)?;
    let kinds = [
        ("a mesh", mesh.as_ref().map(|mesh| &mesh.span)),
        ("a scene", scene.as_ref().map(|scene| &scene.span)),
        ("shapes", shapes.as_ref().map(|_| &fields.span)),
    ];
    let mut given = { kinds.iter() }.filter_map(|(kind, span)| Some((*kind, (*span)?)));
    if let (Some((first, _)), Some((second, span))) = (given.next(), given.next()) {
        return Err(SceneFileError::TwoKinds {
            at: fields.lines.at(span.clone()),
            name,
            kinds: [first, second],
        });
    }
    let source = match (mesh, scene, shapes) {
        (Some(mesh), ..) => mesh_source(mesh.value, || fields.lines.at(mesh.span.clone()))?,
        (_, Some(scene), _) => scene_source(scene.value, || fields.lines.at(scene.span.clone()))?,
        (.., Some(shapes)) => ObjectSource::Shapes(shapes),
        _ => return Err(fields.missing("mesh, scene, spheres or boxes")),
    };
    let precision = fields.precision()?;
    if let Some(precision) = &precision
        && !matches!(source, ObjectSource::MeshFile(_))
    {
        return Err(SceneFileError::PrecisionOfNoFile {
            at: fields.lines.at(precision.span.clone()),
            name,
        });
    }
    Ok(SceneFileObject {
        name,
        source,
        precision: precision.map(|precision| precision.value),
        line: Some(fields.lines.line(fields.span.clone())),
    })
}

fn mesh_source(text: &str, at: impl Fn() -> SceneLocation) -> Result<ObjectSource, SceneFileError> {
    let is_scene = match text.strip_prefix("demo:") {
        Some(spec) => DemoScene::is_named(spec),
        None => SceneFile::is_named(text),
    };
    if is_scene {
        return Err(SceneFileError::MeshIsScene {
            at: at(),
            source_name: text.to_owned(),
        });
    }
    match text.strip_prefix("demo:") {
        None => Ok(ObjectSource::MeshFile(text.into())),
        Some(spec) => match spec.parse() {
            Ok(spec) => Ok(ObjectSource::DemoMesh(spec)),
            Err(source) => Err(SceneFileError::Demo {
                at: at(),
                spec: spec.to_owned(),
                source,
            }),
        },
    }
}

fn scene_source(
    text: &str,
    at: impl Fn() -> SceneLocation,
) -> Result<ObjectSource, SceneFileError> {
    match text.strip_prefix("demo:") {
        None => Ok(ObjectSource::SceneFile(text.into())),
        Some(spec) => match spec.parse() {
            Ok(scene) => Ok(ObjectSource::DemoScene(scene)),
            Err(source) => Err(SceneFileError::DemoScene {
                at: at(),
                spec: spec.to_owned(),
                source,
            }),
        },
    }
}

fn placement(
    fields: &Fields<'_>,
    objects: &[SceneFileObject],
    names: &HashMap<&str, usize>,
) -> Result<SceneFilePlacement, SceneFileError> {
    let known = [
        &PLACED[..],
        &["object", "matrix", "name", "mask", "reversed"],
    ]
    .concat();
    fields.know(
        &known,
        "object, matrix, translation, rotation, scale, name, mask and reversed",
    )?;
    let object = fields.text("object")?;
    let object = object.ok_or_else(|| fields.missing("object"))?;
    let Some(&index) = names.get(object.value) else {
        let known = objects.iter().take(NAMED);
        return Err(SceneFileError::NoSuchObject {
            at: fields.lines.at(object.span),
            name: object.value.to_owned(),
            known: known.map(|object| object.name.clone()).collect(),
        });
    };
    Ok(SceneFilePlacement {
        object: index,
        matrix: matrix(fields)?,
        name: fields.text("name")?.map(|name| name.value.to_owned()),
        mask: fields.bits("mask")?.unwrap_or(u32::MAX),
        reversed: fields.truth("reversed")?.unwrap_or(false),
        line: Some(fields.lines.line(fields.span.clone())),
    })
}

fn matrix(fields: &Fields<'_>) -> Result<PlacementMatrix, SceneFileError> {
    let Some(numbers) = fields.numbers("matrix")? else {
        return composed(fields);
    };
    for key in PLACED {
        if let Some(part) = fields.get(key) {
            return Err(SceneFileError::MatrixAndParts {
                at: fields.lines.at(part.span()),
                key,
            });
        }
    }
    let count = numbers.value.len();
    if count != 12 {
        return Err(SceneFileError::MatrixLength {
            at: fields.lines.at(numbers.span),
            count,
        });
    }
    let rows = [0, 4, 8].map(|row| [0, 1, 2, 3].map(|column| numbers.value[row + column].value));
    PlacementMatrix::from_rows(rows).map_err(|error| {
        let span = match error {
            MatrixError::NotFinite { row, column, .. } => &numbers.value[4 * row + column].span,
            _ => &numbers.span,
        };
        SceneFileError::Matrix {
            at: fields.lines.at(span.clone()),
            error,
        }
    })
}

/// Returns the matrix of a translation, a rotation and a scale. Those that are missing change nothing.
fn composed(fields: &Fields<'_>) -> Result<PlacementMatrix, SceneFileError> {
    let three = "three finite numbers, as in [0, 0, 1.5]";
    let four = "four finite numbers, the quaternion x, y, z, w, as in [0, 0, 0, 1]";
    let scale = fields.numbers_64("scale", three)?;
    let rotation = fields.numbers_64("rotation", four)?;
    let translation = fields.numbers_64("translation", three)?;
    PlacementMatrix::from_scale_rotation_translation(
        scale.map_or(DVec3::ONE, DVec3::from_array),
        rotation.map_or(DQuat::IDENTITY, DQuat::from_array),
        translation.map_or(DVec3::ZERO, DVec3::from_array),
    )
    .map_err(|error| {
        let key = match error {
            MatrixError::Rotation { .. } => "rotation",
            _ => "scale",
        };
        let span = fields.get(key).map(Spanned::span);
        SceneFileError::Matrix {
            at: fields.lines.at(span.unwrap_or(fields.span.clone())),
            error,
        }
    })
}

impl SceneFile {
    /// Returns whether a file of this name is taken for a scene file: whether the name ends in `.toml`.
    pub fn is_named(path: impl AsRef<Path>) -> bool {
        let end = path.as_ref().extension();
        end.is_some_and(|end| end.eq_ignore_ascii_case("toml"))
    }
}
