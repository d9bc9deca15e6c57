//! The language of a document, by its letters and its commonest words.

/// The language by script, and, for Latin letters, by its commonest words.
pub(super) fn language_of(words: &str) -> &'static str {
    let (mut latin, mut han, mut devanagari, mut cyrillic, mut greek) = (0, 0, 0, 0, 0);
    let (mut kana, mut hangul, mut simple, mut traditional) = (0, 0, 0, 0);
    for c in words.chars() {
        match c {
            '条' | '规' | '为' | '这' | '应' => simple += 1,
            '條' | '規' | '為' | '這' | '應' => traditional += 1,
            _ => {}
        }
        match c {
            '\u{3041}'..='\u{30FF}' => kana += 1,
            '\u{AC00}'..='\u{D7A3}' => hangul += 1,
            'a'..='z' | 'A'..='Z' | '\u{00C0}'..='\u{024F}' => latin += 1,
            '\u{4E00}'..='\u{9FFF}' => han += 1,
            '\u{0900}'..='\u{097F}' => devanagari += 1,
            '\u{0400}'..='\u{04FF}' => cyrillic += 1,
            '\u{0370}'..='\u{03FF}' => greek += 1,
            _ => {}
        }
    }
    // Japanese mixes Han with letters of its own.
    let han_name = if kana * 10 > han {
        "ja"
    } else if traditional > simple {
        "zh-Hant"
    } else {
        "zh"
    };
    // A word of Latin has some five letters, one of Han one or two.
    let most = [
        (latin, "latin"),
        (3 * han, han_name),
        (devanagari, "hi"),
        (cyrillic, "ru"),
        (greek, "el"),
        (2 * hangul, "ko"),
    ];
    match most.into_iter().max_by_key(|m| m.0) {
        Some((_, name)) if name != "latin" => name,
        _ => {
            const COMMON: [(&str, [&str; 8]); 6] = [
                ("en", ["the", "of", "and", "shall", "any", "or", "which", "by"]),
                ("de", ["der", "die", "und", "ist", "des", "wird", "oder", "nicht"]),
                ("fr", ["le", "les", "des", "est", "et", "la", "sont", "une"]),
                ("es", ["el", "los", "las", "del", "que", "por", "una", "será"]),
                ("pt", ["os", "da", "dos", "não", "uma", "será", "pela", "ao"]),
                ("it", ["il", "della", "gli", "che", "nel", "sono", "alla", "è"]),
            ];
            let lower = words.to_lowercase();
            let mut counts = [0_usize; 6];
            for word in lower.split(|c: char| !c.is_alphabetic()).take(40_000) {
                for (count, (_, list)) in counts.iter_mut().zip(COMMON) {
                    *count += usize::from(list.contains(&word));
                }
            }
            let best = counts.iter().zip(COMMON).max_by_key(|(n, _)| **n);
            best.filter(|(n, _)| **n > 0).map_or("en", |(_, (name, _))| name)
        }
    }
}
