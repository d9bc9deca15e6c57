//! What stands in requests and records.

use std::fmt::Write as _;

use nyaya_agents::chat::{ChatRequest, Role};
use nyaya_agents::event::{Body, Event};

pub fn kinds(events: &[Event]) -> Vec<String> {
    events.iter().map(|e| serde_json::to_value(e).unwrap()["kind"].as_str().unwrap().to_owned()).collect()
}

pub fn calls(events: &[Event]) -> Vec<(String, String)> {
    let call =
        |e: &Event| matches!(e.body, Body::ModelCall { .. }).then(|| (e.actor.agent.clone(), e.step.clone()));
    events.iter().filter_map(call).collect()
}

pub fn all_text(request: &ChatRequest) -> String {
    request.messages.iter().map(|m| m.content.as_str()).collect::<Vec<_>>().join("\n")
}

pub fn role_text(request: &ChatRequest, role: Role) -> String {
    let of = request.messages.iter().filter(|m| m.role == role);
    of.map(|m| m.content.as_str()).collect::<Vec<_>>().join("\n")
}

/// Requests one after the other. What stands in one before already is told by the number of its lines.
#[derive(Default)]
pub struct Listing {
    pub text: String,
    last: Vec<String>,
}

impl Listing {
    /// Adds a request under a heading; `change` is made to each of its lines.
    pub fn add(&mut self, heading: &str, request: &ChatRequest, change: impl Fn(String) -> String) {
        let _ = writeln!(self.text, "#### {heading}: at most {} tokens", request.max_tokens);
        let lines: Vec<String> = request
            .messages
            .iter()
            .flat_map(|m| {
                std::iter::once(format!("<{:?}>", m.role)).chain(m.content.lines().map(str::to_owned))
            })
            .map(change)
            .collect();
        let same = lines.iter().zip(&self.last).take_while(|(a, b)| a == b).count();
        if same > 0 {
            let _ = writeln!(self.text, "(the first {same} lines as before)");
        }
        for line in &lines[same..] {
            let _ = writeln!(self.text, "{line}");
        }
        self.text.push('\n');
        self.last = lines;
    }
}

/// What a hostile text has in it, to be looked for; it may stand inside fences only.
pub const HOSTILE_MARK: &str = "HOSTILE-MARK";

/// The fences of a request are whole: its instructions name the code and hold no words of others; the code opens and
/// closes in turn, and hostile words stand inside only.
pub fn fences_are_whole(request: &ChatRequest, secret: &str, who: &str) {
    let system = role_text(request, Role::System);
    assert!(!system.contains(HOSTILE_MARK) && !system.contains("FACTS-MARK"), "{who}");
    assert!(system.contains(secret), "the instructions name the code: {who}");
    let user = role_text(request, Role::User);
    for token in ["<|", "|>", "[INST]", "[/INST]"] {
        assert!(!user.contains(token), "{token} in {who}");
    }
    let mut inside = false;
    for line in user.lines() {
        if line.starts_with("=== BEGIN ") && line.ends_with(&format!(" {secret} ===")) {
            assert!(!inside, "{who}");
            inside = true;
        } else if line.starts_with("=== END ") && line.ends_with(&format!(" {secret} ===")) {
            assert!(inside, "{who}");
            inside = false;
        } else {
            assert!(!line.contains(secret), "{who}: the secret stands in fence lines only: {line}");
            assert!(!line.starts_with("=== "), "{who}: {line}");
            let header = line.trim_start().to_lowercase();
            assert!(!header.starts_with("system:") && !header.starts_with("### assistant"), "{who}: {line}");
            assert!(inside || !line.contains(HOSTILE_MARK), "{who}: {line}");
        }
    }
    assert!(!inside, "{who}");
}
