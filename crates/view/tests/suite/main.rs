//! One program, because each test program would compile and link its dependencies again.

mod clients;
mod common;
mod frames;
mod fuzz;
mod queries;
mod requests;
mod security;
