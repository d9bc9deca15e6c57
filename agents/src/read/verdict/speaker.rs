//! Whose label it is: the one who answers, somebody who is quoted, or nobody, as in an example.

use std::sync::LazyLock;

use regex::Regex;

use super::words::{conditional, sentence_before};
use crate::read::pattern;

/// Those who may be quoted.
macro_rules! who {
    () => {
        r"(?:prosecut(?:ion|or)s?|defen[cs]e|defendants?|accused|counsel|lawyers?|attorney|advocate|other\s+(?:side|party|judges?|models?|agents?)|opponents?|opposing\s+side|victims?|judge\s+\w+|jurors?|colleagues?|critics?|users?|experts?|witness(?:es)?|algorithms?|tools?|scores?|instruments?|(?:risk\s+)?assessments?|models?|officers?|psycholog(?:ist|y)s?|psychiatrists?|social\s+workers?|agents?(?:\s+\w+)?|majority|minority|some|many|people|others|State|Crown|government|petitioners?|respondents?|appellants?|plaintiffs?|complainants?|informants?|(?:\w+\s+)?boards?|committees?|reports?|press|newspapers?|(?:earlier|previous|other|first|lower|trial|appellate|high|supreme|district|sessions)\s+(?:panel|bench|court|judge|jury)s?|magistrates?)(?:\s+(?:for|of|on\s+behalf\s+of)\s+(?:the\s+|an?\s+)?\w+(?:\s+no\.?\s*[0-9]+)?)?"
    };
}
/// Somebody else says: a party, another model or judge, with a word for saying or thinking.
static OTHERS: LazyLock<Regex> = LazyLock::new(|| {
    pattern(concat!(
        r"(?i)(?:\baccording\s+to\s+(?:the\s+|my\s+|an?\s+|his\s+|her\s+|their\s+)?(?:\w+\s+)?",
        who!(),
        r"\b(?:\s+(?:counsel|lawyer|side))?|\b",
        who!(),
        r"\b(?:'s?)?\s+(?:(?:has|had|would|also|then|only|counsel|lawyer|attorney)\s+){0,3}(?:says?|said|saying|writes?|wrote|written|claim|argu|answer|predict|state[sd]?|stating|submit|think|thought|believ|conten|insist|suggest|propos|prefer|want|repl(?:y|ies|ied)|respond|conclude|gives?|gave|view|verdict|opinion|position|response)\w*|(?:公诉人|公诉机关|检察院|检察官|辩护人|辩护律师|律师|辩方|控方|对方|被告人|被害人|别人|有人|证人|专家|鉴定人|模型|算法|系统|工具|多数人?|少数人?|(?:法官|审判员|陪审员|智能体)[甲乙丙丁A-Za-z0-9一二三])[^，。；,;\n]{0,6}?(?:说|称|认为|主张|写|回答|预测|提出|意见|答案|结论|判断)|(?:按照?|根据|依照?)(?:公诉人|公诉机关|检察院|检察官|辩护人|辩护律师|律师|辩方|控方|对方))",
    ))
});
/// The one who answers speaks again.
static OWN_TURN: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)[,;，；]\s*(?:(?:but|so|yet|and|while|still|here|nonetheless)\W+)*(?:I|my|our|we|here(?:'s|\s+it\s+is|\s+is))\b|\b(?:but|however|therefore|hence|thus|nevertheless|accordingly)\b|[，；](?:但|而|不过|因此|所以)*(?:我|本院|综上|因此|所以|最终)",
    )
});
/// Right before a label: whose it is. "Defence: …", "the prosecution's answer". What is said of an accused has the same
/// form, and a judge may begin with the own name.
static HEADED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r#"(?i)(?:\b(?:prosecut(?:ion|or)s?|defen[cs]e|counsel|lawyers?|other\s+side|opponents?|colleagues?)(?:['’]s?)?\s*[:：]?|\b(?:judge\s+\w+|other\s+judge)['’]s|(?:公诉人|公诉机关|检察院|检察官|辩护人|辩护律师|辩方|控方|对方|证人|专家|鉴定人|模型|算法|系统)的?\s*[:：]?)\s*["'“]*\s*(?:(?:own|final)\s+)?$"#,
    )
});
/// Right after a label: somebody else gave it. "…, says the defence", "… is what the prosecution wants".
static GIVEN_BY: LazyLock<Regex> = LazyLock::new(|| {
    pattern(concat!(
        r#"(?i)^["'”’.)\]\s,(，（-]*(?:(?:says?|said|writes?|wrote|argue[sd]?|claim(?:s|ed)?|according\s+to)\s+(?:the\s+|my\s+)?(?:\w+\s+)?"#,
        who!(),
        r#"\b|(?:is|was|would\s+be)\s+what\s+(?:the\s+|my\s+)?(?:\w+\s+)?"#,
        who!(),
        r#"\b)"#,
    ))
});
/// What shows the form of an answer only.
static EXAMPLE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)\b(?:an?|another|as|for|one)\s+(?:\w+\s+)?(?:example|sample|template|illustration|placeholder)\b|^\W*(?:example|sample|template|placeholder)\b|\bfor\s+instance\b|\be\.g\.|例如|比如|示例|样例",
    )
});

