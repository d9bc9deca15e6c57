//! The settings of a run, as the page may show them.

/// `run.toml` as pairs of path and value, without what must not be passed on.
pub fn settings(config: &toml::Table) -> Vec<(String, String)> {
    fn walk(path: &str, value: &toml::Value, out: &mut Vec<(String, String)>) {
        match value {
            toml::Value::Table(table) => {
                for (key, value) in table {
                    let secret = ["secret", "password", "api_key", "authorization"]
                        .iter()
                        .any(|word| key.to_ascii_lowercase().contains(word));
                    if !secret {
                        let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
                        walk(&path, value, out);
                    }
                }
            }
            toml::Value::String(text) => out.push((path.to_owned(), without_login(text))),
            other => out.push((path.to_owned(), other.to_string())),
        }
    }
    let mut out = Vec::new();
    walk("", &toml::Value::Table(config.clone()), &mut out);
    out
}

/// An address without the name and password that may stand in it.
fn without_login(text: &str) -> String {
    let Some((scheme, rest)) = text.split_once("://") else { return text.to_owned() };
    let (host, path) = rest.find('/').map_or((rest, ""), |at| rest.split_at(at));
    match host.rsplit_once('@') {
        Some((_, host)) => format!("{scheme}://{host}{path}"),
        None => text.to_owned(),
    }
}
