//! Names for people: of provisions, agents, steps, findings, and the words of the page in two languages.

use std::collections::BTreeMap;

use nyaya_agents::event::{Actor, Finding, Sentence};
use nyaya_agents::read::TermClass;
use nyaya_corpora::citation::Verdict;
use nyaya_corpora::{Catalogue, Number, ProvisionId, Status, Unit};

use crate::audit::verdict_name;
use crate::transcript::CONSTRAINED;

/// Language of the page's own words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    /// For everything but Chinese.
    English,
    /// Simplified Chinese.
    Chinese,
}

impl Language {
    pub fn of(tag: &str) -> Self {
        if tag == "zh" || tag.starts_with("zh-") { Self::Chinese } else { Self::English }
    }

    pub fn tag(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::Chinese => "zh-Hans",
        }
    }

    /// The word of the page under this key; the key itself where there is none, which a test excludes.
    pub fn word(self, key: &'static str) -> &'static str {
        WORDS.iter().find(|(k, ..)| *k == key).map_or(key, |(_, en, zh)| self.pick(en, zh))
    }

    pub fn words(self) -> BTreeMap<&'static str, &'static str> {
        WORDS.iter().map(|(k, en, zh)| (*k, self.pick(en, zh))).collect()
    }

    fn pick<'a>(self, en: &'a str, zh: &'a str) -> &'a str {
        match self {
            Self::English => en,
            Self::Chinese => zh,
        }
    }
}

