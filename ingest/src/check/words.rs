//! What the words of a source say about it: commentary, cut sentences, letters that do not belong to the language.

use std::collections::{BTreeMap, HashMap, HashSet};

use nyaya_corpora::{Provision, Status, Unit};

/// Words with which people explain a law, and which no law uses of itself.
const COMMENTARY: [&str; 30] = [
    "in simple words",
    "in simple terms",
    "in other words",
    "in layman",
    "simply put",
    "this section means",
    "this section deals with",
    "this section explains",
    "this section says",
    "this section states that",
    "this article deals with",
    "this article means",
    "this article states that",
    "according to section",
    "according to article",
    "description of ipc",
    "explained with example",
    "key takeaways",
    "key points",
    "frequently asked",
    "faq",
    "for example,",
    "let us understand",
    "landmark judg",
    "case law",
    "click here",
    "read more",
    "disclaimer",
    "consult a lawyer",
    "overview:",
];

/// The same in Chinese.
const COMMENTARY_ZH: [&str; 12] = [
    "【解读】",
    "【释义】",
    "条文释义",
    "条文主旨",
    "本条是关于",
    "通俗地说",
    "简单来说",
    "简单地说",
    "律师提示",
    "典型案例",
    "司法解释：",
    "【案例",
];

/// Whether a language is written with accented Latin letters, so that they are no noise of a font.
pub(super) fn is_accented(language: &str) -> bool {
    const WITHOUT: [&str; 12] = ["en", "hi", "zh", "ja", "ko", "ru", "el", "mr", "ne", "sa", "bn", "ta"];
    let main = language.split('-').next().unwrap_or(language);
    !WITHOUT.contains(&main)
}

/// Provisions in which a law is explained instead of given.
pub(super) fn commentary(provisions: &[Provision]) -> Vec<&Unit> {
    provisions
        .iter()
        .filter(|p| {
            let lower = p.text.to_lowercase();
            COMMENTARY.iter().any(|c| lower.contains(c)) || COMMENTARY_ZH.iter().any(|c| lower.contains(c))
        })
        .map(|p| &p.id.unit)
        .collect()
}

/// Lines that stand in a good part of the provisions but for a number (`Section 12 explained`): the frame of a web
/// page, not law. With in how many they stand.
pub(super) fn frames(provisions: &[Provision]) -> Vec<(String, usize)> {
    let mut counts: HashMap<String, usize> = HashMap::new();
    for provision in provisions.iter().filter(|p| p.status == Status::InForce) {
        let lines: HashSet<String> = provision
            .text
            .lines()
            .map(|l| {
                l.split(|c: char| !c.is_alphanumeric())
                    .filter(|w| !w.is_empty() && !w.bytes().any(|b| b.is_ascii_digit()))
                    .collect::<Vec<_>>()
                    .join(" ")
            })
            .filter(|l| l.split(' ').count() >= 3)
            .collect();
        for line in lines {
            *counts.entry(line).or_default() += 1;
        }
    }
    let enough = (provisions.len() / 5).max(8);
    let mut frames: Vec<(String, usize)> = counts.into_iter().filter(|(_, n)| *n >= enough).collect();
    frames.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
    frames
}

/// Provisions that end in the middle of a sentence.
pub(super) fn cut(provisions: &[Provision]) -> Vec<&Provision> {
    const ENDS: [char; 27] = [
        '.', ';', ':', '—', '–', '-', '”', '"', '’', '\'', ')', ']', '*', '。', '；', '：', '》', '）', '!',
        '?', '…', ',', '।', '|', '»', '“', '，',
    ];
    provisions
        .iter()
        .filter(|p| {
            p.id.unit.is_numbered_provision()
                && p.status == Status::InForce
                && !p.text.is_empty()
                && !p.text.trim_end().ends_with(ENDS)
        })
        .collect()
}

/// Provisions whose words promise a list and give none: "the following:—" at the end.
pub(super) fn unfulfilled(provisions: &[Provision]) -> Vec<&Unit> {
    provisions
        .iter()
        .filter(|p| p.id.unit.is_numbered_provision() && p.status == Status::InForce)
        .filter(|p| {
            let end = p.text.trim_end().trim_end_matches(['—', '–', '-', ' ']);
            let last: String = end.chars().rev().take(40).collect::<Vec<_>>().into_iter().rev().collect();
            let last = last.to_lowercase();
            end.ends_with([':', '：'])
                || p.text.trim_end().ends_with('—')
                || [
                    "namely",
                    "as follows",
                    "the following",
                    " are",
                    " is",
                    " the",
                    " of",
                    " shall",
                    " and",
                    " or",
                ]
                .iter()
                .any(|w| last.ends_with(w))
        })
        .map(|p| &p.id.unit)
        .collect()
}

