//! Meshes made by seeded generators, for first steps, examples, tests and benchmarks.