/// Key, English, Chinese.
const WORDS: &[(&str, &str, &str)] = &[
    (
        "disclaimer",
        "A simulation by language models: not legal advice, not for deciding real cases.",
        "语言模型的模拟庭审。不构成法律意见，不得用于裁判真实案件。",
    ),
    ("skip", "Skip to the trial", "跳至庭审"),
    ("report", "Trial report", "庭审报告"),
    ("contents", "Contents", "目录"),
    ("case", "The case", "案情"),
    ("charges", "Charges", "指控"),
    ("evidence", "Evidence", "证据"),
    ("accusation", "Offence", "罪名"),
    ("law_given", "Law given with the question", "随题给出的法条"),
    ("question", "Question", "问题"),
    ("labels", "Answers", "可选答案"),
    ("hypothesis", "Hypothesis", "待判断的命题"),
    ("gold", "The answer in the case file", "案件文件中的答案"),
    ("offence_date", "Day of the offence", "行为日期"),
    ("proceeding_date", "Day of the proceeding", "审理日期"),
    ("verdict", "Verdict", "裁决"),
    ("no_verdict", "The bench gave no verdict.", "合议庭未作出裁决。"),
    ("hung", "Hung: no group of adjudicators was large enough", "未决：没有任何一方达到所需人数"),
    ("hung_short", "hung", "未决"),
    ("guilty", "Guilty", "有罪"),
    ("not_guilty", "Not guilty", "无罪"),
    ("lesser", "Guilty of a lesser offence", "构成较轻之罪"),
    ("no_decision", "No decision", "未表态"),
    ("votes", "votes", "票"),
    ("of", "of", "/"),
    ("rounds_held", "rounds of deliberation", "轮评议"),
    ("trial", "The trial", "庭审经过"),
    ("trials", "Trials", "各次庭审"),
    (
        "unfinished",
        "This trial is not finished. What is recorded so far is shown; no measure counts it.",
        "本次庭审尚未结束。以下为已有记录，不计入任何指标。",
    ),
    (
        "resume",
        "Give the same nyaya run command again to resume it.",
        "再次运行同一条 nyaya run 命令即可继续。",
    ),
    ("judgment", "Final judgment", "判决"),
    ("no_judgment", "No judgment was recorded.", "没有判决记录。"),
    ("audit", "What each agent relied on", "各方所依据的法条"),
    (
        "audit_note",
        "Cited: in the list meant for it + in the words. A citation that was not looked up is never counted as verified.",
        "引用次数：引用栏 + 正文。未经查验的引用一律不计为已核实。",
    ),
    (
        "constrained",
        CONSTRAINED,
        "回复格式只允许在引用栏填入已展示的法条（--constrain-citations，以端点遵守格式为限），因此不反映模型的引用能力。",
    ),
    ("measures", "Measures", "指标"),
    ("law", "The law that was found or cited", "检索到或被引用的法条"),
    (
        "law_note",
        "The text is verbatim from the knowledge base. Marked words were quoted, or are the place that was cited.",
        "文本逐字取自知识库。标出的文字为被引述的文字或被引用的位置。",
    ),
    ("coverage", "Coverage of the corpora", "语料覆盖情况"),
    ("about", "Models and settings", "模型与设置"),
    ("agent", "Agent", "角色"),
    ("provision", "Provision", "法条"),
    ("statute", "Statute", "法律"),
    ("found", "Found", "检索"),
    ("cited", "Cited", "引用"),
    ("quoted", "Quoted", "引述"),
    ("result", "Verdict of the citation", "引用核查结果"),
    ("notes", "Notes", "备注"),
    ("rank", "rank", "第"),
    ("times", "×", "×"),
    ("never_retrieved", "cited, never retrieved", "被引用，但从未检索到"),
    ("retrieved_by", "not retrieved by itself, but by", "自己未检索，由他人检索："),
    ("never_cited", "retrieved, never cited", "检索到，但未引用"),
    ("now", "now", "现为"),
    ("has_range", "the statute has", "该法现有"),
    ("struck_down", "struck down", "被判无效"),
    ("searched", "searched for", "检索"),
    ("nothing_found", "nothing found", "无结果"),
    ("hits", "provisions", "条"),
    ("exact", "named in the query", "查询中点名"),
    ("private", "private note, seen by nobody else", "私人笔记（他人不可见）"),
    ("refusal", "would not take part", "拒绝作答"),
    ("refusal_mended", "would not take part at first; answered when asked again", "起初拒绝，重新询问后作答"),
    ("context_cut", "The conversation was cut to fit the model's window", "为适应模型窗口而删减对话"),
    ("budget_stop", "A budget ended the trial", "预算用尽，庭审终止"),
    ("unreadable", "Nothing could be read from the reply", "无法读出答复"),
    ("citations", "Citations", "引用"),
    ("no_citations", "No citations.", "没有引用。"),
    ("in_list", "in the list", "引用栏"),
    ("in_words", "in the words", "正文"),
    ("agreement", "Agreement", "一致程度"),
    ("whole_ballot", "agree on every charge", "对全部指控意见一致"),
    ("independent", "Independent views", "独立意见"),
    ("round", "Deliberation, round", "评议，第"),
    ("round_end", "", "轮"),
    ("position", "Position", "意见"),
    ("read_as", "reply read as", "答复读取方式"),
    ("status", "Status", "状态"),
    ("version", "version of", "版本"),
    ("source", "Source", "来源"),
    ("page", "page", "页"),
    ("used_by", "Relied on by", "使用者"),
    ("edition_incomplete", "from a source that does not have every provision", "来源不完整"),
    (
        "only_passage",
        "This provision is no longer in the knowledge base; shown is the passage that the search gave.",
        "知识库中已无此条；以下为当时检索到的段落。",
    ),
    ("back", "Back", "返回"),
    ("close", "Close", "关闭"),
    ("measure", "Measure", "指标"),
    ("value", "Value", "数值"),
    ("interval", "95 % interval", "95% 区间"),
    ("over", "Over", "样本"),
    ("unknown", "unknown", "未知"),
    ("role", "Role", "角色"),
    ("calls", "Calls", "调用"),
    ("tokens_read", "Tokens read", "输入词元"),
    ("tokens_written", "Tokens written", "输出词元"),
    ("seconds", "Seconds", "秒"),
    ("cut_off", "Cut off", "截断"),
    ("replies_read", "Replies read as", "答复读取"),
    ("models", "Models", "模型"),
    ("held", "Held", "收录"),
    ("expected", "Expected", "应有"),
    ("complete", "complete", "完整"),
    ("incomplete", "incomplete", "不完整"),
    ("not_held", "not in the knowledge base", "未入库"),
    ("language", "Language", "语言"),
    ("setting", "Setting", "设置"),
    ("failures", "Failures", "失败"),
    ("none", "none", "无"),
    ("legend", "How citations are marked", "引用标记说明"),
    ("m_grounding", "Grounding score (SAMVAD)", "SAMVAD 扎根得分"),
    ("m_beyond", "Grounding without words the passages supplied", "扎根得分（去除检索段落带来的词）"),
    ("m_precision", "Citation precision: verified of those looked up", "引用准确率：查验者中已核实"),
    ("m_unchecked", "Citations not checked", "未查验的引用"),
    ("m_not_retrieved", "Cited, and retrieved by nobody before", "引用前无人检索到"),
    ("m_rounds", "Rounds of deliberation", "评议轮数"),
    ("m_first", "Agreement in the independent views", "独立意见的一致程度"),
    ("m_last", "Agreement in the last round", "末轮一致程度"),
    ("m_hung", "Hung", "未决"),
    ("m_expected", "Verdict as the case file expects", "与案卷预期一致"),
    ("m_statements", "statements", "段发言"),
    ("m_keywords", "keywords", "个关键词"),
    (
        "measures_note",
        "The grounding scores count keywords of the case in what was said; they do not say that it was right, and SAMVAD's is a reconstruction. Shares have Wilson intervals, means bootstrap intervals over trials. What is unknown is left out, never taken as zero.",
        "扎根得分统计发言中出现的案件关键词，并不说明内容正确；SAMVAD 得分系重构。比例采用 Wilson 区间，均值采用按庭审自助法区间。未知值不计入，绝不当作零。",
    ),
    ("s_queries", "Looking up the law", "检索法律"),
    ("m_calls", "Calls a trial", "每次庭审调用次数"),
    ("m_tokens", "Tokens a trial", "每次庭审词元"),
    ("m_paper", "the paper:", "论文："),
    ("m_paper_code", "the paper's code:", "论文代码："),
    ("m_trials", "trials", "次庭审"),
    ("m_citations", "citations", "处引用"),
    ("m_pairs", "pairs of agent and provision", "对（角色，法条）"),
    ("m_charges", "charges", "项指控"),
    ("f_no_verdict", "no verdict", "无裁决"),
    ("f_no_judgment", "no judgment", "无判决"),
    ("f_undecided", "undecided ballots", "未表态的选票"),
    ("f_unreadable", "unreadable replies", "无法读取的答复"),
    ("f_refusals", "refusals", "拒答"),
    ("f_refusals_mended", "refusals mended", "补救的拒答"),
    ("f_discrepancies", "discrepancies", "不一致"),
    ("discrepancy", "Still differs from what it had to follow", "与应遵循的内容仍不一致"),
    ("in_finding", "in the ballot", "选票"),
    ("f_cuts", "context cuts", "上下文删减"),
    ("f_budget", "budget stops", "预算终止"),
    ("f_cut_off", "replies cut off", "被截断的答复"),
    ("trial_col", "Trial", "庭审"),
    ("plan", "plan, seen by nobody else", "计划（他人不可见）"),
    ("reflection", "reflection, seen by nobody else", "反思（他人不可见）"),
    ("memory_recalled", "recalled from memory", "调取记忆"),
    ("memory_written", "written to memory", "写入记忆"),
    ("belief", "belief for the moment, told to nobody", "当前心证（不对外公开）"),
    ("moved_by", "moved by", "受其影响的论点"),
    ("rhetorical", "rhetorical, not a probability", "修辞性表述，并非概率"),
    ("confidence", "confidence", "自信程度"),
    ("vote", "votes for", "投票给"),
    ("ranking", "ranks", "排序"),
    ("tally", "count", "计票"),
    ("reached", "reached", "已达成"),
    ("not_reached", "not reached", "未达成"),
    ("consensus", "the bench agrees", "合议庭意见一致"),
    ("no_consensus", "the bench does not agree", "合议庭意见不一致"),
    ("agrees", "agrees", "同意"),
    ("disagrees", "does not agree", "不同意"),
    ("turns_held", "rounds or turns:", "轮次："),
    ("for_a_human", "for a person to look at", "需人工审查"),
    ("months", "months", "个月"),
    ("t_fixed", "fixed term", "有期徒刑"),
    ("t_exempt", "exempt from punishment", "免予刑事处罚"),
    ("t_acquittal", "acquitted", "无罪"),
    ("t_life", "life imprisonment", "无期徒刑"),
    ("t_death", "death", "死刑"),
    ("t_death_with_reprieve", "death with a reprieve", "死刑缓期执行"),
    ("t_range", "a range, no single sentence", "刑期区间，非单一刑期"),
    ("s_instructions", "The judge instructs the bench", "审判长释明法律"),
    ("s_opening", "Opening statements", "开庭陈述"),
    ("s_rebuttal", "Rebuttal", "辩论"),
    ("s_closing", "Closing statements", "最后陈述"),
    ("s_judgment", "Final judgment", "判决"),
    ("r_judge", "Judge", "审判长"),
    ("r_presiding", "Presiding judge", "审判长"),
    ("r_one_judge", "Judge", "审判员"),
    ("r_lay", "Lay judge", "人民陪审员"),
    ("r_prosecution", "Prosecution", "公诉人"),
    ("r_defence", "Defence", "辩护人"),
    ("r_adjudicator", "Adjudicator", "合议庭成员"),
    ("r_bench", "Bench", "合议庭"),
    ("r_session", "Court office", "书记员"),
    ("v_verified", "verified", "已核实"),
    ("v_repealed", "repealed", "已废止"),
    ("v_not_yet_in_force", "not yet in force", "尚未生效"),
    ("v_not_found", "not found", "不存在"),
    ("v_pinpoint_not_found", "place not found", "条内位置不存在"),
    ("v_unchecked", "not checked", "未查验"),
    ("v_misquoted", "misquoted", "引文不符"),
    ("v_wrong_number", "wrong number", "条号错误"),
    ("v_misgrounded", "does not say so", "条文无此内容"),
    ("st_in_force", "in force", "有效"),
    ("st_not_yet_in_force", "not yet in force", "尚未生效"),
    ("st_repealed", "repealed", "已废止"),
    ("st_omitted", "omitted", "已删去"),
];

