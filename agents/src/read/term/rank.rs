//! Terms that nobody imposes here: the law's own sanction, the sentence of a court below, of another person or in another
//! case, and averages.

use std::sync::LazyLock;

use regex::Regex;

use super::context::Dropped;
use super::speaker;
use crate::read::pattern;

/// The law in general, whoever it meets: 情节严重的，处…; "whoever …", "the section carries …".
static LAW: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)\b(?:statutes?|provisions?|law|code|act|legislat(?:ure|or)|parliament|guidelines?|(?:sub-?)?sections?(?:\s+[0-9]+[a-z]*)?(?:\s*\([0-9a-z]+\))*|articles?(?:\s+[0-9]+)?|clause|offen[cs]e|crime|charge|felony)\s+(?:(?:itself|also|then|only|here|of\s+\w+)\s+){0,2}(?:says?|reads?|provides?|prescribes?|carr(?:y|ies)|allows?|permits?|attracts?|stipulates?|states?|mandates?|lays?\s+down|authori[sz]es?|foresees?|envisages?|fix(?:es)?|sets?|imposes?|is\s+punish\w*|calls?\s+for)\b|\b(?:such|this|the)\s+(?:\w+\s+)?(?:conduct|offen[cs]e|act|crime|behaviou?r)\s+is\s+punish|\b(?:penalty|punishment|sentence)\s+for\s+(?:this|the|such\s+an?|that)\s+(?:\w+\s+)?(?:offen[cs]e|crime|conduct)\s+(?:is|was)\b|\b(?:standard|usual|normal|going|customary|ordinary|typical|guideline)\s+(?:sentence|term|tariff|penalty|punishment|rate)\b|^\W*(?:[\w\s]{0,40}[:：]\s*)?\W*(?:whoever|any(?:one|body)?\s+(?:person\s+)?who|every(?:one|body)?\s+(?:person\s+)?who|an?\s+(?:person|offender|man|convict)\s+(?:who|found|convicted|guilty)|those\s+who)\b|^\W*(?:where|when(?:ever)?)\s[^.;]*,\s[^.;]*\b(?:shall|must|may|is\s+to)\b[^.;]*$",
    )
});
/// From the law to the case.
static TURN: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)\b(?:but|however|yet|here|now|I|we|my|this\s+case|the\s+accused|therefore|so|hence|accordingly|is\s+(?:hereby\s+)?sentenced|(?:he|she)\s+(?:is|gets|should|must|receives)|(?:the|this)\s+(?:court|bench)\s+(?:imposes?|sentences?|finds?|orders?|awards?|holds?))\b|本案|但",
    )
});
/// The condition of a provision, up to its sanction: 的，处; 的，应当免予. In a judgment the accused stands before it.
static CONDITION: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?P<head>[^。；;\n]*)的(?:[，,]\s*(?:应当?|可以|依法|一律|对其|并|也|均|即|或者?|减轻处罚|从轻处罚)*(?:判处|处以|处|科处|认定为?|宣告|判决|决定)?(?:被告人|犯罪分子)?|\s*(?:应当?|可以|依法|一律)*(?:判处|处以|处))(?:有期徒刑|拘役|管制)?[“”\s]*$",
    )
});
static THE_ACCUSED: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"被告|本案|本院|该犯|我|此案|综上|某|[甲乙丙丁]|现"));
/// 刑法规定…, 法定最高刑为…
static LAW_SAYS: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?P<head>[^。；;\n]*)(?:刑法|法律|法条|条文|该条|本条|该款|本款|前款|司法解释|指导意见|条|款)[^，。；]{0,12}(?:规定|明确)(?P<gap>[^。；;\n]*)$|法定(?:最[高低重轻])?刑期?[^，。；\n]{0,6}$",
    )
});
static APPLIES: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(?:依照?|根据|按照?|依据|适用|援引|遵照|结合|参照)[^。；]{0,60}$"));
static PRONOUNCES: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"判处|判决|决定|被告|本案|本院|我|因此|故|据此|所以|但|综上|宣告刑|最终"));

