//! What the words before a quotation say of it: that the law speaks, that somebody else does, or neither.

use super::is_han;

/// How a quotation is led to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Lead {
    /// The law is said to have these words.
    pub introduced: bool,
    /// Said so closely before the quotation that even two words count.
    pub strong: bool,
    /// Said so that a few words may or may not be the law's.
    pub doubtful: bool,
    /// Somebody speaks, or the words are a name or a scare quote.
    pub passes: bool,
}

/// The last characters of a text.
pub(super) fn last_chars(text: &str, n: usize) -> &str {
    let start = text.char_indices().rev().nth(n.saturating_sub(1)).map_or(0, |(i, _)| i);
    text.get(start..).unwrap_or_default()
}

/// Whether somebody is said to speak.
fn speaks(lead: &str) -> bool {
    const SPEECH: &[&str] = &[
        " said",
        "told",
        "shouted",
        "stated that",
        "deposed",
        "uttered",
        "replied",
        "asked",
        "exclaimed",
        "testified",
        "argued",
        "submitted",
        "contended",
        "observed",
        "held that",
        "wrote",
        "the words",
        "his words",
        "her words",
        "their words",
        "statement",
        "称",
        "说",
        "供述",
        "辩解",
        "喊",
        "问",
        "答",
        "陈述",
        "कहा",
        "बोला",
    ];
    SPEECH.iter().any(|w| lead.contains(w))
}

/// Papers and people that speak under a provision, and are not it.
const DOCUMENTS: &[&str] = &[
    "statement",
    "statements",
    "fir",
    "report",
    "charge",
    "charges",
    "chargesheet",
    "notice",
    "petition",
    "order",
    "orders",
    "confession",
    "complaint",
    "application",
    "plea",
    "affidavit",
    "letter",
    "memo",
    "declaration",
    "witness",
    "judgment",
    "judgement",
    "decree",
    "warrant",
    "sanction",
    "reply",
    "deposition",
    "summons",
    "case",
    "court",
    "counsel",
    "prosecution",
    "bail",
    "magistrate",
];

/// Whether the words are those of a paper that is made under the provision, or of somebody who speaks of it: `the
/// statement under Section 161 says`, `Section 154 report:`, `Section 499, says the Court,`.
pub(super) fn of_a_document(before: &str, between: &str) -> bool {
    const UNDER: [&str; 5] = ["under", "u/s", "with", "r/w", "to"];
    const SPEAKERS: [&str; 12] = [
        "says the court",
        "said the court",
        "says counsel",
        "says the judge",
        "argues counsel",
        "says he",
        "says she",
        "ordered:",
        "ordered",
        "directed:",
        "指控",
        "控告",
    ];
    let between = between.to_lowercase();
    let behind = between.trim_start_matches([',', ' ']);
    let first = behind.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    if SPEAKERS.iter().any(|s| between.contains(s))
        || ["read with", "r/w"].iter().any(|s| between.trim() == *s)
        || between.starts_with(' ') && DOCUMENTS.contains(&first)
    {
        return true;
    }
    let near = last_chars(before, 60).to_lowercase();
    let sentence = near.rsplit(['.', ';', ':', '\n', '"', '”']).next().unwrap_or_default();
    let words: Vec<&str> =
        sentence.split(|c: char| c.is_whitespace() || c == ',').filter(|w| !w.is_empty()).collect();
    let words = words.strip_suffix(&["the"]).unwrap_or(&words);
    let Some((link, rest)) = words.split_last() else { return false };
    UNDER.contains(link) && rest.iter().rev().take(3).any(|w| DOCUMENTS.contains(w))
}

/// Verbs and nouns that announce words of the law letter by letter.
const SAYING: &[&str] = &[
    "provides",
    "provide",
    "provided",
    "providing",
    "reads",
    "read",
    "reading",
    "states",
    "state",
    "stating",
    "says",
    "say",
    "saying",
    "enacts",
    "enact",
    "stipulates",
    "stipulate",
    "runs",
    "declares",
    "mandates",
    "ordains",
    "commands",
    "text",
    "wording",
    "lays",
];

