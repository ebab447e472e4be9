//! Bounds on work: one frame per client at a time, and so much of all clients.

use crate::bounds;
use crate::refusal::Refusal;
use estoc::{CancelToken, Progress};
use std::collections::HashMap;
use std::future::{Future, poll_fn};
use std::pin::pin;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::Poll;
use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore};

/// The frames and pictures under way, and the other questions.
pub(crate) struct Renders {
    running: Mutex<Running>,
    under_way: Arc<Semaphore>,
    painted: Arc<Semaphore>,
    pictured: Arc<Semaphore>,
    sent_kib: Arc<Semaphore>,
    queries: Arc<Semaphore>,
}

#[derive(Default)]
struct Running {
    /// The last request of each client, with its number. A client without a request has no entry.
    of_client: HashMap<String, (u64, Cancel)>,
    count: u64,
}

/// What cancels work, and ends a wait for it, and how much of it is done.
#[derive(Clone, Default)]
struct Cancel {
    token: CancelToken,
    waiting: Arc<Notify>,
    share: Share,
}

/// How much of a picture is painted, in the bits of an `f32` from 0 to 1.
#[derive(Clone, Default)]
pub(crate) struct Share(Arc<AtomicU32>);

impl Share {
    pub(crate) fn set(&self, progress: Progress) {
        let total = progress.total.unwrap_or(0).max(1);
        let share = (progress.done as f32 / total as f32).min(1.0);
        self.0.store(share.to_bits(), Ordering::Relaxed);
    }

    fn get(&self) -> f32 {
        f32::from_bits(self.0.load(Ordering::Relaxed))
    }
}

impl Cancel {
    fn cancel(&self) {
        self.token.cancel();
        self.waiting.notify_one();
    }
}

/// A frame or a picture under way. When it is dropped, the work is cancelled.
pub(crate) struct Render {
    renders: Arc<Renders>,
    client: String,
    number: u64,
    pub(crate) cancel: CancelToken,
    pub(crate) share: Share,
    waiting: Arc<Notify>,
    _under_way: OwnedSemaphorePermit,
}

/// Held while a picture is in memory.
pub(crate) type SentPermit = OwnedSemaphorePermit;

impl Renders {
    pub(crate) fn new() -> Arc<Self> {
        let bound = |most| Arc::new(Semaphore::new(most));
        Arc::new(Renders {
            running: Mutex::default(),
            under_way: bound(bounds::RENDERS),
            painted: bound(bounds::PAINTED),
            pictured: bound(bounds::PICTURED),
            sent_kib: bound(bounds::SENT_KIB),
            queries: bound(bounds::QUERIES),
        })
    }

    /// Begins a frame or a picture of a client, and cancels the one before it.
    ///
    /// # Errors
    /// [`Refusal::Busy`] if there are too many of all clients.
    pub(crate) fn begin(self: &Arc<Self>, client: &str) -> Result<Render, Refusal> {
        let cancel = Cancel::default();
        let mut running = self.lock();
        // The one before is cancelled even if this one is refused: nobody waits for it.
        if let Some((_, before)) = running.of_client.remove(client) {
            before.cancel();
        }
        let under_way = self.under_way.clone().try_acquire_owned();
        let under_way = under_way.map_err(|_| Refusal::Busy)?;
        running.count += 1;
        let number = running.count;
        let entry = (number, cancel.clone());
        running.of_client.insert(client.to_owned(), entry);
        Ok(Render {
            renders: self.clone(),
            client: client.to_owned(),
            number,
            cancel: cancel.token,
            share: cancel.share,
            waiting: cancel.waiting,
            _under_way: under_way,
        })
    }

    /// Returns how much of a client's picture is painted; `None` if it has none under way.
    pub(crate) fn share(&self, client: &str) -> Option<f32> {
        let running = self.lock();
        let (_, under_way) = running.of_client.get(client)?;
        Some(under_way.share.get())
    }

    /// Reserves memory for a picture of `bytes` bytes until the permit is dropped.
    ///
    /// # Errors
    /// [`Refusal::Busy`].
    pub(crate) fn reserve(&self, bytes: usize) -> Result<SentPermit, Refusal> {
        let kib = u32::try_from(bytes.div_ceil(1 << 10)).map_err(|_| Refusal::Busy)?;
        let permit = self.sent_kib.clone().try_acquire_many_owned(kib);
        permit.map_err(|_| Refusal::Busy)
    }

    /// Waits until a frame may be painted.
    ///
    /// # Errors
    /// [`Refusal::Cancelled`] as soon as a later request cancels this one.
    pub(crate) async fn wait(&self, render: &Render) -> Result<OwnedSemaphorePermit, Refusal> {
        wait_for(&self.painted, render).await
    }

