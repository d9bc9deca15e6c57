//! What the words around a duration make of it.

use std::sync::LazyLock;

use regex::Regex;

use super::change::{CHANGED_TO, FROM_BEFORE, changed_by, result_of_arithmetic};
use super::number::number;
use super::plain::plain;
use super::rank::{self, Around};
use super::spans::zh_number;
use super::speaker;
use super::{TermKind, What};
use crate::read::pattern;

/// How much a mention weighs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Weight {
    /// The statute's range, or another bound.
    Bound,
    /// What a party asks for.
    Party,
    /// A duration without a word that says what it is.
    Bare,
    /// Named as a penalty.
    Penalty,
    /// Decided.
    Decided,
    /// The combined term.
    Combined,
}

/// A duration or a class that may be the sentence.
#[derive(Debug, Clone)]
pub(super) struct Mention {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) what: What,
    pub(super) kind: Option<TermKind>,
    pub(super) weight: Weight,
    /// Whether the words before it settle the matter against what was said before: "so 39 months".
    pub(super) settles: bool,
    /// An acquittal on one count, which leaves room for a conviction on another.
    pub(super) partial: bool,
    /// An acquittal of one of several accused.
    pub(super) of_one: bool,
}

/// The duration before this one.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Lead {
    /// Where it ends.
    pub(super) end: usize,
    /// Whether something was to be added to it or taken from it.
    pub(super) operand: bool,
    /// What it weighs, if it counts.
    pub(super) weight: Option<Weight>,
    /// Why it does not count, if it does not.
    pub(super) left_out: Option<Dropped>,
}

/// Why a duration does not count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Dropped {
    /// Something else lasts that long, or it is another's sentence.
    NoTerm,
    /// It was rejected or changed; what stands beside it may be what counts.
    Replaced,
}

/// Small words that may stand between a word that rejects or announces a term and the term itself.
macro_rules! small_words {
    () => {
        r"(?:[\s,:]+(?:i|we|you|he|she|it|they|be|is|are|am|was|were|been|being|do|does|did|have|has|had|will|would|shall|should|could|can|may|might|must|to|a|an|the|any|such|of|for|at|in|on|as|by|with|that|this|these|those|so|too|even|ever|necessarily|really|simply|quite|actually|only|just|about|around|approximately|some|justify|justified|justification|warrant(?:ed|s)?|merit(?:s|ed)?|deserves?|deserved|imposed?|imposing|impose|award(?:ed|ing)?|order(?:ed|ing)?|pass(?:ed|ing)?|given?|giving|sentenced?|sentences|sentencing|punish(?:ed|ment)?|think|believe|consider|find|say|see|feel|agree|accept|support|recommend(?:s|ed)?|propos(?:e|es|ed|ing)|suggest(?:s|ed)?|favou?r|endorse|go|calls?|terms?|periods?|prison|imprisonment|imprisoned|jail|jailed|penalty|full|whole|long|longer|much|high|basis|reasons?|grounds?|need|case|cause|room|appropriate|fit|fitting|proper|right|fair|necessary|required?|want|wish|intend|inclined|prepared|able|possible|him|her|them|his|their|its|my|our|accused|defendant|offender|convict|answer|decision|verdict|view|opinion|correct|final|rigorous|simple|another|further|additional|fixed|original|said|count|[a-z]\b))*\W*$"
    };
}

/// A bound that follows, with whether it is an upper one.
static BOUND_AFTER: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)^\s*(?:的?(?:有期徒刑|刑期))?\s*(?:(?P<hi>以下|以内|之内|or\s+(?:less|under|below)|(?:at\s+)?(?:the\s+)?(?:at\s+most|maximum|max)\b|(?:is|was)\s+the\s+(?:maximum|most|ceiling|cap|upper\s+limit)\b|[>≥]=?\s*(?:刑期|(?:the\s+)?(?:term|sentence)))|(?:以上|起步|or\s+(?:more|over|above)|and\s+above|at\s+least|minimum\b|(?:is|was)\s+the\s+(?:minimum|least|floor|lower\s+limit)\b|[<≤]=?\s*(?:刑期|(?:the\s+)?(?:term|sentence))))",
    )
});
static BOUND_BEFORE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)(?:(?P<hi>不(?:应|得|宜|能|可|会)?(?:超过|高于|多于|大于)|至多|最高|最多|最长|不满|不到|不足|低于|少于|上限|封顶|up\s+to|(?:not|never|unlikely\s+to|cannot|n't)\s+(?:to\s+)?(?:exceed|go\s+(?:beyond|above|over))(?:ing)?|no(?:t)?\s+(?:more|longer|greater)\s+than|at\s+most|maximum(?:\s+(?:term|sentence|of))*|max\.?|extend\s+to|(?:less|shorter|fewer|lower)\s+than|under|below|short\s+of|upper\s+(?:bound|limit|end)|ceiling|cap(?:s|ped)?(?:\s+\w+)?\s+at|[<≤]=?)|不(?:应|得|宜|能|可|会)?(?:低于|少于|短于|小于)|至少|最低|最少|最短|起码|超过|高于|多于|下限|not?\s+(?:less|fewer|shorter|lower)\s+than|at\s+least|minimum(?:\s+(?:term|sentence|of))*|min\.?|(?:more|longer|greater|higher)\s+than|over|above|beyond|exceed(?:s|ed|ing)?|upwards?\s+of|lower\s+(?:bound|limit|end)|floor|[>≥]=?)\s*(?:[:：=]|为|是|可?判处?|可?处|of|is|at|a\s+(?:term|sentence)\s+of|有期徒刑|刑期)*\s*$",
    )
});

