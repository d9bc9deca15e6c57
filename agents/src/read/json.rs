//! JSON out of a model's reply.

use serde::de::DeserializeOwned;
use serde_json::{Map, Number, Value};

use super::{Reading, Stage};

#[cfg(test)]
mod tests;

/// Values nested deeper than this are refused: no answer needs it, and recursion must end.
const MAX_DEPTH: usize = 64;
/// Openings tried before giving up on a reply; bounds the time on hostile input.
const MAX_OPENINGS: usize = 4_096;
/// How far the reader looks ahead, in characters, for the key that shows a quote to be a closing one.
const KEY_WINDOW: usize = 80;

/// Reads a value of type `T`.
///
/// Strict first. Then every object (or array) in the reply is looked at, each mended if need be: fences and prose
/// around it, thinking before it, typographic or single quotes, unquoted keys, raw line breaks and unescaped quotes in
/// strings, comments, missing or trailing commas, a missing end. Of those that fit `T` the last complete one counts,
/// as a correction of the ones before it; a cut-off one counts only when no complete one fits. What stands inside
/// `<think>` is never the answer.
pub fn read_json<T: DeserializeOwned>(raw: &str) -> Reading<T> {
    let mut why = match serde_json::from_str::<T>(raw.trim()) {
        Ok(value) => return Reading { value: Some(value), stage: Stage::Strict, notes: Vec::new() },
        Err(e) => e.to_string(),
    };
    let found = candidates(raw);
    for candidate in found.in_order_of_trust() {
        for (value, unwrapped) in forms(&candidate.value) {
            match serde_json::from_value::<T>(value) {
                Ok(value) => {
                    let mut notes = found.notes(candidate);
                    notes.extend(unwrapped.map(str::to_owned));
                    return Reading { value: Some(value), stage: Stage::Recovered, notes };
                }
                Err(e) => why = e.to_string(),
            }
        }
    }
    if raw.trim().is_empty() {
        return Reading::no_decision("empty reply");
    }
    if found.list.is_empty() {
        return Reading::no_decision("no JSON in the reply");
    }
    Reading::no_decision(format!("no JSON of the expected form: {why}"))
}

/// Reads any JSON value, as [`read_json`]; objects are preferred over arrays.
pub fn read_value(raw: &str) -> Reading<Value> {
    if let Ok(value) = serde_json::from_str::<Value>(raw.trim())
        && !value.is_string()
    {
        return Reading { value: Some(value), stage: Stage::Strict, notes: Vec::new() };
    }
    let found = candidates(raw);
    if let Some(candidate) = found.in_order_of_trust().first() {
        return Reading {
            value: Some(candidate.value.clone()),
            stage: Stage::Recovered,
            notes: found.notes(candidate),
        };
    }
    match serde_json::from_str::<Value>(raw.trim()) {
        Ok(value) => Reading { value: Some(value), stage: Stage::Strict, notes: Vec::new() },
        Err(_) if raw.trim().is_empty() => Reading::no_decision("empty reply"),
        Err(_) => Reading::no_decision("no JSON in the reply"),
    }
}

/// The value itself, then what a wrapper holds: the only object of an array, or the only object among the fields.
fn forms(value: &Value) -> Vec<(Value, Option<&'static str>)> {
    let mut forms = vec![(value.clone(), None)];
    let inner: Vec<&Value> = match value {
        Value::Array(items) if items.len() == 1 => items.iter().collect(),
        Value::Object(fields) => fields.values().filter(|v| v.is_object()).collect(),
        _ => Vec::new(),
    };
    if let [one] = inner.as_slice() {
        forms.push(((*one).clone(), Some("taken out of a wrapper")));
    }
    forms
}

/// A value found in a reply.
#[derive(Debug, Clone)]
pub(super) struct Candidate {
    /// The value, mended.
    pub(super) value: Value,
    /// Whether its end was there.
    pub(super) complete: bool,
    /// Whether it ends within a string that is a value.
    pub(super) cut_value: bool,
    /// Where in the prose it stood.
    pub(super) at: usize,
    /// Repairs made.
    repairs: Vec<&'static str>,
}

