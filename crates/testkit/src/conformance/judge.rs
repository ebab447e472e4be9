//! The expected answers about one ray.

use crate::oracle::Answers;
use estoc_core::{All, Crossings, Hit, MeshEngine, QueryError, QueryOptions, Ray, RayQuery};

/// The expected answers about one ray: two lists, from which all others follow.
pub(super) trait Judge {
    fn all(&self, options: &QueryOptions) -> Result<Vec<Hit>, QueryError>;

    fn crossings(&self, options: &QueryOptions) -> Result<Vec<Hit>, QueryError>;
}

impl Judge for Answers {
    fn all(&self, options: &QueryOptions) -> Result<Vec<Hit>, QueryError> {
        self.all_hits(options)
    }

    fn crossings(&self, options: &QueryOptions) -> Result<Vec<Hit>, QueryError> {
        Answers::crossings(self, options)
    }
}

/// Another engine that supplies the expected answers.
pub(super) struct Peer<'a, Q>(pub(super) &'a Q, pub(super) Ray);

impl<Q: MeshEngine> Judge for Peer<'_, Q> {
    fn all(&self, options: &QueryOptions) -> Result<Vec<Hit>, QueryError> {
        self.0.ask_with(All, &self.1, options)
    }

    fn crossings(&self, options: &QueryOptions) -> Result<Vec<Hit>, QueryError> {
        self.0.ask_with(Crossings, &self.1, options)
    }
}
