//! What the tests of all courts share.

mod kb;
mod model;
mod requests;
mod stage;

pub use kb::*;
pub use model::*;
pub use requests::*;
pub use stage::*;