/// Ends of sentences.
pub(super) static SENTENCE_END: LazyLock<Regex> = LazyLock::new(|| pattern(r"[。！？；;!?\n]|\.(?:\s|$)"));
/// Ends of clauses.
pub(super) static CLAUSE_END: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"[。！？；;!?\n，,、（）()]|\.(?:\s|$)"));

/// What makes a duration no term, if nothing nearer says otherwise.
static EXCLUDE_BEFORE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)缓|考验|羁押|拘留|折抵|政治权利|公权|减刑|减去|减少|减轻|增加|扣除|加重|工作|从业|职业|结婚|婚姻|婚后|同居|恋爱|时效|年龄|已执行|已服|剩余|余刑|假释|基准刑|量刑起点|起点刑|起点|相距|间隔|时隔|历时|历经|长达|持续|存续|驾驶证|驾照|驾龄|禁止|不得|吊销|驱逐|合同|协议|借款|贷款|欠款|还款|租|保证|质保|保质|有效期|侦查|审理|审限|延长|工龄|党龄|任职|任期|在职|服役|从军|参军|在逃|潜逃|逃亡|外逃|逃跑|失踪|怀孕|妊娠|孕期|哺乳|住院|治疗|就医|养伤|休养|休息|误工|护理|病假|矫正|社区服务|戒毒|收容|教养|监视居住|取保|居住|生活|学习|就读|学制|留学|经营|营业|经过|罚金|罚款|工资|犹予|保护观察|\bcustody\b|\bremand(?:ed)?\b|\bdetained\b|\bserved\b|\bserving\b|\bprobation|\bsuspended\s+for\b|\bsuspended\b.*\bfor\b|\bsupervis|\baged?\b|\bmarri(?:ed|age)\b|\bemploy|\bexperience|\blimitation|\bparole|\bdefault\b|\bdisqualif|\blicen[cs]e|\bwork(?:s|ed|ing)\b|\blived?\b|\bliving\b|\bcredit\b|\breduc|\bincreas|\bdeduct|\bminus\b|\bplus\b|\bless\s*$|\bsince\b|\bwithin\b|\bover\s+the\b|\bstarting\s+point\b|\bbas(?:e|ic|eline)\s+(?:term|sentence|figure)\b|\blast(?:s|ed|ing)\b|\btook\b|\btak(?:es|ing)\b|\bpregnan|\bhospital|\btreat(?:ed|ment)|\b(?:contract|agreement|loan|lease|rent|interest|borrow|exist|mortgage|warranty|policy|insurance|office|academic|school|notice|payment|patent|partnership)\w*(?:\s+(?:term|period)\b\s*(?:is|was|of|[:=])?)?|\bterm\s+of\s+(?:the\s+)?(?:office|loan|lease|contract|employment|agreement|policy)|\bvalid|\binvestigat|\bpending\b|\bdelay|\babscond|\bfled\b|\bfugitive|\bmissing\b|\billness|\brelationship|\btenure|\bcommunity\b|\bresid|\bstud(?:y|ied|ies|ying)\b|\bcoma\b|\brecover|\bban(?:ned|s)?\b|\bentry\b|\bdriving\b|\brehabilitat|\btraining\b|\binterval|\bspent\b|\bwait(?:ed|ing)\b|\bof\s+which\b|其中|\b(?:past|previous|preceding|next|following)\s*$",
    )
});
static EXCLUDE_AFTER: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)^\s*(?:前|后|之前|之后|以前|以来|内|间|来|期间|的?考验|年级|制|期的?(?:合同|借款|贷款|租)|-?\s*old\b|ago\b|of\s+age\b|(?:of|on|in)\s+(?:supervised\s+)?(?:probation|custody|remand|parole|release|experience)\b|probation|later\b|earlier\b|before\b|after\b|reprieve\b|(?:in\s+(?:prison|jail)|imprisonment)?\s*if\b|'?\s*(?:of\s+)?(?:(?:a|an|the|continuous|medical|lawful|active|compulsory|community|professional|previous)\s+)*(?:pregnan|treatment|wages?\b|salary|pay\b|rent\b|therapy|hospital|rehabilitation|community|service\b|work\b|training|employment|marriage|schooling|study|studies|education|leave\b|absence|delay|investigation|litigation|notice|interest\b|instal|experience|standing|tenure|practice\b|relationship|friendship|courtship|cohabitation|separation|residence|warranty|lease|loan|contract))",
    )
});
/// Probation that is named after its length: 一年的缓刑; but 一年缓刑二年 are a term and its probation.
static PROBATION_AFTER: LazyLock<Regex> = LazyLock::new(|| {
    pattern(concat!(r"^\s*(?:的)?缓刑(?:考验期?)?\s*(?:为|[:：])?\s*(?P<n>", zh_number!(), r")?"))
});
/// "6 months to pay": time for something. A few verbs tell how a sentence is served.
static TO_DO: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?i)^\s*(?:in\s+which\s+)?to\s+(?P<verb>[a-z]+)"));
/// What makes a whole clause no answer, however near the penalty's name.
pub(super) static EXCLUDE_CLAUSE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)总和刑期|刑期总和|合计刑期|刑满|剩余|余刑|残刑|未执行|(?:实际|还[需要须]?|尚[需须]?|再|已)服刑|\bremaining\b|原判|原审|原应|本应|本可|原拟|原本|起初|最初|\bdefault\b|易科|\bpleaded\b|\bpleads\b|\bplea\b|\b(?:at\s+)?first\s+(?:thought|considered|said|draft|inclined|proposed)|\b(?:initially|originally)\s+(?:I\s+)?(?:thought|considered|said|inclined|proposed|sentenced)",
    )
});
/// The sentence of the court below, upheld.
static UPHELD: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(?i)维持(?:一审|原审|原判)|\b(?:uphold|upheld|affirm|confirm|maintain)\w*"));
/// Earlier convictions, and other people and cases, up to the next word that turns back to this case.
static PRIOR: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)曾因|前科|曾于|曾被|因前罪|前罪|前案|前次|前刑|类案|类似案|同类案|参考案例|指导(?:性)?案例|先例|共同被告|同案|另案|他案|\b(?:previous(?:ly)?|prior|earlier)\s+(?:\w+\s+)?(?:convict|sentence)|\bhad\s+been\s+(?:convicted|sentenced)|\bco-?(?:accused|defendant)|\baccomplice|\bsimilar\s+cases?\b|\bprecedents?\b|\bin\s+\w+\s+vs?\s+\w+",
    )
});
pub(super) static PARTY: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)公诉机关|公诉人|检察院|检察机关|检察官|求刑|求处|控方|辩方|检方|量刑建议书|具结书|辩护人|辩护律师|辩称|(?:被害人|被害方|受害人|家属|亲属|代理人|自诉人|原告人)[^，。；]{0,8}(?:请求|要求|希望|主张|建议|认为)|(?:建议|请求|提请|恳请|请|望)(?:本院|法院|法庭|贵院|合议庭)|\bthe\s+(?:State|Crown|People|government|DA|district\s+attorney)\s+(?:\w+\s+)?(?:asks?|asked|seeks?|sought|prays?|prayed|wants?|wanted|demand(?:s|ed)?|urge[sd]?|press(?:es|ed)?|request(?:s|ed)?|propose[sd]?|recommend(?:s|ed)?|suggest(?:s|ed)?)\b|\b(?:pre-?sentenc(?:e|ing)|probation|psychiatric|social|expert|enquiry|inquiry)\s+(?:report|officer|service|worker)s?\b|\bprosecut(?:ion|ors?)\b|\bplea\s+(?:agreement|bargain)\b|\bdefen[cs]e\b|\bcounsel\b|\bvictim(?:['’]s\s+(?:\w+\s+){0,2}?|s\s+|\s+)(?:(?:has|had|would|also|again|still)\s+)?(?:asks?|asked|wants?|wanted|seeks?|sought|demand|request|plead|prays?|prayed|propos|recommend|suggest|submit|urge|wish|hop(?:e|ed|es)\b|says?|said|ask\w*)",
    )
});
/// A party proposes; where it only asks for or demands a term, and nobody decides, there is no answer.
static PROPOSED: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(?i)建议|认为|主张|提出|请求|量刑|\bpropos|\brecommend|\bsuggest|\bsubmit"));
pub(super) static RESET: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)本院|法院|法庭|合议庭|二审|再审|终审|现|综上|判决如下|决定|因此|但是|最终|本案|本次|此次|这次|今|本罪|应判|实际判|[，,；](?:而|对)?被告人|\bcourt\b|\bbench\b|\bjudge\b|\bI\b|\btherefore\b|\bhowever\b|\bnow\b|\bfinal|\bpresent\s+(?:case|offence)|\bin\s+this\s+case\b",
    )
});
/// After these words comes the conclusion, or a correction.
pub(super) static CONCLUDE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)综上|因此|所以|最终|改判|判决如下|结论|答案|本院认为|宣告刑|实际(?:判处|宣告)|综合(?:考虑|以上|全案)|\btherefore\b|\bthus\b|\bhence\b|\baccordingly\b|\bin\s+conclusion\b|\bfinal(?:ly)?\b|\banswer\s*[:：]|\bconclusion\b|\ball\s+things\s+considered\b",
    )
});
/// After these words comes a correction of what was said before.
pub(super) static CORRECTION: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)更正|纠正为|抱歉|对不起|说错|写错|算错|有误|笔误|不对|哦不|重新考虑|再三考虑|再次考虑|\bcorrection\b|\bcorrigendum\b|\berrat(?:um|a)\b|\bsorry\b|\bapologi[sz]e\b|\bapologies\b|\bmy\s+mistake\b|\bI\s+(?:meant|misspoke|mistyped|miscalculated)\b|\bactually\b|\bon\s+(?:reflection|second\s+thoughts?|reconsideration|further\s+\w+)|\bwait\b|\bscratch\s+that\b|\boops\b|\blet\s+me\s+(?:correct|revise|rephrase)|\brather\s*,|\bshould\s+(?:read|have\s+(?:been|said|read))|\bmake\s+that\b|\breconsider(?:ed|ing)\b|\b(?:edit(?:ed)?|updated?)\s*:|\brevised\b|\bon\s+review\b",
    )
});
/// Right before a term: this one it is.
static SETTLES: LazyLock<Regex> = LazyLock::new(|| {
    pattern(concat!(
        r"(?i)(?:\b(?:so|settl(?:es?|ed|ing)\s+(?:on|at|for|upon)|(?:fix|set|put|place)(?:ed|ing)?\s+(?:it|this|that|the\s+\w+)?\s*at|go(?:ing)?\s+(?:with|for)|choos(?:e|ing)|chose|pick(?:ed)?|opt(?:ed)?\s+for|land(?:ed)?\s+on|arriv(?:e|ed)\s+at|make\s+(?:it|that)|meant|agree[sd]?\s+(?:on|upon)|namely|call\s+it|(?:I|we)(?:['’]d|\s+would)?\s+(?:say|fix|set)|(?:mov|shift)(?:e[sd]?|ed|ing|s)?\s+(?:down\s+|up\s+)?to|drop(?:s|ped)?\s+to|(?:most|more)\s+(?:likely|probably)|(?:closer|nearer)\s+to|lean(?:s|ing)?\s+(?:to|towards?)|giv(?:es|ing)|leav(?:es|ing)|yield(?:s|ing)|making|result(?:s|ing)\s+in|comes?\s+to|works?\s+out\s+(?:at|to)|should\s+read|should\s+have\s+(?:been|said))",
        small_words!(),
        r"|^\s*say\s*$|(?:(?:最|更)(?:有?可能|大可能性?)(?:为|是)?|倾向于?|偏向于?)\s*(?:判处|有期徒刑|拘役|管制|约|大约)*\s*$|(?:取|得出?|即为|定为|确定为|酌定为?|择定|选定|选择|故为?|因而|应为|应是|更正为)\s*(?:有期徒刑|拘役|管制)?\s*$)"
    ))
});
static COMBINED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)决定执行|合并执行|并罚[^。；]{0,8}执行|共执行|实际执行|应执行|合并|合计|共计|总计|\b(?:total|aggregate|combined|overall|effective|cumulative|altogether|in\s+all)\b",
    )
});
static DECIDED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)判处|应判|判决|改判|科处|量处|建议|维持|刑期\s*[\]】]?\s*(?:应当?|拟|宜)?\s*[:：为是]*\s*$|宣告刑|\bsentenced\b|\bsentences\b|\bimpos|\bpropos|\brecommend|\bvot(?:e|es|ed|ing)\s+for|\baward|\border|\bdecide|\b(?:sentence|term|months|answer|punishment)\s*(?:[:=]|is\b|of\b|should\s+be\b|would\s+be\b)",
    )
});
static PENALTY: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)有期徒刑|拘役|管制|刑期|徒刑|惩役|禁锢|坐牢|入狱|服刑|监禁|\bsentenc(?:e|ing)|\bimprison|\bprison\b|\bjail|\bterm\b|\bincarcerat|\bcustodial\b|\bdetention\b|\bsurveillance\b|\b[RS]I\b|\b(?:gets?|got|receives?|received|deserves?|merits?|gives?|gave|given)\s+(?:(?:him|her|them|a|an|the|only|about|just)\s+)*$",
    )
});
/// After a term: how it is served. Nothing but a sentence is suspended, or has a period before parole.
static SERVED_HOW: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)^\s*[,(]?\s*(?:(?:wholly|fully|partly|conditionally)\s+)?(?:suspended\b|with\s+(?:an?\s+)?(?:[a-z0-9]+[\s-]){0,2}(?:probation|suspension|non-parole|minimum\s+term)|eligible\s+for\s+parole|[,，、（(]?\s*(?:宣告)?缓刑)",
    )
});
/// After a term: it is the sum.
static IN_ALL: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)^\s*(?:(?:'?\s*imprisonment|of\s+imprisonment|in\s+(?:prison|jail))\s+)?(?:in\s+(?:all|total|aggregate|sum)\b|altogether\b|overall\b|total\b)",
    )
});
/// A penalty's own name, which no contract has.
static PRISON: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)徒刑|拘役|管制|刑期|判处|惩役|禁锢|坐牢|入狱|服刑|监禁|\bimprison|\bprison\b|\bjail|\bincarcerat|\bsentenc|\b[RS]I\b",
    )
});

