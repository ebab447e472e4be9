//! Tables and pictures, made from rows only.

mod batch_sizes;
mod cell;
mod changes;
mod globes;
mod growth;
mod lines;
mod loads;
mod machines;
mod many;
mod missed;
mod points;
mod scale;
mod selection;
mod svg;
mod table;
mod text;
mod threads;
mod tight;
mod worlds;

pub(crate) use globes::globes;
pub(crate) use growth::growth;
pub(crate) use table::markdown;