/// Provisions that hold the same words as another one: rows that carry a neighbour's text.
pub(super) fn twins(provisions: &[Provision]) -> Vec<(&Unit, &Unit)> {
    let mut seen: HashMap<String, &Unit> = HashMap::new();
    let mut twins = Vec::new();
    for provision in provisions.iter().filter(|p| p.status == Status::InForce) {
        let essence = crate::structure::essence(&provision.text);
        if essence.chars().count() < 80 {
            continue;
        }
        match seen.get(&essence) {
            Some(first) if **first != provision.id.unit => twins.push((*first, &provision.id.unit)),
            Some(_) => {}
            None => {
                seen.insert(essence, &provision.id.unit);
            }
        }
    }
    twins
}

/// The script most letters of a language are in.
fn belongs(c: char, language: &str) -> bool {
    match language.split('-').next().unwrap_or_default() {
        "zh" => matches!(c, '\u{2E80}'..='\u{9FFF}' | '\u{20000}'..='\u{3FFFF}'),
        "ja" => matches!(c, '\u{2E80}'..='\u{9FFF}'),
        "hi" | "mr" | "ne" | "sa" => matches!(c, '\u{0900}'..='\u{097F}'),
        "ru" | "uk" | "bg" | "sr" => matches!(c, '\u{0400}'..='\u{04FF}'),
        "el" => matches!(c, '\u{0370}'..='\u{03FF}'),
        "ar" | "fa" | "ur" => matches!(c, '\u{0600}'..='\u{06FF}'),
        "en" => c.is_ascii_alphabetic(),
        _ => c.is_ascii_alphabetic() || matches!(c, '\u{00C0}'..='\u{024F}'),
    }
}

/// Letters of a text, and those of another script than the language's. Words in Roman letters stand in texts of any
/// language.
pub(super) fn foreign(text: &str, language: &str) -> (usize, usize) {
    let (mut all, mut foreign) = (0, 0);
    for c in text.chars().filter(|c| c.is_alphabetic()) {
        all += 1;
        foreign += usize::from(!belongs(c, language));
    }
    (all, foreign)
}

/// Han letters that the standard for Chinese text does not have and that stand in the source a few times: as a rule a
/// font's or a scanner's mistakes. With how often, and the first provision.
pub(super) fn rare_han(provisions: &[Provision]) -> Vec<(char, usize, &Unit)> {
    let mut rare: BTreeMap<char, (usize, &Unit)> = BTreeMap::new();
    for provision in provisions {
        for c in provision.text.chars().filter(|c| matches!(c, '\u{3400}'..='\u{9FFF}')) {
            let mut one = [0; 4];
            let (bytes, _, lost) = encoding_rs::GBK.encode(c.encode_utf8(&mut one));
            // GB 2312 is the part of GBK with both bytes high.
            let standard = !lost && matches!(&*bytes, [0xB0..=0xF7, 0xA1..=0xFE]);
            if !standard {
                rare.entry(c).or_insert((0, &provision.id.unit)).0 += 1;
            }
        }
    }
    rare.into_iter().map(|(c, (n, unit))| (c, n, unit)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use nyaya_corpora::{Number, ProvisionId, SourceRef};

    fn provisions(texts: &[&str]) -> Vec<Provision> {
        (1..)
            .zip(texts)
            .map(|(n, text)| Provision {
                id: ProvisionId::new("xx/kite-act".parse().unwrap(), Unit::Section(Number::plain(n))),
                heading: None,
                breadcrumb: vec![],
                text: (*text).into(),
                status: Status::InForce,
                in_force_from: None,
                in_force_until: None,
                struck_down: None,
                annotations: vec![],
                pinpoints: vec![],
                source: SourceRef { file_sha256: String::new(), page: None, offset: None },
            })
            .collect()
    }

    #[test]
    fn words_tell_commentary_cuts_and_twins() {
        let long = "Whoever flies a kite over a road, without the leave of the warden of that road, shall be warned by the warden.";
        let list = provisions(&[
            "A kite flies.",
            "IPC 2 in simple words: do not fly kites.",
            "Whoever flies a kite shall be",
            "The wardens may, namely:—",
            long,
            long,
        ]);
        assert_eq!(commentary(&list).len(), 1);
        assert_eq!(cut(&list).len(), 1);
        assert_eq!(unfulfilled(&list).len(), 1);
        assert_eq!(twins(&list).len(), 1);
        let page: Vec<String> =
            (0..40).map(|n| format!("Section {n} Punishment Explained Here\nWords {n}.")).collect();
        let page: Vec<&str> = page.iter().map(String::as_str).collect();
        assert_eq!(frames(&provisions(&page))[0].1, 40);
    }

    #[test]
    fn letters_of_another_script_are_counted() {
        assert_eq!(foreign("法律 and", "zh"), (5, 3));
        assert_eq!(foreign("law für", "en"), (6, 1));
        let list = provisions(&["设臵的规定"]);
        assert_eq!(rare_han(&list), [('臵', 1, &Unit::Section(Number::plain(1)))]);
    }
}