/// `Judge`, `Adjudicator 2`; the agent's own name where the role is not a known one.
pub fn agent(actor: &Actor, language: Language) -> String {
    let key = match actor.role.as_str() {
        // The judges of a bench are numbered; the one who presides has a role of its own.
        "judge" if actor.agent.contains('-') => "r_one_judge",
        "judge" => "r_judge",
        "presiding" => "r_presiding",
        "lay" => "r_lay",
        "prosecution" => "r_prosecution",
        "defence" => "r_defence",
        "adjudicator" => "r_adjudicator",
        "bench" => "r_bench",
        "session" => "r_session",
        _ => return actor.agent.clone(),
    };
    let name = language.word(key);
    match actor.agent.strip_prefix(actor.role.as_str()).and_then(|rest| rest.strip_prefix('-')) {
        Some(rest) => format!("{name} {rest}"),
        None => name.to_owned(),
    }
}

/// The role as part of a CSS class; only what is known, since the words come from a file.
pub fn role_class(role: &str) -> &'static str {
    match role {
        "judge" => "judge",
        "prosecution" => "prosecution",
        "defence" => "defence",
        "adjudicator" => "adjudicator",
        _ => "other",
    }
}

/// A heading for a step of the protocol.
pub fn step(name: &str, round: Option<u32>, language: Language) -> String {
    match round {
        Some(0) => return language.word("independent").to_owned(),
        Some(n) => return round_title(n, language),
        None => {}
    }
    if let Some(n) = name.strip_prefix("round-").and_then(|n| n.parse().ok()) {
        return if n == 0 { language.word("independent").to_owned() } else { round_title(n, language) };
    }
    let key = match name {
        "instructions" | "instruction" => "s_instructions",
        "opening" => "s_opening",
        "rebuttal" => "s_rebuttal",
        "closing" => "s_closing",
        "independent" | "view" => "independent",
        "queries" => "s_queries",
        "judgment" => "s_judgment",
        _ => {
            let mut words = name.replace(['-', '_'], " ");
            if let Some(first) = words.get_mut(..1) {
                first.make_ascii_uppercase();
            }
            return words;
        }
    };
    language.word(key).to_owned()
}

