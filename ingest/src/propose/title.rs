//! What a document calls itself, and under which names it is cited.

use std::path::Path;

use nyaya_corpora::Manifest;
use nyaya_corpora::manifest::Format;

use crate::read::{self, Body, Document};
use crate::structure::numerals;

/// Words in the titles of laws.
const LAWS: [&str; 30] = [
    "act",
    "code",
    "law",
    "ordinance",
    "constitution",
    "regulation",
    "regulations",
    "rules",
    "statute",
    "bill",
    "charter",
    "decree",
    "法",
    "条例",
    "规定",
    "办法",
    "अधिनियम",
    "संहिता",
    "संविधान",
    "नियम",
    "gesetz",
    "verordnung",
    "ordnung",
    "loi",
    "décret",
    "ley",
    "lei",
    "legge",
    "sanhita",
    "adhiniyam",
];

/// The first line that names a law, before the first provision; else the name of the file.
pub(super) fn title_of(document: &Document, path: &Path) -> String {
    let stem = || path.file_stem().and_then(|n| n.to_str()).unwrap_or("statute").replace(['_', '-'], " ");
    if document.format == Format::Akn
        && let Some(title) = read::akn::title(path)
    {
        return title;
    }
    let lines = match &document.body {
        Body::Lines(lines) => lines,
        Body::Held(held) => return held.title.clone(),
        Body::Rows(_) => return title_in_data(path).unwrap_or_else(stem),
    };
    let tidy = |text: &str| {
        text.trim_matches(|c: char| c.is_whitespace() || matches!(c, '#' | '*' | '_' | '\u{3000}')).to_owned()
    };
    let front: Vec<String> = lines.iter().take(60).map(|l| tidy(&l.text)).filter(|t| !t.is_empty()).collect();
    let names_law = |text: &str| {
        let lower = text.to_lowercase();
        let words: Vec<&str> =
            lower.split(|c: char| !c.is_alphanumeric() && !('\u{0900}'..='\u{097F}').contains(&c)).collect();
        LAWS.iter().any(|law| {
            if law.chars().all(|c| ('\u{4E00}'..='\u{9FFF}').contains(&c)) {
                lower.trim_end_matches(['》', '）']).ends_with(law)
            } else {
                words.iter().any(|w| w == law || (law.len() > 4 && w.ends_with(law)))
            }
        })
    };
    let good = |text: &&String| {
        let count = text.chars().count();
        let han = text.chars().all(|c| ('\u{4E00}'..='\u{9FFF}').contains(&c));
        (4..=140).contains(&count.max(if han && count >= 2 { 4 } else { 0 }))
            && names_law(text)
            && !text.starts_with(['(', '（'])
            && !text.ends_with([';', ',', ':', '。', '；'])
            && numerals::article_head(text).is_none()
            && !numerals::is_titled(text)
            && !text.starts_with(|c: char| c.is_ascii_digit())
            && !text.to_lowercase().starts_with("an act to")
    };
    // Front matter of Markdown says it.
    if document.format == Format::Markdown
        && let Some(title) = front_matter(path)
    {
        return capital(&title);
    }
    match front.iter().find(good) {
        Some(title) => capital(title.trim_end_matches('.')),
        None => front
            .iter()
            .find(|t| {
                t.chars().count() >= 4
                    && t.chars().count() <= 100
                    && t.chars().any(char::is_alphabetic)
                    && !numerals::is_titled(t)
            })
            .map_or_else(stem, |t| capital(t)),
    }
}

/// How many lines may stand before the title of a law.
const FRONT: usize = 40;

/// The title that a document gives itself, if it is one of a law and none of this law's names stands before its first
/// provision: another law's text.
pub(crate) fn of_another_law(document: &Document, manifest: &Manifest) -> Option<String> {
    let Body::Lines(lines) = &document.body else { return None };
    let front: Vec<&str> = lines
        .iter()
        .map(|l| l.text.trim_matches(|c: char| c.is_whitespace() || "#*_《》".contains(c)))
        .filter(|t| !t.is_empty())
        .take(FRONT)
        .take_while(|t| numerals::article_head(t).is_none() && !t.starts_with(|c: char| c.is_ascii_digit()))
        .collect();
    let title = front.iter().find(|t| is_a_title(t))?;
    let folded =
        |text: &str| -> String { text.to_lowercase().chars().filter(|c| c.is_alphanumeric()).collect() };
    let (front, title_folded) = (folded(&front.concat()), folded(title));
    let names = manifest.names.values().flatten().chain(manifest.title.values());
    let own =
        names.map(|n| folded(n)).any(|n| !n.is_empty() && (front.contains(&n) || n.contains(&title_folded)));
    (!own).then(|| (*title).to_owned())
}

/// `The Kite Act, 1990`, `KITE CODE`, 风筝管理条例: capitals throughout, and the word for a law at the end.
pub(super) fn is_a_title(text: &str) -> bool {
    let text = text.trim_end_matches(|c: char| c.is_ascii_digit() || " ,.()（）".contains(c));
    let last = text.rsplit(|c: char| c.is_whitespace()).next().unwrap_or_default().to_lowercase();
    if !(4..=100).contains(&text.chars().count()) {
        return false;
    }
    if text.chars().all(|c| ('\u{4E00}'..='\u{9FFF}').contains(&c)) {
        return text.chars().count() <= 30 && LAWS.iter().any(|law| !law.is_ascii() && text.ends_with(law));
    }
    let words: Vec<&str> = text.split_whitespace().collect();
    let capital = |w: &str| w.len() <= 3 || w.chars().any(char::is_uppercase);
    (2..=14).contains(&words.len()) && LAWS.contains(&last.as_str()) && words.iter().all(|w| capital(w))
}