/// Whether the words just before a label make it another's, hypothetical or an example.
pub(super) fn not_the_answer(text: &str, at: usize) -> bool {
    let before = text.get(..at).unwrap_or_default();
    // What announces a label may end its line: "The defence wrote:".
    let trimmed = before.trim_end_matches(|c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '`' | '“'));
    let trimmed = trimmed.strip_suffix("```json").unwrap_or(trimmed).trim_end();
    let announced = trimmed.ends_with([':', '：', ',', '，']);
    let sentence = sentence_before(text, if announced { trimmed.len() } else { before.len() });
    attributed(sentence)
        || given_by_others(text.get(at..).unwrap_or_default())
        || EXAMPLE.is_match(sentence)
        || (conditional(sentence) && !OWN_TURN.is_match(sentence))
}

/// Whether the sentence makes what follows hold on a condition only.
pub(super) fn conditional_before(sentence: &str) -> bool {
    conditional(sentence)
}

/// "The officer's verdict": it is somebody's, and not of the court or about the accused.
fn of_somebody(sentence: &str) -> bool {
    static WHOSE: LazyLock<Regex> =
        LazyLock::new(|| pattern(r"(?i)\b([a-z]+)['’]s\s+(?:(?:own|final|first|last)\s+)?$"));
    const OURS: [&str; 18] = [
        "court",
        "judge",
        "bench",
        "panel",
        "it",
        "that",
        "here",
        "there",
        "what",
        "let",
        "case",
        "he",
        "she",
        "defendant",
        "accused",
        "person",
        "today",
        "offender",
    ];
    static WHOSE_CHINESE: LazyLock<Regex> =
        LazyLock::new(|| pattern(r"(?P<who>\p{Han}{1,8})的(?:最终|最后)?$"));
    const OURS_CHINESE: [&str; 14] = [
        "我",
        "我们",
        "本人",
        "本院",
        "本庭",
        "法院",
        "合议庭",
        "本案",
        "该案",
        "正确",
        "最终",
        "被告人",
        "此题",
        "问题",
    ];
    let somebody = WHOSE_CHINESE
        .captures(sentence)
        .and_then(|c| c.name("who"))
        .is_some_and(|w| !OURS_CHINESE.iter().any(|ours| w.as_str().ends_with(ours)));
    somebody
        || WHOSE
            .captures(sentence)
            .and_then(|c| c.get(1))
            .is_some_and(|w| !OURS.contains(&w.as_str().to_lowercase().as_str()))
}

/// Whether what follows a label names somebody else who gave it.
pub(super) fn given_by_others(after: &str) -> bool {
    GIVEN_BY.is_match(after)
}

/// Whether the sentence up to a label gives it as somebody else's.
pub(super) fn attributed(sentence: &str) -> bool {
    // "I side with the defence: …" is an answer of one's own.
    static SIDES: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?i)^\W*(?:(?:so|therefore|thus|hence|overall)\W+)?(?:I|we)\s+(?:side|agree|concur)\s+with\b",
        )
    });
    if SIDES.is_match(sentence) {
        return false;
    }
    // "After weighing what the defence said, …": the answer follows the comma.
    static WEIGHED: LazyLock<Regex> =
        LazyLock::new(|| pattern(r"(?i)\b(?:weighing|considering|reviewing|reading|hearing)\b[^,;:]*$"));
    HEADED.is_match(sentence)
        || of_somebody(sentence)
        || OTHERS.find_iter(sentence).last().is_some_and(|m| {
            let gap = sentence.get(m.end()..).unwrap_or_default();
            let head = sentence.get(..m.start()).unwrap_or_default();
            let weighed = WEIGHED.is_match(head) && gap.contains([',', ';']);
            gap.len() <= 80 && !weighed && !OWN_TURN.is_match(gap)
        })
}
