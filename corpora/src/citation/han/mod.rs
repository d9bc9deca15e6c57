//! Citations in Chinese.

use crate::id::{Number, Unit};
use crate::manifest::UnitName;

use super::latin::Act;
use super::lexicon::Lexicon;
use super::numerals::{digit, is_chinese_numeral, parse_chinese};
use super::{Context, Extracted, Unresolved};

/// Whether a character is Han.
pub(crate) fn is_han(c: char) -> bool {
    matches!(c, '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}' | '〇' | '\u{20000}'..='\u{2FA1F}')
}

/// Whether a text can hold a Chinese citation at all.
pub(crate) fn has_article(text: &str) -> bool {
    text.contains('条')
}

/// Last words of instruments; a number of an article behind one of them is that instrument's.
const INSTRUMENTS: &[&str] = &[
    "法",
    "法典",
    "条例",
    "规定",
    "办法",
    "解释",
    "细则",
    "规则",
    "决定",
    "通则",
    "规约",
    "公约",
    "章程",
    "合同",
    "协议",
    "通知",
    "意见",
    "批复",
    "纪要",
    "议定书",
    "修正案",
    "宪章",
    "标准",
    "准则",
    "合约",
    "契约",
    "条约",
    "协定",
    "约定",
    "制度",
    "守则",
    "公告",
    "命令",
    "指引",
    "答复",
    "草案",
    "声明",
    "总则编",
    "物权编",
    "合同编",
];

/// Words before 刑法 that make it another country's or another time's.
const FOREIGN: &[&str] = &[
    "日本",
    "德国",
    "法国",
    "美国",
    "英国",
    "韩国",
    "泰国",
    "俄国",
    "俄罗斯",
    "联邦",
    "台湾",
    "香港",
    "澳门",
    "意大利",
    "瑞士",
    "奥地利",
    "西班牙",
    "加拿大",
    "越南",
    "印度",
    "新加坡",
    "旧",
    "原",
    "老",
    "苏俄",
    "苏联",
    "军事",
    "国际",
    "民国",
    "地区",
    "清",
    "大清",
    "唐",
    "巴西",
    "荷兰",
    "瑞典",
    "朝鲜",
    "蒙古",
    "澳大利亚",
    "伪",
];

/// Between a name and its article.
const FILLERS: &[&str] = &[
    "》",
    "的",
    "之",
    "中",
    "里",
    "典",
    "总则",
    "分则",
    "附则",
    "，",
    ",",
    "、",
    "：",
    ":",
    "规定的",
    "”",
    "\"",
    "〉",
];

/// Whether the sentence that holds the scan names another instrument than the context's; found out once a sentence.
#[derive(Debug, Default)]
struct Sentence {
    known: Option<(usize, usize, bool)>,
}

impl Sentence {
    fn names_another(&mut self, han: &Han<'_>, from: usize, at: usize, own: usize) -> bool {
        if let Some((start, end, found)) = self.known.filter(|(start, end, _)| *start <= at && at < *end) {
            let _ = (start, end);
            return found;
        }
        const ENDS: [char; 4] = ['。', '！', '？', '\n'];
        let start = match self.known {
            // Sentences come in order: the next starts after the last.
            Some((_, end, _)) if end <= at => {
                han.text.get(end..at).and_then(|t| t.rfind(ENDS).map(|i| end + i)).unwrap_or(end)
            }
            _ => han.text.get(from..at).and_then(|t| t.rfind(ENDS).map(|i| from + i)).unwrap_or(from),
        };
        let end = han.rest(at).find(ENDS).map_or(han.to, |i| at + i + 1);
        let found = han.text.get(start..end).is_some_and(|t| names_another(t, Some(own), han.lexicon));
        self.known = Some((start, end, found));
        found
    }
}

struct Han<'a> {
    text: &'a str,
    to: usize,
    lexicon: &'a Lexicon,
    context: &'a Context,
}

#[derive(Clone)]
struct Article {
    act: Option<Act>,
    unit: Option<Unit>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Level {
    Paragraph,
    Item,
    Point,
}

impl Level {
    fn pin(self, n: u32) -> String {
        match self {
            Self::Paragraph => format!("p{n}"),
            Self::Item => format!("i{n}"),
            Self::Point => format!("m{n}"),
        }
    }