fn round_title(n: u32, language: Language) -> String {
    match language {
        Language::English => format!("{} {n}", language.word("round")),
        Language::Chinese => {
            format!("{}{}{}", language.word("round"), numeral(n), language.word("round_end"))
        }
    }
}

/// A finding, without the offence of a lesser one.
pub fn finding(finding: Option<&Finding>, language: Language) -> &'static str {
    language.word(match finding {
        Some(Finding::Guilty) => "guilty",
        Some(Finding::NotGuilty) => "not_guilty",
        Some(Finding::Lesser { .. }) => "lesser",
        None => "no_decision",
    })
}

/// A sentence in words: `36 months`, `无期徒刑`.
pub fn sentence(sentence: Option<&Sentence>, language: Language) -> String {
    let Some(sentence) = sentence else { return language.word("no_decision").to_owned() };
    if let (TermClass::Fixed, Some(months)) = (sentence.class, sentence.months) {
        return match language {
            Language::English => format!("{months} {}", language.word("months")),
            Language::Chinese => format!("{months}{}", language.word("months")),
        };
    }
    language
        .word(match sentence.class {
            TermClass::Fixed => "t_fixed",
            TermClass::Exempt => "t_exempt",
            TermClass::Acquittal => "t_acquittal",
            TermClass::Life => "t_life",
            TermClass::Death => "t_death",
            TermClass::DeathWithReprieve => "t_death_with_reprieve",
            TermClass::Range => "t_range",
            TermClass::None => "no_decision",
        })
        .to_owned()
}

