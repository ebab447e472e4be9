//! Reads material libraries.

use estoc_system::{Growth, NoMemory};
use std::collections::HashSet;

use super::logical_lines::LogicalLines;
use super::statement_names::name;
use super::statement_words::{Words, keyword};
use crate::mesh::material::Material;
use crate::report::MeshReport;
use crate::text::number::parse_f32;
use crate::text::quote;

/// Reads the wanted materials of a library, in order, each once. Invalid statements are skipped and
/// added to the report.
pub(super) fn read(
    text: &[u8],
    library: &str,
    is_wanted: impl Fn(&str) -> bool,
    report: &mut MeshReport,
) -> Result<Vec<Material>, NoMemory> {
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    let (mut materials, mut unwanted) = (Vec::<Material>::new(), Material::default());
    let mut names = HashSet::new();
    let mut section = LibraryPlace::Before;
    let mut lines = LogicalLines::new(text);
    while let Some(line) = lines.next()? {
        let (keyword, rest) = keyword(line.text);
        // No keyword is not UTF-8.
        let keyword = std::str::from_utf8(keyword).unwrap_or_default();
        let stored = if keyword == "newmtl" {
            // The rest of an invalid material must not be added to the one before it.
            section = LibraryPlace::Before;
            required_name(keyword, rest).and_then(|name| {
                names.try_reserve(1).map_err(|_| NoMemory)?;
                // The first of several definitions counts.
                section = LibraryPlace::Unwanted;
                if is_wanted(&name) && names.insert(name.clone()) {
                    section = LibraryPlace::Wanted;
                    materials.try_push(Material {
                        name,
                        defined: true,
                        ..Material::default()
                    })?;
                }
                Ok(())
            })
        } else {
            let wanted = materials.last_mut();
            let wanted = wanted.filter(|_| section == LibraryPlace::Wanted);
            store(wanted.unwrap_or(&mut unwanted), keyword, rest)
        };
        let problem = match stored {
            Ok(()) if section == LibraryPlace::Before => {
                "a statement before the first newmtl".into()
            }
            Ok(()) | Err(NotStored::Unknown) => continue,
            Err(NotStored::Wrong(problem)) => problem,
            Err(NotStored::NoMemory) => return Err(NoMemory),
        };
        report.material_problem(library, Some(line.number), || problem);
    }
    Ok(materials)
}

/// The position of a statement in a library.
#[derive(Clone, Copy, PartialEq)]
enum LibraryPlace {
    Before,
    Wanted,
    Unwanted,
}

/// The reason why a statement is not stored.
enum NotStored {
    /// It has nothing that materials store.
    Unknown,
    /// It is invalid, with the problem.
    Wrong(String),
    NoMemory,
}

impl From<NoMemory> for NotStored {
    fn from(_: NoMemory) -> Self {
        NotStored::NoMemory
    }
}

/// Stores what a statement gives in the material.
fn store(material: &mut Material, keyword: &str, rest: &[u8]) -> Result<(), NotStored> {
    match keyword {
        "map_Ka" => material.ambient_texture = Some(required_name(keyword, rest)?),
        "map_Kd" => material.diffuse_texture = Some(required_name(keyword, rest)?),
        "map_Ks" => material.specular_texture = Some(required_name(keyword, rest)?),
        "map_Ns" => material.shininess_texture = Some(required_name(keyword, rest)?),
        "map_d" => material.dissolve_texture = Some(required_name(keyword, rest)?),
        "map_Bump" | "map_bump" | "bump" => {
            material.normal_texture = Some(required_name(keyword, rest)?);
        }
        "Ka" => material.ambient = Some(colour(keyword, rest)?),
        "Kd" => material.diffuse = Some(colour(keyword, rest)?),
        "Ks" => material.specular = Some(colour(keyword, rest)?),
        "Ke" => material.emissive = Some(colour(keyword, rest)?),
        "Ns" => material.shininess = Some(number(keyword, Words::new(rest).next())?),
        "Ni" => material.optical_density = Some(number(keyword, Words::new(rest).next())?),
        // `d -halo 0.5` has an option before the number.
        "d" => material.dissolve = Some(number(keyword, Words::new(rest).last())?),
        "illum" => {
            let Some(model) = Words::new(rest).next() else {
                return Err(NotStored::Wrong("illum without a model".into()));
            };
            let text = std::str::from_utf8(model).unwrap_or_default();
            material.illumination_model = Some(text.parse().map_err(|_| {
                NotStored::Wrong(format!(
                    "illum {} is not an illumination model",
                    quote(model)
                ))
            })?);
        }
        _ => return Err(NotStored::Unknown),
    }
    Ok(())
}

fn required_name(keyword: &str, rest: &[u8]) -> Result<String, NotStored> {
    name(rest)?.ok_or_else(|| NotStored::Wrong(format!("{keyword} without a name")))
}

/// Returns a colour; of a single number, green and blue equal red.
fn colour(keyword: &str, rest: &[u8]) -> Result<[f32; 3], NotStored> {
    let mut values = Vec::new();
    for word in Words::new(rest).take(3) {
        let value = match word {
            b"spectral" | b"xyz" => {
                let problem = format!("{keyword} {} is not supported", quote(word));
                return Err(NotStored::Wrong(problem));
            }
            _ => number(keyword, Some(word))?,
        };
        values.push(value);
    }
    match values[..] {
        [grey] => Ok([grey; 3]),
        [r, g, b] => Ok([r, g, b]),
        _ => {
            let count = values.len();
            let problem = format!("{keyword} has {count} numbers instead of 1 or 3");
            Err(NotStored::Wrong(problem))
        }
    }
}

fn number(keyword: &str, word: Option<&[u8]>) -> Result<f32, NotStored> {
    let Some(word) = word else {
        return Err(NotStored::Wrong(format!("{keyword} without a number")));
    };
    let value = parse_f32(word).filter(|value| value.is_finite());
    let wrong = || format!("{keyword} {} is not a finite number", quote(word));
    value.ok_or_else(|| NotStored::Wrong(wrong()))
}