    fn depth(pin: &str) -> u8 {
        match pin.bytes().next() {
            Some(b'p') => 0,
            Some(b'i') => 1,
            _ => 2,
        }
    }

    fn rank(self) -> u8 {
        match self {
            Self::Paragraph => 0,
            Self::Item => 1,
            Self::Point => 2,
        }
    }
}

impl<'a> Han<'a> {
    fn rest(&self, at: usize) -> &'a str {
        self.text.get(at..self.to).unwrap_or_default()
    }

    fn ch(&self, at: usize) -> Option<char> {
        self.rest(at).chars().next()
    }

    fn skip_space(&self, at: usize) -> usize {
        let rest = self.rest(at);
        let blank = rest
            .chars()
            .take_while(|c| matches!(c, ' ' | '\u{3000}' | '\t' | '\r' | '\n'))
            .take(4)
            .map(char::len_utf8)
            .sum::<usize>();
        at + blank
    }

    /// A number in Chinese numerals or digits: value and end.
    fn number(&self, at: usize) -> Option<(u32, usize)> {
        let rest = self.rest(at);
        let first = rest.chars().next()?;
        if digit(first).is_some() {
            let (mut value, mut len, mut count) = (0u32, 0, 0);
            for c in rest.chars() {
                let Some(d) = digit(c) else { break };
                value = value.saturating_mul(10).saturating_add(d);
                len += c.len_utf8();
                count += 1;
            }
            return (value > 0 && count <= 4).then_some((value, at + len));
        }
        let mut len = 0;
        for (n, c) in rest.chars().enumerate() {
            if !is_chinese_numeral(c) {
                break;
            }
            if n >= 12 {
                return None;
            }
            len += c.len_utf8();
        }
        parse_chinese(rest.get(..len)?).map(|n| (n, at + len))
    }

    /// `第` or its usual slips.
    fn ordinal(&self, at: usize) -> Option<usize> {
        self.ch(at).filter(|c| matches!(c, '第' | '笫' | '弟')).map(|c| at + c.len_utf8())
    }

    /// A separator of a list.
    fn separator(&self, at: usize) -> Option<usize> {
        let at = self.skip_space(at);
        let rest = self.rest(at);
        for word in ["以及", "及其", "并", "、", "，", ",", "和", "及", "与", "或", "暨", "/", "；", ";"]
        {
            if rest.starts_with(word) {
                let mut end = at + word.len();
                // `、和`
                for more in ["以及", "和", "及", "与"] {
                    if self.rest(end).starts_with(more) {
                        end += more.len();
                        break;
                    }
                }
                return Some(self.skip_space(end));
            }
        }
        None
    }

    fn range(&self, at: usize) -> Option<usize> {
        let at = self.skip_space(at);
        let rest = self.rest(at);
        ["至", "到", "—", "－", "–", "-", "~", "～", "一直到"].iter().find(|w| rest.starts_with(**w)).map(
            |w| {
                let mut end = at + w.len();
                // ——
                if self.rest(end).starts_with('—') {
                    end += '—'.len_utf8();
                }
                self.skip_space(end)
            },
        )
    }

    /// `第一百三十三条之一`, `133条`, `第133之一条`: number and end. `bare`: 第 may be missing.
    fn article(&self, at: usize, bare: bool) -> Option<(Number, usize)> {
        let at = match self.ordinal(at) {
            Some(next) => self.skip_space(next),
            None if bare => at,
            None => return None,
        };
        let (base, end) = self.number(at)?;
        let end = self.skip_space(end);
        if let Some((sub, after)) = self.sub(end)
            && self.ch(after) == Some('条')
        {
            return Some((Number::with_sub(base, sub), after + '条'.len_utf8()));
        }
        // 第133-1条
        if matches!(self.ch(end), Some('-' | '－')) {
            let n = end + self.ch(end).map_or(1, char::len_utf8);
            if let Some((sub, after)) = self.number(n)
                && sub < base
                && self.ch(after) == Some('条')
            {
                return Some((Number::with_sub(base, sub), after + '条'.len_utf8()));
            }
        }
        if self.ch(end) != Some('条') {
            return None;
        }
        let end = end + '条'.len_utf8();
        match self.sub(end) {
            Some((sub, after)) => Some((Number::with_sub(base, sub), after)),
            None => Some((Number::plain(base), end)),
        }
    }

