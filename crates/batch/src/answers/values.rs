//! One answer per item, at the item's index.

use super::Answers;
use crate::batch_query::BatchQuery;
use crate::error::BatchError;
use crate::items::{Item, Items};
use crate::report::BatchReport;
use estoc_core::{Engine, ValueQuestion};

impl<E, Q, T, A> Answers<E, Q, T> for [A]
where
    E: Engine + Sync + ?Sized,
    T: Item,
    Q: ValueQuestion<E, T, Answer = A>,
    A: Copy + Default + Send,
{
    fn fill(&mut self, query: &BatchQuery<'_, '_, E, Q, T>) -> Result<BatchReport, BatchError> {
        let plan = query.start(false)?;
        let (items, rays, room) = (query.items, query.items.len(), self.len());
        if rays != room {
            return Err(BatchError::Room { rays, room });
        }
        (query.batch).run(plan, items, self, plan.chunk_size, &|chunk, answers| {
            let techniques = match chunk.order {
                None => query.ask_many(&chunk.many, answers),
                Some(order) => {
                    let mut sorted = vec![A::default(); order.len()];
                    query.ask_many(&chunk.many, &mut sorted).inspect(|_| {
                        for (&place, answer) in order.iter().zip(sorted) {
                            answers[place as usize] = answer;
                        }
                    })
                }
            };
            techniques.map_err(|error| BatchError::of_many(error, chunk.first))
        })
    }
}

impl<E, Q, T, A> Answers<E, Q, T> for Vec<A>
where
    E: Engine + Sync + ?Sized,
    T: Item,
    Q: ValueQuestion<E, T, Answer = A>,
    A: Copy + Default + Send,
{
    fn fill(&mut self, query: &BatchQuery<'_, '_, E, Q, T>) -> Result<BatchReport, BatchError> {
        let count = query.items.len();
        if self.capacity() < count {
            // Zeroed memory from the system need not be written.
            *self = vec![A::default(); count];
        } else {
            self.clear();
            self.resize(count, A::default());
        }
        <[A] as Answers<E, Q, T>>::fill(self, query)
    }
}
