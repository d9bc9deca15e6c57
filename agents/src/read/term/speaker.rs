//! Whose number it is: the court's own, or what somebody else asks for, suggests or thinks right.

use std::sync::LazyLock;

use regex::Regex;

use super::context::{PARTY, RESET, just_before};
use crate::read::pattern;

/// Who speaks of another's view: a party, or another member of the bench, with a word for having or giving a view.
static OTHERS: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)(?:公诉机关|公诉人|检察院|检察机关|检察官|辩护人|辩护律师|律师|控方|辩方|检方|被告人|被害人|(?:其他|其余|另[一二两]?[名位]?|别的)(?:合议庭)?(?:成员|法官|审判员|陪审员)|(?:审判员|法官|陪审员|成员)\s*[甲乙丙丁A-Z0-9一二三]|人民陪审员)[^，。；,;\n]{0,8}?(?:建议|请求|要求|主张|认为|提出|希望|提议|申请|倾向|赞成|意见)|\b(?:(?:one|two|three|four|some|most|all|both|several|others?)\s+(?:of\s+(?:us|them|the\s+\w+)|(?:other\s+)?(?:judges?|members?|assessors?|jurors?|colleagues?))?|(?:judge|justice|juror|member|assessor)\s+(?:no\.?\s*)?\w+|(?:presiding|lay|other|fellow|senior|junior|associate|first|second|third|dissenting)\s+(?:judges?|members?|assessors?|justices?)|my\s+(?:learned\s+)?(?:colleagues?|brother|sister|peers?)|prosecution|prosecutor|defen[cs]e|counsel)(?:'s?|,?\s+who\b)?\s+(?:(?:has|have|had|would|again|now|still|only|is|was|are|also|counsel|lawyer|attorney)\s+){0,3}(?:propos|recommend|suggest|favou?r|advocat|prefer|want|ask|seek|sought|request|demand|urg|think|thought|believ|consider|say|said|vot|support|opinion|view|position|figure|number|submit)\w*",
    )
});
/// Whoever takes over another's proposal makes it the answer.
static ADOPTED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)采纳|予以支持|同意|维持|赞同|\b(?:adopt(?:s|ed|ing)?|agree[sd]?|agreeing|accept(?:s|ed|ing)?|endorse[sd]?|endorsing|concur(?:s|red)?|follow(?:s|ed|ing)?|uphold|upheld)\b",
    )
});
/// The words of a clause up to a term with which the court, or whoever answers, gives it as its own.
static OWN_TERM: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)^\W*(?:(?:综上所?述?|因此|所以|最终|最后|故|但是?|而|不过|经(?:评议|审理|合议)后?)[，,]?)*(?:合议庭|本院|本庭|法庭|法院|审判长|我们?|本人|本席)(?:一致|最终|最后|现|经(?:评议|审理|合议)后?|综合考虑|仍然?|还是|坚持|依法|酌情|决定|认为|判处|判决|判|定为|确定为|定|应当?|以|处|量刑|刑期|有期徒刑|的?(?:意见|结论|决定)[是为]|为|[：:]|\s)+$|^\W*(?:(?:so|but|and|therefore|thus|still|however|nevertheless|accordingly|hence|again)\W+)*(?:(?:I|we|the\s+(?:court|bench|panel))\s+(?:(?:still|therefore|thus|nevertheless|hereby|again|shall|will|would|firmly|now)\s+)*(?:keep|maintain|stand\s+by|stick\s+(?:to|with|by)|remain\s+(?:at|with)|hold\s+(?:to|at)|retain|adhere\s+to|stay\s+(?:at|with)|impose|decide\s+(?:on|upon))s?|(?:my|our)\s+(?:own\s+)?(?:final\s+)?(?:sentence|term|view|opinion|position|proposal|vote|answer|decision|recommendation|figure)\s+(?:still\s+)?(?:remains?|stays?|stands|is))(?:\s+(?:my|our|the|this|a|an|own|sentence|term|proposal|position|view|recommendation|vote|figure|imprisonment|at|of|to|for|on|with|by|unchanged|still|about)\b|[,:]|\s)*$",
    )
});

