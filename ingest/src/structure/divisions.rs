//! Lines that divide an act: books, parts, titles, chapters, in the languages that statutes are found in.

use super::numerals;
use super::pages::BodyLine;
use super::titles::unbold;
use super::words::plain_start;

/// Where a heading of a group of sections stands: below every division.
pub(super) const GROUP: usize = 9;

/// A line that divides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Division {
    /// How far inside: 0 for a book, larger for what stands in it.
    pub level: usize,
    /// `PART II`, `2. Kapitel`.
    pub name: String,
    /// What stands behind the name on the same line.
    pub title: String,
    /// The look of the line alone says so. Otherwise it must stand by itself: `Part II of this Act` is text.
    sure: bool,
}

/// Words before a number, in lower case, with their level. English ones are shown in capitals, as acts print them.
const WORDS: [(&str, usize); 46] = [
    ("book", 0),
    ("buch", 0),
    ("livre", 0),
    ("libro", 0),
    ("livro", 0),
    ("part", 1),
    ("partie", 1),
    ("parte", 1),
    ("teil", 1),
    ("भाग", 1),
    ("часть", 1),
    ("del", 1),
    ("title", 2),
    ("titre", 2),
    ("título", 2),
    ("titulo", 2),
    ("titolo", 2),
    ("раздел", 2),
    ("order", 2),
    ("chapter", 3),
    ("chapitre", 3),
    ("kapitel", 3),
    ("kapittel", 3),
    ("hauptstück", 3),
    ("capítulo", 3),
    ("capitulo", 3),
    ("capitolo", 3),
    ("capo", 3),
    ("hoofdstuk", 3),
    ("अध्याय", 3),
    ("глава", 3),
    ("розділ", 3),
    ("rozdział", 3),
    ("bab", 3),
    ("division", 4),
    ("abschnitt", 4),
    ("subpart", 4),
    ("subchapter", 4),
    ("subdivision", 5),
    ("sección", 5),
    ("seccion", 5),
    ("sezione", 5),
    ("seção", 5),
    ("titel", 5),
    ("unterabschnitt", 6),
    ("untertitel", 6),
];

/// Words that are common outside of titles: a number must be Roman or in figures, and capitals or a separator follow.
const COMMON: [&str; 4] = ["title", "order", "del", "bab"];

/// Numbers in words, behind the word or before it (`Titre premier`, `Erster Abschnitt`).
const ORDINALS: [&str; 40] = [
    "premier",
    "première",
    "ier",
    "ire",
    "preliminar",
    "préliminaire",
    "preliminary",
    "primero",
    "primera",
    "segundo",
    "segunda",
    "tercero",
    "tercera",
    "único",
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "one",
    "two",
    "three",
    "four",
    "five",
    "erster",
    "erstes",
    "zweiter",
    "zweites",
    "dritter",
    "drittes",
    "vierter",
    "viertes",
    "fünfter",
    "fünftes",
    "sechster",
    "sechstes",
    "siebter",
    "siebtes",
    "achter",
    "achtes",
];

/// The word at the start of a text that names a kind of division: its length and level.
fn word(text: &str) -> Option<(usize, usize, &'static str)> {
    let end = text.find(|c: char| !is_letter(c)).unwrap_or(text.len());
    let found = text.get(..end)?;
    // Most lines begin with no such word; the first letter rules them out.
    let first = found.chars().next().filter(|c| !c.is_lowercase())?.to_lowercase().next()?;
    if !WORDS.iter().any(|(w, _)| w.starts_with(first)) {
        return None;
    }
    let lower = found.to_lowercase();
    WORDS.iter().find(|(w, _)| *w == lower).map(|(w, level)| (end, *level, *w))
}

/// Some printings leave the space out: `CHAPTERIV`. `PARTIES` is no part.
fn glued(text: &str) -> Option<(usize, usize, &'static str)> {
    let (used, level, kind) = [("PART", 1, "part"), ("CHAPTER", 3, "chapter")]
        .into_iter()
        .find_map(|(word, level, kind)| text.starts_with(word).then_some((word.len(), level, kind)))?;
    let rest = text.get(used..)?;
    let end = rest.find(|c: char| !is_letter(c)).unwrap_or(rest.len());
    numerals::is_roman(rest.get(..end)?).then_some((used, level, kind))
}

