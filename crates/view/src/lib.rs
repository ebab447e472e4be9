//! A page to look at meshes and scenes, click and measure: the server behind `estoc view`.
//!
//! A [`Server`] listens on the loopback address only, and shows what its [`ModelState`] holds: the
//! progress of loading, and then a [`Model`]. Every pixel of the page, and every answer to a click, is
//! computed by the exact ray queries of estoc. The page is made of plain modules in the folder `page` of
//! this crate and uses nothing from elsewhere.
//!
//! Everything about the mesh needs the token that the printed address holds, and requests of other pages
//! are refused. Bodies, pictures, connections and work under way are bounded; what is beyond a bound gets
//! an answer that says so.
//!
//! ```
//! use estoc::CancelToken;
//! use estoc_view::{ModelState, Server};
//! use std::sync::Arc;
//! let server = Server::bind(0, Arc::new(ModelState::new("demo:box")))?;
//! assert!(server.address("").starts_with("http://127.0.0.1:"));
//! let cancel = CancelToken::new();
//! cancel.cancel();
//! server.run(&cancel)?; // until it is cancelled
//! # Ok::<(), estoc_view::ViewError>(())
//! ```
#![forbid(unsafe_code)]

mod about;
mod accumulations;
mod admission;
mod bounds;
mod error;
mod model;
mod model_state;
mod page;
mod query;
mod refusal;
mod render;
mod renders;
mod request;
mod response;
mod router;
mod server;
mod token;
mod write_timeout;

pub use error::ViewError;
pub use model::Model;
pub use model_state::ModelState;
pub use server::Server;
