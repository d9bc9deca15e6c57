//! Names of laws in Chinese, and what makes a name another law's.

use std::borrow::Cow;

use crate::citation::latin::Act;
use crate::citation::lexicon::Lexicon;
use crate::citation::numerals::{digit, is_chinese_numeral, parse_chinese};

use super::{Han, is_han};

/// Last words of instruments; a number of an article behind one of them is that instrument's.
pub(super) const INSTRUMENTS: &[&str] = &[
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
    "手册",
    "规程",
    "须知",
    "保单",
    "政策",
    "决议",
    "方案",
    "纪律",
    "指南",
    "纲要",
    "大纲",
    "通告",
    "布告",
    "备忘录",
    "条款",
    "遗嘱",
    "承诺",
    "清单",
    "党章",
    "规",
    "书",
    "总则编",
    "物权编",
    "合同编",
];

/// Words before 刑法 that make it another country's or another time's.
const FOREIGN: &[&str] = &[
    "日本",
    "北洋政府",
    "北洋",
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
    "臺灣",
    "台灣",
    "澳門",
    "民國",
    "地區",
    "聯邦",
    "德國",
    "法國",
    "韓國",
    "英國",
    "美國",
    "舊",
    "國際",
    "軍事",
    "废止",
    "失效",
    "港澳",
    "两岸",
    "外国",
    "国外",
    "域外",
    "各国",
    "英美",
    "葡萄牙",
    "挪威",
    "丹麦",
    "芬兰",
    "波兰",
    "匈牙利",
    "乌克兰",
    "土耳其",
    "菲律宾",
    "马来西亚",
    "印度尼西亚",
    "老挝",
    "缅甸",
    "柬埔寨",
    "哈萨克斯坦",
    "墨西哥",
    "阿根廷",
    "古巴",
    "原先",
    "原来",
    "经济",
    "附属",
    "单行",
    "特别",
    "行政",
    "环境",
    "比较",
];

/// Qualifiers before a name that leave open which version of the law is meant.
const OF_THAT_TIME: &[&str] = &["当时", "行为时", "犯罪时", "案发时", "时行", "裁判时", "历次", "历年"];

/// Words behind a name or an article that say an earlier text is meant.
const EARLIER: &[&str] = &[
    "修正前",
    "修订前",
    "修改前",
    "修正之前",
    "修订之前",
    "修改之前",
    "修正以前",
    "修订以前",
    "修改以前",
    "施行前",
    "生效前",
    "实施前",
    "旧法",
    "旧条文",
    "原条文",
    "旧第",
    "原第",
];

/// Words behind a name, outside its 《》, that make it another instrument.
const OTHER_TAILS: &[&str] = &[
    "修正案",
    "草案",
    "司法解释",
    "立法解释",
    "解释",
    "附件",
    "附录",
    "附表",
    "修改决定",
    "修订草案",
    "实施细则",
    "修正草案",
    "征求意见稿",
    "旧",
    "释义",
    "起草",
];

/// Words between a name and an article that name another instrument.
const BETWEEN: &[&str] = &[
    "施行令",
    "施行規則",
    "施行规则",
    "施行細則",
    "施行细则",
    "施行法",
    "附則",
    "修正案",
    "次修正",
    "附件",
    "附录",
    "附表",
    "法释",
    "法发",
    "法研",
    "高检",
    "公通字",
    "司发",
    "批复",
    "纪要",
    "草案",
    "解释（",
    "解释(",
    "解释第",
    "〔",
    "〕",
    "决定第",
    "意见第",
    "通知第",
    "教材",
    "教科书",
    "读本",
    "讲义",
    "评注",
    "案例",
    "百问",
    "罪名",
    "专著",
    "论文",
    "论著",
];