/// The text before a term that rejects it.
static REJECTED_BEFORE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(concat!(
        r"(?i)(?:(?:\b(?:not|never|nobody|none|no|nor|neither|cannot|without|hardly|scarcely|unlikely|refus(?:e|es|ed|ing)|declin(?:e|es|ed|ing)|disagree(?:s|d|ing)?|reject(?:s|ed|ing)?|oppos(?:e|es|ed|ing)|(?:am|are|is|argue[sd]?)\s+against|unwilling|inappropriate|unjust|excessive|unnecessary|disproportionate|wrong|rul(?:e|es|ed|ing)\s+out|avoid(?:s|ed|ing)?|sets?\s+aside|setting\s+aside|quash(?:es|ed|ing)?|overturn(?:s|ed|ing)?|vacat(?:e|es|ed|ing)|annul(?:s|led|ling)?|revers(?:e|es|ed|ing))|n't)\b",
        small_words!(),
        r"|(?:不|未|没有?|无|勿|难以|不服|拒绝|反对|避免|否定|排除|撤销|[是应可能]否)(?:必要|理由|依据|再|宜|应当?|该|能够?|可以?|可能|会|得|必|需要?|须|予以?|被|同意|赞成|支持|主张|认可|接受|采纳|建议|适合|足以|至于|认为|值得|想|愿意?|打算|考虑)*(?:对其|对被告人|对|给予|将其|以)?(?:判处|判决|判|处以|处|科处|科|适用|宣告|执行|量刑|定|采用)?(?:公诉机关|辩护人|一审|原审|原判)?(?:判处|判决)?(?:的|为|其)*(?:建议|量刑|判决|意见)?的?(?:有期徒刑|徒刑|拘役|管制)?\s*$)"
    ))
});
/// The text after a term that rejects it.
static REJECTED_AFTER: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)^\s*'?\s*(?:(?:of|rigorous|simple|in|imprisonment|sentence|term|jail|prison|custody|RI|SI)\s+)*(?:imprisonment|sentence|term|jail|prison|RI|SI)?\s*(?:(?:proposed|sought|suggested|demanded|requested|recommended|imposed|awarded|passed)\s+)?(?:by\s+[a-z]+\s+[a-z]+\s+(?:[a-z]+\s+)?)?(?:(?:(?:is|was|are|were|be|been|being|will|would|must|should|shall|ought\s+to|to|has|have|had|seems?|appears?|looks?|feels?|stands?|hereby|accordingly|therefore|thus|now|just|simply|clearly|plainly|manifestly|grossly|wholly|far|much|a\s+bit|rather|very|highly|certainly|obviously|an?|also)\s+)+(?:too\s+(?:long|short|severe|harsh|lenient|light|heavy|much|little|high|low|strict|few|many)|excessive|set\s+aside|quashed|overturned|vacated|reversed|annulled|rescinded|withdrawn|rejected|refused|unwarranted|unjust(?:ified)?|unreasonable|unfair|unduly|uncalled|unsustainable|unacceptable|unnecessary|unsupported|unlikely|inappropriate|inadequate|insufficient|indefensible|disproportionate|harsh\b|overly|wrong\b|error\b|mistake\b|typo\b|illegal|out\s+of\s+(?:the\s+question|proportion)|never\b|hardly\b|no\s+longer|not\s+(?:be\s+|an?\s+|the\s+|my\s+)*(?:appropriate|enough|adequate|sufficient|just|justified|warranted|fit|fitting|suitable|proportionate|right|proper|correct|necessary|called|supported|imposed|answer|sentence|term|upheld|sustained|acceptable|possible|available|fair|in\s+order))|(?:does|do|did|could|can|will|would|should)(?:\s*not|n't)\s+(?:be\s+)?(?:appropriate|enough|adequate|sufficient|just|justified|warranted|fit|suit|suffice|do\b|stand\b|meet|serve\s+justice|sustained|upheld|imposed|reflect)|(?:is|was|are|were)n't\s+(?:an?\s+|the\s+)?(?:appropriate|enough|adequate|sufficient|just|justified|warranted|fit|right|proper|correct|fair|answer)|goes\s+too\s+far)",
    )
});
static REJECTED_AFTER_CHINESE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^\s*(?:(?:的|有期徒刑|徒刑|刑期|拘役|管制)*(?:量刑|刑罚|判决|建议|意见|主张|请求|刑期)?[，,]?\s*(?:对其|对被告人)?(?:来说|而言)?(?:显然|明显|未免|实属|确属|似乎?|略|有些|有点|则|就|均|都|是|属于?|显|确|已|也|仍|亦)*(?:过于(?:严厉|严苛|轻缓|宽缓|严重|重|轻)|过重|过轻|畸重|畸轻|偏重|偏轻|过长|过短|过高|过低|太重|太轻|太长|太短|太高|太多|太少|不妥|(?:不宜|不当|不可能)(?:$|\P{Han})|不合适|不适当|不合理|不足以|不能成立|不成立|错误|有误|(?:不予|难以|不能)(?:采纳|支持|认可|接受|成立)|不可取|不现实)|(?:的|有期徒刑|徒刑|判决|量刑|部分)*(?:被|予以|应予|依法应予|应当)(?:撤销|驳回|推翻|否定|纠正))",
    )
});
/// Nobody decides what is only possible: "if convicted he could face 10 years", 如果退赃，判处六个月.
pub(super) static HYPOTHETICAL: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)(?:^|[，,：:]\s*)(?:若|如果|假如|倘若|要是|假设|除非)|(?:^|[,:(]\s*|\b(?:and|but|or)\s+)\s*(?:if|unless|suppos(?:e|ing)|assuming)\b|\b(?:could|might|may)\s+(?:\w+\s+)?(?:face|get|receive|be\s+(?:sentenced|imprisoned|jailed|given))\b|\bfac(?:es|ing)\s+(?:up\s+to\s+)?$",
    )
});
/// The term that is not meant: "3 years, not 4 years".
static INSTEAD: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)(?:而非|而不是|并非|不是|\bnot|\brather\s+than|\binstead\s+of|\bin\s+(?:place|lieu)\s+of)\s*(?:有期徒刑|for|of|the|an?)?\s*$",
    )
});

