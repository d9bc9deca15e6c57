//! The grammar by which a Chinese sentence binds an offence to a provision.

use super::REACH;
use super::names::{LONGEST_HAN, Table};
use crate::citation::han::is_han;

/// The sentence around a citation.
#[derive(Debug)]
pub(super) struct Binding<'a> {
    before: &'a str,
    after: &'a str,
    /// Where the sentence stands.
    pub sentence: (usize, usize),
    /// The name would end `before`'s beginning up to here.
    ends: Option<&'a str>,
    /// The name would begin here, and what must follow it.
    begins: Option<(&'a str, Follow)>,
}

/// Signs that end a sentence, and the line.
const ENDS: [char; 7] = ['。', '；', '！', '？', ';', '!', '\n'];

/// Words that deny, contrast, ask or doubt.
const DOUBTS: &[&str] = &[
    "不",
    "未",
    "并非",
    "而非",
    "没有",
    "无罪",
    "是否",
    "还是",
    "而是",
    "改判",
    "变更",
    "撤销",
    "错误",
    "有误",
    "误认",
    "误用",
    "误以",
    "区别",
    "区分",
    "应为",
    "应当是",
    "原判",
    "一审",
    "上诉",
    "辩护",
    "辩称",
    "吗",
    "呢",
    "如果",
    "假如",
    "什么",
    "如何",
    "何种",
    "为何",
    "混淆",
    "共犯",
    "教唆",
    "帮助犯",
    "预备",
    "未遂",
    "中止",
    "数罪",
    "竞合",
    "分别",
    "或者",
    "排除",
    "否认",
    "否定",
    "？",
    "?",
    "比照",
    "参照",
    "转化",
];

/// What follows a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Follow {
    /// A closing bracket.
    Bracket,
    /// What its penalty is.
    Penalty,
    /// Anything that does not go on with the name.
    Phrase,
}

/// Words that lead to the provision that is applied.
const LEADS: &[&str] = &["依照", "根据", "依据", "按照", "适用", "依"];
/// Words that say what the penalty for an offence is.
const PENALTIES: &[&str] =
    &["的刑期", "的法定刑", "的量刑", "的处罚", "的刑罚", "的最高刑", "处", "可处", "应处", "判处", "可判处"];

impl<'a> Binding<'a> {
    /// Reads the sentence of a citation; nothing if it binds no name.
    pub fn find(text: &'a str, span: (usize, usize)) -> Option<Self> {
        let from = span.0.saturating_sub(REACH);
        let start = (from..=span.0).find(|i| text.is_char_boundary(*i))?;
        let head = text.get(start..span.0)?;
        let before = match head.rfind(ENDS) {
            Some(at) => head.get(at..)?.trim_start_matches(ENDS),
            None if from > 0 => return None,
            None => head,
        };
        let to = text.len().min(span.1 + REACH);
        let end = (span.1..=to).rev().find(|i| text.is_char_boundary(*i))?;
        let tail = text.get(span.1..end)?;
        let after = match tail.find(ENDS) {
            Some(at) => {
                let sign = tail.get(at..)?.chars().next()?;
                tail.get(..at + sign.len_utf8())?
            }
            None if to < text.len() => return None,
            None => tail,
        };
        let ends = bracketed(before, after);
        // 盗窃罪（第二百六十四条）：… says all of it before the colon.
        let colon = after
            .find(['：', ':'])
            .filter(|at| after.get(..*at).is_some_and(|t| trimmed(t).ends_with(CLOSE)));
        let after = colon.and_then(|at| after.get(..at)).unwrap_or(after);
        let ends = ends.filter(|t| t.ends_with('罪'));
        let begins = opening(before, after).filter(|(t, _)| may_be_name(t));
        (ends.is_some() || begins.is_some()).then_some(Self {
            sentence: (span.0 - before.len(), span.1 + after.len()),
            before,
            after,
            ends,
            begins,
        })
    }

