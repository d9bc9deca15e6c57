//! The manifests that come with the program.

/// Name and text of each.
pub const BUILTIN: &[(&str, &str)] = &[
    ("in/ipc", include_str!("../statutes/in/ipc.toml")),
    ("in/crpc", include_str!("../statutes/in/crpc.toml")),
    ("in/constitution", include_str!("../statutes/in/constitution.toml")),
    ("cn/criminal-law", include_str!("../statutes/cn/criminal-law.toml")),
];
