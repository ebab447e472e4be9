//! Reads material libraries.
//!
//! tobj parses them, from text that is checked here first: it panics on a colour of one number,
//! which is legal, and rejects a whole library for one statement that it cannot parse, or one byte
//! that is not UTF-8.

use core::fmt::Write;
use estoc_memory::{Growth, NoMemory};
use std::collections::HashSet;

use super::logical_lines::Lines;
use super::statement_names::name;
use super::statement_words::{Words, is_blank};
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
    let (mut materials, mut checked) = (Vec::new(), Vec::new());
    let mut kept = HashSet::new();
    let mut section = Section::Before;
    let mut lines = Lines::new(text);
    while let Some(line) = lines.next()? {
        let problem = match check(line.text)? {
            Checked::Ignore => continue,
            Checked::Keep(statement) => {
                if let Some(name) = statement.strip_prefix("newmtl ") {
                    add(&mut checked, &mut materials, library, report)?;
                    kept.try_reserve(1).map_err(|_| NoMemory)?;
                    // The first of several definitions counts.
                    section = match is_wanted(name) && kept.insert(name.to_owned()) {
                        true => Section::Wanted,
                        false => Section::Unwanted,
                    };
                }
                match section {
                    Section::Before => "a statement before the first newmtl".into(),
                    Section::Unwanted => continue,
                    Section::Wanted => {
                        checked.try_append(statement.as_bytes())?;
                        checked.try_push(b'\n')?;
                        continue;
                    }
                }
            }
            Checked::Wrong(problem) => problem,
        };
        if is_newmtl(line.text) {
            // The rest of an invalid material must not be added to the one before it.
            section = Section::Before;
        }
        report.material_problem(library, Some(line.number), || problem);
    }
    add(&mut checked, &mut materials, library, report)?;
    Ok(materials)
}

/// Adds the material with these statements, if there are any, and removes them. Each is parsed alone: a
/// list of all by tobj could not report that there is no memory for it.
fn add(
    checked: &mut Vec<u8>,
    materials: &mut Vec<Material>,
    library: &str,
    report: &mut MeshReport,
) -> Result<(), NoMemory> {
    match tobj::load_mtl_buf(&mut &checked[..]) {
        Ok((found, _)) => {
            for material in found {
                materials.try_push(material.into())?;
            }
        }
        Err(error) => report.material_problem(library, None, || error.to_string()),
    }
    checked.clear();
    Ok(())
}

/// The position of a statement in a library.
#[derive(Clone, Copy)]
enum Section {
    Before,
    Wanted,
    Unwanted,
}

enum Checked {
    /// A statement without anything that is stored.
    Ignore,
    /// A statement, rewritten so that tobj can parse it.
    Keep(String),
    /// An invalid statement, with the problem.
    Wrong(String),
}

fn keyword(line: &[u8]) -> &[u8] {
    let start = line.iter().position(|&byte| !is_blank(byte));
    let line = &line[start.unwrap_or(line.len())..];
    let end = line.iter().position(|&byte| is_blank(byte) || byte == b'#');
    &line[..end.unwrap_or(line.len())]
}

fn is_newmtl(line: &[u8]) -> bool {
    keyword(line) == b"newmtl"
}

fn check(line: &[u8]) -> Result<Checked, NoMemory> {
    let keyword = keyword(line);
    // The keyword starts at the first nonblank byte; the text after it is the rest.
    let start = line.iter().position(|&byte| !is_blank(byte)).unwrap_or(0);
    let rest = &line[start + keyword.len()..];
    let Ok(word) = std::str::from_utf8(keyword) else {
        return Ok(Checked::Ignore);
    };
    Ok(match word {
        "newmtl" | "map_Ka" | "map_Kd" | "map_Ks" | "map_Ns" | "map_d" | "map_Bump"
        | "map_bump" | "bump" => match name(rest)? {
            Some(name) => Checked::Keep(format!("{word} {name}")),
            None => Checked::Wrong(format!("{word} without a name")),
        },
        "Ka" | "Kd" | "Ks" | "Ke" => colour(word, rest),
        "Ns" | "Ni" => number(word, Words::new(rest).next()),
        // `d -halo 0.5` has an option before the number.
        "d" => number(word, Words::new(rest).last()),
        "illum" => {
            let Some(model) = Words::new(rest).next() else {
                return Ok(Checked::Wrong("illum without a model".into()));
            };
            let text = std::str::from_utf8(model).unwrap_or_default();
            match text.parse::<u8>() {
                Ok(model) => Checked::Keep(format!("illum {model}")),
                Err(_) => Checked::Wrong(format!(
                    "illum {} is not an illumination model",
                    quote(model)
                )),
            }
        }
        _ => Checked::Ignore,
    })
}

/// Returns a colour as three numbers; of a single number, green and blue equal red.
fn colour(keyword: &str, rest: &[u8]) -> Checked {
    let mut values = Vec::new();
    for word in Words::new(rest).take(3) {
        match finite(word) {
            Some(value) => values.push(value),
            None => {
                let what = match word {
                    b"spectral" | b"xyz" => "supported",
                    _ => "a finite number",
                };
                return Checked::Wrong(format!("{keyword} {} is not {what}", quote(word)));
            }
        }
    }
    let [r, g, b] = match values[..] {
        [grey] => [grey; 3],
        [r, g, b] => [r, g, b],
        _ => {
            return Checked::Wrong(format!(
                "{keyword} has {} numbers instead of 1 or 3",
                values.len()
            ));
        }
    };
    let mut text = keyword.to_owned();
    for value in [r, g, b] {
        // Writing to a String does not fail; an f32 is printed so that it reads back the same.
        let _ = write!(text, " {value}");
    }
    Checked::Keep(text)
}

fn number(keyword: &str, word: Option<&[u8]>) -> Checked {
    let Some(word) = word else {
        return Checked::Wrong(format!("{keyword} without a number"));
    };
    match finite(word) {
        Some(value) => Checked::Keep(format!("{keyword} {value}")),
        None => Checked::Wrong(format!("{keyword} {} is not a finite number", quote(word))),
    }
}

fn finite(word: &[u8]) -> Option<f32> {
    parse_f32(word).filter(|value| value.is_finite())
}

impl From<tobj::Material> for Material {
    fn from(from: tobj::Material) -> Self {
        Material {
            name: from.name,
            defined: true,
            ambient: from.ambient,
            diffuse: from.diffuse,
            specular: from.specular,
            emissive: from.emissive,
            shininess: from.shininess,
            dissolve: from.dissolve,
            optical_density: from.optical_density,
            illumination_model: from.illumination_model,
            ambient_texture: from.ambient_texture,
            diffuse_texture: from.diffuse_texture,
            specular_texture: from.specular_texture,
            normal_texture: from.normal_texture,
            shininess_texture: from.shininess_texture,
            dissolve_texture: from.dissolve_texture,
        }
    }
}
