//! What a reply repeats of the question before it answers, written so that only the answer is left.

use std::sync::LazyLock;

use regex::{Captures, Regex};

use crate::read::pattern;

macro_rules! yes {
    () => {
        r"(?:yes\b|y\b|是)"
    };
}
macro_rules! no {
    () => {
        r"(?:no\b|n\b|否)"
    };
}

/// The text without the options of the form, `(YES/NO)`, "YES or NO?", `[ ] YES [x] NO`, and with its lines joined where
/// a sentence goes on.
pub(super) fn answered(text: &str) -> String {
    static IN_BRACKETS: LazyLock<Regex> = LazyLock::new(|| {
        pattern(concat!(
            r#"(?i)[(（\[<【「{]\s*["“'‘]?"#,
            yes!(),
            r#"["”'’]?\s*(?:/|\||or\b|或者?|,|，|、)\s*["“'‘]?"#,
            no!(),
            r#"["”'’]?\s*[)）\]>】」}]"#
        ))
    });
    static ASKED: LazyLock<Regex> = LazyLock::new(|| {
        pattern(concat!(
            r"(?i)[,，]?\s*(?:\b(?:either|answer(?:\s+with)?)\s+)?",
            yes!(),
            r"\s*(?:/|\||or\b|或者?)\s*",
            no!(),
            r"\s*[?？]"
        ))
    });
    static HEADING: LazyLock<Regex> = LazyLock::new(|| {
        pattern(concat!(
            r"(?im)(?:^[ \t]*(?:answer\s+)?|请?回答)",
            yes!(),
            r"\s*(?:/|\||or\b|或者?)\s*",
            no!(),
            r"\s*[:：]"
        ))
    });
    static TEMPLATE: LazyLock<Regex> = LazyLock::new(|| {
        pattern(concat!(
            r"(?im)^[^\w\n]*(?:(?:final\s+)?(?:prediction|verdict|answer|label|decision)|预测|答案|回答)[^\w\n]*[:：=][^\w\n]*",
            yes!(),
            r"\s*(?:/|\||or\b|或者?)\s*",
            no!(),
            r"[^\w\n]*$|^[^\w\n]*(?:confidence|置信度)[^\w\n]*[:：=][^\w\n]*0\s*%?\s*(?:-|–|to|至|到)\s*100\s*%?[^\w\n]*$|^[^\w\n]*(?:options?|labels?|choices?|选项)\s*[:：][^\n]*$"
        ))
    });
    static TICKED: LazyLock<Regex> = LazyLock::new(|| {
        pattern(r"(?i)(?:\[\s*[x✓✔]\s*\]|\(\s*[x✓✔]\s*\)|☑|☒|✅|✔|■)\s*(?P<label>(?:yes|no)\b|是|否)")
    });
    static UNTICKED: LazyLock<Regex> =
        LazyLock::new(|| pattern(r"(?i)(?:\[\s*\]|\(\s*\)|☐|□)\s*(?:(?:yes|no)\b|是|否)"));
    static DIALOGUE: LazyLock<Regex> =
        LazyLock::new(|| pattern(r"(?m)^[ \t]*Q\s*[:：][^\n]*\n+[ \t]*A\s*[:：]"));
    let text = if UNTICKED.is_match(text) {
        let text = UNTICKED.replace_all(text, "");
        TICKED
            .replace_all(&text, |c: &Captures<'_>| {
                format!("\nAnswer: {}\n", c.name("label").map_or("", |m| m.as_str()))
            })
            .into_owned()
    } else {
        text.to_owned()
    };
    let text = IN_BRACKETS.replace_all(&text, "");
    let text = TEMPLATE.replace_all(&text, "");
    let text = HEADING.replace_all(&text, "\nAnswer: ");
    let text = ASKED.replace_all(&text, "?");
    let text = DIALOGUE.replace_all(&text, "\nAnswer:");
    joined_lines(&text)
}

/// Lines of one sentence as one line: "… is not\nYES".
fn joined_lines(text: &str) -> String {
    static FIELD: LazyLock<Regex> = LazyLock::new(|| {
        pattern(r"(?i)^(?:[\w ]{1,30}[:：=]|confiden|reason|because\b|yes\b|no\b|prediction|answer|verdict)")
    });
    static OPEN: LazyLock<Regex> =
        LazyLock::new(|| pattern(r"(?i)(?:\b(?:not|never|is|be|cannot|the|that|no\s+longer)|n't)\s*$"));
    let mut out = String::with_capacity(text.len());
    let mut last = "";
    for (i, line) in text.lines().enumerate() {
        let next = line.trim_start();
        let goes_on = (last.trim_end().ends_with(|c: char| c.is_ascii_lowercase() || c == ',')
            && last.trim().contains(' ')
            && next.starts_with(|c: char| c.is_ascii_lowercase())
            && !FIELD.is_match(next))
            || (OPEN.is_match(last) && !next.is_empty());
        if i > 0 {
            out.push(if goes_on { ' ' } else { '\n' });
        }
        out.push_str(if goes_on { next } else { line });
        last = line;
    }
    out
}