/// Between two terms that stand side by side: the second is what the first is. A name may introduce it.
static SIDE_BY_SIDE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^\s*(?:的?(?:有期徒刑|徒刑|拘役|管制)|(?:of\s+)?(?:imprisonment|in\s+(?:prison|jail)))?\s*(?:[、，,；;/]|[和及与或]|以及|而|\band\b|\bor\b|&|\s)+(?:\s*(?:被告人|主犯|从犯)?(?:被告人|主犯|从犯|前者|后者|另一人|其余|[甲乙丙丁戊]|[赵钱孙李周吴郑王冯陈褚卫蒋沈韩杨朱秦许何吕张孔曹严华金魏陶姜谢邹苏潘葛范彭郎鲁韦马苗方任袁柳唐罗薛雷贺汤罗郝安常于傅齐康余顾孟黄萧尹姚邵汪毛狄戴宋熊纪舒项祝董梁杜阮蓝季贾江郭梅林钟徐邱骆高夏蔡田胡凌霍万柯管卢莫丁邓石崔龚程陆翁段侯武刘龙叶黎白蒲丛文廖耿关](?:某[某甲乙丙]?|\p{Han}{0,2}))(?:\s*(?:判处|处以?|为)?(?:有期徒刑|拘役|管制|徒刑))?|the\s+(?:second|third|fourth|other|latter|co-\w+)(?:\s+(?:accused|defendant|one))?|(?:\s*[A-Z][\w']*\.?){1,3}\s*(?:gets?|got|receives?|to|for|:|-)?)?\s*$",
    )
});
/// A label that says nothing known.
static LABEL: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^[\s\d.*•|\[\]【】-]*[\p{Han}×]{2,20}\s*[:：]\s*$"));