    /// `之一`.
    fn sub(&self, at: usize) -> Option<(u32, usize)> {
        let at = self.skip_space(at);
        let rest = self.rest(at);
        let next = rest.strip_prefix('之')?;
        let (n, end) = self.number(at + rest.len() - next.len())?;
        // 之一百 is no suffix; nor is 之二分之一.
        (n <= 99 && !self.rest(end).starts_with('分')).then_some((n, end))
    }

    /// One bracketed or plain number: `（一）`, `(3)`, `二`.
    fn label(&self, at: usize) -> Option<(u32, usize)> {
        match self.ch(at) {
            Some(c @ ('（' | '(' | '〔')) => {
                let (n, end) = self.number(self.skip_space(at + c.len_utf8()))?;
                let end = self.skip_space(end);
                let close = self.ch(end).filter(|c| matches!(c, '）' | ')' | '〕'))?;
                Some((n, end + close.len_utf8()))
            }
            _ => self.number(at),
        }
    }

    #[expect(clippy::type_complexity, reason = "numbers with their bytes, named in the comment")]
    /// `第一、四、七款`, `第（一）项、第（三）项` is two of these: numbers with their ends, level, end.
    fn group(&self, at: usize) -> Option<(Vec<(u32, usize, usize)>, Level, usize)> {
        let start = at;
        let mut at = self.skip_space(at);
        at = self.ordinal(at).map_or(at, |n| self.skip_space(n));
        let mut numbers = Vec::new();
        let mut begin = start;
        loop {
            let (n, end) = self.label(at)?;
            if n > 99 || numbers.len() > 60 {
                return None;
            }
            numbers.push((n, begin, end));
            at = self.skip_space(end);
            let level = match self.ch(at) {
                Some('款') => Some(Level::Paragraph),
                Some('项') => Some(Level::Item),
                Some('目') => Some(Level::Point),
                _ => None,
            };
            if let Some(level) = level {
                let end = at + '款'.len_utf8();
                if let Some(last) = numbers.last_mut() {
                    last.2 = end;
                }
                return Some((numbers, level, end));
            }
            if let Some(next) = self.range(at) {
                let next = self.ordinal(next).unwrap_or(next);
                let (to, _) = self.label(next)?;
                let from = n;
                if to <= from || to - from > 60 {
                    return None;
                }
                numbers.extend((from + 1..to).map(|n| (n, next, next)));
                begin = next;
                at = next;
                continue;
            }
            // `（一）（二）项` has no separator at all.
            begin = match self.separator(at) {
                Some(next) => self.ordinal(next).map_or(next, |n| self.skip_space(n)),
                None if matches!(self.ch(at), Some('（' | '(')) => at,
                None => return None,
            };
            at = begin;
        }
    }