/// Between a name and its article.
pub(super) const FILLERS: &[&str] = &[
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
pub(super) struct Sentence {
    known: Option<(usize, usize, bool)>,
}

impl Sentence {
    pub(super) fn names_another(&mut self, han: &Han<'_>, from: usize, at: usize, own: usize) -> bool {
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
        // The sentence before may say whose articles follow: 看守所条例另有规定。第五条……
        let earlier = han.text.get(from..start).map_or("", |t| t.trim_end_matches(ENDS));
        let earlier = earlier.rfind(ENDS).map_or(earlier, |i| earlier.get(i..).unwrap_or_default());
        let found = han.text.get(start..end).is_some_and(|t| names_another(t, Some(own), han.lexicon))
            || names_another(earlier, Some(own), han.lexicon);
        self.known = Some((start, end, found));
        found
    }
}

impl Han<'_> {
    /// Which of the laws that share a name is meant: the text's own, or none that can be told.
    pub(super) fn of_twins(&self, name: &str, act: Act) -> Act {
        let Act::Known(_) = act else { return act };
        match self.lexicon.han_name(name).filter(|n| !n.twins.is_empty()) {
            Some(n) => {
                let all = std::iter::once(n.work).chain(n.twins.iter().copied());
                self.lexicon.at_home(all, self.context).map_or(Act::Unclear, Act::Known)
            }
            None => act,
        }
    }

    /// Whether another instrument than a law of the catalogue stands directly before an article at `start`.
    pub(super) fn instrument_before(&self, from: usize, start: usize) -> bool {
        let before = compact_tail(self.text.get(from..start).unwrap_or_default(), 48);
        let closers = ['》', '的', '之', '〉', '）', ')', '”', '"'];
        if INSTRUMENTS.iter().any(|w| before.trim_end_matches(closers).ends_with(w)) {
            return true;
        }
        // 法释〔2013〕8号第二条
        if let Some(head) = before.strip_suffix('号').or_else(|| before.strip_suffix('號')) {
            return head.ends_with(|c: char| digit(c).is_some() || is_chinese_numeral(c));
        }
        // 修正案（八）第一条, 解释二第三条, 附件一第三条
        let mut bare: &str = &before;
        if bare.ends_with(['）', ')', '〕'])
            && let Some(open) = bare.rfind(['（', '(', '〔'])
        {
            bare = bare.get(..open).unwrap_or_default();
        }
        let bare = bare.trim_end_matches(['》', '〉', '”', '"']);
        let numberless = bare
            .trim_end_matches(|c: char| digit(c).is_some() || is_chinese_numeral(c))
            .trim_end_matches(['第', '》']);
        let changed = numberless.len() != before.trim_end_matches(closers).len();
        changed
            && (INSTRUMENTS.iter().any(|w| numberless.ends_with(w))
                || ["附件", "附录", "附表", "次修正", "次修订", "批复"]
                    .iter()
                    .any(|w| numberless.ends_with(w)))
    }
}

/// Whether words between a name and an article name another instrument by a word or a number of its own.
pub(super) fn another_between(between: &str) -> bool {
    BETWEEN.iter().chain(EARLIER).any(|w| between.contains(w))
        || between
            .match_indices('号')
            .any(|(i, _)| between.get(..i).is_some_and(|b| b.ends_with(|c: char| digit(c).is_some())))
}

/// The last characters of a text without its white space.
pub(super) fn compact_tail(text: &str, n: usize) -> Cow<'_, str> {
    let start = text.char_indices().rev().nth(n.saturating_sub(1)).map_or(0, |(i, _)| i);
    let plain = text.get(start..).unwrap_or_default();
    if !plain.contains(char::is_whitespace) {
        return Cow::Borrowed(plain);
    }
    let tail: Vec<char> = text.chars().rev().filter(|c| !c.is_whitespace()).take(n).collect();
    Cow::Owned(tail.into_iter().rev().collect())
}

/// A title without white space, with the traditional characters of the PRC's laws in simplified ones.
pub(super) fn compact(title: &str) -> String {
    let simple = |c: char| match c {
        '華' => '华',
        '國' => '国',
        '訴' => '诉',
        '訟' => '讼',
        '憲' => '宪',
        '總' => '总',
        '則' => '则',
        '處' => '处',
        '罰' => '罚',
        c => c,
    };
    title.chars().filter(|c| !c.is_whitespace()).map(simple).collect()
}