/// The same of single words, whatever article stands between.
const WORDING: &[&str] = &[
    "speaks",
    "speak",
    "talks",
    "uses",
    "use",
    "using",
    "employs",
    "employ",
    "contains",
    "words",
    "word",
    "term",
    "phrase",
    "expression",
    "expressions",
    "phrases",
    "language",
    "opens",
    "begins",
    "ends",
    "concludes",
    "quotes",
];

/// Verbs that tell what a provision is about; a quotation behind them may be a name for it.
const CONTENT: &[&str] = &[
    "guarantees",
    "guarantee",
    "requires",
    "require",
    "prescribes",
    "punishes",
    "criminalises",
    "criminalizes",
    "covers",
    "mentions",
    "defines",
    "describes",
    "imposes",
    "protects",
    "prohibits",
    "refers",
    "penalises",
    "penalizes",
    "directs",
];

/// Verbs whose object is a thing, not words: `defines "murder"`.
const DEFINING: &[&str] = &[
    "defines",
    "define",
    "describes",
    "covers",
    "punishes",
    "concerns",
    "penalises",
    "penalizes",
    "criminalises",
];

/// Words that may stand between such a word and the quotation.
const BETWEEN: &[&str] = &[
    "that",
    "thus",
    "as",
    "follows",
    "under",
    "inter",
    "alia",
    "in",
    "part",
    "relevant",
    "clearly",
    "expressly",
    "specifically",
    "explicitly",
    "only",
    "also",
    "further",
    "of",
    "to",
    "its",
    "following",
    "and",
    "it",
    "is",
    "be",
    "verbatim",
    "terms",
    "these",
    "here",
    "below",
    "down",
    "with",
    "out",
    "very",
    "exact",
    "plain",
    "own",
    "so",
    "simply",
    "quite",
    "however",
    "now",
    "me",
    "sub-section",
    "clause",
    "extract",
    "material",
    "effect",
    "hereunder",
];

const ARTICLES: &[&str] = &["a", "an", "the"];

/// Words directly before a quotation that make it a name or a scare quote.
const NAMES: &[&str] = &[
    "so-called",
    "so called",
    "alleged",
    "termed",
    "known as",
    "called",
    "titled",
    "entitled",
    "headed",
    "heading",
    "offence of",
    "offense of",
    "crime of",
    "charge of",
    "doctrine of",
    "concept of",
    "principle of",
    "notion of",
    "idea of",
    "styled",
    "named",
    "labelled",
    "popularly",
    "dubbed",
    "nicknamed",
    "defined as",
    "chapter on",
];

const NAMES_HAN: &[&str] = &[
    "所谓",
    "所谓的",
    "俗称",
    "简称",
    "简称为",
    "称为",
    "名为",
    "罪名为",
    "罪名是",
    "罪名",
    "以下简称",
    "统称",
];

/// Endings of names in Chinese: of offences, principles, systems.
const NAME_ENDS: &[&str] = &["罪", "原则", "制度", "政策", "精神", "主义", "要件", "学说", "理论"];

/// Whether the words of a quotation are a name rather than words of the law: 故意杀人罪, "Rarest of Rare".
pub(super) fn is_name(words: &str) -> bool {
    let words = words.trim().trim_end_matches(['.', ',', ';', '。', '，', '；']);
    if words.chars().any(is_han) {
        let plain = !words.contains(['，', '。', '；', '：', '、', ',', ';']);
        return plain && words.chars().count() <= 20 && NAME_ENDS.iter().any(|e| words.ends_with(e));
    }
    let mut heavy = 0;
    let mut count = 0;
    for word in words.split_whitespace() {
        count += 1;
        if word.chars().count() < 4 && !word.starts_with(char::is_uppercase) {
            continue;
        }
        heavy += 1;
        let inner = word.trim_start_matches(|c: char| !c.is_alphanumeric());
        if !inner.starts_with(char::is_uppercase) {
            return false;
        }
    }
    heavy >= 2 && count <= 8
}