/// How far, in bytes, the words around a mention are looked at: longer than any sentence that names a penalty, and a
/// bound on the time that hostile input can take.
const REACH: usize = 1_200;

/// Where the text before `at` last ended a sentence or clause.
pub(super) fn start_of(ends: &Regex, text: &str, at: usize) -> usize {
    let from = text.floor_char_boundary(at.saturating_sub(REACH));
    text.get(from..at).map_or(at, |before| ends.find_iter(before).last().map_or(from, |m| from + m.end()))
}

/// Where the text from `at` on next ends a sentence or clause.
pub(super) fn end_of(ends: &Regex, text: &str, at: usize) -> usize {
    let to = text.ceil_char_boundary(at.saturating_add(REACH));
    text.get(at..to).and_then(|after| ends.find(after)).map_or(to, |m| at + m.start())
}

/// The few words just before `at`, for patterns that end there.
pub(super) fn just_before(text: &str, at: usize) -> &str {
    text.get(text.floor_char_boundary(at.saturating_sub(60))..at).unwrap_or_default()
}

/// The words after the last turn back to the case at hand. "… asks the court to impose" and 建议本院 are no turn, nor is
/// the accused in what a party says of a term.
pub(super) fn since_reset(text: &str) -> &str {
    static ASKED: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?i)(?:建议|请求?|提请|恳请|要求|希望|望|促请|申请|向|\b(?:ask|urge|request|invite|beg|press|pray|submit|want|expect|tell|told|move|persuad)\w*\s+(?:(?:to|that|upon|on|with)\s+)?(?:(?:the|this)\s+)?)$",
        )
    });
    static PARTY_SAYS: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?:公诉机关|公诉人|检察院|检察机关|辩护人|律师)[^。；]*(?:认为|提出|指控|建议|主张|请求|意见)",
        )
    });
    static PARTY_ASKS: LazyLock<Regex> =
        LazyLock::new(|| pattern(r"建议|请求|提请|恳请|要求|应当?$|应当?(?:判处|宣告|认定)"));
    RESET
        .find_iter(text)
        .filter(|m| {
            let before = text.get(..m.start()).unwrap_or_default();
            let accused = m.as_str().contains("被告人");
            let asks = || text.get(m.start()..).is_some_and(|t| PARTY_ASKS.is_match(t));
            let by_a_party = accused && PARTY_SAYS.is_match(before) && asks();
            !by_a_party && !ASKED.is_match(just_before(text, m.start()))
        })
        .last()
        .and_then(|m| text.get(m.start()..))
        .unwrap_or(text)
}

