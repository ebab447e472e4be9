//! Files of rays and hits, and jobs.
#![forbid(unsafe_code)]

pub mod job;
