//! Reads PLY: a header that declares the elements, and the elements as text or binary.

mod declared_elements;
mod element_values;
mod strip;

pub use crate::formats::scalar::Scalar;
pub use declared_elements::{Element, Encoding, PlyHeader, Property};
use element_values::{Ascii, Binary, ElementFault, PlyBody};
use estoc_core::glam::{Vec2, Vec3};

use crate::assemble::draft::Draft;
use crate::error::{Location, MeshError};
use crate::formats::input::MeshInput;
use crate::frame::RoundedCoordinate;
use crate::text::counted;
use strip::Strips;

/// Returns whether a file with this head is PLY.
pub(crate) fn is_ply(head: &[u8]) -> bool {
    head.strip_prefix(b"ply")
        .and_then(<[u8]>::first)
        .is_some_and(u8::is_ascii_whitespace)
}

/// Reads a whole file.
pub(crate) fn read(input: &mut MeshInput<'_>, draft: &mut Draft) -> Result<(), MeshError> {
    let (encoding, elements) = declared_elements::read(input)?;
    match encoding {
        Encoding::Ascii => {
            let taken = 0;
            elements_of(&mut Ascii { input, taken }, &elements, draft)?;
            while input.next_text()? {
                draft.ignore("lines after the last element", 1);
            }
        }
        Encoding::LittleEndian | Encoding::BigEndian => {
            let mut body = Binary {
                input,
                highest_first: encoding == Encoding::BigEndian,
                reading: String::new(),
                number: 0,
                count: 0,
            };
            elements_of(&mut body, &elements, draft)?;
            let end = input.offset();
            input.skip(u64::MAX)?;
            if input.offset() > end {
                draft.ignore("bytes after the last element", input.offset() - end);
            }
        }
    }
    Ok(())
}

fn elements_of(
    body: &mut impl PlyBody,
    elements: &[Element],
    draft: &mut Draft,
) -> Result<(), MeshError> {
    let mut seen = [false; 3];
    for element in elements {
        let known = ["vertex", "face", "tristrips"]
            .iter()
            .position(|name| element.name == *name);
        if let Some(known) = known
            && core::mem::replace(&mut seen[known], true)
        {
            let problem = format!("the header has two elements \"{}\"", element.name);
            return Err(body.input().malformed(body.input().whole(), problem));
        }
        // Elements without properties have neither lines nor bytes, whatever their number.
        match known {
            _ if element.count == 0 => {}
            Some(0) => vertices(body, element, draft)?,
            Some(known) => faces(body, element, draft, known == 2)?,
            None => {
                let what = crate::text::quote(element.name.as_bytes());
                draft.ignore(format!("elements {what}"), element.count);
                if !element.properties.is_empty() {
                    body.skip_all(element)?;
                }
            }
        }
    }
    Ok(())
}

/// Returns the place of a vertex property in an array of position, normal and texture coordinates.
fn place_of(property: &str) -> Option<usize> {
    Some(match property {
        "x" => 0,
        "y" => 1,
        "z" => 2,
        "nx" => 3,
        "ny" => 4,
        "nz" => 5,
        "s" | "u" | "texture_u" => 6,
        "t" | "v" | "texture_v" => 7,
        _ => return None,
    })
}

fn vertices(
    body: &mut impl PlyBody,
    element: &Element,
    draft: &mut Draft,
) -> Result<(), MeshError> {
    let place = |property: &Property| match property.length {
        Some(_) => None,
        None => place_of(&property.name),
    };
    let places: Vec<Option<usize>> = element.properties.iter().map(place).collect();
    let has = |wanted: &[usize]| wanted.iter().all(|place| places.contains(&Some(*place)));
    if !has(&[0, 1, 2]) {
        let problem = "its vertices have no properties x, y and z";
        return Err(body.input().malformed(body.input().whole(), problem));
    }
    let (has_normal, has_texture) = (has(&[3, 4, 5]), has(&[6, 7]));
    let possible = body.input().possible(element.count, element.least_bytes());
    draft.reserve(possible, 0)?;
    for number in 0..element.count {
        body.begin(element, number)?;
        let mut corner = [RoundedCoordinate::UNREAD; 3];
        let mut others = [0.0; 5];
        let frame = &draft.frame;
        let mut read = || {
            for (property, place) in element.properties.iter().zip(&places) {
                let kind = property.kind;
                match *place {
                    Some(axis @ 0..3) => corner[axis] = body.coordinate(kind, axis, frame)?,
                    Some(place) => others[place - 3] = body.number(kind)?,
                    None => body.skip(property)?,
                }
            }
            match body.end() {
                0 => Ok(()),
                more => Err(ElementFault::Element(format!(
                    "the line has {} more than the header declares",
                    counted(more, "value")
                ))),
            }
        };
        match read() {
            Ok(()) => {}
            Err(ElementFault::End(error)) => return Err(error),
            Err(ElementFault::Element(problem)) => {
                draft.bad_vertex(place_in_file(body, None), problem)?;
                continue;
            }
        }
        let [nx, ny, nz, u, v] = others;
        draft.vertex(corner, body.line())?;
        if has_normal {
            draft.normals.set(number, Vec3::new(nx, ny, nz))?;
        }
        if has_texture {
            draft.texcoords.set(number, Vec2::new(u, v))?;
        }
    }
    Ok(())
}

/// Reads faces, or strips of triangles.
fn faces(
    body: &mut impl PlyBody,
    element: &Element,
    draft: &mut Draft,
    are_strips: bool,
) -> Result<(), MeshError> {
    let names_vertices = |property: &Property| {
        property.length.is_some() && matches!(&*property.name, "vertex_indices" | "vertex_index")
    };
    let Some(corners) = element.properties.iter().position(names_vertices) else {
        let what = if are_strips { "strips" } else { "faces" };
        let problem = format!("its {what} have no list \"vertex_indices\"");
        return Err(body.input().malformed(body.input().whole(), problem));
    };
    let least = element.least_bytes() + 3;
    draft.reserve(0, body.input().possible(element.count, least))?;
    let mut strips = Strips::default();
    let mut undeclared = 0;
    for number in 0..element.count {
        body.begin(element, number)?;
        match are_strips {
            true => strips.line = body.line(),
            false => draft.begin_face(body.line()),
        }
        let mut problem = None;
        for (place, property) in element.properties.iter().enumerate() {
            let read = match (place == corners, are_strips) {
                (true, true) => body.indices(property, |index| strips.corner(index, draft)),
                (true, false) => body.indices(property, |index| draft.corner(index)),
                (false, _) => body.skip(property),
            };
            match read {
                Ok(()) => {}
                Err(ElementFault::End(error)) => return Err(error),
                // The bytes after an invalid value still have to be skipped.
                Err(ElementFault::Element(found)) => problem = problem.or(Some(found)),
            }
        }
        if are_strips {
            strips.end_element()?;
        }
        match problem {
            None => {
                undeclared += body.end();
                if !are_strips {
                    draft.end_face()?;
                }
            }
            Some(problem) => {
                if are_strips {
                    // Stands for the triangles that the rest of the strips would have made.
                    draft.begin_face(body.line());
                }
                draft.bad_face(place_in_file(body, Some(number)), problem)?;
            }
        }
    }
    if undeclared > 0 {
        let what = "values of faces that the header does not declare";
        draft.ignore(what, undeclared);
    }
    strips.report(draft);
    Ok(())
}

/// Returns the location of the current element.
fn place_in_file(body: &impl PlyBody, face: Option<u64>) -> Location {
    match body.line() {
        Some(_) => body.input().at_line(),
        None => Location {
            face,
            ..body.input().whole()
        },
    }
}