/// What a reply holds.
#[derive(Debug, Clone, Default)]
pub(super) struct Found {
    /// Values in the order of the reply.
    pub(super) list: Vec<Candidate>,
    /// Whether thinking was left out.
    thinking: bool,
    /// What is neither a value nor thinking.
    pub(super) prose: String,
    /// All but thinking, JSON included.
    pub(super) spoken: String,
}

impl Found {
    /// The last complete value first, cut-off ones at the end.
    pub(super) fn in_order_of_trust(&self) -> Vec<&Candidate> {
        let (mut complete, mut cut): (Vec<_>, Vec<_>) = self.list.iter().rev().partition(|c| c.complete);
        complete.append(&mut cut);
        // Objects before arrays: a struct could be filled from an array too, in the order of its fields.
        complete.sort_by_key(|c| !c.value.is_object());
        complete
    }

    /// What had to be done to read this one.
    pub(super) fn notes(&self, candidate: &Candidate) -> Vec<String> {
        let mut notes: Vec<String> = candidate.repairs.iter().map(|r| (*r).to_owned()).collect();
        if self.thinking {
            notes.push("thinking left out".to_owned());
        }
        if !self.prose.trim().is_empty() {
            notes.push("words around the JSON left out".to_owned());
        }
        let objects = self.list.iter().filter(|c| c.value.is_object()).count();
        if objects > 1 {
            let which = if candidate.complete { "the last complete one that fits" } else { "one" };
            notes.push(format!("{objects} objects in the reply, {which} taken"));
        }
        if notes.is_empty() {
            notes.push("the value had to be converted".to_owned());
        }
        notes
    }
}

/// What opens the channel of thinking.
const ANALYSIS: &str = "<|channel|>analysis<|message|>";
/// Tags that hold thinking.
const THINKING: [&str; 4] = ["think", "thinking", "thought", "reasoning"];

/// Length of a thinking tag at the start of `text`: `(length, closing, name)`.
fn thinking_tag(text: &str) -> Option<(usize, bool, &'static str)> {
    let rest = text.strip_prefix('<')?;
    let (rest, closing) = rest.strip_prefix('/').map_or((rest, false), |r| (r, true));
    let end = rest.find('>').filter(|&n| n <= 20)?;
    let name = rest.get(..end)?.trim();
    let name = THINKING.iter().find(|t| t.eq_ignore_ascii_case(name))?;
    Some((text.len() - rest.len() + end + 1, closing, name))
}

/// All objects and arrays of a reply outside thinking, in order, mended where needed.
pub(super) fn candidates(raw: &str) -> Found {
    // A reply that is one JSON string holds the answer inside that string.
    if let Ok(Value::String(inner)) = serde_json::from_str::<Value>(raw.trim()) {
        let mut found = candidates_in(&inner);
        for c in &mut found.list {
            c.repairs.push("taken out of a JSON string");
        }
        return found;
    }
    let found = candidates_in(raw);
    if found.list.is_empty()
        && let Some((plain, how)) = unescaped(raw)
    {
        let mut mended = candidates_in(&plain);
        for c in &mut mended.list {
            c.repairs.push(how);
        }
        if !mended.list.is_empty() {
            return mended;
        }
    }
    found
}

/// A reply whose quotes came escaped: `{\"a\": 1}`, `{&quot;a&quot;: 1}`.
fn unescaped(raw: &str) -> Option<(String, &'static str)> {
    if raw.contains("\\\"") {
        return Some((raw.replace("\\\"", "\""), "escaped quotes read"));
    }
    if raw.contains("&quot;") || raw.contains("&#34;") {
        let plain =
            raw.replace("&quot;", "\"").replace("&#34;", "\"").replace("&#39;", "'").replace("&amp;", "&");
        return Some((plain, "HTML entities read"));
    }
    None
}

