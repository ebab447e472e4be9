//! Tables and charts, made from rows only.

mod bars;
mod batch_sizes;
mod cell;
mod changes;
mod compilations;
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

pub(crate) use bars::bars;
pub(crate) use batch_sizes::batch_sizes;
pub(crate) use compilations::compilations;
pub(crate) use globes::globes;
pub(crate) use growth::growth;
pub(crate) use table::markdown;