/// What a model says of its certainty, with what that is worth.
pub fn confidence(value: f64, language: Language) -> String {
    format!("{} {value:.2} ({})", language.word("confidence"), language.word("rhetorical"))
}

/// The finding as part of a CSS class.
pub fn finding_class(finding: Option<&Finding>) -> &'static str {
    match finding {
        Some(Finding::Guilty) => "guilty",
        Some(Finding::NotGuilty) => "not-guilty",
        Some(Finding::Lesser { .. }) => "lesser",
        None => "none",
    }
}

/// The verdict of a citation in the page's language.
pub fn verdict(verdict: Verdict, language: Language) -> &'static str {
    let name = verdict_name(verdict);
    WORDS
        .iter()
        .find(|(k, ..)| k.strip_prefix("v_") == Some(name))
        .map_or(name, |(_, en, zh)| language.pick(en, zh))
}

/// The status of a provision.
pub fn status(status: Status, language: Language) -> &'static str {
    language.word(match status {
        Status::InForce => "st_in_force",
        Status::NotYetInForce => "st_not_yet_in_force",
        Status::Repealed => "st_repealed",
        Status::Omitted => "st_omitted",
    })
}

/// The title of a statute in the language of its text, or its id.
pub fn work(id: &nyaya_corpora::WorkId, catalogue: &Catalogue) -> String {
    catalogue.get(id).map_or_else(|| id.to_string(), |m| m.native_title().to_owned())
}