fn candidates_in(raw: &str) -> Found {
    let text = raw.trim_start_matches('\u{feff}');
    let mut found = Found::default();
    let mut pos = 0;
    let mut openings = 0;
    while let Some(rest) = text.get(pos..).filter(|r| !r.is_empty()) {
        if rest.starts_with(ANALYSIS) {
            // Models with channels think in one of their own, up to the next mark.
            found.thinking = true;
            pos += rest
                .get(ANALYSIS.len()..)
                .and_then(|r| r.find("<|"))
                .map_or(rest.len(), |n| ANALYSIS.len() + n);
            continue;
        }
        if let Some((length, closing, name)) = thinking_tag(rest) {
            found.thinking = true;
            if closing {
                // Chat templates often put the opening tag into the prompt; all before its end is thinking.
                found.list.clear();
                found.prose.clear();
                found.spoken.clear();
                pos += length;
            } else {
                pos += end_of_thinking(rest, length, name);
            }
            continue;
        }
        if rest.starts_with(['{', '[']) && openings < MAX_OPENINGS {
            openings += 1;
            if let Some((mut candidate, length)) = value_at(rest) {
                candidate.at = found.prose.len();
                found.list.push(candidate);
                found.spoken.push_str(rest.get(..length).unwrap_or_default());
                pos += length;
                continue;
            }
        }
        if let Some(c) = rest.chars().next() {
            found.prose.push(c);
            found.spoken.push(c);
            pos += c.len_utf8();
        }
    }
    if found.list.iter().all(|c| !c.value.is_object()) && !found.thinking {
        // The opening brace may have been part of the prompt.
        let start = text.trim_start();
        if start.starts_with(['"', '“', '\''])
            && let Some((mut candidate, _)) = value_at(&format!("{{{start}"))
        {
            candidate.repairs.push("opening brace added");
            found.prose.clear();
            candidate.at = 0;
            found.list.push(candidate);
        }
    }
    found
}

/// Bytes of a thinking block that starts with a tag of `length` bytes; all of `rest` if it is never closed.
fn end_of_thinking(rest: &str, length: usize, name: &str) -> usize {
    let close = format!("</{name}>");
    let lower = rest.to_ascii_lowercase();
    // Blocks can be nested when the model quotes the tag; the last closing one before the answer counts.
    lower.get(length..).and_then(|body| body.find(&close)).map_or(rest.len(), |at| length + at + close.len())
}

/// The value at the start of `text` and its length in bytes.
fn value_at(text: &str) -> Option<(Candidate, usize)> {
    let mut stream = serde_json::Deserializer::from_str(text).into_iter::<Value>();
    if let Some(Ok(value)) = stream.next() {
        return Some((
            Candidate { value, complete: true, cut_value: false, at: 0, repairs: Vec::new() },
            stream.byte_offset(),
        ));
    }
    let mut mender = Mender { text, pos: 0, cut: false, cut_value: false, repairs: Vec::new() };
    let value = mender.value(0, false)?;
    let empty = match &value {
        Value::Object(m) => m.is_empty(),
        Value::Array(a) => a.is_empty(),
        _ => true,
    };
    if empty {
        return None;
    }
    if mender.cut {
        mender.note("cut off: what was open has been closed");
    }
    let Mender { cut, cut_value, repairs, pos, .. } = mender;
    Some((Candidate { value, complete: !cut, cut_value, at: 0, repairs }, pos))
}

/// A forgiving JSON parser.
struct Mender<'a> {
    text: &'a str,
    pos: usize,
    cut: bool,
    cut_value: bool,
    repairs: Vec<&'static str>,
}

/// Marks that open a string, and those that can close it.
fn closers(open: char) -> Option<&'static [char]> {
    match open {
        '"' => Some(&['"']),
        '“' | '”' | '„' | '＂' => Some(&['”', '“', '"', '＂']),
        '\'' => Some(&['\'']),
        '‘' | '’' => Some(&['’', '‘', '\'']),
        _ => None,
    }
}

