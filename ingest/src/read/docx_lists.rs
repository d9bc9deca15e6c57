//! What a Word document keeps outside of its text: which styles are headings, and the numbers that Word writes itself.

use std::collections::HashMap;

use quick_xml::events::{BytesStart, Event};

/// The most levels a list has.
const LEVELS: usize = 9;

/// Headings and lists of a document.
#[derive(Debug, Default)]
pub(super) struct Lists {
    styles: HashMap<String, Style>,
    /// Lists by their number in the text.
    lists: HashMap<String, List>,
    /// How far each list has counted, by its abstract list.
    counts: HashMap<String, [Option<u32>; LEVELS]>,
}

#[derive(Debug, Default, Clone)]
struct Style {
    heading: u8,
    based_on: Option<String>,
    list: Option<String>,
    level: Option<usize>,
}

#[derive(Debug, Default, Clone)]
struct List {
    abstract_id: String,
    levels: Vec<Level>,
}

#[derive(Debug, Default, Clone)]
struct Level {
    start: u32,
    format: String,
    /// `%1.`, `(%2)`.
    text: String,
}

/// The value of an attribute, by its local name.
fn attribute(tag: &BytesStart<'_>, name: &[u8]) -> Option<String> {
    let found = tag.attributes().flatten().find(|a| a.key.local_name().as_ref() == name)?;
    found.unescape_value().ok().map(std::borrow::Cow::into_owned)
}

impl Lists {
    /// Reads the parts with styles and lists; what cannot be read is as if it were not there.
    pub fn read(styles: Option<&str>, numbering: Option<&str>) -> Self {
        let mut lists = Self::default();
        if let Some(xml) = styles {
            lists.read_styles(xml);
        }
        if let Some(xml) = numbering {
            lists.read_numbering(xml);
        }
        lists
    }

    fn read_styles(&mut self, xml: &str) {
        let mut reader = quick_xml::Reader::from_str(xml);
        let mut current: Option<(String, Style)> = None;
        while let Ok(event) = reader.read_event() {
            match event {
                Event::Eof => break,
                Event::Start(tag) | Event::Empty(tag) => match tag.local_name().as_ref() {
                    b"style" => {
                        current = attribute(&tag, b"styleId").map(|id| (id, Style::default()));
                    }
                    b"name" => {
                        if let (Some((_, style)), Some(name)) = (&mut current, attribute(&tag, b"val")) {
                            let lower = name.to_lowercase();
                            style.heading = match lower.strip_prefix("heading ") {
                                Some(level) => level.parse().unwrap_or(0),
                                None => u8::from(lower == "title"),
                            };
                        }
                    }
                    b"basedOn" => {
                        if let Some((_, style)) = &mut current {
                            style.based_on = attribute(&tag, b"val");
                        }
                    }
                    b"numId" => {
                        if let Some((_, style)) = &mut current {
                            style.list = attribute(&tag, b"val");
                        }
                    }
                    b"ilvl" => {
                        if let Some((_, style)) = &mut current {
                            style.level = attribute(&tag, b"val").and_then(|v| v.parse().ok());
                        }
                    }
                    _ => {}
                },
                Event::End(tag) if tag.local_name().as_ref() == b"style" => {
                    if let Some((id, style)) = current.take() {
                        self.styles.insert(id, style);
                    }
                }
                _ => {}
            }
        }
    }

