//! Placeholder until the grammars are settled.
fn main() {}