/// Whether the words before a name, without white space, say that another time's law is meant: 修订前的刑法.
fn of_another_time(head: &str, since: i16) -> bool {
    let bare = head.trim_end_matches(['的', '之', '版']);
    // 目前, 当前 are today's.
    if bare.ends_with('前') && !["目前", "当前", "眼前", "提前"].iter().any(|w| bare.ends_with(w)) {
        return true;
    }
    // 德国现行刑法, 台湾地区现行“刑法”
    let owner = bare.trim_end_matches(['“', '‘', '「', '《', '〈']);
    let owner = ["现行", "现行的", "当时的"].iter().find_map(|w| owner.strip_suffix(w)).unwrap_or(owner);
    let foreign = |words: &str| FOREIGN.iter().any(|w| words.ends_with(w));
    if foreign(owner) && !owner.ends_with("我国") && !owner.ends_with("中国") {
        return true;
    }
    // 在日本，刑法第一百九十九条
    let there = owner.strip_suffix(['，', ',']).and_then(|c| c.rsplit(['。', '；', '，', '\n']).next());
    if there
        .and_then(|c| c.strip_prefix('在'))
        .is_some_and(|place| place.chars().count() <= 6 && foreign(place))
    {
        return true;
    }
    // 1979年7月1日通过的刑法, 1980年起施行的《刑法》
    let made = ["颁布", "公布", "通过", "施行", "实施", "制定", "修订"].iter().any(|w| bare.ends_with(w));
    if bare.len() == head.len() && !made {
        return false;
    }
    let clause =
        bare.rsplit(['，', ',', '。', '；', ';', '、', '（', '(', '：', '》']).next().unwrap_or_default();
    clause
        .match_indices('年')
        .any(|(i, _)| clause.get(..i).is_some_and(|b| old_year(&format!("{b}年"), since)))
}