    fn read_numbering(&mut self, xml: &str) {
        let mut reader = quick_xml::Reader::from_str(xml);
        let mut abstracts: HashMap<String, Vec<Level>> = HashMap::new();
        let (mut outer, mut list, mut level) = (String::new(), String::new(), 0_usize);
        while let Ok(event) = reader.read_event() {
            match event {
                Event::Eof => break,
                Event::Start(tag) | Event::Empty(tag) => {
                    let value = attribute(&tag, b"val");
                    let levels = abstracts.get_mut(&outer).filter(|_| list.is_empty());
                    match tag.local_name().as_ref() {
                        b"abstractNum" => {
                            outer = attribute(&tag, b"abstractNumId").unwrap_or_default();
                            list.clear();
                            abstracts
                                .insert(outer.clone(), vec![Level { start: 1, ..Level::default() }; LEVELS]);
                        }
                        b"num" => list = attribute(&tag, b"numId").unwrap_or_default(),
                        b"abstractNumId" if !list.is_empty() => {
                            let abstract_id = value.unwrap_or_default();
                            let levels = abstracts.get(&abstract_id).cloned().unwrap_or_default();
                            self.lists.insert(list.clone(), List { abstract_id, levels });
                        }
                        b"lvlOverride" | b"lvl" => {
                            level = attribute(&tag, b"ilvl").and_then(|v| v.parse().ok()).unwrap_or(0);
                        }
                        b"startOverride" => {
                            if let Some(own) = self.lists.get_mut(&list) {
                                if let Some(slot) = own.levels.get_mut(level) {
                                    slot.start = value.and_then(|v| v.parse().ok()).unwrap_or(1);
                                }
                                // A list that starts anew counts for itself.
                                own.abstract_id = format!("{}/{list}", own.abstract_id);
                            }
                        }
                        name @ (b"start" | b"numFmt" | b"lvlText") => {
                            if let (Some(slot), Some(value)) = (levels.and_then(|l| l.get_mut(level)), value)
                            {
                                match name {
                                    b"start" => slot.start = value.parse().unwrap_or(1),
                                    b"numFmt" => slot.format = value,
                                    _ => slot.text = value,
                                }
                            }
                        }
                        _ => {}
                    }
                }
                _ => {}
            }
        }
    }

    /// A style and those it is based on, the nearest first.
    fn chain(&self, id: &str) -> impl Iterator<Item = &Style> {
        const MOST: usize = 12;
        let next = |style: &&Style| style.based_on.as_deref().and_then(|id| self.styles.get(id));
        std::iter::successors(self.styles.get(id), move |s| next(s)).take(MOST)
    }

    /// The rank of the heading that a style makes; 0 for text.
    pub fn heading(&self, style: &str) -> u8 {
        match self.chain(style).map(|s| s.heading).find(|h| *h > 0) {
            Some(rank) => rank,
            // Without styles, Word's own names.
            None => style
                .strip_prefix("Heading")
                .filter(|_| !self.styles.contains_key(style))
                .and_then(|n| n.parse().ok())
                .unwrap_or(0),
        }
    }

    /// The number that Word writes before the next paragraph of a list (`list` and `level` as the paragraph has them,
    /// else as its style does). Empty for bullets; `None` for paragraphs of no list.
    pub fn number(&mut self, style: &str, list: Option<&str>, level: Option<usize>) -> Option<String> {
        let of_style = self.chain(style).find(|s| s.list.is_some()).cloned();
        let list =
            list.map(str::to_owned).or_else(|| of_style.as_ref()?.list.clone()).filter(|l| l != "0")?;
        let level = level.or_else(|| of_style.as_ref()?.level).unwrap_or(0).min(LEVELS - 1);
        let list = self.lists.get(&list)?;
        let counts = self.counts.entry(list.abstract_id.clone()).or_insert([None; LEVELS]);
        for (i, count) in counts.iter_mut().enumerate() {
            let start = list.levels.get(i).map_or(1, |l| l.start);
            match i.cmp(&level) {
                std::cmp::Ordering::Less => *count = Some(count.unwrap_or(start)),
                std::cmp::Ordering::Equal => *count = Some(count.map_or(start, |n| n.saturating_add(1))),
                std::cmp::Ordering::Greater => *count = None,
            }
        }
        let own = list.levels.get(level)?;
        if own.format == "bullet" || own.format == "none" || own.text.is_empty() {
            return Some(String::new());
        }
        let mut text = own.text.clone();
        for (i, count) in counts.iter().enumerate().take(level + 1) {
            let format = list.levels.get(i).map_or("decimal", |l| l.format.as_str());
            text = text.replace(&format!("%{}", i + 1), &show(count.unwrap_or(1), format)?);
        }
        Some(text.trim().to_owned())
    }
}

