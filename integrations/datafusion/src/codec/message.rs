//! The operator as bytes: a mark, and a message of Protocol Buffers.

use crate::{HitColumn, MeshNumbers, MeshReference, NamedHitColumn, Raycast, RaycastError};
use prost::Message;

/// What messages begin with. Those of Ballista, which share the place, do not: their first field is not number 12.
const MARK: &[u8] = b"estoc-raycast-1\n";

/// An operator, whose numbers of rays are expressions of either kind of plan.
#[derive(Clone, PartialEq, Message)]
pub(super) struct Operator {
    #[prost(string, tag = "1")]
    uri: String,
    #[prost(fixed64, tag = "2")]
    hash: u64,
    /// Encoded expressions.
    #[prost(bytes = "vec", repeated, tag = "3")]
    rays: Vec<Vec<u8>>,
    #[prost(message, repeated, tag = "4")]
    answers: Vec<Answer>,
    /// Whether the mesh is in `f64`.
    #[prost(bool, tag = "5")]
    is_f64: bool,
}

/// A column of the answers.
#[derive(Clone, PartialEq, Message)]
struct Answer {
    #[prost(string, tag = "1")]
    column: String,
    #[prost(string, tag = "2")]
    name: String,
}

impl Operator {
    /// Appends the bytes of an operator, whose expressions are encoded.
    pub(super) fn write(raycast: Raycast<Vec<u8>>, to: &mut Vec<u8>) {
        let answer = |answer: NamedHitColumn| Answer {
            column: answer.column.name().to_owned(),
            name: answer.name,
        };
        let operator = Operator {
            uri: raycast.mesh.uri,
            hash: raycast.mesh.hash,
            is_f64: raycast.mesh.numbers == MeshNumbers::F64,
            rays: raycast.rays,
            answers: raycast.answers.into_iter().map(answer).collect(),
        };
        to.extend_from_slice(MARK);
        to.extend(operator.encode_to_vec());
    }

    /// Reads an operator; `None` if the bytes are another node's.
    pub(super) fn read(bytes: &[u8]) -> Option<Result<Raycast<Vec<u8>>, RaycastError>> {
        let message = bytes.strip_prefix(MARK)?;
        let operator = Operator::decode(message).map_err(|error| problem(&error));
        Some(operator.and_then(Operator::raycast))
    }

    fn raycast(self) -> Result<Raycast<Vec<u8>>, RaycastError> {
        let answer = |Answer { column, name }: Answer| -> Result<_, RaycastError> {
            let found = HitColumn::of_name(&column);
            let column = found.ok_or_else(|| problem(&format!("there is no column {column}")))?;
            Ok(NamedHitColumn { column, name })
        };
        Ok(Raycast {
            mesh: MeshReference {
                uri: self.uri,
                hash: self.hash,
                numbers: match self.is_f64 {
                    true => MeshNumbers::F64,
                    false => MeshNumbers::F32,
                },
            },
            answers: self
                .answers
                .into_iter()
                .map(answer)
                .collect::<Result<_, _>>()?,
            rays: self.rays,
        })
    }
}

pub(super) fn problem(problem: &dyn std::fmt::Display) -> RaycastError {
    RaycastError::Plan {
        problem: problem.to_string(),
    }
}
