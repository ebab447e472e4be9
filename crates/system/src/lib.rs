//! What estoc asks of the operating system.
//!
//! Storage for large arrays: in memory, on huge pages where the system has them, or memory-mapped
//! from a file. The only crate of estoc that maps memory. Also vectors that report a lack of memory,
//! files that appear complete or not at all, files that are opened after a look at what they are, and the
//! mode in which a thread's floating-point operations round.
//! [`parallel`] is what it uses of rayon, or the same on the calling thread.
//!
//! ```
//! use estoc_system::Arena;
//! let squares = Arena::of((0..1000_u32).map(|i| i * i).collect());
//! assert_eq!((squares[30], squares.bytes()), (900, 4000));
//! ```
#![deny(unsafe_code)]

mod address_space;
mod arena;
#[cfg(feature = "map")]
mod file_map;
mod float_mode;
mod growth;
mod named_file;
pub mod parallel;
mod room;
mod thread_limit;
mod whole_file;

pub use arena::Arena;
#[cfg(feature = "map")]
pub use file_map::UnchangedFiles;
pub use float_mode::FloatMode;
pub use growth::{Growth, NoMemory, check_room, collected, read_to_end, zeroed};
pub use named_file::{open_file, open_input};
pub use room::has_room;
pub use thread_limit::{MAX_THREADS, check_threads};
pub use whole_file::WholeFile;

/// Compiles and runs the Rust in the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