    /// Waits until a picture may be painted.
    ///
    /// # Errors
    /// As [`wait`](Renders::wait).
    pub(crate) async fn wait_to_save(
        &self,
        render: &Render,
    ) -> Result<OwnedSemaphorePermit, Refusal> {
        wait_for(&self.pictured, render).await
    }

    /// Begins another question.
    ///
    /// # Errors
    /// [`Refusal::Busy`].
    pub(crate) fn query(&self) -> Result<OwnedSemaphorePermit, Refusal> {
        let permit = self.queries.clone().try_acquire_owned();
        permit.map_err(|_| Refusal::Busy)
    }

    /// Cancels all frames and pictures.
    pub(crate) fn cancel_all(&self) {
        for (_, cancel) in self.lock().of_client.values() {
            cancel.cancel();
        }
    }

    fn lock(&self) -> MutexGuard<'_, Running> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

async fn wait_for(
    places: &Arc<Semaphore>,
    render: &Render,
) -> Result<OwnedSemaphorePermit, Refusal> {
    let mut cancelled = pin!(render.waiting.notified());
    let mut permit = pin!(places.clone().acquire_owned());
    poll_fn(|context| match cancelled.as_mut().poll(context) {
        Poll::Ready(()) => Poll::Ready(Err(Refusal::Cancelled)),
        Poll::Pending => (permit.as_mut().poll(context)).map_err(|_| Refusal::Cancelled),
    })
    .await
}

impl Drop for Render {
    fn drop(&mut self) {
        self.cancel.cancel();
        let mut running = self.renders.lock();
        let is_last = |&(number, _): &(u64, Cancel)| number == self.number;
        if running.of_client.get(&self.client).is_some_and(is_last) {
            running.of_client.remove(&self.client);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_request_of_a_client_cancels_the_one_before() {
        let renders = Renders::new();
        let first = renders.begin("a").unwrap();
        let other = renders.begin("b").unwrap();
        let second = renders.begin("a").unwrap();
        assert!(first.cancel.is_cancelled());
        assert!(!other.cancel.is_cancelled() && !second.cancel.is_cancelled());
        // The end of the first leaves the second.
        drop(first);
        let third = renders.begin("a").unwrap();
        assert!(second.cancel.is_cancelled());
        let cancel = third.cancel.clone();
        drop((second, third, other));
        assert!(cancel.is_cancelled());
        assert!(renders.lock().of_client.is_empty());
    }

    #[test]
    fn a_request_that_waits_is_answered_when_it_is_cancelled() {
        let runtime = tokio::runtime::Builder::new_current_thread().build();
        runtime.unwrap().block_on(cancel_a_request_that_waits());
    }

    async fn cancel_a_request_that_waits() {
        let renders = Renders::new();
        let begun: Vec<Render> = (0..bounds::PAINTED)
            .map(|number| renders.begin(&number.to_string()).unwrap())
            .collect();
        let mut permits = Vec::new();
        for render in &begun {
            permits.push(renders.wait(render).await.unwrap());
        }
        // Pictures do not keep frames from being painted, and the other way round.
        let picture = renders.begin("picture").unwrap();
        let saved = renders.wait_to_save(&picture).await.unwrap();
        let first = renders.begin("a").unwrap();
        let second = renders.begin("a").unwrap();
        assert!(matches!(
            renders.wait(&first).await,
            Err(Refusal::Cancelled)
        ));
        drop((permits, saved));
        assert!(renders.wait(&second).await.is_ok());
    }

    #[test]
    fn work_of_all_clients_is_bounded() {
        let renders = Renders::new();
        let name = |number: usize| format!("client {number}");
        let mut all: Vec<Render> = (0..bounds::RENDERS)
            .map(|number| renders.begin(&name(number)).unwrap())
            .collect();
        assert!(matches!(renders.begin("one more"), Err(Refusal::Busy)));
        all.pop();
        assert!(renders.begin("one more").is_ok());
        assert_eq!(renders.lock().of_client.len(), bounds::RENDERS - 1);

        let most = bounds::SENT_KIB << 10;
        let held = renders.reserve(most - 1024).unwrap();
        assert!(renders.reserve(1025).is_err());
        assert!(renders.reserve(1024).is_ok());
        drop(held);
        assert!(renders.reserve(most).is_ok());
        assert!(renders.reserve(usize::MAX).is_err());

        let queries: Vec<_> = (0..bounds::QUERIES)
            .map(|_| renders.query().unwrap())
            .collect();
        assert!(renders.query().is_err());
        drop(queries);
        assert!(renders.query().is_ok());
    }
}