/// A number in one of the ways that statutes count in.
fn show(n: u32, format: &str) -> Option<String> {
    let letter = |first: u8| -> Option<String> {
        let index = n.checked_sub(1)?;
        let letter = char::from(first + u8::try_from(index % 26).ok()?);
        Some(std::iter::repeat_n(letter, usize::try_from(index / 26 + 1).ok()?.min(9)).collect())
    };
    match format {
        "decimal" | "" | "decimalZero" => Some(n.to_string()),
        "lowerLetter" => letter(b'a'),
        "upperLetter" => letter(b'A'),
        "lowerRoman" => roman(n).map(|r| r.to_lowercase()),
        "upperRoman" => roman(n),
        "ordinal" => Some(format!("{n}.")),
        "chineseCounting"
        | "chineseCountingThousand"
        | "japaneseCounting"
        | "ideographTraditional"
        | "taiwaneseCountingThousand" => chinese(n),
        _ => None,
    }
}

fn roman(mut n: u32) -> Option<String> {
    if n == 0 || n > 3_999 {
        return None;
    }
    let mut out = String::new();
    for (value, letters) in [
        (1000, "M"),
        (900, "CM"),
        (500, "D"),
        (400, "CD"),
        (100, "C"),
        (90, "XC"),
        (50, "L"),
        (40, "XL"),
        (10, "X"),
        (9, "IX"),
        (5, "V"),
        (4, "IV"),
        (1, "I"),
    ] {
        while n >= value {
            out.push_str(letters);
            n -= value;
        }
    }
    Some(out)
}

/// `第%1条` counts 一, 二, … 十一 … 一百零一.
fn chinese(n: u32) -> Option<String> {
    const DIGITS: [&str; 10] = ["零", "一", "二", "三", "四", "五", "六", "七", "八", "九"];
    if n == 0 || n > 999 {
        return None;
    }
    let digit = |d: u32| usize::try_from(d).ok().and_then(|d| DIGITS.get(d)).copied().unwrap_or_default();
    let (hundreds, tens, ones) = (n / 100, n / 10 % 10, n % 10);
    let mut out = String::new();
    if hundreds > 0 {
        out.push_str(digit(hundreds));
        out.push('百');
    }
    if tens > 0 {
        if tens > 1 || hundreds > 0 {
            out.push_str(digit(tens));
        }
        out.push('十');
    } else if hundreds > 0 && ones > 0 {
        out.push('零');
    }
    if ones > 0 {
        out.push_str(digit(ones));
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_count_as_word_does() {
        let styles = r#"<w:styles xmlns:w="x"><w:style w:styleId="H"><w:name w:val="heading 2"/></w:style><w:style w:styleId="Own"><w:name w:val="Mine"/><w:basedOn w:val="H"/></w:style><w:style w:styleId="N"><w:name w:val="List Number"/><w:pPr><w:numPr><w:numId w:val="2"/></w:numPr></w:pPr></w:style></w:styles>"#;
        let numbering = r#"<w:numbering xmlns:w="x"><w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1."/></w:lvl><w:lvl w:ilvl="1"><w:start w:val="1"/><w:numFmt w:val="lowerLetter"/><w:lvlText w:val="(%2)"/></w:lvl></w:abstractNum><w:abstractNum w:abstractNumId="1"><w:lvl w:ilvl="0"><w:numFmt w:val="bullet"/><w:lvlText w:val="o"/></w:lvl></w:abstractNum><w:num w:numId="2"><w:abstractNumId w:val="0"/></w:num><w:num w:numId="3"><w:abstractNumId w:val="1"/></w:num></w:numbering>"#;
        let mut lists = Lists::read(Some(styles), Some(numbering));
        assert_eq!((lists.heading("Own"), lists.heading("N"), lists.heading("Heading3")), (2, 0, 3));
        let of_style = |lists: &mut Lists, level| lists.number("N", None, level);
        assert_eq!(of_style(&mut lists, None).as_deref(), Some("1."));
        assert_eq!(of_style(&mut lists, Some(1)).as_deref(), Some("(a)"));
        assert_eq!(of_style(&mut lists, Some(1)).as_deref(), Some("(b)"));
        assert_eq!(of_style(&mut lists, None).as_deref(), Some("2."));
        assert_eq!(of_style(&mut lists, Some(1)).as_deref(), Some("(a)"));
        assert_eq!(lists.number("x", Some("3"), None).as_deref(), Some(""));
        assert_eq!(lists.number("x", Some("9"), None), None);
        assert_eq!(
            (chinese(10), chinese(21), chinese(105), roman(14)),
            (Some("十".into()), Some("二十一".into()), Some("一百零五".into()), Some("XIV".into()))
        );
    }
}