/// `s. 302`, `art. 21A(1)`, `第一百三十三条之一第二款`, as the statute's own language writes it.
pub fn unit(id: &ProvisionId, chinese: bool) -> String {
    if chinese {
        let mut out = match &id.unit {
            Unit::Article(n) | Unit::Section(n) => format!("第{}条", numeral(n.base)) + &chinese_sub(n),
            Unit::Schedule(n) => format!("附件{n}"),
            Unit::Preamble => "序言".to_owned(),
        };
        for pin in &id.pins {
            let number = |prefix: char| pin.strip_prefix(prefix).and_then(|n| n.parse::<u32>().ok());
            match (number('p'), number('i')) {
                (Some(n), _) => out.push_str(&format!("第{}款", numeral(n))),
                (_, Some(n)) => out.push_str(&format!("第（{}）项", numeral(n))),
                _ => out.push_str(&format!("（{pin}）")),
            }
        }
        return out;
    }
    let mut out = match &id.unit {
        Unit::Section(n) => format!("s. {n}"),
        Unit::Article(n) => format!("art. {n}"),
        Unit::Schedule(n) => format!("Schedule {n}"),
        Unit::Preamble => "preamble".to_owned(),
    };
    for pin in &id.pins {
        let roman = pin.bytes().all(|b| matches!(b, b'i' | b'v' | b'x'));
        if roman || pin.len() <= 2 || pin.bytes().all(|b| b.is_ascii_digit()) {
            out.push_str(&format!("({pin})"));
        } else {
            out.push_str(&format!(" {pin}"));
        }
    }
    out
}

fn chinese_sub(n: &Number) -> String {
    n.sub.map(|s| format!("之{}", numeral(s))).unwrap_or_default() + &n.letters
}

/// A number below ten thousand in Chinese, as statutes write it: 一百零二, 二十, 十.
pub fn numeral(n: u32) -> String {
    const DIGITS: [&str; 10] = ["零", "一", "二", "三", "四", "五", "六", "七", "八", "九"];
    if n == 0 || n > 9999 {
        return n.to_string();
    }
    let mut out = String::new();
    let mut gap = false;
    for (power, name) in [(1000, "千"), (100, "百"), (10, "十"), (1, "")] {
        let digit = n / power % 10;
        if digit == 0 {
            gap = !out.is_empty();
            continue;
        }
        if gap {
            out.push('零');
            gap = false;
        }
        if !(digit == 1 && power == 10 && out.is_empty()) {
            out.push_str(DIGITS.get(digit as usize).copied().unwrap_or_default());
        }
        out.push_str(name);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::audit::VERDICTS;

    #[test]
    fn numerals_are_those_of_the_codes() {
        let right = [
            (1, "一"),
            (10, "十"),
            (13, "十三"),
            (20, "二十"),
            (100, "一百"),
            (102, "一百零二"),
            (110, "一百一十"),
            (133, "一百三十三"),
            (418, "四百一十八"),
            (1005, "一千零五"),
            (1260, "一千二百六十"),
        ];
        for (n, words) in right {
            assert_eq!(numeral(n), words);
        }
    }

    #[test]
    fn provisions_are_named_as_their_statute_names_them() {
        let name = |s: &str, zh| unit(&s.parse().unwrap(), zh);
        assert_eq!(name("cn/criminal-law#a133-1.p1.i2", true), "第一百三十三条之一第一款第（二）项");
        assert_eq!(name("in/constitution#a19.1.a", false), "art. 19(1)(a)");
        assert_eq!(name("in/ipc#s300.exc1", false), "s. 300 exc1");
    }

    #[test]
    fn every_word_stands_once_and_every_verdict_has_one() {
        let keys: std::collections::BTreeSet<_> = WORDS.iter().map(|w| w.0).collect();
        assert_eq!(keys.len(), WORDS.len());
        for v in VERDICTS {
            assert_ne!(verdict(v, Language::Chinese), verdict_name(v));
        }
        let good = verdict(Verdict::Verified, Language::English);
        assert!(VERDICTS.iter().skip(1).all(|v| verdict(*v, Language::English) != good));
    }

    #[test]
    fn agents_and_steps_have_names() {
        let actor = Actor { role: "adjudicator".to_owned(), agent: "adjudicator-2".to_owned() };
        assert_eq!(agent(&actor, Language::Chinese), "合议庭成员 2");
        assert_eq!(step("round-2", None, Language::Chinese), "评议，第二轮");
        assert_eq!(step("cross-examination", None, Language::English), "Cross examination");
        assert_eq!(step("评议", None, Language::English), "评议");
    }
}
