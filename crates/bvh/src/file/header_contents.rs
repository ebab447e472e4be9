//! The numbers of a header that determine the meaning of sections.

use super::file_header::{FileHeader, HAS_BUILT_COST, HAS_MESH};
use super::section_reader::Sections;
use super::tree_file_error::TreeFileError;
use super::triangle_origin::FAR;
use super::{layout_of, quality_of};
use crate::Quality;
use crate::wide::{Layout, Scale};
use estoc_core::{Aabb, PrimId};

/// Numbers of the header that determine the meaning of sections, checked.
pub(super) struct Contents {
    pub(super) layout: Layout,
    pub(super) quality: Option<Quality>,
    pub(super) scale: Scale,
    pub(super) triangles: usize,
    pub(super) built_cost: Option<f64>,
    pub(super) bounds: Aabb,
}

impl Sections<'_> {
    /// Checks the numbers of the header that determine the meaning of sections.
    pub(super) fn contents(&self, header: &FileHeader) -> Result<Contents, TreeFileError> {
        let error = |offset, field, value: &dyn ToString, problem: &str| TreeFileError::Header {
            file: self.name(),
            offset,
            field,
            value: value.to_string(),
            problem: problem.to_owned(),
        };
        let layout = layout_of(header.layout)
            .ok_or_else(|| error(100, "layout", &header.layout, "it must be 1 or 2"))?;
        let quality = quality_of(header.quality)
            .ok_or_else(|| error(104, "quality", &header.quality, "it must be from 0 to 3"))?;
        let scale = Scale::from_exponent(header.scale).ok_or_else(|| {
            error(
                96,
                "scale exponent",
                &header.scale,
                "it must be from -126 to 126",
            )
        })?;
        let most = PrimId::MAX.index() as u64 + 1;
        let triangles = usize::try_from(header.triangles).ok();
        let Some(triangles) = triangles.filter(|_| header.triangles <= most) else {
            let problem = format!("at most {most} are allowed");
            return Err(error(
                32,
                "number of triangles",
                &header.triangles,
                &problem,
            ));
        };
        if header.flags & !(HAS_MESH | HAS_BUILT_COST) != 0 {
            return Err(error(
                116,
                "flags",
                &header.flags,
                "only 1 and 2 are defined",
            ));
        }
        let has = |flag: u32| header.flags & flag != 0;
        if has(HAS_MESH) && header.faces >= FAR {
            let problem = format!("it must be less than {FAR}");
            return Err(error(48, "number of faces", &header.faces, &problem));
        }
        let built_cost = has(HAS_BUILT_COST).then_some(header.built_cost);
        if built_cost.is_some_and(|cost| !(cost >= 0.0 && cost.is_finite())) {
            let problem = "it must be finite and not negative";
            return Err(error(64, "build cost", &header.built_cost, problem));
        }
        let [min, max] = header.bounds;
        let bounds = match triangles {
            0 => Some(Aabb::EMPTY),
            _ => Aabb::try_new(min, max).ok(),
        };
        let Some(bounds) = bounds else {
            let problem = "they must be finite, from low to high";
            return Err(error(72, "bounds", &bounds_text(header.bounds), problem));
        };
        Ok(Contents {
            layout,
            quality,
            scale,
            triangles,
            built_cost,
            bounds,
        })
    }
}

/// Formats the corners of a box.
pub(super) fn bounds_text([min, max]: [[f32; 3]; 2]) -> String {
    let corner = |[x, y, z]: [f32; 3]| format!("({x}, {y}, {z})");
    format!("{} to {}", corner(min), corner(max))
}