    /// The name bound to the citation, if it is one of the table and the sentence has no other and no doubt.
    pub fn name(&self, table: &Table) -> Option<String> {
        let left = self.ends.and_then(|t| {
            let name = table.suffix(t)?;
            // A longer word may end like a name.
            let before = t.get(..t.len() - name.len())?.chars().next_back();
            let free = before
                .is_none_or(|c| !c.is_alphanumeric() || matches!(c, '犯' | '的' | '为' | '成' | '以' | '即'));
            free.then_some(name)
        });
        let right = self.begins.and_then(|(t, follow)| {
            let name = table.prefix(t)?;
            let rest = t.get(name.len()..)?.trim_start_matches(MARKS);
            let next = rest.chars().next();
            let joined =
                next.is_some_and(|c| matches!(c, '、' | '和' | '与' | '及' | '或' | '等' | '名' | '之'));
            let closed = match follow {
                Follow::Phrase => true,
                Follow::Bracket => next.is_some_and(|c| CLOSE.contains(&c)),
                Follow::Penalty => PENALTIES.iter().any(|p| rest.starts_with(p)),
            };
            (closed && !joined).then_some(name)
        });
        let name = match (left, right) {
            (Some(a), Some(b)) if a != b => return None,
            (a, b) => a.or(b)?,
        };
        let others = |part: &str| {
            part.match_indices('罪').any(|(i, c)| {
                let upto = part.get(..i + c.len()).unwrap_or_default();
                table.suffix(upto).is_some_and(|n| n != name)
            })
        };
        // The name itself may hold such a word.
        let doubtful = |part: &str| {
            let rest = part.replace(name, "");
            DOUBTS.iter().any(|d| rest.contains(d))
        };
        let bad = [self.before, self.after].iter().any(|part| others(part) || doubtful(part));
        (!bad).then(|| name.to_owned())
    }
}

/// Marks around a name that do not count.
const MARKS: [char; 8] = ['“', '”', '"', '「', '」', '‘', '’', '*'];
const OPEN: [char; 5] = ['（', '(', '【', '[', '〔'];
const CLOSE: [char; 5] = ['）', ')', '】', ']', '〕'];

fn trimmed(text: &str) -> &str {
    text.trim_matches(|c: char| c.is_whitespace() || MARKS.contains(&c))
}

/// Whether a text may begin with a name, before the names are read.
fn may_be_name(text: &str) -> bool {
    text.chars().take(LONGEST_HAN).take_while(|c| is_han(*c) || *c == '、').any(|c| c == '罪')
}

/// 盗窃罪（第二百六十四条）: the text up to the bracket that the citation fills.
fn bracketed<'a>(before: &'a str, after: &str) -> Option<&'a str> {
    if !trimmed(after).starts_with(CLOSE) {
        return None;
    }
    Some(trimmed(trimmed(before).strip_suffix(OPEN)?))
}

/// 第二百六十四条规定的, 第二百六十四条（, 依照第二百六十四条以: the text behind, and what follows the name.
fn opening<'a>(before: &str, after: &'a str) -> Option<(&'a str, Follow)> {
    let after = trimmed(after);
    if let Some(rest) = after.strip_prefix(OPEN) {
        return Some((trimmed(rest), Follow::Bracket));
    }
    for lead in ["所规定的", "中规定的", "规定的", "规定之"] {
        if let Some(rest) = after.strip_prefix(lead) {
            return Some((trimmed(rest), Follow::Phrase));
        }
    }
    let lead = LEADS.iter().any(|w| trimmed(before).ends_with(w));
    let ruled = ["之规定", "的规定", "规定"].iter().find_map(|w| after.strip_prefix(w));
    let rest = ruled.unwrap_or(after);
    let next = rest.trim_start_matches(['，', ',', ' ']);
    if lead {
        let next = ["应当", "应"].iter().find_map(|w| next.strip_prefix(w)).unwrap_or(next);
        if let Some(rest) = next.strip_prefix('以') {
            return Some((trimmed(rest), Follow::Phrase));
        }
        if next.len() < rest.len() {
            return Some((trimmed(next), Follow::Penalty));
        }
    }
    // 第二百六十四条盗窃罪.
    ruled.is_none().then_some((after, Follow::Phrase))
}