    /// The places inside an article that follow at `at`: paths with their bytes, and the end.
    fn pins(&self, at: usize, first_start: usize) -> (Vec<(Vec<String>, usize, usize)>, usize) {
        let mut paths: Vec<(Vec<String>, usize, usize)> = Vec::new();
        let mut end = at;
        let mut at = at;
        loop {
            let direct = at == end;
            let Some((numbers, level, next)) = self.group(at) else { break };
            // `第一款第二项` goes on inside; `第一款、第三款` is a brother.
            let stem: Vec<String> = if direct {
                match paths.pop() {
                    Some((path, _, _)) if path.last().is_some_and(|p| Level::depth(p) < level.rank()) => path,
                    Some(other) => {
                        paths.push(other);
                        break;
                    }
                    None => Vec::new(),
                }
            } else {
                let last = paths.last().map(|(p, _, _)| p.clone()).unwrap_or_default();
                last.into_iter().take_while(|p| Level::depth(p) < level.rank()).collect()
            };
            for (n, from, to) in numbers {
                let mut path = stem.clone();
                path.push(level.pin(n));
                let from = if paths.is_empty() { first_start } else { from };
                paths.push((path, from, to));
            }
            end = next;
            // A range of places: 第一款至第三款.
            if let Some((path, _, _)) = paths.last().cloned()
                && let Some(next) = self.range(end)
                && let Some((numbers, l, after)) =
                    self.group(next).filter(|(n, l, _)| n.len() == 1 && *l == level)
            {
                let from =
                    path.last().and_then(|p| p.get(1..)).and_then(|n| n.parse::<u32>().ok()).unwrap_or(0);
                let to = numbers.first().map_or(0, |n| n.0);
                if to > from && to - from < 60 {
                    for n in from + 1..=to {
                        let mut p = path.clone();
                        p.pop();
                        p.push(l.pin(n));
                        paths.push((p, next, after));
                    }
                    end = after;
                }
            }
            at = if self.group(end).is_some() {
                end
            } else {
                match self.separator(end) {
                    Some(next) if self.group(next).is_some() => next,
                    _ => break,
                }
            };
            if paths.len() > 400 {
                break;
            }
        }
        (paths, end)
    }

    /// Whose article it is when its words stand at `start` and no name stands directly before.
    fn instrument_before(&self, from: usize, start: usize) -> bool {
        let before = self
            .text
            .get(from..start)
            .unwrap_or_default()
            .trim_end()
            .trim_end_matches(['》', '的', '之', '〉', '）', ')']);
        INSTRUMENTS.iter().any(|w| before.ends_with(w))
    }
}

/// The year that a bracketed or preceding qualifier gives: 1979年刑法.
fn old_year(before: &str, since: i16) -> bool {
    let before = before.trim_end_matches(['的', '《']);
    let head = before.strip_suffix('年').unwrap_or(before);
    let with_year = head.len() != before.len();
    let figures: String =
        head.chars().rev().take_while(|c| digit(*c).is_some() || is_chinese_numeral(*c)).collect();
    let figures: String = figures.chars().rev().collect();
    // 七九刑法: two figures without 年 name a year too; any other run of figures does not.
    if !with_year && figures.chars().count() != 2 {
        return false;
    }
    let value = figures
        .chars()
        .map(|c| digit(c).or_else(|| parse_chinese(&c.to_string())).or(matches!(c, '〇' | '零').then_some(0)))
        .try_fold(0u32, |n, d| d.map(|d| n.saturating_mul(10).saturating_add(d)));
    match value {
        Some(y @ 1900..=2100) => i16::try_from(y).is_ok_and(|y| y < since),
        // 79年刑法
        Some(y @ 50..=99) => i16::try_from(1900 + y).is_ok_and(|y| y < since),
        _ => false,
    }
}