/// Letters, and the vowel signs of Devanagari.
fn is_letter(c: char) -> bool {
    c.is_alphabetic() || ('\u{0900}'..='\u{0963}').contains(&c)
}

/// The number of a division at the start of a text: its length in bytes.
fn numeral(text: &str, common: bool) -> Option<usize> {
    let end = text
        .find(|c: char| !(is_letter(c) || c.is_ascii_digit() || ('०'..='९').contains(&c)))
        .unwrap_or(text.len());
    let token = text.get(..end).filter(|t| !t.is_empty())?;
    if let Some((_, used)) = numerals::figure(token) {
        let rest = token.get(used..)?;
        let lettered = rest.len() <= 2 && rest.bytes().all(|b| b.is_ascii_uppercase());
        let ordinal = ["er", "re", "º", "ª", "e"].contains(&rest);
        return (used <= 9 && (lettered || ordinal)).then_some(end);
    }
    let capitals = token.bytes().all(|b| b.is_ascii_uppercase());
    if capitals && token.len() <= 9 {
        // IX, IXA, and A, B, C.
        let roman = token.trim_end_matches(|c: char| !matches!(c, 'I' | 'V' | 'X' | 'L' | 'C'));
        if numerals::is_roman(token)
            || (numerals::is_roman(roman) && token.len() - roman.len() <= 2)
            || (token.len() == 1 && !common)
        {
            return Some(end);
        }
    }
    let lower = token.to_lowercase();
    (!common && ORDINALS.contains(&lower.as_str())).then_some(end)
}

/// `2. Kapitel`, `Zweites Kapitel`: the number before the word; byte at which the title begins, with the level.
fn number_first(text: &str) -> Option<(usize, usize)> {
    let end = text.find(' ')?;
    let (first, rest) = text.split_at_checked(end)?;
    let figure = first.strip_suffix('.').filter(|n| n.len() <= 3 && n.bytes().all(|b| b.is_ascii_digit()));
    if figure.is_none()
        && !(first.starts_with(|c: char| c.is_uppercase())
            && ORDINALS.iter().any(|o| o.len() == first.len() && *o == first.to_lowercase()))
    {
        return None;
    }
    let rest = rest.trim_start();
    let (used, level, kind) = word(rest)?;
    let german =
        ["buch", "teil", "kapitel", "hauptstück", "abschnitt", "titel", "unterabschnitt"].contains(&kind);
    (german || figure.is_none() && !COMMON.contains(&kind)).then_some((text.len() - rest.len() + used, level))
}

/// Whether a line divides and has its number before the word: `2. Kapitel`.
pub(super) fn begins_with_number(text: &str) -> bool {
    number_first(text).is_some()
}

/// Reads a line as one that divides, whether it stands by itself or not.
pub(super) fn read(text: &str) -> Option<Division> {
    let marked = text.trim_start().starts_with('#');
    let plain = unbold(plain_start(text.trim_start_matches(['#', ' '])).trim_end());
    if plain.len() > 300 {
        return None;
    }
    if let Some((at, level)) = number_first(plain) {
        let (name, tail) = plain.split_at_checked(at)?;
        let title = clean(tail);
        let alone = title.is_empty() || tail.starts_with([':', '.', '—', '–', '-', ',']);
        return opens(&title).then(|| Division { level, name: name.to_owned(), title, sure: alone });
    }
    let (used, level, kind) = word(plain).or_else(|| glued(plain))?;
    let (name, behind) = plain.split_at_checked(used)?;
    let upper = name.chars().all(|c| !c.is_lowercase()) && name.is_ascii();
    let after = behind.trim_start();
    let common = COMMON.contains(&kind);
    let length = numeral(after, common)?;
    let (number, tail) = after.split_at_checked(length)?;
    let tail = tail.strip_prefix(')').unwrap_or(tail);
    let title = clean(tail);
    let spaced = tail.trim_start();
    let separated = spaced.is_empty() || spaced.starts_with(['.', '—', '–', '-', ':', ']']);
    let english = ["part", "chapter", "book"].contains(&kind);
    // In capitals and set off, any title will do: `PART VII.—[Repealed.]`, `CHAPTER II—of kites`.
    let plainly = upper && english && separated;
    if title.chars().count() > 120 || !(plainly || opens(&title)) || (common && !separated) {
        return None;
    }
    let name = if english { name.to_ascii_uppercase() } else { name.to_owned() };
    let sure = marked || plainly || (separated && title.is_empty() && english);
    Some(Division { level, name: format!("{name} {number}"), title, sure })
}

