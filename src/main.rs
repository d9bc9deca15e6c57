//! nyaya
fn main() {}