fn is_colon(c: char) -> bool {
    matches!(c, ':' | '：')
}

fn is_comma(c: char) -> bool {
    matches!(c, ',' | '，' | ';' | '；')
}

impl<'a> Mender<'a> {
    fn rest(&self) -> &'a str {
        self.text.get(self.pos..).unwrap_or_default()
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn bump(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.pos += c.len_utf8();
        Some(c)
    }

    fn note(&mut self, repair: &'static str) {
        if !self.repairs.contains(&repair) {
            self.repairs.push(repair);
        }
    }

    /// Passes white space and comments.
    fn space(&mut self) {
        loop {
            let rest = self.rest();
            let trimmed = rest.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
            self.pos += rest.len() - trimmed.len();
            if trimmed.starts_with("//") {
                self.pos += trimmed.find('\n').unwrap_or(trimmed.len());
            } else if trimmed.starts_with("/*") {
                self.pos += trimmed.find("*/").map_or(trimmed.len(), |n| n + 2);
            } else {
                return;
            }
            self.note("comments left out");
        }
    }

    fn value(&mut self, depth: usize, bare: bool) -> Option<Value> {
        if depth > MAX_DEPTH {
            return None;
        }
        self.space();
        match self.peek()? {
            '{' => self.object(depth),
            '[' => self.array(depth),
            c if closers(c).is_some() => {
                let value = self.string(!bare).map(Value::String);
                self.cut_value |= self.cut;
                value
            }
            _ => self.bare(bare),
        }
    }

    fn object(&mut self, depth: usize) -> Option<Value> {
        self.bump();
        let mut fields = Map::new();
        let mut separated = true;
        loop {
            self.space();
            match self.peek() {
                None => {
                    self.cut = true;
                    return Some(Value::Object(fields));
                }
                Some('}') => {
                    self.bump();
                    return Some(Value::Object(fields));
                }
                Some(c) if is_comma(c) => {
                    separated = true;
                    self.bump();
                    self.space();
                    if c != ',' || matches!(self.peek(), Some('}' | ',')) {
                        self.note("commas mended");
                    }
                    continue;
                }
                // The end of another level closes this one.
                Some(']') if depth > 0 => {
                    self.note("a missing brace added");
                    return Some(Value::Object(fields));
                }
                Some(_) => {}
            }
            if !separated {
                self.note("a missing comma added");
            }
            let key = self.key()?;
            self.space();
            match self.peek() {
                None => {
                    self.cut = true;
                    return Some(Value::Object(fields));
                }
                Some(c) if is_colon(c) => {
                    if c != ':' {
                        self.note("full-width punctuation read");
                    }
                    self.bump();
                }
                // Python writes no `=`, but small models do.
                Some('=') => {
                    self.bump();
                    self.note("`=` read as `:`");
                }
                Some(_) => return None,
            }
            self.space();
            match self.peek() {
                None => {
                    self.cut = true;
                    return Some(Value::Object(fields));
                }
                Some(c) if c == '}' || is_comma(c) => {
                    self.note("a key without a value left out");
                    continue;
                }
                Some(_) => {}
            }
            let start = self.pos;
            match self.value(depth + 1, true) {
                Some(value) => {
                    fields.insert(key, value);
                    separated = false;
                }
                None if self.cut => {
                    // A number or word at the very end may be half of one: it is not an answer.
                    self.pos = self.text.len();
                    return Some(Value::Object(fields));
                }
                None => {
                    self.pos = start;
                    return None;
                }
            }
        }
    }