/// What stands between the name of a division and its title.
fn clean(tail: &str) -> String {
    tail.trim_start_matches(['.', '—', '–', '-', ':', ' ', ']', '\u{a0}', ',']).trim().to_owned()
}

/// A title begins with a capital, or in a script without them; a sentence goes on in lower case.
fn opens(title: &str) -> bool {
    title.chars().next().is_none_or(|c| !c.is_lowercase() && !matches!(c, '(' | ')' | ','))
        && !title.ends_with([';', ',', '।'])
}

/// Whether the look of the line alone says that it divides.
pub(super) fn is_division(text: &str) -> bool {
    read(text).is_some_and(|d| d.sure)
}

/// The division that line `at` is, by its look and by standing alone.
pub(super) fn division_at(body: &[BodyLine<'_>], at: usize) -> Option<Division> {
    let line = body.get(at)?;
    let found = read(line.text())?;
    if found.sure {
        return Some(found);
    }
    // On a page, only what is set in is a title.
    if line.line.at.is_some() {
        return (line.set_in() && found.title.is_empty()).then_some(found);
    }
    if line.heading() > 0 {
        return Some(found);
    }
    let begins = line.after_blank
        || at.checked_sub(1).and_then(|b| body.get(b)).is_none_or(|b| read(b.text()).is_some());
    let next = body.get(at + 1);
    let ends = next.is_none_or(|n| {
        n.after_blank
            || (found.title.is_empty() && !n.text().starts_with(|c: char| c.is_lowercase()))
            || super::heads::is_head(&n.line)
    });
    // A sentence that stands alone ends with a stop; "Title II. Organs" does not.
    let sentence = found.title.ends_with('.') && found.title.split(' ').count() > 6;
    (begins && ends && !sentence).then_some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(text: &str) -> Option<(usize, String, String)> {
        read(text).map(|d| (d.level, d.name, d.title))
    }

    #[test]
    fn divisions_in_many_languages() {
        for (text, level, name, title) in [
            ("CHAPTER IV", 3, "CHAPTER IV", ""),
            ("PART IXA—Of kites", 1, "PART IXA", "Of kites"),
            ("Part B: Fines", 1, "PART B", "Fines"),
            ("## Part 1 General", 1, "PART 1", "General"),
            ("अध्याय 2 दंड", 3, "अध्याय 2", "दंड"),
            ("Titre II : Sanctions", 2, "Titre II", "Sanctions"),
            ("TÍTULO II", 2, "TÍTULO II", ""),
            ("Abschnitt 2", 4, "Abschnitt 2", ""),
            ("2. Kapitel: Strafen", 3, "2. Kapitel", "Strafen"),
            ("Zweites Kapitel", 3, "Zweites Kapitel", ""),
            ("Title II. Organs", 2, "Title II", "Organs"),
            ("Division 2 Appeals", 4, "Division 2", "Appeals"),
            ("Subpart C", 4, "Subpart C", ""),
            ("Chapitre Ier", 3, "Chapitre Ier", ""),
            ("ORDER II", 2, "ORDER II", ""),
        ] {
            assert_eq!(parts(text), Some((level, name.to_owned(), title.to_owned())), "{text}");
        }
        for text in [
            "PARTIES",
            "PARTICULAR KITES",
            "CHAPTERS",
            "CHAPTERHOUSE RULES",
            "PARTNERSHIPS",
            "Part of the kite",
            "Part II of this Act applies to kites",
            "Title to a kite passes by delivery",
            "Order of the court",
            "2. Kites.",
            "Parteien",
        ] {
            assert_eq!(parts(text), None, "{text}");
        }
    }
}