/// The year that a bracketed or preceding qualifier gives: 1979年刑法.
fn old_year(before: &str, since: i16) -> bool {
    let before = before.trim_end_matches(['的', '《']);
    let head = before.strip_suffix('年').unwrap_or(before);
    let with_year = head.len() != before.len();
    let figures: String =
        head.chars().rev().take_while(|c| digit(*c).is_some() || is_chinese_numeral(*c)).collect();
    let figures: String = figures.chars().rev().collect();
    // 七九刑法, 1979刑法: two or four figures without 年 name a year too; any other run of figures does not.
    if !with_year && !matches!(figures.chars().count(), 2 | 4) {
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

/// `（2020年修正）`: its length.
pub(super) fn edition_note(rest: &str) -> Option<usize> {
    let len = bracket(rest)?;
    let note = rest.get(..len)?;
    let year = note.chars().filter(|c| digit(*c).is_some()).count() == 4 && note.chars().count() == 6;
    (year || ["修正", "修订", "修改", "以下简称", "年"].iter().any(|w| note.contains(w))).then_some(len)
}

/// Whether a bracket at the start gives a year before the work began: （1979年）.
pub(super) fn older_note(rest: &str, since: i16) -> bool {
    let note = bracket(rest).and_then(|len| rest.get(..len)).unwrap_or_default();
    let figures: Vec<u32> = note
        .chars()
        .skip(1)
        .map_while(|c| {
            digit(c).or(if c == '〇' { Some(0) } else { parse_chinese(c.encode_utf8(&mut [0; 4])) })
        })
        .collect();
    let year = figures.iter().fold(0u32, |n, d| n.saturating_mul(10).saturating_add(*d));
    let year = if figures.len() == 2 && note.contains('年') && year >= 50 { year + 1900 } else { year };
    (figures.len() == 4 || year >= 1900)
        && (1900..2100).contains(&year)
        && i16::try_from(year).is_ok_and(|y| y < since)
}

/// Whether a bracket behind a name makes it another instrument, or another time's: （修正前）, （修正案八）.
fn another_note(note: &str) -> bool {
    ["草案", "征求意见", "修正案", "旧", "舊", "废止", "失效", "原", "老"].iter().any(|w| note.contains(w))
        || (note.contains('前') && !["目前", "当前", "前述", "前款", "提前"].iter().any(|w| note.contains(w)))
}

/// What a name is with what stands behind it; and how much of that belongs to it: （2020年修正）, 修正案（八）.
pub(super) fn with_tail(found: Act, tail: &str, lexicon: &Lexicon) -> (Act, usize) {
    let note = bracket(tail).and_then(|len| tail.get(..len)).unwrap_or_default();
    let older =
        matches!(found, Act::Known(work) if lexicon.work(work).is_some_and(|w| older_note(tail, w.since)));
    if older || another_note(note) {
        return (Act::Other, note.len());
    }
    if let Some(len) = edition_note(tail) {
        return (found, len);
    }
    let body = tail.trim_start().trim_start_matches(['的', '之']).trim_start();
    match OTHER_TAILS.iter().chain(EARLIER).find(|w| body.starts_with(**w)) {
        // The ordinal is the article's.
        Some(word) if word.ends_with('第') => {
            (Act::Other, tail.len() - body.len() + word.len() - '第'.len_utf8())
        }
        Some(word) => {
            let end = tail.len() - body.len() + word.len();
            let more = tail.get(end..).and_then(bracket).unwrap_or(0);
            (Act::Other, end + more)
        }
        None => (found, 0),
    }
}

/// The length of a bracket at the start, at most 40 characters.
pub(super) fn bracket(rest: &str) -> Option<usize> {
    if !rest.starts_with(['（', '(']) {
        return None;
    }
    rest.char_indices().take(40).find(|(_, c)| matches!(c, '）' | ')')).map(|(i, c)| i + c.len_utf8())
}

/// Whether a bracket behind an article says that an earlier text of it is meant: 第二百三十六条（修正前）.
pub(super) fn earlier_note(rest: &str) -> bool {
    bracket(rest).and_then(|len| rest.get(..len)).is_some_and(|note| {
        EARLIER.iter().any(|w| note.contains(w)) || ["旧", "废止", "失效"].iter().any(|w| note.contains(w))
    })
}

/// What a title in 《》 is.
pub(super) fn book(title: &str, before: &str, lexicon: &Lexicon) -> Act {
    let title = compact(title);
    let Some(name) = lexicon.han_name(&title) else { return Act::Other };
    let rest = title.get(name.name.len()..).unwrap_or_default();
    let older = lexicon.work(name.work).is_some_and(|w| older_note(rest, w.since));
    if older || bracket(rest).and_then(|len| rest.get(..len)).is_some_and(another_note) {
        return Act::Other;
    }
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
pub(super) fn classify(before: &str, tail: &str, work: usize, lexicon: &Lexicon) -> Act {
    let Some(here) = lexicon.work(work) else { return Act::Other };
    let head = compact_tail(before, 40);
    let head = head.trim_end_matches(['《', '〈', '“', '"', '「', '‘', '\'']);
    // 日本国刑法, 越南社会主义共和国刑法; the full name of the PRC's own starts before its 国.
    let own = ["我国", "中国", "全国", "我國", "中國", "中华人民共和国", "中華人民共和國"];
    if head.ends_with(['国', '國']) && !own.iter().any(|w| head.ends_with(w)) {
        return Act::Other;
    }
    if old_year(head, here.since) || of_another_time(head, here.since) {
        return Act::Other;
    }
    if OF_THAT_TIME.iter().any(|w| head.trim_end_matches(['的', '之']).ends_with(w)) {
        return Act::Unclear;
    }
    let note = bracket(tail).and_then(|len| tail.get(..len)).unwrap_or_default();
    if older_note(note, here.since) {
        return Act::Other;
    }
    if another_note(note) {
        return Act::Other;
    }
    let other = [
        "施行令",
        "施行規則",
        "施行规则",
        "施行細則",
        "施行细则",
        "施行法",
        "附則",
        "修正案",
        "草案",
        "司法解释",
        "学",
        "实施",
        "解释",
        "适用",
        "条例",
        "的解释",
        "立法解释",
        "规定》",
    ];
    if other.iter().any(|w| tail.starts_with(w)) {
        return Act::Other;
    }
    Act::Known(work)
}

/// Whether the words name a statute by its last character, 法: not 方法, 司法, 法院.
pub(super) fn ends_in_law(text: &str, at: usize) -> bool {
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
pub(super) fn names_another(text: &str, own: Option<usize>, lexicon: &Lexicon) -> bool {
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
            &["条例", "办法", "细则", "公约", "章程", "合同", "解释", "指导意见", "协议", "批复", "纪要"];
        if ALWAYS.iter().any(|w| rest.starts_with(w)) || (c == '法' && ends_in_law(text, at)) {
            return true;
        }
        at += c.len_utf8();
    }
    false
}

pub(super) fn contract_before(before: &str) -> bool {
    let tail: String = before.chars().rev().take(6).collect();
    let tail: String = tail.chars().rev().collect();
    ["合同", "协议", "契约", "章程", "约定"].iter().any(|w| tail.contains(w))
}
