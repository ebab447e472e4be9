//! The command `estoc`.

fn main() {}