/// Whether the clause before a term gives it as the court's own.
pub(super) fn own(before: &str) -> bool {
    OWN_TERM.is_match(before)
}

/// Whether the sentence up to a term makes it another's, and nobody takes it over before or after it: `after` is what
/// follows the term.
pub(super) fn of_others(sentence: &str, after: &str) -> bool {
    let Some(others) = OTHERS.find_iter(sentence).last() else { return false };
    let gap = sentence.get(others.end()..).unwrap_or_default();
    // "my" is no turn back to the case, but to the one who answers.
    static MINE: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?i)\b(?:my|our|we)\b|我|本庭"));
    // What somebody thinks ought to be decided is not decided.
    let turned = gap.replace("应判", "").replace("决定执行", "");
    if RESET.is_match(&turned) || MINE.is_match(gap) {
        return false;
    }
    let head = sentence.get(..others.start()).unwrap_or_default();
    let near = after.get(..after.floor_char_boundary(90)).unwrap_or_default();
    !(adopts(head) || adopts(near))
}

/// Whether the words of the sentence name a party at all, and not only other members of the bench.
pub(super) fn of_party(sentence: &str) -> bool {
    PARTY.is_match(sentence)
}

/// Whether it is the other side that the text takes over, where the sentence up to a term names the side that asks for it.
pub(super) fn adopts_the_other_side(text: &str, sentence: &str) -> bool {
    static SIDES: LazyLock<[(Regex, Regex); 2]> = LazyLock::new(|| {
        [
            (
                pattern(
                    r"(?i)(?:采纳|同意|赞同)[^，。；\n]{0,6}(?:辩护|律师|被告)|\b(?:adopt|agree|accept|endors|concur)\w*\b[^,.;\n]{0,30}\b(?:defen[cs]e|defendant|accused)\b",
                ),
                pattern(
                    r"(?i)辩护|律师|被告人(?:建议|请求|要求|希望|认为|提出)|\b(?:defen[cs]e|defendant|accused)\b",
                ),
            ),
            (
                pattern(
                    r"(?i)(?:采纳|同意|赞同)[^，。；\n]{0,6}(?:公诉|检察)|\b(?:adopt|agree|accept|endors|concur)\w*\b[^,.;\n]{0,30}\bprosecut",
                ),
                pattern(r"(?i)公诉|检察|\bprosecut"),
            ),
        ]
    });
    SIDES.iter().any(|(taken, asks)| taken.is_match(text) && !asks.is_match(sentence))
}

/// Whether what is asked for is taken over: in words that are not denied, and not by a party, as where an accused agrees
/// to what the prosecution asks for.
pub(super) fn adopts(text: &str) -> bool {
    static DENIED: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?i)(?:(?:被告人|辩护人|公诉人|检察院|公诉机关|被害人|家属|亲属|社区|司法局)[^，。；,;\n]{0,8}|不予?|未予?|没有|难以|无法|不能|拒绝)$|(?:\b(?:not|never|cannot|neither|nor|no|hardly)|n't|\b(?:accused|defendant|defen[cs]e|prosecut(?:ion|or)))\s+(?:\w+\s+){0,2}$",
        )
    });
    // 同意 is said of many things: of a view only where nothing else follows, or the view itself.
    static OF_A_VIEW: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"^(?:[，。；,;\s]|$)|^[^，。；,;\n]{0,10}(?:建议|意见|量刑|公诉|检察|辩护|律师|审判|法官|陪审|成员|多数|看法|观点|刑期|[0-9一二三四五六七八九十两半]+[个年])",
        )
    });
    ADOPTED.find_iter(text).any(|m| {
        let agreed = ["同意", "赞同", "维持"].contains(&m.as_str());
        !DENIED.is_match(just_before(text, m.start()))
            && (!agreed || OF_A_VIEW.is_match(text.get(m.end()..).unwrap_or_default()))
    })
}