/// Whether the words correct something.
pub(super) fn corrects(text: &str) -> bool {
    CORRECTION.is_match(text)
}

/// Whether the words before or after reject what stands between them.
pub(super) fn rejected(before: &str, after: &str) -> bool {
    REJECTED_AFTER.is_match(after)
        || REJECTED_AFTER_CHINESE.is_match(after)
        || (REJECTED_BEFORE.is_match(before) && !BOUND_BEFORE.is_match(before))
}

/// Whether the words speak of an earlier sentence, or of another's.
pub(super) fn of_another(since: &str) -> bool {
    static NONE: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?i)(?:没有|无|未有)[^，。；]{0,6}前科|\bno\s+(?:previous|prior|earlier)\s+(?:criminal\s+)?convictions?",
        )
    });
    PRIOR.is_match(&NONE.replace_all(since, ""))
}

/// How what is decided, asked for or only named weighs.
pub(super) fn weight_of(before: &str, since: &str) -> Option<Weight> {
    if COMBINED.is_match(before) {
        Some(Weight::Combined)
    } else if PARTY.is_match(since) {
        Some(Weight::Party)
    } else if DECIDED.is_match(before) {
        Some(Weight::Decided)
    } else {
        None
    }
}

fn last(regex: &Regex, text: &str) -> Option<usize> {
    regex.find_iter(text).last().map(|m| m.end())
}