/// Scans `text[from..to]` as one paragraph.
pub(crate) fn paragraph(
    text: &str,
    from: usize,
    to: usize,
    lexicon: &Lexicon,
    context: &Context,
    group: &mut usize,
    out: &mut Vec<Extracted>,
) {
    let han = Han { text, to, lexicon, context };
    let mut at = from;
    // The act of this sentence, and where its name ended.
    let mut act: Option<Act> = None;
    let mut act_start = usize::MAX;
    let mut act_end = usize::MAX;
    // The act of this paragraph, for 同法 and 该法.
    let mut last_act: Option<Act> = None;
    let mut last: Option<Article> = None;
    let mut sentence = Sentence::default();
    while let Some(c) = han.ch(at) {
        let next = at + c.len_utf8();
        if c.is_ascii_alphabetic() || c == ' ' {
            at = next;
            continue;
        }
        match c {
            '。' | '！' | '？' | '\n' => {
                act = None;
                act_end = usize::MAX;
                at = next;
            }
            '《' | '〈' => {
                let close = if c == '《' { '》' } else { '〉' };
                let inner = han.rest(next);
                let end = inner.char_indices().take(120).find(|(_, c)| *c == close).map(|(i, _)| i);
                let Some(end) = end else {
                    at = next;
                    continue;
                };
                let title = inner.get(..end).unwrap_or_default();
                let found = book(title, text.get(from..at).unwrap_or_default(), lexicon);
                act = Some(found);
                last_act = Some(found);
                act_start = at;
                act_end = next + end + close.len_utf8();
                // 《刑法》（2020年修正）; 《刑法》（1979年）
                if let Some(len) = edition_note(han.rest(act_end)) {
                    if let Act::Known(work) = found
                        && lexicon.work(work).is_some_and(|w| older_note(han.rest(act_end), w.since))
                    {
                        act = Some(Act::Other);
                        last_act = act;
                    }
                    act_end += len;
                }
                at = act_end;
                // 《刑法》232条
                if han.ch(at).is_some_and(|c| digit(c).is_some())
                    && let Some((n, article)) =
                        list(&han, from, at, act, act_start, act_end, &mut sentence, group, out)
                {
                    act_end = n;
                    act_start = usize::MAX;
                    last = Some(article);
                    at = n;
                }
            }
            '同' | '该' | '本' | '上' | '前' | '此' => {
                let rest = han.rest(at);
                let law = ["同法", "该法", "本法", "上述法律", "前述法律", "上述法", "此法"]
                    .iter()
                    .find(|w| rest.starts_with(**w));
                if let Some(word) = law {
                    let this = *word == "本法";
                    let found = if this {
                        context
                            .default_work
                            .as_ref()
                            .and_then(|w| lexicon.index(w))
                            .map_or(Act::Lost, Act::Known)
                    } else {
                        last_act.unwrap_or(Act::Lost)
                    };
                    act = Some(found);
                    act_start = at;
                    act_end = at + word.len();
                    at = act_end;
                    continue;
                }
                let article = ["该条", "同条", "本条", "上述条文", "此条", "该条文"]
                    .iter()
                    .find(|w| rest.starts_with(**w));
                // 该条例, 本条约 are instruments.
                let longer = ["条例", "条约", "条款", "条件"]
                    .iter()
                    .any(|w| rest.get(c.len_utf8()..).is_some_and(|r| r.starts_with(w)));
                if let Some(word) = article.filter(|_| !longer) {
                    let (paths, end) = han.pins(at + word.len(), at);
                    let this = *word == "本条";
                    if this && last.is_none() {
                        // 本条 without an antecedent is the article that holds the words.
                        at = end;
                        continue;
                    }
                    *group += 1;
                    emit(&han, last.clone(), paths, (at, end), None, *group, out);
                    at = end;
                    continue;
                }
                at = next;
            }
            '第' | '笫' | '弟' => {
                match list(&han, from, at, act, act_start, act_end, &mut sentence, group, out) {
                    Some((end, article)) => {
                        if article.act.is_some() {
                            act = article.act;
                            act_end = end;
                            act_start = usize::MAX;
                            if article.act != Some(Act::Lost) {
                                last_act = article.act;
                            }
                        }
                        last = Some(article);
                        at = end;
                    }
                    None => at = next,
                }
            }
            _ => {
                if let Some(name) = lexicon.han_name(han.rest(at)) {
                    let end = at + name.name.len();
                    let before = text.get(from..at).unwrap_or_default();
                    let tail = han.rest(end);
                    let found = classify(before, tail, name.work, lexicon);
                    act = Some(found);
                    last_act = Some(found);
                    act_start = at;
                    act_end = end;
                    if tail.starts_with("修正案") {
                        act_end += "修正案".len();
                        if let Some(len) = bracket(han.rest(act_end)) {
                            act_end += len;
                        }
                    } else if let Some(len) = edition_note(han.rest(act_end)) {
                        act_end += len;
                    }
                    at = act_end;
                    // 刑法232条
                    if let Some((n, article)) =
                        list(&han, from, at, act, act_start, act_end, &mut sentence, group, out)
                    {
                        act_end = n;
                        act_start = usize::MAX;
                        last = Some(article);
                        at = n;
                    }
                } else {
                    at = next;
                }
            }
        }
    }
}

/// `（2020年修正）`: its length.
fn edition_note(rest: &str) -> Option<usize> {
    let len = bracket(rest)?;
    let note = rest.get(..len)?;
    let year = note.chars().filter(|c| digit(*c).is_some()).count() == 4 && note.chars().count() == 6;
    (year || ["修正", "修订", "修改", "以下简称", "年"].iter().any(|w| note.contains(w))).then_some(len)
}