    fn array(&mut self, depth: usize) -> Option<Value> {
        self.bump();
        let mut items = Vec::new();
        loop {
            self.space();
            match self.peek() {
                None => {
                    self.cut = true;
                    return Some(Value::Array(items));
                }
                Some(']') => {
                    self.bump();
                    return Some(Value::Array(items));
                }
                Some(c) if is_comma(c) => {
                    self.bump();
                    self.space();
                    if c != ',' || matches!(self.peek(), Some(']' | ',')) {
                        self.note("commas mended");
                    }
                    continue;
                }
                Some('}') if depth > 0 => {
                    self.note("a missing bracket added");
                    return Some(Value::Array(items));
                }
                Some(_) => {}
            }
            match self.value(depth + 1, false) {
                Some(value) => items.push(value),
                None if self.cut => {
                    self.pos = self.text.len();
                    return Some(Value::Array(items));
                }
                None => return None,
            }
        }
    }

    fn key(&mut self) -> Option<String> {
        let c = self.peek()?;
        if closers(c).is_some() {
            return self.string(true);
        }
        let rest = self.rest();
        let length =
            rest.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '-')).unwrap_or(rest.len());
        if length == 0 || length > KEY_WINDOW {
            return None;
        }
        let key = rest.get(..length)?.to_owned();
        self.pos += length;
        self.note("unquoted keys read");
        Some(key)
    }

    /// A string whose opening mark is next. `list` is true where another plain value, not a key, may follow a comma.
    fn string(&mut self, list: bool) -> Option<String> {
        let open = self.bump()?;
        let close = closers(open)?;
        if open != '"' {
            self.note(if open.is_ascii() { "single quotes read" } else { "typographic quotes read" });
        }
        let mut out = String::new();
        loop {
            let Some(c) = self.bump() else {
                self.cut = true;
                return Some(out);
            };
            if c == '\\' {
                self.escape(&mut out);
            } else if close.contains(&c) {
                if self.closes(list) {
                    return Some(out);
                }
                self.note("unescaped quotes kept");
                out.push(c);
            } else {
                if c.is_control() {
                    self.note("raw line breaks in a string kept");
                }
                out.push(c);
            }
        }
    }

    fn escape(&mut self, out: &mut String) {
        let Some(c) = self.bump() else {
            self.cut = true;
            return;
        };
        match c {
            'n' => out.push('\n'),
            't' => out.push('\t'),
            'r' => out.push('\r'),
            'b' => out.push('\u{8}'),
            'f' => out.push('\u{c}'),
            '"' | '\\' | '/' | '\'' | '“' | '”' => out.push(c),
            'u' => match self.unicode() {
                Some(c) => out.push(c),
                None => {
                    self.note("a broken escape left out");
                }
            },
            other => {
                self.note("a backslash that escapes nothing kept");
                out.push('\\');
                out.push(other);
            }
        }
    }

    fn hex4(&mut self) -> Option<u32> {
        let digits = self.rest().get(..4).filter(|d| d.bytes().all(|b| b.is_ascii_hexdigit()))?;
        let n = u32::from_str_radix(digits, 16).ok()?;
        self.pos += 4;
        Some(n)
    }

    fn unicode(&mut self) -> Option<char> {
        let high = self.hex4()?;
        if (0xD800..0xDC00).contains(&high) {
            self.rest().strip_prefix("\\u")?;
            self.pos += 2;
            let low = self.hex4()?;
            let joined = 0x10000 + ((high - 0xD800) << 10) + low.checked_sub(0xDC00)?;
            return char::from_u32(joined);
        }
        char::from_u32(high)
    }

    /// Whether the quote just passed ends its string, judged by what follows it.
    fn closes(&self, list: bool) -> bool {
        let next = self.rest().trim_start();
        let Some(c) = next.chars().next() else { return true };
        if c == '}' || c == ']' || is_colon(c) || c == '=' {
            return true;
        }
        if next.starts_with("//") || next.starts_with("/*") {
            return true;
        }
        if is_comma(c) {
            let after = next.trim_start_matches(|c: char| is_comma(c) || c.is_whitespace());
            return match after.chars().next() {
                None | Some('}' | ']') => true,
                Some('/') if after.starts_with("//") || after.starts_with("/*") => true,
                Some(q) if list && (closers(q).is_some() || q == '{' || q == '[') => true,
                Some(q) if list && (q.is_ascii_digit() || q == '-') => true,
                _ => starts_with_key(after) || cut_key(after),
            };
        }
        // A comma may be missing between two fields.
        starts_with_key(next)
    }

    /// A number or a word without quotes; words only where `bare` allows them.
    fn bare(&mut self, bare: bool) -> Option<Value> {
        let rest = self.rest();
        let length = rest
            .find(|c: char| is_comma(c) || matches!(c, '}' | ']' | '{' | '[' | '\n' | '"' | ':'))
            .unwrap_or(rest.len());
        let length =
            rest.get(..length)?.find("//").or_else(|| rest.get(..length)?.find("/*")).unwrap_or(length);
        let token = rest.get(..length)?.trim();
        if token.is_empty() || token.chars().count() > KEY_WINDOW {
            return None;
        }
        if length == rest.len() {
            self.cut = true;
            return None;
        }
        let value = match token {
            "true" | "True" | "TRUE" => Value::Bool(true),
            "false" | "False" | "FALSE" => Value::Bool(false),
            "null" | "None" | "undefined" | "NaN" | "nil" => Value::Null,
            _ => match number(token) {
                Some(n) => Value::Number(n),
                None if bare && starts_like_a_word(token) => {
                    self.note("a word without quotes read");
                    Value::String(token.to_owned())
                }
                None => return None,
            },
        };
        self.pos += length;
        // `NO"`: the opening quote is missing.
        if value.is_string()
            && let Some(after) = self.rest().strip_prefix('"')
            && after.trim_start().starts_with(|c: char| is_comma(c) || matches!(c, '}' | ']'))
        {
            self.pos += 1;
            self.note("a missing quote added");
        }
        Some(value)
    }
}

