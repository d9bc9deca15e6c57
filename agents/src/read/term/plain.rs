//! Words that leave a duration what it looks like.

use std::sync::LazyLock;

use regex::Regex;

use crate::read::pattern;

/// Words that may stand around a duration without making it anything but the answer.
static PLAIN_ENGLISH: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)^(?:\W|\d|_)*(?:(?:a|an|the|is|are|am|was|be|been|being|would|should|shall|will|must|ought|to|of|for|at|in|on|as|by|it|its|this|that|these|he|she|they|him|her|them|his|their|my|our|your|i|we|you|me|us|d|m|s|re|ll|ve|about|around|somewhere|something|like|region|vicinity|order|ballpark|approximately|approx|roughly|circa|ca|nearly|almost|perhaps|maybe|probably|likely|possibly|some|only|just|exactly|precisely|say|says|said|think|thinks|believe|feel|suggest|guess|estimate|estimated|predict|predicted|prediction|answers?|final|finally|result|verdict|decision|conclusion|conclude|outcome|judgment|totals?|all|full|fair|fit|proper|right|reasonable|appropriate|adequate|suitable|enough|sufficient|correct|proportionate|warranted|justified|mine|ours|opinion|view|accused|defendant|offender|convict|appellant|respondent|man|woman|person|counts?|charges?|first|second|third|fourth|fifth|each|both|no|nos|number|case|matter|present|instant|current|here|now|therefore|thus|hence|so|then|and|but|or|yes|okay|ok|well|sir|based|given|with|down|up|per|under|becomes?|equals?|equal|ie|viz|namely|rigorous|simple|fixed|hard|labou?r|duration|length|punishment|penalty|penal|guilty|convicted|recommended|suggested|proposed|low|lower|high|higher|mid|middle|minimum|maximum|upper|item|value|not|rather|than|instead|correction|corrected|sorry|actually|reflection|wait|meant|mean|oops|in|prison|jail|[ivx]+|[a-z]|one|two|three|four|five|theft|fraud|robbery|murder|homicide|manslaughter|culpable|rape|assault|burglary|hurt|grievous|dacoity|extortion|kidnapping|abduction|cheating|forgery|bribery|corruption|arson|embezzlement|smuggling|trafficking|drugs?|offen[cs]es?|crimes?|section|sections|article|articles|clause|ipc|bns|code|act|years?|yrs?|months?|mths?|days?|edit|edited|updated?|revised|between|from|substituted|unreasonable|excessive|inappropriate|unfair|reduced|enhanced|increased|lowered|raised|severe|harsh|lenient|do|does|seems?|appears?|looks?|spend|behind|suffices?|average|mean|median|views|proposals|judges|bench|court|this\s+time|most|best|better|fairest|fairer|fitting|hmm|discount|early|mark|midpoint|plea|vote|mine|bars|go|goes|away|settle|impose|choose)\b(?:\W|\d|_)*)*$",
    )
});
static PLAIN_CHINESE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^(?:[^\p{Han}\p{Latin}\p{Devanagari}\p{Hiragana}\p{Katakana}]|\p{Han}{1,8}罪|\p{Han}某[某甲乙丙]?|我|认为|觉得|看|将?近|接近|应当?|应该|须|需|宜|可|拟|会|将|要|给|给予|予以?|为|是|系|即|等于|大?约|大概|差不多|左右|上下|一?共|共计|合计|总计|总共?|整|正|的|了|吧|呢|啊|刑|时长|月数|年数|答案|结果|结论|预测|判断|建议|推荐|最终|最后|最|终|综上所?述?|综合|因此|所以|故|于是|从而|则|就|又|再|仍|其|他|她|本人|该|此|本案?|这|那|被告人?|[甲乙丙丁]|对|在|按|照|判处?|处|处以|罚|定为?|确定|确定为|取|选|减|加|增|至|到|成|罪|数罪|并罚|第|项|数|[零〇一二三四五六七八九十百两半]|个|或|和|与|及|而|更正|抱歉|对不起|不是|并非|实际|意见|看法|本院|本庭|法院|法庭|合议庭|其实|得出?|恰当|合适|适当|适宜|合理|妥当|较为?|比较|更|足矣|即可|足够|从轻|从重|减轻|处罚|后|坐牢|实刑|主刑|量刑|宣告|判决|裁定|决定|の|に|は|を|と|です|eoa)*$",
    )
});

/// Whether the words of a clause around a duration say nothing that would make it another thing than the answer.
pub(super) fn plain(before: &str, after: &str) -> bool {
    let plain = |words: &str| {
        if words.is_ascii() { PLAIN_ENGLISH.is_match(words) } else { PLAIN_CHINESE.is_match(words) }
    };
    plain(before) && plain(after)
}
