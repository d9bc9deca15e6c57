//! The day from which a document says that it is in force.

use jiff::civil::Date;

const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

/// The first day in force, with where that is from.
pub(super) fn in_force_from(words: &str, title: &str) -> Option<(Date, String)> {
    let commencement = [
        r"(?i)com(?:e|es|ing)\s+into\s+(?:force|operation|effect)\s+(?:on|from)\s+(?:the\s+)?(?P<d>\d{1,2})(?:st|nd|rd|th)?\s+(?:day\s+of\s+)?(?P<m>[A-Za-z]+),?\s+(?P<y>\d{4})",
        r"(?i)com(?:e|es|ing)\s+into\s+(?:force|operation|effect)\s+(?:on|from)\s+(?P<m>[A-Za-z]+)\s+(?P<d>\d{1,2}),?\s+(?P<y>\d{4})",
        r"(?i)(?:takes?|take)\s+effect\s+(?:on|from)\s+(?:the\s+)?(?P<d>\d{1,2})(?:st|nd|rd|th)?\s+(?:day\s+of\s+)?(?P<m>[A-Za-z]+),?\s+(?P<y>\d{4})",
        r"自\s*(?P<y>\d{4})\s*年\s*(?P<m>\d{1,2})\s*月\s*(?P<d>\d{1,2})\s*日\s*起\s*(?:施行|实施|生效)",
        r"tritt\s+am\s+(?P<d>\d{1,2})\.\s*(?P<m>[A-Za-zä]+)\s+(?P<y>\d{4})\s+in\s+Kraft",
        r"(?i)entre(?:ra)?\s+en\s+vigueur\s+le\s+(?P<d>\d{1,2})(?:er)?\s+(?P<m>[a-zéû]+)\s+(?P<y>\d{4})",
        r"(?i)entrará\s+en\s+vigor\s+el\s+(?P<d>\d{1,2})\s+de\s+(?P<m>[a-z]+)\s+de(?:l)?\s+(?P<y>\d{4})",
        r"(?P<d>[0-9०-९]{1,2})\s+(?P<m>[\p{Devanagari}]+),?\s+(?P<y>[0-9०-९]{4})\s+(?:से|को)\s+(?:प्रवृत्त|लागू)",
        r"시행\s*(?P<y>\d{4})\.\s*(?P<m>\d{1,2})\.\s*(?P<d>\d{1,2})\.",
        r"(?P<y>\d{4})년\s*(?P<m>\d{1,2})월\s*(?P<d>\d{1,2})일\s*부터\s*시행",
        r"(?P<y>\d{4})年\s*(?P<m>\d{1,2})月\s*(?P<d>\d{1,2})日\s*から\s*施行",
    ];
    let month = |name: &str| -> Option<i8> {
        if let Ok(n) = name.parse::<i8>() {
            return Some(n);
        }
        const OTHERS: [(&str, i8); 46] = [
            ("enero", 1),
            ("febrero", 2),
            ("marzo", 3),
            ("abril", 4),
            ("mayo", 5),
            ("junio", 6),
            ("julio", 7),
            ("agosto", 8),
            ("septiembre", 9),
            ("octubre", 10),
            ("noviembre", 11),
            ("diciembre", 12),
            ("जनवरी", 1),
            ("फरवरी", 2),
            ("मार्च", 3),
            ("अप्रैल", 4),
            ("मई", 5),
            ("जून", 6),
            ("जुलाई", 7),
            ("अगस्त", 8),
            ("सितंबर", 9),
            ("अक्टूबर", 10),
            ("नवंबर", 11),
            ("दिसंबर", 12),
            ("januar", 1),
            ("februar", 2),
            ("märz", 3),
            ("mai", 5),
            ("juni", 6),
            ("juli", 7),
            ("oktober", 10),
            ("dezember", 12),
            ("janvier", 1),
            ("février", 2),
            ("mars", 3),
            ("avril", 4),
            ("juin", 6),
            ("juillet", 7),
            ("août", 8),
            ("septembre", 9),
            ("octobre", 10),
            ("novembre", 11),
            ("décembre", 12),
            ("november", 11),
            ("september", 9),
            ("august", 8),
        ];
        let name = name.to_lowercase();
        let place = MONTHS.iter().position(|m| *m == name).and_then(|i| i8::try_from(i + 1).ok());
        place.or_else(|| OTHERS.iter().find(|o| o.0 == name).map(|o| o.1))
    };
    let flat = words.split_whitespace().collect::<Vec<_>>().join(" ");
    for pattern in commencement {
        let Ok(regex) = regex::Regex::new(pattern) else { continue };
        for found in regex.captures_iter(&flat) {
            let get = |name: &str| found.name(name).map(|m| m.as_str());
            let (Some(d), Some(m), Some(y)) = (get("d"), get("m"), get("y")) else { continue };
            let (d, y) = (ascii_digits(d), ascii_digits(y));
            let date = month(m).and_then(|m| Date::new(y.parse().ok()?, m, d.parse().ok()?).ok());
            if let Some(date) = date {
                let said = found.get(0).map_or("", |m| m.as_str());
                return Some((date, format!("the document says: “{said}”")));
            }
        }
    }
    let years = regex::Regex::new(r"\b(1[5-9]\d{2}|20\d{2})\b").ok()?;
    let year = years.find_iter(title).last()?.as_str().parse().ok()?;
    let date = Date::new(year, 1, 1).ok()?;
    Some((date, "assumed from the year in its title: say it with --in-force-from".into()))
}

/// Devanagari digits as Arabic ones.
fn ascii_digits(text: &str) -> String {
    let digit = |c: char| match c {
        '०'..='९' => char::from_digit(u32::from(c) - u32::from('०'), 10).unwrap_or(c),
        c => c,
    };
    text.chars().map(digit).collect()
}