/// Whether a bracket at the start gives a year before the work began: （1979年）.
fn older_note(rest: &str, since: i16) -> bool {
    let note = bracket(rest).and_then(|len| rest.get(..len)).unwrap_or_default();
    let figures: Vec<u32> = note
        .chars()
        .skip(1)
        .map_while(|c| {
            digit(c).or(if c == '〇' { Some(0) } else { parse_chinese(c.encode_utf8(&mut [0; 4])) })
        })
        .collect();
    let year = figures.iter().fold(0u32, |n, d| n.saturating_mul(10).saturating_add(*d));
    figures.len() == 4 && (1900..2100).contains(&year) && i16::try_from(year).is_ok_and(|y| y < since)
}

/// The length of a bracket at the start, at most 40 characters.
fn bracket(rest: &str) -> Option<usize> {
    if !rest.starts_with(['（', '(']) {
        return None;
    }
    rest.char_indices().take(40).find(|(_, c)| matches!(c, '）' | ')')).map(|(i, c)| i + c.len_utf8())
}

/// What a title in 《》 is.
fn book(title: &str, before: &str, lexicon: &Lexicon) -> Act {
    let title = title.trim();
    let Some(name) = lexicon.han_name(title) else { return Act::Other };
    let rest = title.get(name.name.len()..).unwrap_or_default().trim();
    let rest = match edition_note(rest) {
        Some(len) => rest.get(len..).unwrap_or_default(),
        None => rest,
    };
    if !matches!(rest, "" | "总则" | "分则" | "典") {
        return Act::Other;
    }
    classify(before, rest, name.work, lexicon)
}

/// A known name between `before` and `tail`: the work, or another one of which it is a part.
fn classify(before: &str, tail: &str, work: usize, lexicon: &Lexicon) -> Act {
    let Some(here) = lexicon.work(work) else { return Act::Other };
    let head = before.trim_end_matches(['《', '〈', '“', '"', '「', '‘', ' ']);
    // 日本国刑法, 越南社会主义共和国刑法; the full name of the PRC's own starts before its 国.
    if head.ends_with('国') && !["我国", "中国", "全国"].iter().any(|w| head.ends_with(w)) {
        return Act::Other;
    }
    if FOREIGN.iter().any(|w| head.ends_with(w)) && !head.ends_with("我国") && !head.ends_with("中国") {
        return Act::Other;
    }
    if old_year(head, here.since) {
        return Act::Other;
    }
    let note = bracket(tail).and_then(|len| tail.get(..len)).unwrap_or_default();
    if older_note(note, here.since) {
        return Act::Other;
    }
    if ["草案", "征求意见", "修正案"].iter().any(|w| note.contains(w)) {
        return Act::Other;
    }
    let other =
        ["修正案", "草案", "司法解释", "学", "实施", "解释", "适用", "条例", "的解释", "立法解释", "规定》"];
    if other.iter().any(|w| tail.starts_with(w)) {
        return Act::Other;
    }
    Act::Known(work)
}

/// Whether the words name a statute by its last character, 法: not 方法, 司法, 法院.
fn ends_in_law(text: &str, at: usize) -> bool {
    const NOT_BEFORE: &[char] = &[
        '依', '方', '司', '违', '非', '合', '执', '守', '立', '手', '做', '看', '说', '用', '无', '办', '想',
        '书', '枉', '护', '犯', '不', '普', '学', '释', '变', '设', '此', '该', '本', '同', '语', '算', '语',
        '疗', '作',
    ];
    const NOT_AFTER: &[char] = &[
        '律', '院', '人', '定', '官', '医', '学', '理', '规', '庭', '治', '制', '则', '国', '警', '师', '令',
        '条', '益', '典', '务', '盲', '宝', '网',
    ];
    let before = text.get(..at).unwrap_or_default().chars().next_back();
    let after = text.get(at + '法'.len_utf8()..).unwrap_or_default().chars().next();
    before.is_some_and(|c| is_han(c) && !NOT_BEFORE.contains(&c))
        && after.is_none_or(|c| !NOT_AFTER.contains(&c))
}