/// Whether words of the old, wide kind stand somewhere before a quotation: enough for a long one.
fn says_somewhere(lead: &str) -> bool {
    const SAYS: &[&str] = &[
        "provides",
        "provide",
        "reads",
        "read as",
        "states",
        "defines",
        "enacts",
        "prescribes",
        "stipulates",
        "lays down",
        "says",
        "runs thus",
        "as follows",
        "punishes",
        "declares",
        "speaks of",
        "speaks about",
        "uses the",
        "guarantees",
        "mandates",
        "规定",
        "規定",
        "载明",
        "明确",
        "内容为",
        "表述为",
        "条文",
        "原文",
        "प्रावधान",
        "उपबंध",
    ];
    SAYS.iter().any(|w| lead.contains(w))
}

/// Reads the words between a citation and a quotation. `han`: the quotation is Chinese.
pub(super) fn read(between: &str, han: bool) -> Lead {
    let near = last_chars(between, 90).to_lowercase();
    let near = near.replace(['\n', '\r', '>', '*', '_'], " ");
    let trimmed = near.trim_end();
    let bare = trimmed.trim_end_matches(|c: char| {
        c.is_whitespace()
            || matches!(
                c,
                ',' | ':'
                    | ';'
                    | '-'
                    | '—'
                    | '–'
                    | '―'
                    | '，'
                    | '：'
                    | '；'
                    | '“'
                    | '"'
                    | '('
                    | '（'
                    | '‘'
                    | '「'
            )
    });
    let colon = trimmed.ends_with([':', '：']) || trimmed.ends_with(":-") || trimmed.ends_with(":—");
    let name = NAMES_HAN.iter().any(|w| bare.ends_with(w)) || {
        let mut words = bare;
        for article in [" a", " an", " the"] {
            words = words.strip_suffix(article).unwrap_or(words).trim_end();
        }
        NAMES.iter().any(|w| words.ends_with(w))
    };
    if name {
        return Lead { passes: true, ..Lead::default() };
    }
    let strong_han = || {
        const ENDS: &[&str] = &[
            "规定",
            "規定",
            "明确",
            "载明",
            "写明",
            "写道",
            "指出",
            "原文",
            "条文",
            "内容",
            "表述",
            "如下",
            "原文为",
            "原文是",
            "内容为",
            "内容是",
            "表述为",
            "条文为",
            "条文是",
            "规定为",
            "规定是",
            "规定的是",
            "明文",
            "具体为",
            "全文",
            "全文为",
            "使用了",
            "措辞为",
        ];
        bare.is_empty() || ENDS.iter().any(|w| bare.ends_with(w))
    };
    if han {
        let strong = strong_han();
        let introduced =
            strong || colon && between.trim().chars().count() <= 12 || says_somewhere(last_chars(&near, 60));
        let passes = !strong && speaks(last_chars(&near, 40));
        let doubtful =
            !strong && !passes && ["中的", "中", "使用的", "的表述"].iter().any(|w| bare.ends_with(w));
        return Lead { introduced: introduced && !passes, strong, doubtful, passes };
    }
    // From the quotation back: an article, words that do not count, then the word that does.
    let mut article = false;
    let mut found = None;
    for (n, word) in
        bare.rsplit(|c: char| c.is_whitespace() || matches!(c, ',' | ':' | ';' | '(' | ')')).enumerate()
    {
        let word = word.trim_matches(|c: char| !c.is_alphanumeric());
        if n > 12 {
            break;
        }
        if word.is_empty() || BETWEEN.contains(&word) {
            continue;
        }
        if ARTICLES.contains(&word) {
            article = article || found.is_none();
            continue;
        }
        found = Some(word);
        break;
    }
    let spoken = speaks(last_chars(&near, 40));
    let one_of = |list: &[&str]| found.is_some_and(|w| list.contains(&w));
    let (saying, wording, content) = (one_of(SAYING), one_of(WORDING), one_of(CONTENT));
    // `the words "…"` may be a speaker's, or defined; `uses the words`, `speaks of` are not.
    let verbs = [
        "uses",
        "use ",
        "using",
        "employ",
        "contain",
        "speak",
        "talks",
        "begins",
        "opens",
        "ends",
        "concludes",
        "quotes",
    ];
    let wording = wording && verbs.iter().any(|v| bare.contains(v));
    let short_colon = colon && between.trim().chars().count() <= 12;
    let strong = wording || (saying && !article) || (short_colon && !spoken);
    if spoken && !strong {
        return Lead { passes: true, ..Lead::default() };
    }
    if one_of(DEFINING) && !colon {
        return Lead { passes: true, ..Lead::default() };
    }
    // `provides for a "…"`, `guarantees the "…"` name a thing; only a close likeness counts against those.
    let named = article && (content || saying);
    let introduced = strong || (!named && (content || saying || says_somewhere(last_chars(&near, 60))));
    // `provides for "…"` and `is punished with "…"` name a thing too.
    let thing = found.is_some_and(|w| ["for", "with", "from", "about", "by", "against", "on"].contains(&w));
    let doubtful = introduced && !strong && !article && !thing;
    Lead { introduced, strong, doubtful, passes: false }
}