/// Where the pattern last ends outside the name of an offence: 合同诈骗, 非法经营罪.
fn last_but_offences(regex: &Regex, text: &str) -> Option<usize> {
    static OFFENCE: LazyLock<Regex> = LazyLock::new(|| pattern(r"^\p{Han}{0,6}?(?:罪|诈骗)"));
    let beside = |m: &regex::Match<'_>| {
        (text.get(..m.start()).unwrap_or_default(), text.get(m.end()..).unwrap_or_default())
    };
    regex
        .find_iter(text)
        .filter(|m| {
            let (before, after) = beside(m);
            !OFFENCE.is_match(after) && !before.ends_with("非法")
        })
        .last()
        .map(|m| m.end())
}

/// What the words around a duration make of it.
pub(super) fn weigh(
    text: &str,
    lead: &Lead,
    start: usize,
    end: usize,
    mut what: What,
    mut bound: bool,
) -> Result<Mention, Dropped> {
    let words = |from: usize, to: usize| text.get(from..to).unwrap_or_default();
    let clause_from = start_of(&CLAUSE_END, text, start);
    let clause_start = clause_from.max(lead.end.min(start));
    let before = words(clause_start, start);
    let whole_before = words(clause_from, start);
    let own = words(start, end);
    let after_all = words(end, text.ceil_char_boundary(end + 160));
    let after = words(end, end_of(&CLAUSE_END, text, end));
    let sentence = words(start_of(&SENTENCE_END, text, start), start);
    let since = since_reset(sentence);
    let bounded = BOUND_AFTER.is_match(after_all);
    let to_do = TO_DO.captures(after_all).and_then(|c| c.name("verb")).is_some_and(|verb| {
        let verb = verb.as_str().to_lowercase();
        let served = ["run", "be", "commence", "begin", "start", "take", "serve", "undergo", "life", "death"];
        !served.contains(&verb.as_str()) && number(&verb).is_none()
    });
    let probation = PROBATION_AFTER.captures(after_all).is_some_and(|c| c.name("n").is_none());
    if (EXCLUDE_AFTER.is_match(after_all) && !bounded) || to_do || probation {
        return Err(Dropped::NoTerm);
    }
    let result = lead.operand && result_of_arithmetic(gap_of(text, lead, start));
    let asked = text.get(end_of(&SENTENCE_END, text, end)..).is_some_and(|t| t.starts_with(['?', '？']));
    let changed_to = CHANGED_TO.is_match(whole_before) && !changed_by(whole_before);
    if asked
        || rejected(before, after_all)
        || (FROM_BEFORE.is_match(whole_before) && !changed_to)
        || (EXCLUDE_CLAUSE.is_match(before)
            && !UPHELD.is_match(before)
            && !rank::upheld(after_all.get(..end_of(&SENTENCE_END, after_all, 0)).unwrap_or_default())
            && !result)
        || INSTEAD.is_match(before)
    {
        return Err(Dropped::Replaced);
    }
    if of_another(since) {
        return Err(Dropped::NoTerm);
    }
    let around = Around { text, sentence, since, clause: whole_before, after: after_all };
    if let Some(dropped) = rank::elsewhere(&around).filter(|_| !changed_to) {
        return Err(dropped);
    }
    if changed_by(before) && !changed_to && !result {
        return Err(Dropped::NoTerm);
    }
    if !changed_to
        && !result
        && let Some(excluded) = last_but_offences(&EXCLUDE_BEFORE, before)
        && last(&PENALTY, before).max(last(&DECIDED, before)).is_none_or(|named| named <= excluded)
    {
        return Err(Dropped::NoTerm);
    }
    if let What::Fixed { months, .. } = what
        && !changed_to
        && let Some(sided) = BOUND_AFTER.captures(after_all).or_else(|| BOUND_BEFORE.captures(before))
    {
        bound = true;
        what = match sided.name("hi") {
            Some(_) => What::Range(0, Some(months)),
            None => What::Range(months, None),
        };
    }
    // What holds only on a condition stands against any other term.
    if matches!(what, What::Fixed { .. }) && HYPOTHETICAL.is_match(since) {
        what = What::Unclear;
    }
    let kind = kind_of(before, after, own);
    let corrected = CORRECTION.is_match(sentence);
    let plain = plain(before, after);
    let mut settles = SETTLES.is_match(before) || changed_to || result;
    let penalty = PENALTY.is_match(before)
        || PENALTY.is_match(after)
        || PENALTY.is_match(own)
        || SERVED_HOW.is_match(after_all);
    let mut weight = if bound {
        settles = false;
        Weight::Bound
    } else {
        let others = speaker::of_others(sentence, after_all);
        // Another member of the bench has not decided.
        if others && !speaker::of_party(sentence) {
            return Err(Dropped::NoTerm);
        }
        let weighed = match weight_of(before, since) {
            Some(weight) if !others && weight > Weight::Party && IN_ALL.is_match(after_all) => {
                Some(Weight::Combined)
            }
            None if !others && IN_ALL.is_match(after_all) => Some(Weight::Combined),
            Some(Weight::Combined) if !others => Some(Weight::Combined),
            _ if speaker::own(whole_before) => Some(Weight::Decided),
            _ if others => Some(Weight::Party),
            weight => weight,
        };
        match weighed {
            Some(Weight::Party) if !PRISON.is_match(sentence) && !PROPOSED.is_match(sentence) => {
                return Err(Dropped::NoTerm);
            }
            Some(weight) => weight,
            None if settles || (corrected && plain) => Weight::Decided,
            None if penalty => Weight::Penalty,
            None if plain => Weight::Bare,
            None if side_by_side(text, lead, start) => Weight::Bare,
            // 挪用公款：十年, 受贿：五年: under a label that is not known, it stands against its like.
            None if LABEL.is_match(before) => match lead.weight {
                Some(weight @ (Weight::Bare | Weight::Penalty)) => weight,
                _ => return Err(Dropped::NoTerm),
            },
            None => return Err(Dropped::NoTerm),
        }
    };
    if matches!(weight, Weight::Bare | Weight::Penalty) && side_by_side(text, lead, start) {
        // 判处有期徒刑三年、二年: the second is as much a term as the first, or as little.
        let instead = lead.left_out == Some(Dropped::Replaced)
            && gap_of(text, lead, start).contains([',', '，', ';', '；']);
        if lead.left_out.is_some() && !instead {
            return Err(Dropped::NoTerm);
        }
        weight = lead.weight.unwrap_or(weight).max(weight);
    }
    Ok(Mention {
        start,
        end,
        what,
        kind,
        weight,
        settles: settles && weight > Weight::Party,
        partial: false,
        of_one: false,
    })
}