/// Whether words between a name and an article, or around an article, name another instrument.
fn names_another(text: &str, own: Option<usize>, lexicon: &Lexicon) -> bool {
    let mut at = 0;
    while let Some(rest) = text.get(at..).filter(|r| !r.is_empty()) {
        let Some(c) = rest.chars().next() else { break };
        if matches!(c, '《') {
            let close = rest.find('》').unwrap_or(rest.len());
            let title = rest.get('《'.len_utf8()..close).unwrap_or_default();
            match book(title, text.get(..at).unwrap_or_default(), lexicon) {
                Act::Known(work) if Some(work) == own => {}
                _ => return true,
            }
            at += close.max(c.len_utf8());
            continue;
        }
        if let Some(name) = lexicon.han_name(rest) {
            if Some(name.work) != own {
                return true;
            }
            at += name.name.len();
            continue;
        }
        const ALWAYS: &[&str] =
            &["条例", "办法", "细则", "公约", "章程", "合同", "司法解释", "指导意见", "协议"];
        if ALWAYS.iter().any(|w| rest.starts_with(w)) || (c == '法' && ends_in_law(text, at)) {
            return true;
        }
        at += c.len_utf8();
    }
    false
}

/// A list of articles at `start`; its end, and the last article.
#[expect(clippy::too_many_arguments, reason = "the state of one scan, not worth a type")]
fn list(
    han: &Han<'_>,
    from: usize,
    start: usize,
    act: Option<Act>,
    act_start: usize,
    act_end: usize,
    sentence: &mut Sentence,
    group: &mut usize,
    out: &mut Vec<Extracted>,
) -> Option<(usize, Article)> {
    // Is the name directly before?
    let adjacent = act.is_some() && act_end != usize::MAX && act_end <= start && {
        let mut between = han.text.get(act_end..start).unwrap_or_default().trim();
        while let Some(rest) = FILLERS.iter().find_map(|f| between.strip_prefix(f)) {
            between = rest.trim_start();
        }
        between.is_empty()
    };
    let mut at = start;
    // `刑法232条`; `第352、347条`
    let first = match han.article(at, adjacent) {
        Some(found) => Some(found),
        None => shared_tail(han, at),
    };
    let (mut number, mut end) = first?;
    let shared = han.article(at, adjacent).is_none();
    let whose = if adjacent {
        act
    } else if han.instrument_before(from, start)
        || han.rest(end).starts_with("约定")
        || contract_before(han.text.get(from..start).unwrap_or_default())
    {
        Some(Act::Other)
    } else {
        // Later in the same sentence: only where the words go on as a citation does.
        let carried = act.filter(|_| goes_on(han, end)).map(|act| {
            let own = if let Act::Known(work) = act { Some(work) } else { None };
            let between = han.text.get(act_end.min(start)..start).unwrap_or_default();
            if own.is_some() && names_another(between, own, han.lexicon) { Act::Unclear } else { act }
        });
        carried.or_else(|| {
            let work = han.context.default_work.as_ref()?;
            let index = han.lexicon.index(work)?;
            if han.lexicon.work(index)?.unit != UnitName::Article || work.jurisdiction() != "cn" {
                return None;
            }
            let clear = matches!(act, None | Some(Act::Lost)) || act == Some(Act::Known(index));
            let rivals = !clear || sentence.names_another(han, from, start, index);
            Some(if rivals { Act::Unclear } else { Act::Known(index) })
        })
    };
    *group += 1;
    let mut begin = if adjacent && act_start < start { act_start } else { start };
    let mut last;
    let mut count = 0;
    loop {
        let article = Article { act: whose, unit: Some(Unit::Article(number.clone())) };
        let mut until = None;
        let (paths, after) = if shared && !han.text.get(at..end).is_some_and(|s| s.contains('条')) {
            (Vec::new(), end)
        } else {
            han.pins(end, begin)
        };
        end = after;
        if paths.is_empty()
            && let Some(next) = han.range(end)
        {
            if let Some((to, after)) = han.article(next, true) {
                until = Some(Unit::Article(to));
                end = after;
            } else if let Some((sub, after)) = han.sub(next).filter(|_| number.sub.is_some()) {
                until = Some(Unit::Article(Number::with_sub(number.base, sub)));
                end = after;
            }
        }
        emit(han, Some(article.clone()), paths, (begin, end), until, *group, out);
        last = article;
        count += 1;
        if count > 4096 {
            break;
        }
        // 之一、之二
        let Some(next) = han.separator(end) else { break };
        let further = if let Some((sub, after)) = han.sub(next).filter(|_| number.sub.is_some()) {
            Some((Number::with_sub(number.base, sub), after))
        } else {
            let comma = han.text.get(end..next).is_some_and(|s| s.contains(['，', ',', '；', ';']));
            han.article(next, !comma || shared).or_else(|| shared_tail(han, next))
        };
        let Some((n, after)) = further else { break };
        number = n;
        at = next;
        begin = next;
        end = after;
    }
    Some((end, last))
}