/// `title:` in the front matter of a Markdown file.
fn front_matter(path: &Path) -> Option<String> {
    let text = std::fs::read_to_string(path).ok()?;
    let mut lines = text.trim_start_matches('\u{FEFF}').lines();
    if lines.next()?.trim_end() != "---" {
        return None;
    }
    let title = lines.take_while(|l| l.trim_end() != "---").find_map(|l| l.strip_prefix("title:"))?;
    let title = title.trim().trim_matches(['"', '\'']).trim();
    ((4..=200).contains(&title.chars().count())).then(|| title.to_owned())
}

/// The title that JSON gives itself.
fn title_in_data(path: &Path) -> Option<String> {
    let text = std::fs::read_to_string(path).ok()?;
    let text = text.trim_start_matches('\u{FEFF}');
    let rows = || {
        let lines = text.lines().filter(|l| !l.trim().is_empty());
        lines.map(|l| serde_json::from_str(l).ok()).collect::<Option<Vec<serde_json::Value>>>()
    };
    let value = serde_json::from_str(text).ok().or_else(|| rows().map(serde_json::Value::Array))?;
    read::records::title(&value).map(|t| capital(t.trim_end_matches('.')))
}

/// A title in capitals as people write it in a sentence.
fn capital(title: &str) -> String {
    if title.chars().any(char::is_lowercase) || !title.chars().any(char::is_uppercase) {
        return title.to_owned();
    }
    const SMALL: [&str; 9] = ["of", "and", "the", "to", "for", "in", "on", "or", "by"];
    let words: Vec<String> = title
        .to_lowercase()
        .split(' ')
        .enumerate()
        .map(|(i, word)| {
            // An abbreviation in brackets stays as it is.
            if let Some(own) = title.split(' ').nth(i).filter(|w| {
                let inside = w.strip_prefix(['(', '（']).and_then(|w| w.strip_suffix([')', '）']));
                i > 1 && inside.is_some_and(|s| is_abbreviation(s) && made_of(s, title))
            }) {
                return own.to_owned();
            }
            if i > 0 && SMALL.contains(&word) {
                return word.to_owned();
            }
            let first = word.find(char::is_alphabetic).unwrap_or(0);
            let (marks, rest) = word.split_at_checked(first).unwrap_or(("", word));
            let mut chars = rest.chars();
            let capital: String =
                chars.next().map_or_else(String::new, |c| c.to_uppercase().chain(chars).collect());
            format!("{marks}{capital}")
        })
        .collect();
    words.join(" ")
}

/// `RLPA`, `SchSG`: a short name that is no word.
fn is_abbreviation(text: &str) -> bool {
    let capitals = text.chars().filter(|c| c.is_uppercase()).count();
    (2..=10).contains(&text.chars().count())
        && capitals >= 2
        && text.chars().all(char::is_alphabetic)
        // `(PROTECTION)` in a title in capitals is a word: abbreviations are short, or have small letters in them.
        && (text.len() <= 6 || text.chars().any(char::is_lowercase))
}

/// Whether the letters of a short name begin words of the title, in this order.
fn made_of(short: &str, title: &str) -> bool {
    let mut letters = short.chars().flat_map(char::to_lowercase).peekable();
    for initial in title.split(|c: char| !c.is_alphanumeric()).filter_map(|w| w.chars().next()) {
        letters.next_if(|l| initial.to_lowercase().next() == Some(*l));
    }
    letters.next().is_none()
}

/// The abbreviation in brackets at the end of a title, and the title before it.
fn abbreviated(title: &str) -> Option<(&str, &str)> {
    let (full, inside) = title.trim_end().strip_suffix([')', '）'])?.rsplit_once(['(', '（'])?;
    let inside = inside.trim().trim_matches(['“', '”', '"', '‘', '’']);
    let full = full.trim_end().trim_end_matches(',');
    (is_abbreviation(inside) && full.chars().count() >= 2).then_some((full, inside))
}

/// Every form under which the title is cited, the longest first.
pub(super) fn names_of(title: &str) -> Vec<String> {
    if let Some((full, short)) = abbreviated(title) {
        let mut names = vec![title.to_owned()];
        names.extend(names_of(full));
        names.push(short.to_owned());
        return names;
    }
    let mut names = vec![title.to_owned()];
    let mut add = |name: &str| {
        let name = name.trim().trim_end_matches(',').trim();
        if name.chars().count() >= 2 && !names.iter().any(|n| n == name) {
            names.push(name.to_owned());
        }
    };
    let bare = title.trim_start_matches('《').trim_end_matches('》');
    add(bare);
    let bare = bare.strip_prefix("The ").or_else(|| bare.strip_prefix("the ")).unwrap_or(bare);
    add(bare);
    let without_year = bare
        .trim_end_matches([')', '）'])
        .trim_end_matches(|c: char| c.is_ascii_digit())
        .trim_end_matches(['(', '（', ' ']);
    if without_year.len() < bare.len() && bare.len() - without_year.len() >= 4 {
        add(without_year);
    }
    if let Some(short) = bare.strip_prefix("中华人民共和国") {
        add(short);
    }
    names
}

#[cfg(test)]
mod tests {
    use super::is_a_title;

    #[test]
    fn titles_of_laws_are_told_from_words_about_laws() {
        for title in ["THE HARBOUR LAMPS ORDINANCE, 1987", "The Kite Act (1990)", "风筝管理条例"] {
            assert!(is_a_title(title), "{title}");
        }
        for other in
            ["any person who by law", "Ministry of Law and Ships", "ACT NO. 4 OF 1987", "Law", "适用本条例。"]
        {
            assert!(!is_a_title(other), "{other}");
        }
    }
}
