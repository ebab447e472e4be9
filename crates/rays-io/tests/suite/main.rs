//! One program, because each test program would link its dependencies again.

mod job_folder;
mod job_merge;
mod job_text;
