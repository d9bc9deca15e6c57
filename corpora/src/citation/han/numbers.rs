//! Numbers of articles, paragraphs, items and points in Chinese.

use crate::citation::numerals::{digit, enclosed, is_chinese_numeral, parse_chinese};
use crate::id::Number;

use super::Han;
use crate::citation::latin::Act;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Level {
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

/// White space inside a citation.
pub(super) fn is_blank(c: char) -> bool {
    matches!(c, ' ' | '\u{3000}' | '\t' | '\r' | '\n' | '\u{a0}')
}

/// 条, also in its traditional form.
pub(super) fn is_article_sign(c: char) -> bool {
    matches!(c, '条' | '條')
}

/// Whether what follows 之 and a numeral makes the numeral the start of a word, as in 之一般规定 and 之三个要件.
/// Nothing where it may or may not: 之一同时规定.
fn is_word(numeral: &str, rest: &str) -> Option<bool> {
    const COUNTED: &[&str] = &[
        "个", "個", "种", "種", "类", "類", "款", "项", "項", "次", "份", "点", "點", "级", "級", "倍", "年",
        "月", "天", "元", "节", "句", "层", "层次", "要件", "要素", "要点", "部分", "方面", "分",
    ];
    const ONE: &[&str] = &["般", "切", "旦", "致", "贯", "些", "样"];
    const UNSURE: &[&str] = &[
        "个人", "种植", "同", "起", "时", "向", "直", "概", "系列", "边", "面", "体", "律", "再", "家", "方",
        "名", "审", "日", "段", "步", "字", "性", "者", "大", "阶", "定", "目", "元论",
    ];
    if rest.starts_with("定罪") || rest.starts_with("目的") {
        return Some(false);
    }
    let starts = |list: &[&str]| list.iter().any(|w| rest.starts_with(w));
    if starts(UNSURE) {
        return None;
    }
    Some(starts(COUNTED) || (numeral == "一" && starts(ONE)))
}

/// A connecting word between an article and a place inside it.
const CONNECTORS: &[&str] = &[
    "所规定的",
    "规定的",
    "規定的",
    "中的",
    "里的",
    "内的",
    "其中的",
    "的",
    "之",
    "中",
    "里",
    "内",
    "其",
    "，",
    ",",
    "、",
    "（",
    "(",
    "：",
];

/// Places that Japanese statutes call so.
const JAPANESE: &[&str] = &["ただし書", "但し書", "柱書", "各号", "各項", "別表", "ただしがき"];

/// Things that are counted with 条 and are no law: behind 第三条, the number may count them.
const STRIPS: &[&str] = &[
    "道路",
    "路线",
    "马路",
    "公路",
    "铁路",
    "线路",
    "航线",
    "战线",
    "防线",
    "生产线",
    "流水线",
    "跑道",
    "街",
    "河",
    "船",
    "鱼",
    "狗",
    "裤",
    "裙",
    "评论",
    "微博",
    "短信",
    "消息",
    "新闻",
    "留言",
    "弹幕",
    "朋友圈",
    "帖子",
    "语音",
    "推送",
    "视频",
    "热搜",
    "意见",
    "建议",
    "线索",
    "聊天",
    "毛巾",
    "绳子",
    "围巾",
    "项链",
    "皮带",
    "腰带",
];

/// Places inside an article that have no number, and parts that no text held is cut into.
const ODD: &[&str] = &[
    "但书",
    "但書",
    "前段",
    "后段",
    "後段",
    "中段",
    "前半段",
    "后半段",
    "前半部分",
    "后半部分",
    "前句",
    "后句",
    "首句",
    "末句",
    "首段",
    "末段",
    "尾段",
    "最后一款",
    "最后一项",
    "最后一段",
    "末款",
    "末项",
    "首款",
    "首项",
    "前一款",
    "后一款",
    "除外条款",
    "兜底条款",
    "兜底项",
];

/// Paths of places with their bytes.
pub(super) type Places = Vec<(Vec<String>, usize, usize)>;

impl<'a> Han<'a> {
    pub(super) fn rest(&self, at: usize) -> &'a str {
        self.text.get(at..self.to).unwrap_or_default()
    }

    pub(super) fn ch(&self, at: usize) -> Option<char> {
        self.rest(at).chars().next()
    }

    pub(super) fn skip_space(&self, at: usize) -> usize {
        let rest = self.rest(at);
        let blank = rest.chars().take_while(|c| is_blank(*c)).take(4).map(char::len_utf8).sum::<usize>();
        at + blank
    }

    /// A number in Chinese numerals or digits: value and end.
    pub(super) fn number(&self, at: usize) -> Option<(u32, usize)> {
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
        let len: usize =
            rest.chars().take(13).take_while(|c| is_chinese_numeral(*c)).map(char::len_utf8).sum();
        let tail = rest.get(len..)?;
        if len == 0 || is_chinese_numeral(tail.chars().next().unwrap_or(' ')) {
            return None;
        }
        if !tail.starts_with(is_blank) || !tail.trim_start().starts_with(is_chinese_numeral) {
            return parse_chinese(rest.get(..len)?).map(|n| (n, at + len));
        }
        // A line may break inside a numeral: 第二百三十⏎二条.
        let mut joined = String::new();
        let (mut end, mut first_end, mut blank) = (0, 0, 0);
        for (i, c) in rest.char_indices() {
            if is_chinese_numeral(c) {
                if blank > 0 && first_end == 0 {
                    first_end = end;
                }
                blank = 0;
                joined.push(c);
                end = i + c.len_utf8();
                if joined.chars().count() > 12 {
                    return None;
                }
            } else if is_blank(c) && blank < 4 && !joined.is_empty() {
                blank += 1;
            } else {
                break;
            }
        }
        if first_end > 0 {
            // 一 二 may be two numbers; 五十 二 is one.
            let whole = joined.contains(['十', '百', '千', '拾', '佰', '仟']);
            if let Some(n) = parse_chinese(&joined).filter(|_| whole) {
                return Some((n, at + end));
            }
            return parse_chinese(rest.get(..first_end)?).map(|n| (n, at + first_end));
        }
        parse_chinese(&joined).map(|n| (n, at + end))
    }

    /// `第` or its usual slips.
    pub(super) fn ordinal(&self, at: usize) -> Option<usize> {
        self.ch(at).filter(|c| matches!(c, '第' | '笫' | '弟')).map(|c| at + c.len_utf8())
    }

    /// A separator of a list.
    pub(super) fn separator(&self, at: usize) -> Option<usize> {
        let at = self.skip_space(at);
        let rest = self.rest(at);
        for word in [
            "及び",
            "並びに",
            "又は",
            "若しくは",
            "および",
            "または",
            "以及",
            "及其",
            "并",
            "、",
            "，",
            ",",
            "和",
            "及",
            "与",
            "或",
            "暨",
            "/",
            "；",
            ";",
        ] {
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

    pub(super) fn range(&self, at: usize) -> Option<usize> {
        let at = self.skip_space(at);
        let rest = self.rest(at);
        ["から", "起至", "起到", "一直到", "直至", "至", "到", "—", "－", "–", "-", "~", "～"]
            .iter()
            .find(|w| rest.starts_with(**w))
            .map(|w| {
                let mut end = at + w.len();
                // ——
                if self.rest(end).starts_with('—') {
                    end += '—'.len_utf8();
                }
                self.skip_space(end)
            })
    }

    /// `第一百三十三条之一`, `133条`, `第133之一条`: number and end. `bare`: 第 may be missing.
    pub(super) fn article(&self, at: usize, bare: bool) -> Option<(Number, usize)> {
        let at = match self.ordinal(at) {
            Some(next) => self.skip_space(next),
            None if bare => at,
            None => return None,
        };
        let (base, end) = self.number(at)?;
        let end = self.skip_space(end);
        if let Some((sub, after)) = self.sub(end)
            && self.ch(after).is_some_and(is_article_sign)
        {
            return Some((Number::with_sub(base, sub), after + '条'.len_utf8()));
        }
        // 第133-1条
        if matches!(self.ch(end), Some('-' | '－')) {
            let n = end + self.ch(end).map_or(1, char::len_utf8);
            if let Some((sub, after)) = self.number(n)
                && sub <= base
                && self.ch(after).is_some_and(is_article_sign)
            {
                return Some((Number::with_sub(base, sub), after + '条'.len_utf8()));
            }
        }
        if !self.ch(end).is_some_and(is_article_sign) {
            return None;
        }
        let end = end + '条'.len_utf8();
        // 第一条件, 第二条款, 第三条例, but 第一条例外 and 第二条约定.
        let rest = self.rest(end);
        let word = rest.starts_with(['件', '款', '理', '幅'])
            || rest.starts_with('例') && !["例外", "例如", "例示"].iter().any(|w| rest.starts_with(w))
            || rest.starts_with('约') && !["约定", "约束"].iter().any(|w| rest.starts_with(w));
        if word {
            return None;
        }
        match self.sub(end) {
            Some((sub, after)) => Some((Number::with_sub(base, sub), after)),
            None => Some((Number::plain(base), end)),
        }
    }

    /// `之一`; not the 之 of 之一般规定 or 之三个要件.
    pub(super) fn sub(&self, at: usize) -> Option<(u32, usize)> {
        let at = self.skip_space(at);
        let rest = self.rest(at);
        let japanese = rest.strip_prefix(['の', 'ノ']);
        let next = japanese.or_else(|| rest.strip_prefix('之'))?;
        let start = self.skip_space(at + rest.len() - next.len());
        let (n, end) = self.number(start)?;
        if japanese.is_some() {
            return (n <= 99 && self.ends_japanese(end)).then_some((n, end));
        }
        let numeral = self.text.get(start..end)?;
        // 之一百 is no suffix; nor is 之二分之一.
        let word = is_word(numeral, self.rest(self.skip_space(end)));
        (n <= 99 && !numeral.contains(['两', '兩']) && word == Some(false)).then_some((n, end))
    }

    /// Whether 第二条の二 ends at `at`: not 第二条の二つの要件, nor the first of 第二条の二の二.
    fn ends_japanese(&self, at: usize) -> bool {
        let rest = self.rest(at);
        let particle =
            ["に", "を", "は", "が", "と", "で", "も", "や", "から", "まで", "より", "ただし", "及び"];
        let goes_on = rest
            .strip_prefix(['の', 'ノ', '之'])
            .is_some_and(|r| r.chars().next().is_some_and(|c| digit(c).is_some() || is_chinese_numeral(c)));
        !goes_on
            && (particle.iter().any(|w| rest.starts_with(w))
                || rest.starts_with(['の', '第', '又', '若', '並', '及', '但', '前', '後', '本', '各'])
                || rest.chars().next().is_none_or(|c| !c.is_alphanumeric()))
    }

    /// What stands at the front of a place that is named behind a connecting word: 的第九款, （第二项）.
    fn connected(&self, at: usize) -> Option<(usize, bool)> {
        let mut at = self.skip_space(at);
        let mut bracket = false;
        for _ in 0..2 {
            let Some(word) = CONNECTORS.iter().find(|w| self.rest(at).starts_with(**w)) else { break };
            bracket |= matches!(*word, "（" | "(");
            at = self.skip_space(at + word.len());
            let plain = *word == "之" && self.group(at).is_some();
            if plain || (self.ordinal(at).is_some() && self.group(at).is_some()) {
                return Some((at, bracket));
            }
        }
        None
    }

    /// The end of a place inside an article that was not understood and stands at `at`: 第1.9款, 但书, 第二段, （九）.
    pub(super) fn odd_place(&self, at: usize) -> Option<usize> {
        let mut at = self.skip_space(at);
        // 之一同时规定: whether the number is the article's cannot be told.
        if let Some(next) = self.rest(at).strip_prefix('之') {
            let start = self.skip_space(at + self.rest(at).len() - next.len());
            if let Some((_, end)) = self.number(start)
                && self.text.get(start..end).is_some_and(|n| is_word(n, self.rest(end)).is_none())
            {
                return Some(end);
            }
        }
        // 第二条の二の二, 第二条の二つ: no number that an id has, or none at all.
        if let Some(next) = self.rest(at).strip_prefix(['の', 'ノ']) {
            let start = self.skip_space(at + self.rest(at).len() - next.len());
            if let Some((_, end)) = self.number(start) {
                return Some(end);
            }
        }
        // ただし書, 各号; 一号 without 第.
        if let Some(word) = JAPANESE.iter().find(|w| self.rest(at).starts_with(**w)) {
            return Some(at + word.len());
        }
        if let Some((_, end)) = self.number(at)
            && self.ch(end).is_some_and(|c| matches!(c, '号' | '號' | '項'))
        {
            return Some(end + '号'.len_utf8());
        }
        // （九）, ㈨
        let bracketed =
            |c: char| matches!(c, '（' | '(' | '〔' | '\u{3220}'..='\u{3229}' | '\u{2474}'..='\u{2487}');
        if self.ch(at).is_some_and(bracketed)
            && let Some((n, end)) = self.label(at)
            && n <= 99
        {
            return Some(end);
        }
        if let Some(word) = STRIPS.iter().find(|w| self.rest(at).starts_with(**w)) {
            return Some(at + word.len());
        }
        for _ in 0..3 {
            let odd = ['但', '前', '后', '後', '中', '首', '末', '尾', '最', '除', '兜'];
            if self.rest(at).starts_with(odd)
                && let Some(word) = ODD.iter().find(|w| self.rest(at).starts_with(**w))
            {
                return Some(at + word.len());
            }
            if let Some(next) = self.ordinal(at) {
                if self.rest(next).starts_with('之') {
                    return Some(next + '之'.len_utf8());
                }
                let mut end = next;
                for (n, c) in self.rest(next).chars().enumerate().take(14) {
                    end += c.len_utf8();
                    if n > 0 && matches!(c, '款' | '项' | '項' | '目' | '段' | '句' | '号' | '號') {
                        return Some(end);
                    }
                    let part = n > 0
                        && ["部分", "小节", "分项", "子项", "小项", "分款", "层意思"]
                            .iter()
                            .any(|w| self.rest(end - c.len_utf8()).starts_with(w));
                    if part {
                        return Some(end);
                    }
                    let numeral = is_chinese_numeral(c)
                        || digit(c).is_some()
                        || enclosed(c).is_some()
                        || c.is_ascii_alphanumeric()
                        || matches!(c, 'Ａ'..='Ｚ' | 'ａ'..='ｚ' | '.' | '．' | '·' | '-' | '（' | '）' | '(' | ')' | '〔' | '〕' | '之')
                        || is_blank(c);
                    if !numeral {
                        break;
                    }
                }
                return None;
            }
            let word = CONNECTORS.iter().find(|w| self.rest(at).starts_with(**w))?;
            at = self.skip_space(at + word.len());
        }
        None
    }

    /// One bracketed or plain number: `（一）`, `(3)`, `二`.
    pub(super) fn label(&self, at: usize) -> Option<(u32, usize)> {
        match self.ch(at) {
            Some(c @ ('（' | '(' | '〔')) => {
                let (n, end) = self.number(self.skip_space(at + c.len_utf8()))?;
                let end = self.skip_space(end);
                let close = self.ch(end).filter(|c| matches!(c, '）' | ')' | '〕'))?;
                Some((n, end + close.len_utf8()))
            }
            Some(c) if enclosed(c).is_some() => enclosed(c).map(|n| (n, at + c.len_utf8())),
            _ => self.number(at),
        }
    }

    #[expect(clippy::type_complexity, reason = "numbers with their bytes, named in the comment")]
    /// `第一、四、七款`, `第（一）项、第（三）项` is two of these: numbers with their ends, level, end.
    pub(super) fn group(&self, at: usize) -> Option<(Vec<(u32, usize, usize)>, Level, usize)> {
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
                Some('项' | '項') => Some(Level::Item),
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
                let (to, after) = self.label(next)?;
                let from = n;
                if to <= from || to - from > 60 {
                    return None;
                }
                numbers.extend((from + 1..to).map(|n| (n, next, after)));
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

    /// Places as the law of the act's country names them, and whether they cannot be read: Taiwan has 項, 款, 目 where the
    /// mainland has 款, 项, 目; Japan's 項 and 号 are numbered in the text, which the reader of places does not know.
    pub(super) fn places_of(&self, act: Option<Act>, paths: Places) -> (Places, bool) {
        let work = match act {
            Some(Act::Known(w)) => self.lexicon.work(w),
            _ => None,
        };
        match work.map(|w| w.id.jurisdiction()) {
            Some("jp") if !paths.is_empty() => (Vec::new(), true),
            Some("tw") => {
                let moved: Option<Places> = paths
                    .into_iter()
                    .map(|(path, from, to)| {
                        // 款 before 項, or below nothing: another way of counting.
                        let depths: Vec<u8> = path.iter().map(|p| Level::depth(p)).collect();
                        let path = match (depths.as_slice(), path.as_slice()) {
                            ([1], [a]) => vec![a.replacen('i', "p", 1)],
                            ([0], [a]) => vec![a.replacen('p', "i", 1)],
                            _ => return None,
                        };
                        Some((path, from, to))
                    })
                    .collect();
                match moved {
                    Some(paths) => (paths, false),
                    None => (Vec::new(), true),
                }
            }
            _ => (paths, false),
        }
    }

    /// The places inside an article that follow at `at`: paths with their bytes, and the end.
    pub(super) fn pins(&self, at: usize, first_start: usize) -> (Vec<(Vec<String>, usize, usize)>, usize) {
        let mut paths: Vec<(Vec<String>, usize, usize)> = Vec::new();
        let mut end = at;
        let mut at = at;
        let mut bracket = false;
        loop {
            let mut direct = at == end;
            let Some((numbers, level, next)) = self.group(at).or_else(|| {
                // 的第九款, （第九款）
                let (start, open) = self.connected(at).filter(|_| paths.is_empty())?;
                bracket = open;
                direct = true;
                self.group(start)
            }) else {
                break;
            };
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
            if bracket && let Some(close) = self.ch(end).filter(|c| matches!(c, '）' | ')')) {
                end += close.len_utf8();
                bracket = false;
            }
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
}
