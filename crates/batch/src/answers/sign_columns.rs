//! Signed distances and winding numbers as columns of numbers.

use super::Answers;
use crate::error::BatchError;
use crate::items::{Item, Items};
use crate::job::Job;
use crate::report::BatchReport;
use estoc_core::{Engine, SignedDistance, ValueQuestion, Winding};

/// The mark of a point without an answer.
const NONE: u8 = u8::MAX;

/// One signed distance or none for each point, an array for each number.
///
/// A point without an answer, such as one that is not finite, has `inside == 255`, and only that
/// tells it. Its `signed` is infinite, as that of a point very far away may be; no number is NaN.
///
/// ```
/// # mod estoc { pub use {estoc_batch::*, estoc_core::*}; pub mod batch { pub use estoc_batch::*; } pub mod query { pub use estoc_core::*; } }
/// use estoc::{Batch, BruteForce, Triangle};
/// use estoc::{batch::SignedDistanceColumns, query::{SignRule, SignedDistanceBy}};
/// let [a, b, c, d] = [[0.0; 3], [8.0, 0.0, 0.0], [0.0, 8.0, 0.0], [0.0, 0.0, 8.0]];
/// let faces = [[a, c, b], [a, b, d], [b, c, d], [a, d, c]];
/// let solid = BruteForce::new(faces.map(|[a, b, c]| Triangle::new(a, b, c)));
/// let points = [[1.0, 2.0, 2.0], [1.0, 2.0, -3.0], [f32::NAN; 3]];
/// let question = SignedDistanceBy(SignRule::Parity);
/// let found: SignedDistanceColumns = Batch::new().ask_as(&solid, question, &points)?;
/// assert_eq!(found.signed, [-1.0, 3.0, f32::INFINITY]); // negative inside
/// assert_eq!(found.inside, [1, 0, 255]);
/// # Ok::<(), estoc::BatchError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SignedDistanceColumns {
    /// [`SignedDistance::signed`], negative inside; infinite where there is none.
    pub signed: Vec<f32>,
    /// [`SignedDistance::inside`]: 1 inside and on the surface, 0 outside; 255 where there is no
    /// answer.
    pub inside: Vec<u8>,
}

/// One winding number or none for each point, an array for each number.
///
/// ```
/// # mod estoc { pub use {estoc_batch::*, estoc_core::*}; pub mod batch { pub use estoc_batch::*; } pub mod query { pub use estoc_core::*; } }
/// use estoc::{Batch, BruteForce, Triangle, batch::WindingColumns, query::WindingNumber};
/// let [a, b, c, d] = [[0.0; 3], [8.0, 0.0, 0.0], [0.0, 8.0, 0.0], [0.0, 0.0, 8.0]];
/// let faces = [[a, c, b], [a, b, d], [b, c, d], [a, d, c]];
/// let solid = BruteForce::new(faces.map(|[a, b, c]| Triangle::new(a, b, c)));
/// let points = [[1.0, 2.0, 2.0], [1.0, 2.0, -3.0], [1.0, 2.0, 0.0]];
/// let found: WindingColumns = Batch::new().ask_as(&solid, WindingNumber, &points)?;
/// assert_eq!(found.number, [1, 0, 0]);
/// assert_eq!(found.on_surface, [0, 0, 1]);
/// # Ok::<(), estoc::BatchError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct WindingColumns {
    /// The winding number; 0 where there is none.
    pub number: Vec<i64>,
    /// 1 for a point on the surface, which has no winding number, 0 for one that has; 255 where
    /// there is no answer.
    pub on_surface: Vec<u8>,
}

impl SignedDistanceColumns {
    /// Returns the number of points.
    pub fn len(&self) -> usize {
        self.inside.len()
    }

    /// Returns whether there are no points.
    pub fn is_empty(&self) -> bool {
        self.inside.is_empty()
    }
}

impl WindingColumns {
    /// Returns the number of points.
    pub fn len(&self) -> usize {
        self.on_surface.len()
    }

    /// Returns whether there are no points.
    pub fn is_empty(&self) -> bool {
        self.on_surface.is_empty()
    }

    /// Returns the answer about a point; `None` where there is none, and when there is no such
    /// point.
    pub fn winding(&self, point: usize) -> Option<Winding> {
        let number = *self.number.get(point)?;
        match self.on_surface.get(point)? {
            0 => Some(Winding::Number(number)),
            1 => Some(Winding::OnSurface),
            _ => None,
        }
    }
}

/// Fills two columns with the answers to a job. Points without an answer have `none`.
fn fill<E, Q, T, A: Copy + Send, N: Copy + Send>(
    job: &Job<'_, '_, E, Q, T>,
    (numbers, marks): (&mut Vec<N>, &mut Vec<u8>),
    none: N,
    cells: impl Fn(A) -> (N, u8) + Sync,
) -> Result<BatchReport, BatchError>
where
    E: Engine + Sync + ?Sized,
    T: Item,
    Q: ValueQuestion<E, T, Answer = Option<A>>,
{
    let plan = job.start(false)?;
    numbers.clear();
    numbers.resize(job.items.len(), none);
    marks.clear();
    marks.resize(job.items.len(), NONE);
    let size = plan.chunk_size;
    let mut parts: Vec<_> = numbers
        .chunks_mut(size)
        .zip(marks.chunks_mut(size))
        .collect();
    (job.batch).run(plan, job.items, &mut parts, 1, &|chunk, part| {
        let mut found = vec![None; chunk.many.len()];
        let techniques = (job.ask_many(&chunk.many, &mut found))
            .map_err(|error| BatchError::of_many(error, chunk.first))?;
        let (numbers, marks) = &mut part[0];
        for (asked, answer) in found.into_iter().enumerate() {
            if let Some(answer) = answer {
                let place = chunk.place(asked);
                (numbers[place], marks[place]) = cells(answer);
            }
        }
        Ok(techniques)
    })
}

impl<E, Q, T> Answers<E, Q, T> for SignedDistanceColumns
where
    E: Engine + Sync + ?Sized,
    T: Item,
    Q: ValueQuestion<E, T, Answer = Option<SignedDistance>>,
{
    fn has_rows(_: &Q) -> bool {
        false
    }

    fn fill(&mut self, job: &Job<'_, '_, E, Q, T>) -> Result<BatchReport, BatchError> {
        let columns = (&mut self.signed, &mut self.inside);
        let cells = |found: SignedDistance| (found.signed, u8::from(found.inside));
        fill(job, columns, f32::INFINITY, cells)
    }
}

impl<E, Q, T> Answers<E, Q, T> for WindingColumns
where
    E: Engine + Sync + ?Sized,
    T: Item,
    Q: ValueQuestion<E, T, Answer = Option<Winding>>,
{
    fn has_rows(_: &Q) -> bool {
        false
    }

    fn fill(&mut self, job: &Job<'_, '_, E, Q, T>) -> Result<BatchReport, BatchError> {
        let columns = (&mut self.number, &mut self.on_surface);
        let cells = |found: Winding| match found {
            Winding::Number(number) => (number, 0),
            Winding::OnSurface => (0, 1),
        };
        fill(job, columns, 0, cells)
    }
}