/// A court below: its sentence counts only where it is left standing.
static LOWER: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)一审|初审|原审|原判|原判决|原一审|下级法院|\bby\s+the\s+(?:trial|lower|sessions|district|county)\s+(?:court|judge)\b|\b(?:judge|court)\s+below\b|\b(?:trial|lower|sessions|district|county|first[- ]instance)\s+(?:court|judge)(?:\s+(?:\w+\s+){0,4}?(?:had\s+)?(?:sentenced|imposed|awarded|convicted|gave|acquitted|passed|handed|fixed|ordered|decided|found)|\s+$)|\bcourt\s+(?:below|of\s+first\s+instance|a\s+quo)\b|\bmagistrate\s+(?:had\s+)?(?:sentenced|imposed|awarded|convicted|gave|acquitted|passed|fixed|ordered)\b",
    )
});
/// Up from the court below.
static ABOVE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)二审|再审|终审|改判|本院|现|我院|上诉审|高级人民法院|变更|\bon\s+appeal\b|\bhigh\s+court\b|\bthis\s+court\b|\bappellate\b|\bwe\b|\bI\b|\bnow\b|\b(?:modif|reduc|commut|enhanc|substitut|replac)\w*",
    )
});
static UPHELD: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)维持|驳回(?:上诉|抗诉|申诉)|\b(?:uphold|upheld|affirm|confirm|maintain)\w*|\b(?:appeal|revision)s?\b[^.;]{0,60}\bdismiss|\bdismiss\w*\b[^.;]{0,30}\bappeal|\b(?:left|leave|leaves)\b[^.;]{0,40}\b(?:intact|undisturbed|unchanged)",
    )
});
static BY_LOWER: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)^[^.;。；]{0,40}\b(?:by|of|in)\s+the\s+(?:trial|lower|sessions|magistrate|court\s+(?:below|of\s+first))",
    )
});

/// Somebody else's sentence: kin, accomplices, another case, another year.
static OTHER_PEOPLE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)同伙|同犯|已判刑|已(?:经)?被[^，。；]{0,4}判|另行判|先前|此前的|以往|(?:头目|首犯|主谋|线人|上家|下家|买家|卖家|前夫|前妻)[^，。；]{0,6}(?:被判|获刑|被处)|年[^，。；]{0,12}因[^，。；]{1,14}(?:被判|被处|获刑)|本院曾|该案(?:被告|中)|另一(?:起|案|名|被告)|另外一|其他(?:被告人|案件|人员)|(?:参照|参考)[^，。；]{0,30}(?:案|判决)|主犯(?:\p{Han}{1,4}?)?(?:已?被|获|已)|从犯(?:\p{Han}{1,4}?)?(?:已?被|获|已)|(?:兄|弟|姐|妹|父亲?|母亲?|妻子?|丈夫|儿子|女儿|朋友|同事|邻居)[^，。；]{0,8}(?:被判|被处|获刑|判处)|\b(?:his|her|their|accused's|defendant's)\s+(?:\w+\s+)?(?:brother|sister|father|mother|wife|husband|son|daughter|friend|cousin|partner|companion|associate|boss|employer|neighbou?r)s?\b[^.;]{0,30}\b(?:was|were|got|received|gets|has|is\s+serving)\b|\b(?:wife|husband|brother|sister|son|father|mother|friend)\s+of\s+the\s+(?:accused|defendant)\b|\bring-?leaders?\s+(?:got|was|were|received|has|have)\b|\b(?:second|third|other|another|fellow)\s+(?:accused|defendants?|offenders?)\b[^.;]{0,12}\b(?:was|were|got|received|has|have)\b|\b(?:in|of)\s+(?:the\s+|an?\s+|one\s+)?(?:earlier|previous|another|that|other|comparable|cited|leading)\s+(?:\w+\s+)?case\b|\b(?:leading|cited|reported|earlier|similar|comparable|parallel|related|recent|previous)\s+(?:\w+\s+)?(?:cases?|matters?|judgments?|decisions?|rulings?)\b|\b(?:an?|another|one)\s+(?:\w+\s+)?\w+\s+(?:was|got|received|has\s+been|had\s+been)\b|\b(?:leader|boss|mastermind|organi[sz]er|informant|buyer|supplier|instigator)s?\s+(?:was|were|got|received|has|have|had)\b|\balready\s+(?:has|had|serves)\b|\b(?:last|previous)\s+(?:year|month)\b|\byears?\s+ago\b|\bback\s+in\s+(?:19|20)[0-9]{2}\b|\bcourt\s+in\s+that\s+case\b|\bconvicted\s+in\s+(?:19|20)[0-9]{2}\b|\b(?:previously|earlier|once|already)\s+(?:been\s+)?(?:jailed|imprisoned|served|sentenced|convicted)\b|\b(?:is|has|had|was)\s+(?:already\s+)?(?:served|serving)\s+(?:a\s+)?(?:sentence|term|[0-9])",
    )
});
static OTHER_AFTER: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)^\s*[(（]\s*[0-9]\s*(?:votes?|票)?\s*[)）]|^[^.;。；,，]{0,40}(?:\b(?:from|by)\s+another\s+court\b|\bin\s+(?:an?\s+)?(?:separate|another|earlier|different|previous)\s+(?:trial|case|proceedings?)\b|\b(?:years?|months?)\s+ago\b|\bin\s+(?:19|20)[0-9]{2}\b)",
    )
});
/// From others to the accused.
static THIS_ONE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)[，,；]\s*(?:而|但|对|本案)?被告人[^被]|本案|本院|现判|今次|这次|\b(?:here|now|this\s+time|present|instant)\b|\bthe\s+accused\s+(?:is|gets|must|should|receives)\b|\bI\s+(?:sentence|impose|propose|give|set|fix)\b|\b(?:I|we)\b",
    )
});