fn starts_like_a_word(token: &str) -> bool {
    // `85%` and `3 years` are kept as words too: whoever asked knows what to make of them.
    token.chars().next().is_some_and(char::is_alphanumeric)
}

fn number(token: &str) -> Option<Number> {
    if let Ok(n) = serde_json::from_str::<Number>(token) {
        return Some(n);
    }
    let plain = token.strip_prefix('+').unwrap_or(token);
    if plain.is_empty() || !plain.bytes().all(|b| b.is_ascii_digit() || b == b'.') {
        return None;
    }
    if let Ok(n) = plain.parse::<u64>() {
        return Some(n.into());
    }
    plain.parse::<f64>().ok().and_then(Number::from_f64)
}

/// Whether the text ends within a key or right after it.
fn cut_key(text: &str) -> bool {
    if text.len() > 4 * KEY_WINDOW {
        return false;
    }
    let Some(close) = text.chars().next().and_then(closers) else { return false };
    let body = text.get(text.chars().next().map_or(0, char::len_utf8)..).unwrap_or_default().trim_end();
    let body = body.strip_suffix(close).unwrap_or(body);
    body.len() <= KEY_WINDOW && body.chars().all(|c| c.is_alphanumeric() || c == '_')
}

/// Whether a key and its colon come next.
fn starts_with_key(text: &str) -> bool {
    let mut chars = text.chars();
    let Some(first) = chars.next() else { return false };
    if let Some(close) = closers(first) {
        let mut window = chars.take(KEY_WINDOW);
        let mut rest = window.by_ref().skip_while(|c| !close.contains(c) && *c != '\n');
        if !rest.next().is_some_and(|c| close.contains(&c)) {
            return false;
        }
        return rest.find(|c| !c.is_whitespace()).is_some_and(is_colon);
    }
    if !(first.is_alphabetic() || first == '_') {
        return false;
    }
    chars
        .take(KEY_WINDOW)
        .skip_while(|c| c.is_alphanumeric() || *c == '_')
        .find(|c| !c.is_whitespace())
        .is_some_and(is_colon)
}
