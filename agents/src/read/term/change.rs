//! Terms that are changed into others: what they become, by how much, and what comes out.

use std::sync::LazyLock;

use regex::Regex;

use super::spans::{en_number, zh_number};
use crate::read::pattern;

macro_rules! changes {
    () => {
        r"(?:reduc|enhanc|increas|lower|rais|cut|commut|chang|modif|alter|revis|amend|correct|shorten|extended|adjust|convert|br(?:ing|ought)\s+down|brought|scal)(?:e|es|ed|ing|s|ied|ies|y|ten|ting)?"
    };
}
/// After a term: it is not the last word. "… is reduced to", 减为, "less 6 months", 的基础上.
pub(super) static CHANGED_AFTER: LazyLock<Regex> = LazyLock::new(|| {
    pattern(concat!(
        r"(?i)^\s*(?:'?\s*(?:(?:of|rigorous|simple|imprisonment|prison|jail|sentence|term|RI|SI)\b\s*)*[,(]?\s*(?:(?:which|that|it|this|and|then|is|was|are|were|be|being|been|has|have|had|stands|shall|will|must|should|ought\s+to|hereby|accordingly|now|therefore|thus|later|subsequently)\s+)*(?:(?:",
        changes!(),
        r"\s+(?:down\s+|up\s+)?(?:to|into)\b|",
        changes!(),
        r"\s+(?:down\s+|up\s+)?by\s+(?:(?:a|an|another|about|further)\s+)*(?:",
        en_number!(),
        r"|half\b|third\b|quarter\b))|(?:substituted|replaced)\s+(?:by|with)\b|becom(?:es|ing)\b|became\b|down\s+to\b|(?:less|minus|with|after|at)\s+(?:an?\s+)?(?:[\w%-]+\s+){1,3}(?:discount|reduction|deduction)\b|(?:less|minus)\s+(?:an?|one|two)[\s-](?:third|quarter|half|fifth)|(?:less|minus|plus|\+|-)\s*(?:",
        en_number!(),
        r")(?:[\s-]*(?:months?|years?|yrs?|days?)\b|\s*(?:%|per\s*cent))|(?:[-=]+>|→)\s*[0-9])|(?:的|有期徒刑|徒刑|刑期|拘役|量刑)*\s*(?:基础上|[，,]?\s*(?:被|予以|依法|应|再|酌情|后|拟|可)*(?:减|降|改|增|加|提高|延长|缩短|变更|调整|更正|修正|上调|下调|升)(?:少|轻|低|加|重|长|短|判)?(?:为|至|到|成|",
        zh_number!(),
        r"\s*[年个])))"
    ))
});
/// Before a term: what was changed ends here.
pub(super) static CHANGED_TO: LazyLock<Regex> = LazyLock::new(|| {
    pattern(concat!(
        r"(?i)(?:\b(?:",
        changes!(),
        r"|substitut(?:e|es|ed|ing)|replac(?:e|es|ed|ing))\b(?:[^.;\n]{0,80}\s)?(?:to|into|with|by|as)(?:\s+(?:a|an|the|only|just|about|term|sentence|period|of|rigorous|simple|imprisonment|for|one|that))*\s*|\b(?:becomes|became|becoming)\s+|(?:[-=]+>|→)\s*|(?:减|降|改|增|提高|延长|缩短|变更|调整|更正|修正|修改|上调|下调|加重)[^，。；\n]{0,16}?(?:为|至|到|成)\s*(?:有期徒刑|拘役|管制)?\s*)$"
    ))
});
/// Before a term: it is what was changed. "reduced from 10 years".
pub(super) static FROM_BEFORE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(concat!(
        r"(?i)\b(?:(?:",
        changes!(),
        r"|down|up|mov(?:e[sd]?|ing)|shift(?:s|ed|ing)?|com(?:es?|ing)|came|goes|going|went|drop(?:s|ped)?)\b(?:[^.;\n]{0,80}\s)?from|(?:discount|reduction)\s+(?:on|from)|(?:substituted|replac(?:e|ed|ing))(?:\s+for)?)(?:\s+(?:a|an|the|original|earlier|term|sentence|period|of|rigorous|simple|imprisonment|for))*\s*$"
    ))
});
/// Before a duration: by how much something is changed.
static CHANGED_BY: LazyLock<Regex> = LazyLock::new(|| {
    pattern(concat!(
        r"(?i)(?:\b",
        changes!(),
        r"(?:\s+[a-z']+){0,4}?\s+(?:down\s+|up\s+)?by(?:\s+(?:a|an|another|about|further))*|(?:months?|years?|[月年])\s*[-+]|\b(?:up|down)\s+by(?:\s+(?:a|an|another|about|further))*|\b(?:minus|plus)|(?:\P{Alphabetic}\s*|^\s*)less|\badd(?:s|ed|ing)?|\b(?:discount|reduction|deduction|increase|uplift)\s+of(?:\s+(?:a|an|another|about))*|减去?|减少|下调|上调|扣减|缩短|延长|加上?|增加|扣除)\s*$"
    ))
});
/// Before and after by how much something is changed, where the words go on with what it becomes: "I reduce my
/// sentence by 6 months, to 30 months".
static CHANGED_BY_TO: LazyLock<(Regex, Regex)> = LazyLock::new(|| {
    let before = pattern(concat!(
        r"(?i)\b",
        changes!(),
        r"\b[^.;\n]{0,60}\bby(?:\s+(?:a|an|another|about|further))*\s*$"
    ));
    let after = pattern(concat!(
        r"(?i)^\s*,?\s*(?:(?:and\s+)?(?:thus|so|down|up)\s+)?to\s+(?:a\s+(?:term|sentence|total)\s+of\s+)?",
        en_number!()
    ));
    (before, after)
});
/// Between an operand and what comes of it.
static RESULT: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)^[^.;。；\n]*(?:[:：=≈]|\b(?:to|leaving|leaves|giving|gives|making|makes|equals|is|so|hence|thus)\b|[为至到得即成])[\s(（]*(?:a\s+(?:term|sentence|total)\s+of\s+)?$",
    )
});
/// Whether the words end in by how much something is changed.
pub(super) fn changed_by(text: &str) -> bool {
    CHANGED_BY.is_match(text)
}

/// Whether what stands between is by how much something is changed, the result following.
pub(super) fn changed_by_to(before: &str, after: &str) -> bool {
    CHANGED_BY_TO.0.is_match(before) && CHANGED_BY_TO.1.is_match(after)
}

/// Whether what stands between two durations adds the second to the first, or takes it away: " - ", "(plea) + ".
pub(super) fn operand(gap: &str) -> bool {
    static SIGN: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?i)^\s*(?:[(（][^()（）\n]{0,40}[)）]\s*)?(?:,\s*)?(?:[-+]|\b(?:minus|plus|less)\b|减去?|加上?)\s*$",
        )
    });
    SIGN.is_match(gap)
}

/// Whether the words between an operand and a term make the term the result.
pub(super) fn result_of_arithmetic(gap: &str) -> bool {
    gap.len() <= 160 && RESULT.is_match(gap)
}