/// What several say, put together; one of them is not the answer, unless it is taken over.
static AVERAGE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)平均|均值|中位|众数|多数意见|少数意见|(?:统计|通常|一般)[^，。；]{0,12}(?:刑期|判处|量刑)|\b(?:average|averages|median|statistic\w*|majority|minority)\b|\b(?:the|a)\s+mean\b|\bmean\s+(?:of|term|sentence|figure|value|is|was)\b|\b(?:typical|usual)\s+(?:sentence|term|penalty|punishment)\b",
    )
});
static DRAWN: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)取|采用|以此|作为|确定|最终|宣告|我|本院|\b(?:I|we|my|our|so|therefore|thus|hence|adopt\w*|final|gives|giving)\b",
    )
});

/// The text around a mention.
#[derive(Debug, Clone, Copy)]
pub(super) struct Around<'t> {
    /// Everything.
    pub(super) text: &'t str,
    /// The sentence up to the mention.
    pub(super) sentence: &'t str,
    /// The same since the last turn back to this case.
    pub(super) since: &'t str,
    /// The clause up to the mention.
    pub(super) clause: &'t str,
    /// What follows.
    pub(super) after: &'t str,
}

/// Whether the law says it, and nobody decides it.
fn of_the_law(around: &Around<'_>) -> bool {
    if gap_after(&LAW, around.sentence).is_some_and(|gap| !TURN.is_match(gap)) {
        return true;
    }
    static TO_WHOM: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?:对[^，。；\n]{1,16}(?:分子|人员|成员|者)|[^，。；\n]{2,12}者)[，,]?\s*(?:应当?|可以|一律|可)?处\s*$",
        )
    });
    if TO_WHOM.is_match(around.sentence) && !THE_ACCUSED.is_match(around.clause) {
        return true;
    }
    if let Some(found) = CONDITION.captures(around.sentence) {
        let head = found.name("head").map_or("", |m| m.as_str());
        if !THE_ACCUSED.is_match(head) {
            return true;
        }
    }
    LAW_SAYS.captures(around.since).is_some_and(|found| {
        let gap = found.name("gap").map_or("", |m| m.as_str());
        let head = around.since.get(..around.since.len() - gap.len()).unwrap_or_default();
        !APPLIES.is_match(head) && !PRONOUNCES.is_match(gap)
    })
}

/// Whether the words leave a sentence standing.
pub(super) fn upheld(after: &str) -> bool {
    UPHELD.is_match(after)
}

/// The gap between the last match and the end of the sentence so far.
fn gap_after<'t>(regex: &Regex, sentence: &'t str) -> Option<&'t str> {
    regex.find_iter(sentence).last().and_then(|m| sentence.get(m.end()..))
}

/// Why the mention is no term of this case, if it is none.
pub(super) fn elsewhere(around: &Around<'_>) -> Option<Dropped> {
    if of_the_law(around) {
        return Some(Dropped::NoTerm);
    }
    // 原审被告人 is the accused of this case, too.
    let lower = gap_after(&LOWER, around.sentence)
        .is_some_and(|gap| !gap.starts_with(['被', '上', '公', '附', '自']) && !ABOVE.is_match(gap))
        || BY_LOWER.is_match(around.after);
    if lower && !UPHELD.is_match(around.text) {
        return Some(Dropped::Replaced);
    }
    let others = gap_after(&OTHER_PEOPLE, around.sentence).is_some_and(|gap| !THIS_ONE.is_match(gap));
    if others || OTHER_AFTER.is_match(around.after) {
        return Some(Dropped::NoTerm);
    }
    let near = around.after.get(..around.after.floor_char_boundary(60)).unwrap_or_default();
    if gap_after(&AVERAGE, around.clause).is_some()
        && !DRAWN.is_match(around.clause)
        && !speaker::adopts(near)
    {
        return Some(Dropped::NoTerm);
    }
    None
}