/// The first number of `第352、347条` or `第二百三十二至二百三十四条`: a number whose 条 comes later in the list.
fn shared_tail(han: &Han<'_>, at: usize) -> Option<(Number, usize)> {
    let number_at = han.ordinal(at).map_or(at, |n| han.skip_space(n));
    let (n, end) = han.number(number_at)?;
    let first = Number::plain(n);
    let mut at = end;
    for _ in 0..64 {
        let next = han.separator(at).or_else(|| han.range(at))?;
        if han.article(next, true).is_some() {
            return Some((first, end));
        }
        let after_ordinal = han.ordinal(next).unwrap_or(next);
        at = han.number(after_ordinal)?.1;
    }
    None
}

fn contract_before(before: &str) -> bool {
    let tail: String = before.chars().rev().take(6).collect();
    let tail: String = tail.chars().rev().collect();
    ["合同", "协议", "契约", "章程"].iter().any(|w| tail.contains(w))
}

/// Whether the words behind an article go on as a citation of a statute does.
fn goes_on(han: &Han<'_>, end: usize) -> bool {
    let rest = han.rest(han.pins(end, end).1);
    let rest = rest.trim_start();
    rest.is_empty()
        || rest.starts_with([
            '第', '之', '的', '规', '、', '，', ',', '；', '。', '和', '及', '与', '或', '至', '到', '所',
            '中', '定', '处', '罪', '）', ')', '》', '”', '以', '予', '判', '对', '关', '也', '则', '均',
            '等', '并', '明', '又', '是', '：', '—', '-', '~', '～', '有', '款', '已', '系',
        ])
}

fn emit(
    han: &Han<'_>,
    article: Option<Article>,
    paths: Vec<(Vec<String>, usize, usize)>,
    whole: (usize, usize),
    until: Option<Unit>,
    group: usize,
    out: &mut Vec<Extracted>,
) {
    let (act, unit) = article.map_or((Some(Act::Lost), None), |a| (a.act, a.unit));
    let (work, unresolved) = match act {
        Some(Act::Known(w)) => (han.lexicon.work(w).map(|w| w.id.clone()), None),
        Some(Act::Other) => (None, Some(Unresolved::OtherAct)),
        Some(Act::Unclear) => (None, Some(Unresolved::Unclear)),
        Some(Act::Lost) => (None, Some(Unresolved::NoAntecedent)),
        None => (None, Some(Unresolved::NoAct)),
    };
    // A work whose units are sections has no 条 of its own name; the number is still its.
    let unit = match (act, unit) {
        (Some(Act::Known(w)), Some(Unit::Article(n))) => han.lexicon.work(w).map(|w| w.unit.unit(n)),
        (_, unit) => unit,
    };
    let paths = if paths.is_empty() { vec![(Vec::new(), whole.0, whole.1)] } else { paths };
    for (pins, start, end) in paths {
        let end = end.max(start);
        out.push(Extracted {
            span: (start, end),
            raw: han.text.get(start..end).unwrap_or_default().to_owned(),
            work: work.clone(),
            unit: unit.clone(),
            pins,
            or: None,
            until: until.clone(),
            group,
            unresolved,
            quotes: Vec::new(),
        });
    }
}