fn side_by_side(text: &str, lead: &Lead, start: usize) -> bool {
    let gap = gap_of(text, lead, start);
    lead.end > 0 && gap.len() <= 60 && SIDE_BY_SIDE.is_match(gap)
}

fn gap_of<'t>(text: &'t str, lead: &Lead, start: usize) -> &'t str {
    text.get(lead.end..start).unwrap_or_default()
}

fn kind_of(before: &str, after: &str, own: &str) -> Option<TermKind> {
    static KIND: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?i)(?P<d>拘役|criminal\s+detention)|(?P<s>管制|public\s+surveillance)|(?P<i>徒刑|惩役|\bimprison|\bprison\b|\bjail\b|\bincarcerat)",
        )
    });
    let near =
        KIND.captures(own).or_else(|| KIND.captures_iter(before).last()).or_else(|| KIND.captures(after))?;
    Some(if near.name("d").is_some() {
        TermKind::Detention
    } else if near.name("s").is_some() {
        TermKind::Surveillance
    } else {
        TermKind::Imprisonment
    })
}

/// "2 years. Or perhaps 3 years.", 三年，也许四年: whoever says so has not decided.
pub(super) fn offers_another(text: &str) -> bool {
    static OFFER: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?i)(?:[.;,\n]\s*|\b)or\s+(?:perhaps|maybe|possibly)\s+(?:[a-z]+\s+){0,2}?[a-z0-9.]+[\s-]*(?:years?|months?)\b|[，。；]\s*(?:也许|或许|也可能)是?[零〇一二三四五六七八九十两半0-9]+[个年]",
        )
    });
    OFFER.is_match(text)
}
