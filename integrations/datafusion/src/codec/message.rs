//! The operator as bytes: a mark, and a message of Protocol Buffers.

use crate::{HitColumn, MeshReference, NamedHitColumn, RaycastError};
use prost::Message;

/// What messages begin with. Those of Ballista, which share the place, do not: their first field is not number 12.
const MARK: &[u8] = b"estoc-raycast-1\n";

/// An operator, whose numbers of rays are expressions of either kind of plan.
#[derive(Clone, PartialEq, Message)]
pub(super) struct Operator {
    #[prost(string, tag = "1")]
    pub(super) uri: String,
    #[prost(fixed64, tag = "2")]
    pub(super) hash: u64,
    /// Encoded expressions.
    #[prost(bytes = "vec", repeated, tag = "3")]
    pub(super) rays: Vec<Vec<u8>>,
    #[prost(message, repeated, tag = "4")]
    pub(super) answers: Vec<Answer>,
}

/// A column of the answers.
#[derive(Clone, PartialEq, Message)]
pub(super) struct Answer {
    #[prost(string, tag = "1")]
    pub(super) column: String,
    #[prost(string, tag = "2")]
    pub(super) name: String,
}

impl Operator {
    pub(super) fn new(
        mesh: &MeshReference,
        rays: Vec<Vec<u8>>,
        answers: &[NamedHitColumn],
    ) -> Self {
        let answer = |answer: &NamedHitColumn| Answer {
            column: answer.column.name().to_owned(),
            name: answer.name.clone(),
        };
        let answers = answers.iter().map(answer).collect();
        Operator {
            uri: mesh.uri.clone(),
            hash: mesh.hash,
            rays,
            answers,
        }
    }

    /// Appends the bytes of the operator.
    pub(super) fn write(&self, to: &mut Vec<u8>) {
        to.extend_from_slice(MARK);
        to.extend(self.encode_to_vec());
    }

    /// Reads an operator; `None` if the bytes are another node's.
    pub(super) fn read(bytes: &[u8]) -> Option<Result<Self, RaycastError>> {
        let message = bytes.strip_prefix(MARK)?;
        Some(Operator::decode(message).map_err(|error| problem(&error)))
    }

    pub(super) fn mesh(&self) -> MeshReference {
        MeshReference {
            uri: self.uri.clone(),
            hash: self.hash,
        }
    }

    pub(super) fn answers(&self) -> Result<Vec<NamedHitColumn>, RaycastError> {
        let answer = |answer: &Answer| {
            let column = HitColumn::of_name(&answer.column);
            let column =
                column.ok_or_else(|| problem(&format!("there is no column {}", answer.column)))?;
            Ok(NamedHitColumn {
                column,
                name: answer.name.clone(),
            })
        };
        self.answers.iter().map(answer).collect()
    }
}

pub(super) fn problem(problem: &dyn std::fmt::Display) -> RaycastError {
    RaycastError::Plan {
        problem: problem.to_string(),
    }
}
