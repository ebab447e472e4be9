//! Triangles without area, and triangles with the same corners as others.

use crate::failure::Failure;
use crate::mesh_model::MeshModel;
use crate::model_number::ModelNumber;
use crate::number::grouped;
use crate::session::Session;
use estoc::PrimId;
use estoc_core::{JoinedTriangle, PairTriangle};
use serde_json::{Value, json};

/// The faults of single triangles.
pub(super) struct Faces {
    pub(super) degenerate: FaceTally,
    pub(super) duplicate: FaceTally,
}

/// A number of triangles, and the first of them.
#[derive(Default)]
pub(super) struct FaceTally {
    pub(super) count: usize,
    first: Vec<FaceFault>,
}

struct FaceFault {
    prim: PrimId,
    line: Option<u64>,
    /// The first triangle with the same corners.
    of: Option<PrimId>,
}

impl Faces {
    /// Returns the faults, with the first `most` of each kind. Of duplicates, all but the first count.
    pub(super) fn of<C: ModelNumber>(
        model: &MeshModel<C>,
        most: usize,
        session: &Session,
    ) -> Result<Self, Failure> {
        // The corners and the number of each triangle, and pairs of numbers in a list that grows: while it
        // moves, it takes up to three times its size.
        let bytes = size_of::<([C::Position; 3], PrimId)>() + 3 * size_of::<[PrimId; 2]>();
        let bytes = model.bvh().triangle_count() * bytes;
        session.check_room("finding duplicate triangles", bytes)?;
        let prims = (0..).map_while(PrimId::from_index);
        let mut degenerate = FaceTally::default();
        let mut by_corners = Vec::with_capacity(model.bvh().triangle_count());
        for (prim, triangle) in prims.zip(model.all_triangles()) {
            match triangle.positions().filter(|_| triangle.has_area()) {
                None => degenerate.add(model, most, prim, None),
                Some(mut corners) => {
                    corners.sort_unstable();
                    by_corners.push((corners, prim));
                }
            }
        }
        by_corners.sort_unstable();
        session.check_interrupt()?;
        let repeated = by_corners.chunk_by(|a, b| a.0 == b.0).flat_map(|same| {
            let first = same[0].1;
            same[1..].iter().map(move |&(_, prim)| (prim, first))
        });
        let mut repeated: Vec<(PrimId, PrimId)> = repeated.collect();
        repeated.sort_unstable();
        let mut duplicate = FaceTally::default();
        for (prim, of) in repeated {
            duplicate.add(model, most, prim, Some(of));
        }
        Ok(Faces {
            degenerate,
            duplicate,
        })
    }
}

impl FaceTally {
    fn add<C: ModelNumber>(
        &mut self,
        model: &MeshModel<C>,
        most: usize,
        prim: PrimId,
        of: Option<PrimId>,
    ) {
        self.count += 1;
        if self.first.len() < most {
            let line = model.line_of(prim);
            self.first.push(FaceFault { prim, line, of });
        }
    }

    pub(super) fn text(&self) -> String {
        if self.count == 0 {
            return "none".into();
        }
        let told = |fault: &FaceFault| {
            let FaceFault { prim, line, of } = fault;
            let line = line.map_or(String::new(), |line| format!(" (line {line})"));
            let of = of.map_or(String::new(), |of| format!(" like {of}"));
            format!("triangle {prim}{line}{of}")
        };
        let told: Vec<String> = self.first.iter().map(told).collect();
        let more = if self.count > told.len() { ", ..." } else { "" };
        format!("{}: {}{more}", grouped(self.count), told.join(", "))
    }

    pub(super) fn object(&self) -> Value {
        let first = self.first.iter().map(|fault| {
            let mut object = json!({ "prim": fault.prim.get(), "line": fault.line });
            if let Some(of) = fault.of {
                object["of"] = of.get().into();
            }
            object
        });
        json!({ "count": self.count, "first": first.collect::<Vec<_>>() })
    }
}
