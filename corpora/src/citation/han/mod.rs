//! Citations in Chinese.

use crate::id::{Number, Unit};
use crate::manifest::UnitName;

use super::latin::Act;
use super::lexicon::Lexicon;
use super::numerals::{digit, is_chinese_numeral};
use super::{Context, Extracted, Unresolved};

mod names;
mod numbers;

use names::{
    FILLERS, Sentence, another_between, book, bracket, classify, compact, contract_before, earlier_note,
    edition_note, names_another, with_tail,
};
use numbers::is_blank;

/// Whether a character is Han.
pub(crate) fn is_han(c: char) -> bool {
    matches!(c, '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}' | '〇' | '\u{20000}'..='\u{2FA1F}')
}

/// Whether a text can hold a Chinese citation at all.
pub(crate) fn has_article(text: &str) -> bool {
    text.contains(['条', '條'])
}

struct Han<'a> {
    text: &'a str,
    to: usize,
    lexicon: &'a Lexicon,
    context: &'a Context,
    /// Whether the paragraph speaks of Taiwan, Hong Kong or Macau; found out when it matters.
    abroad: std::cell::OnceCell<bool>,
}

/// Below this, a number before 条 may count strips of something, where no statute is named.
const COUNTED: u32 = 30;

#[derive(Clone)]
struct Article {
    act: Option<Act>,
    unit: Option<Unit>,
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
    let han = Han { text, to, lexicon, context, abroad: std::cell::OnceCell::new() };
    let mut at = from;
    // The act of this sentence, and where its name ended.
    let mut act: Option<Act> = None;
    let mut act_start = usize::MAX;
    let mut act_end = usize::MAX;
    // The same, until a line ends behind it.
    let mut name_end = usize::MAX;
    // The act of this paragraph, for 同法 and 该法.
    let mut last_act: Option<Act> = None;
    let mut last: Option<Article> = None;
    let mut sentence = Sentence::default();
    let broken = breaks_inside(text.get(from..to).unwrap_or_default());
    while let Some(c) = han.ch(at) {
        let next = at + c.len_utf8();
        if c.is_ascii_alphabetic() || c == ' ' {
            at = next;
            continue;
        }
        match c {
            // A line may end directly behind the name.
            '\n' if act.is_some() && name_end != usize::MAX && directly_behind(text, name_end, at) => {
                name_end = usize::MAX;
                at = next;
            }
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
                let end = next + end + close.len_utf8();
                // 《刑法》（2020年修正）; 《刑法》（1979年）; 《刑法》修正案（八）
                let (found, more) = with_tail(
                    book(title, text.get(from..at).unwrap_or_default(), lexicon),
                    han.rest(end),
                    lexicon,
                );
                act = Some(han.of_twins(&compact(title), found));
                last_act = act;
                act_start = at;
                act_end = end + more;
                name_end = act_end;
                at = act_end;
                // 《刑法》232条, 《刑法》二百三十二条
                if han.ch(at).is_some_and(|c| digit(c).is_some() || is_chinese_numeral(c))
                    && let Some((n, article)) =
                        list(&han, from, at, act, act_start, act_end, last_act, &mut sentence, group, out)
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
                    if let Some(odd) = han.odd_place(end) {
                        not_understood(&han, odd, Unresolved::OddPlace, out);
                        at = odd;
                    }
                    continue;
                }
                at = next;
            }
            '第' | '笫' | '弟' => {
                match list(&han, from, at, act, act_start, act_end, last_act, &mut sentence, group, out) {
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
                if let Some((work, end)) = name_at(&han, at, broken) {
                    let before = text.get(from..at).unwrap_or_default();
                    let tail = han.rest(end);
                    let (found, more) = match classify(before, tail, work, lexicon) {
                        Act::Known(work) => with_tail(Act::Known(work), tail, lexicon),
                        other if tail.starts_with("修正案") => {
                            let end = "修正案".len();
                            (other, end + tail.get(end..).and_then(bracket).unwrap_or(0))
                        }
                        other => (other, edition_note(tail).unwrap_or(0)),
                    };
                    act = Some(han.of_twins(&compact(text.get(at..end).unwrap_or_default()), found));
                    last_act = act;
                    act_start = at;
                    act_end = end + more;
                    name_end = act_end;
                    at = act_end;
                    // 刑法232条
                    if let Some((n, article)) =
                        list(&han, from, at, act, act_start, act_end, last_act, &mut sentence, group, out)
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

/// Whether white space stands between Han characters.
fn breaks_inside(text: &str) -> bool {
    let mut before = 0u8;
    let mut blank = false;
    for b in text.bytes() {
        if matches!(b, b' ' | b'\n' | b'\t' | b'\r') {
            blank = true;
            continue;
        }
        if blank && b >= 0xE0 && before >= 0x80 {
            return true;
        }
        blank = false;
        before = b;
    }
    false
}

/// A work's name at `at`, and its end. `broken`: white space may stand inside names.
fn name_at(han: &Han<'_>, at: usize, broken: bool) -> Option<(usize, usize)> {
    let rest = han.rest(at);
    let whole = han.lexicon.han_name(rest);
    // Longest name of a law, with as many breaks.
    let window = 48;
    // How the names of the laws of the PRC begin.
    const FIRST: &[char] =
        &['中', '刑', '民', '宪', '治', '道', '行', '反', '监', '禁', '我', '现', '国', '公'];
    let cut = broken
        && rest.starts_with(FIRST)
        && rest.chars().take(window).find(|c| !is_han(*c)).is_some_and(is_blank);
    if cut {
        let end = rest.char_indices().nth(window).map_or(rest.len(), |(i, _)| i);
        let joined = compact(rest.get(..end).unwrap_or_default());
        if let Some(name) = han.lexicon.han_name(&joined)
            && whole.is_none_or(|w| w.name.len() < name.name.len())
        {
            // As many characters that are not blank.
            let mut left = name.name.chars().count();
            for (i, c) in rest.char_indices() {
                if is_blank(c) {
                    continue;
                }
                left -= 1;
                if left == 0 {
                    return Some((name.work, at + i + c.len_utf8()));
                }
            }
        }
    }
    whole.map(|name| (name.work, at + name.name.len()))
}

/// Whether nothing but white space and words such as 的 stand between a name and `at`.
fn directly_behind(text: &str, name_end: usize, at: usize) -> bool {
    let mut between = text.get(name_end..at).unwrap_or_default().trim();
    while let Some(rest) = FILLERS.iter().find_map(|f| between.strip_prefix(f)) {
        between = rest.trim_start();
    }
    between.is_empty()
}

/// Whether words stand behind an article and a space or a line's end, as in a document's own articles.
fn starts_words(han: &Han<'_>, end: usize) -> bool {
    let next = han.skip_space(end);
    next > end && han.ch(next).is_some_and(|c| is_han(c) && c != '第')
}

/// Whether a number without 第 behind a name counts articles instead of naming one: 修改刑法二十条, 刑法三条意见.
fn counts(han: &Han<'_>, from: usize, act_start: usize, start: usize, number: u32) -> bool {
    if han.ordinal(start).is_some() || han.ch(start).is_some_and(|c| digit(c).is_some()) {
        return false;
    }
    let before = names::compact_tail(han.text.get(from..act_start.min(start)).unwrap_or_default(), 8);
    number < 11
        || ["修改", "修订", "修正", "增加", "新增", "删除", "删去", "涉及", "共", "调整", "补充"]
            .iter()
            .any(|w| before.contains(w))
}

/// Marks the last citation as one of a place inside its article that was not understood.
fn not_understood(han: &Han<'_>, end: usize, why: Unresolved, out: &mut [Extracted]) {
    if let Some(last) = out.last_mut() {
        last.span.1 = end.max(last.span.1);
        last.raw = han.text.get(last.span.0..last.span.1).unwrap_or_default().to_owned();
        last.pins.clear();
        if last.work.take().is_some() {
            last.unresolved = Some(why);
        }
    }
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
    last_act: Option<Act>,
    sentence: &mut Sentence,
    group: &mut usize,
    out: &mut Vec<Extracted>,
) -> Option<(usize, Article)> {
    // Is the name directly before?
    let adjacent = act.is_some()
        && act_end != usize::MAX
        && act_end <= start
        && directly_behind(han.text, act_end, start);
    // At the start of a line it may be an article of the document itself, which has a heading or words behind a space.
    let own_line = adjacent && han.text.get(act_end..start).is_some_and(|b| b.contains('\n'));
    let mut at = start;
    // `刑法232条`; `第352、347条`
    let first = match han.article(at, adjacent) {
        Some(found) => Some(found),
        None => shared_tail(han, at),
    };
    let (mut number, mut end) = first?;
    if adjacent && counts(han, from, act_start, start, number.base) {
        return None;
    }
    let shared = han.article(at, adjacent).is_none();
    let heading = own_line && (starts_words(han, end) || !goes_on(han, end));
    let whose = if heading {
        act.map(|act| if matches!(act, Act::Known(_)) { Act::Unclear } else { act })
    } else if adjacent {
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
            let another = names_another(between, own, han.lexicon) || another_between(between);
            if own.is_some() && another { Act::Unclear } else { act }
        });
        carried.or_else(|| {
            let work = han.context.default_work.as_ref()?;
            let index = han.lexicon.index(work)?;
            let home = work.jurisdiction() == "cn"
                || han.context.jurisdiction.as_deref() == Some(work.jurisdiction());
            if han.lexicon.work(index)?.unit != UnitName::Article || !home {
                return None;
            }
            let clear = matches!(act, None | Some(Act::Lost)) || act == Some(Act::Known(index));
            // A law that a sentence before has named may still be the one that is spoken of.
            let other = |last: Act| !matches!(last, Act::Lost) && last != Act::Known(index);
            // 第五条线索, 第二条毛巾: small numbers count things as well.
            let thing = number.base < COUNTED
                && !goes_on(han, end)
                && han.ch(end).is_some_and(|c| is_han(c) && c != '但');
            let rivals = !clear
                || thing
                || act.is_none() && last_act.is_some_and(other)
                || sentence.names_another(han, from, start, index);
            Some(if rivals { Act::Unclear } else { Act::Known(index) })
        })
    };
    // 條 is how Taiwan, Hong Kong and Macau write, whose codes have the same names.
    let whose = whose.map(|act| {
        let abroad = || {
            *han.abroad.get_or_init(|| {
                let around = han.text.get(from..han.to).unwrap_or_default();
                ["中華民國", "臺灣", "台灣", "臺北", "台北", "澳門", "香港"]
                    .iter()
                    .any(|w| around.contains(w))
            })
        };
        let traditional = han.text.get(start..end).is_some_and(|s| s.contains('條'));
        let mainland =
            matches!(act, Act::Known(w) if han.lexicon.work(w).is_some_and(|w| w.id.jurisdiction() == "cn"));
        if mainland && traditional && abroad() { Act::Unclear } else { act }
    });
    *group += 1;
    let mut begin = if adjacent && act_start < start { act_start } else { start };
    let mut last;
    let mut count = 0;
    loop {
        let article = Article { act: whose, unit: Some(Unit::Article(number.clone())) };
        let mut until = None;
        let (paths, after) = if shared && !han.text.get(at..end).is_some_and(|s| s.contains(['条', '條'])) {
            (Vec::new(), end)
        } else {
            han.pins(end, begin)
        };
        end = after;
        let (paths, foreign) = han.places_of(whose, paths);
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
        // A place behind the end of a range is not read.
        let beyond = until.is_some().then(|| han.pins(end, end).1).filter(|e| *e > end);
        emit(han, Some(article.clone()), paths, (begin, end), until, *group, out);
        if foreign {
            not_understood(han, end, Unresolved::OddPlace, out);
        }
        if let Some(odd) = beyond.or_else(|| han.odd_place(end)) {
            not_understood(han, odd, Unresolved::OddPlace, out);
            end = odd;
        } else if earlier_note(han.rest(end)) {
            not_understood(han, end, Unresolved::OtherAct, out);
        }
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

/// Whether the words behind an article go on as a citation of a statute does.
fn goes_on(han: &Han<'_>, end: usize) -> bool {
    let rest = han.rest(han.pins(end, end).1);
    let rest = rest.trim_start();
    // 第67条（坦白）、
    let rest = bracket(rest).and_then(|len| rest.get(len..)).map_or(rest, str::trim_start);
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