/// Whether the words before a citation promise its words: `according to Section 1, "…"`.
pub(super) fn promised(before: &str) -> bool {
    let near = last_chars(before, 40).to_lowercase();
    let bare = near.trim_end().trim_end_matches(['*', '_', '"', '“', '(']);
    [
        "according to",
        "as per",
        "in the words of",
        "to quote",
        "quoting",
        "quoted from",
        "the text of",
        "the language of",
        "the wording of",
        "text of",
        "as stated in",
        "as provided in",
        "as provided by",
        "per",
    ]
    .iter()
    .any(|w| {
        bare.strip_suffix(w)
            .or_else(|| bare.strip_suffix(" the").and_then(|b| b.strip_suffix(w)))
            .is_some_and(|head| !head.ends_with(char::is_alphanumeric))
    })
}

/// Whether the words between a quotation and the citation behind it give the law as its source.
pub(super) fn attributed(before: &str, between: &str) -> bool {
    let between = between.to_lowercase();
    let between =
        between.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, ',' | '.' | ';' | '>' | '*'));
    let word = |list: &[&str]| {
        list.iter().any(|w| between.trim() == *w || between.trim().strip_suffix(" the") == Some(*w))
    };
    if word(&[
        "says",
        "provides",
        "reads",
        "states",
        "so says",
        "so provides",
        "so reads",
        "is the text of",
        "are the words of",
        "as per",
        "according to",
    ]) || between.starts_with(['—', '–', '-'])
        && between.trim_matches(['—', '–', '-', ' ', '\n']).is_empty()
    {
        return true;
    }
    let lead = last_chars(before, 30).to_lowercase();
    let lead = lead.trim_end();
    let noun = ["the words", "the expression", "the phrase", "the term", "the word", "the expressions"]
        .iter()
        .any(|w| lead.ends_with(w));
    noun && word(&[
        "in",
        "of",
        "under",
        "occurring in",
        "used in",
        "appearing in",
        "contained in",
        "within",
        "as used in",
        "employed in",
        "found in",
    ])
}

/// Whether the words behind a quotation make it a term that is explained: `"lamp" means`.
pub(super) fn defines(after: &str) -> bool {
    let after = after.trim_start();
    [
        "means",
        "mean ",
        "include",
        "shall mean",
        "shall include",
        "shall have",
        "has the",
        "have the",
        "denotes",
        "is defined",
        "is used",
        "are used",
        "signif",
    ]
    .iter()
    .any(|w| after.starts_with(w))
        || ["是指", "，是指", "，指", "的含义"].iter().any(|w| after.starts_with(w))
}

/// Whether a sentence speaks of the provision that the one before named: `It provides`, 该条规定.
pub(super) fn refers_back(lead: &str) -> bool {
    let lower = lead.trim_start().to_lowercase();
    let head = lower.trim_start_matches(|c: char| !c.is_alphanumeric());
    const BACK: &[&str] = &[
        "it ",
        "its ",
        "this ",
        "that section",
        "that article",
        "that provision",
        "the section",
        "the article",
        "the provision",
        "the clause",
        "the text",
        "the relevant",
        "the said",
        "the statute",
        "the law",
        "the bare",
        "the wording",
        "the language",
        "they ",
        "the sub-section",
        "the code",
        "the full text",
        "relevant",
        "in full",
        "text",
    ];
    BACK.iter().any(|w| head.starts_with(w))
        || ["该条", "该款", "其", "条文", "原文", "具体", "法条", "内容", "该规定", "此条", "本条"]
            .iter()
            .any(|w| head.starts_with(w))
}
