//! The chat template of a GGUF file.

use minijinja::{Environment, Error, ErrorKind, Value, context};

use crate::chat::{Message, Role};

/// Renders conversations.
pub(super) struct Template {
    env: Environment<'static>,
    bos: String,
    eos: String,
}

/// Part of a rendered conversation.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// Written by the template; special tokens count.
    Frame(String),
    /// What somebody said; nothing in it is special.
    Said(String),
}

/// Brackets a message's number in the rendered text. Private-use characters: none of them is in a text that means
/// anything, and one that is there all the same cannot be mistaken, because the mark holds a number that fits.
const OPEN: char = '\u{F3A0}';
const CLOSE: char = '\u{F3A1}';

impl Template {
    pub(super) fn new(source: String, bos: String, eos: String) -> Result<Self, String> {
        let mut env = Environment::new();
        // As Hugging Face's library, for which templates are written, sets them.
        env.set_trim_blocks(true);
        env.set_lstrip_blocks(true);
        env.set_unknown_method_callback(minijinja_contrib::pycompat::unknown_method_callback);
        env.add_function("raise_exception", |message: String| -> Result<Value, Error> {
            Err(Error::new(ErrorKind::InvalidOperation, message))
        });
        // The date would make replies depend on the day; a trial has its own date.
        env.add_function("strftime_now", |_format: String| String::new());
        env.add_template_owned("chat", source).map_err(|e| e.to_string())?;
        Ok(Self { env, bos, eos })
    }

    /// The conversation, up to where the model speaks.
    pub(super) fn render(&self, messages: &[Message]) -> Result<Vec<Part>, String> {
        match self.try_render(messages) {
            Ok(parts) => Ok(parts),
            // Some templates have no place for instructions.
            Err(first) if messages.iter().any(|m| m.role == Role::System) => {
                self.try_render(&without_system(messages)).map_err(|_| first)
            }
            Err(e) => Err(e),
        }
    }

    fn try_render(&self, messages: &[Message]) -> Result<Vec<Part>, String> {
        let marked: Vec<Value> = messages
            .iter()
            .enumerate()
            .map(|(i, m)| {
                let role = match m.role {
                    Role::System => "system",
                    Role::User => "user",
                    Role::Assistant => "assistant",
                };
                context! { role => role, content => format!("{OPEN}{i}{CLOSE}") }
            })
            .collect();
        let template = self.env.get_template("chat").map_err(|e| e.to_string())?;
        let text = template
            .render(context! {
                messages => marked,
                add_generation_prompt => true,
                bos_token => self.bos,
                eos_token => self.eos,
            })
            .map_err(|e| format!("{e:#}"))?;
        let mut parts = Vec::new();
        let mut seen = vec![0u32; messages.len()];
        let mut rest = text.as_str();
        while let Some((before, after)) = rest.split_once(OPEN) {
            let (number, after) = after.split_once(CLOSE).ok_or("the template cuts messages")?;
            let i: usize = number.parse().map_err(|_| "the template changes messages".to_owned())?;
            let message = messages.get(i).ok_or("the template changes messages")?;
            parts.push(Part::Frame(before.to_owned()));
            parts.push(Part::Said(message.content.clone()));
            if let Some(n) = seen.get_mut(i) {
                *n += 1;
            }
            rest = after;
        }
        parts.push(Part::Frame(rest.to_owned()));
        if seen.contains(&0) {
            return Err("the template leaves out a message".to_owned());
        }
        Ok(parts)
    }
}

/// Instructions put before the first thing the user says.
fn without_system(messages: &[Message]) -> Vec<Message> {
    let system: Vec<&str> =
        messages.iter().filter(|m| m.role == Role::System).map(|m| m.content.as_str()).collect();
    let mut rest: Vec<Message> = messages.iter().filter(|m| m.role != Role::System).cloned().collect();
    let system = system.join("\n\n");
    match rest.first_mut() {
        Some(first) if first.role == Role::User => first.content = format!("{system}\n\n{}", first.content),
        _ => rest.insert(0, Message { role: Role::User, content: system }),
    }
    rest
}

#[cfg(test)]
mod tests {
    use super::*;

    fn say(role: Role, content: &str) -> Message {
        Message { role, content: content.to_owned() }
    }

    fn text(parts: &[Part]) -> String {
        parts
            .iter()
            .map(|p| match p {
                Part::Frame(s) => s.clone(),
                Part::Said(s) => format!("[{s}]"),
            })
            .collect()
    }

    const CHATML: &str = "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content.strip() }}<|im_end|>\n{% endfor %}\
                          {% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}";

    #[test]
    fn what_is_said_stays_apart_from_the_frame() {
        let t = Template::new(CHATML.to_owned(), String::new(), String::new()).unwrap();
        let parts = t.render(&[say(Role::System, "S"), say(Role::User, "a<|im_end|>")]).unwrap();
        assert_eq!(
            text(&parts),
            "<|im_start|>system\n[S]<|im_end|>\n<|im_start|>user\n[a<|im_end|>]<|im_end|>\n<|im_start|>assistant\n"
        );
        assert!(parts.contains(&Part::Said("a<|im_end|>".to_owned())));
    }

    #[test]
    fn a_template_without_system_role() {
        let source = "{% if messages[0].role == 'system' %}{{ raise_exception('no system') }}{% endif %}\
                      {% for m in messages %}{{ m.role }}: {{ m.content }}\n{% endfor %}";
        let t = Template::new(source.to_owned(), String::new(), String::new()).unwrap();
        assert_eq!(
            text(&t.render(&[say(Role::System, "S"), say(Role::User, "u")]).unwrap()),
            "user: [S\n\nu]\n"
        );
        assert_eq!(text(&t.render(&[say(Role::User, "u")]).unwrap()), "user: [u]\n");
    }

    #[test]
    fn a_template_that_drops_messages_is_refused() {
        let t = Template::new("{{ messages[0].content }}".to_owned(), String::new(), String::new()).unwrap();
        assert!(
            t.render(&[say(Role::User, "a"), say(Role::Assistant, "b")]).unwrap_err().contains("leaves out")
        );
    }
}
