//! A verdict in running text.

use std::sync::LazyLock;

use regex::Regex;

use super::forms;
use super::speaker::{attributed, given_by_others};
use super::{HEDGE, Label, VerdictReply, joined, label, mentions, other};
use crate::read::confidence::{self, Stated};
use crate::read::{Reading, Stage, pattern, tables, unboxed};

pub(super) static KEYED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r#"(?i)(final\s+|最终)?(?:(?:因此|所以|故此?)我?回答|我(?:选择?|投|预测|判断|回答|认为)[是为]?[:：]?\s*|\bI(?:'d|\s+would|\s+will|\s+must|\s+therefore)?\s+(?:say|answer|vote|choose|pick|predict)(?:\s+that\s+the\s+answer\s+is)?\s*[:,]?\s+|(?m:^\s*答)\s*[:：]\s*|(?:\b(?:prediction|predict|verdict|answer|label|decision|conclusion|judge?ment|chosen|(?:my|our)\s+(?:\w+\s+)?(?:opinion|view|assessment|vote|choice|response|guess))\b|预测|答案|判断|结论|答え|回答|解答)["'”]?(?:\s*(?:is|would\s+be)\b\s*[:：]?\s*|\s*[:：=|]\s*|\s*[为是は][:：]?\s*|\s+[-–—]+\s+))[\["'“(]*(yes|no|y|n|是的?|否|はい|いいえ)"#,
    )
});
static CONFIDENCE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)(?:(?:confiden(?:ce|t)|\bcertainty)(?:\s+(?:level|score|rating|percentage))?(?:\s+in\s+(?:(?:this|the|my|prediction|answer|verdict|label|yes|no)\b\s*)+)?|置信度|信心|把握)",
    )
});
static CONFIDENCE_BEFORE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)(?P<n>[0-9]+(?:\.[0-9]+)?)\s*(?:%|percent|per\s+cent)\s*(?:confiden|certain|sure|的?(?:把握|信心|置信度))",
    )
});
/// What makes the number before "% confident" inexact.
static INEXACT: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)(?:[0-9]\s*%?\s*(?:-|–|—|~|to|or|至|到|或)|[<>≥≤±]|at\s+least|at\s+most|more\s+than|less\s+than|over|above|below|under|up\s+to)\s*$",
    )
});
/// A label on its own with a number.
static ALONE: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(?i)^\W*(?:yes|no|是|否)\W+(?P<n>[0-9]+(?:\.[0-9]+)?\s*%?)\W*$"));

/// Before a label: it is denied. Only small words may stand between.
pub(super) static DENIED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)(?:(?:\b(?:not|never|no|nor|neither|cannot|hardly|scarcely|unlikely|unable|doubt(?:s|ed|ful)?|den(?:y|ies|ied)|disagree[sd]?|reject(?:s|ed)?|wrong|incorrect|false|impossible|unclear|uncertain|unsure|whether)|n't)\b(?:[\s,]+(?:i|we|you|he|it|they|be|is|are|am|was|been|being|do|does|did|have|has|had|will|would|shall|should|could|can|may|might|must|to|a|an|the|my|our|any|that|this|of|as|for|with|think|believe|say|said|see|feel|agree|consider|conclude|claim|certain|sure|clear|true|case|correct|right|able|possible|whether|final|predicted|court's|model's))*\W*|(?:反对|排除|否认|拒绝|怀疑|不(?:能|应|会|认为|是|宜|同意)|并非|难以|无法|未必|是否)[^，。；\n]{0,8})$",
    )
});
/// Words of denial that affirm.
pub(super) static SURE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)\b(?:(?:there\s+is\s+|I\s+have\s+)?no\s+(?:doubt|question)(?:\s+about\s+(?:it|this|that))?|without\s+(?:a\s+|any\s+)?doubt|beyond\s+(?:any\s+)?doubt)\b(?:\s+that\b)?",
    )
});
/// Before a label: it would hold on a condition only.
static CONDITIONAL: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)(?:^|[,;:(]\s*|\b(?:and|but|or|even|only)\s+)\s*(?:if|unless|suppos(?:e|ing)|assuming|provided|in\s+case|otherwise)\b|^\W*(?:had|were|should)\s+\w|\bwould\s+have\s+(?:been|said)\b|\bin\s+(?:that|such\s+an?|which)\s+case\b|(?:^|[，,：:])\s*(?:如果|若|假如|倘若|要是|除非)",
    )
});
/// In brackets after a label: another that was thought of before.
static CONSIDERED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)^\s*[(（](?:I|we)\s+(?:(?:had|first|initially|originally)\s+)*(?:considered|thought\s+of|leaned\s+(?:to|towards?))\s+(?:yes|no)(?:\s+(?:first|initially|at\s+first|earlier|before))?[)）][\s.]*(?:$|\n)",
    )
});
/// Words with which nobody states a label in the same clause.
static ALOOF: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)n't\b|\b(?:not|never|no|nobody|none|nothing|nor|neither|hard|hardly|scarcely|difficult|cannot|unable|unlikely|declin\w*|refus\w*|reluctan\w*|doubt\w*|hesita\w*|avoid\w*|could|may|might|whether|rather|instead|than|either|impossible|wrong\w*|incorrect\w*|far\s+from|anything\s+but|opposite|fail\w*|den(?:y|ies|ied)|against|question\w*|tempt\w*|almost|nearly|premature|too|without|resist\w*|stop\w*|short\s+of|nor|if|unless|when|were|reject\w*|possibly|perhaps|maybe|conceivably|chance|probabilit\w*|likelihood|odds|(?:previous|earlier|former|first|initial)\s+(?:answer|prediction|verdict|view|decision))\b|[0-9]\s*%\s*$|[0-9]\s*/\s*[0-9]|\banything\s+but\b",
    )
});
static SENTENCE_END: LazyLock<Regex> = LazyLock::new(|| pattern(r"[。！？；;!?\n]|\.(?:\s|$)"));

/// How far back a sentence is looked at.
const REACH: usize = 400;

/// The sentence before `at`.
pub(super) fn sentence_before(text: &str, at: usize) -> &str {
    let from = text.floor_char_boundary(at.saturating_sub(REACH));
    let before = text.get(from..at).unwrap_or_default();
    SENTENCE_END.find_iter(before).last().map_or(before, |m| before.get(m.end()..).unwrap_or_default())
}

/// Whether a sentence begins with, or contains, a condition for what follows.
pub(super) fn conditional(sentence: &str) -> bool {
    CONDITIONAL.is_match(sentence)
}

/// Whether a label at `at` would hold on a condition only, which a semicolon may set off: "Suppose he moves; then NO."
fn supposed(text: &str, at: usize) -> bool {
    static THEN: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?i)^\W*(?:then|so)\b|^\W*(?:那么?|则)"));
    let sentence = sentence_before(text, at);
    if CONDITIONAL.is_match(sentence) {
        return true;
    }
    let before = text.get(..at).unwrap_or_default().strip_suffix(sentence).unwrap_or_default();
    let Some(condition) = before.strip_suffix([';', '；']).filter(|_| THEN.is_match(sentence)) else {
        return false;
    };
    CONDITIONAL.is_match(sentence_before(condition, condition.len()))
}

/// Whether what follows a label leaves it standing: "no longer", "yes or no", "no decision", "No. 12" do not.
fn stands(after: &str) -> bool {
    let after = after.trim_start_matches(['"', '\'', '”', ')', ']', '*']);
    let trimmed = after.trim_start();
    let Some(c) = trimmed.chars().next() else { return true };
    if c.is_alphanumeric() {
        if after.len() == trimmed.len() && c.is_ascii() {
            return false;
        }
        let word: String = trimmed.chars().take_while(|c| c.is_alphanumeric()).collect();
        return [
            "with",
            "at",
            "confidence",
            "because",
            "since",
            "as",
            "given",
            "reasoning",
            "here",
            "overall",
        ]
        .iter()
        .any(|w| word.eq_ignore_ascii_case(w));
    }
    // "Prediction: YES?" asks.
    !matches!(c, '/' | '?' | '？') && !HEDGE.is_match(after) && !joined(after)
}

/// A label that the text states.
struct Statement {
    label: Label,
    end: usize,
    last: bool,
}

pub(super) fn of_text(prose: &str) -> Reading<VerdictReply> {
    static TAG: LazyLock<Regex> = LazyLock::new(|| pattern(r"<(/?)(\w+)>"));
    static HEADERS: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?i)prediction|predicted|verdict|answer|label|decision|confidence|certainty|预测|答案|结论|置信度|信心",
        )
    });
    // Tags are labels; boxes, and the emphasis and quotes of Markdown, carry no meaning here.
    let text = unboxed(prose);
    let text = TAG.replace_all(&text, |c: &regex::Captures<'_>| match (c.get(1), c.get(2)) {
        (Some(slash), Some(name)) if slash.is_empty() => format!("\n{}: ", name.as_str()),
        _ => "\n".to_owned(),
    });
    let text = forms::answered(&tables::spelled_out(&text, &HEADERS));
    let text: String = text.chars().filter(|c| !matches!(c, '*' | '`' | '#' | '_')).collect();
    static QUOTE: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?m)^[ \t]*>+"));
    let text = QUOTE.replace_all(&text, "");
    let text = text.as_ref();
    let mut said: Vec<Statement> = Vec::new();
    let mut withdrawn = false;
    let mut quoted: Vec<usize> = Vec::new();
    for found in KEYED.captures_iter(text) {
        let (Some(all), Some(word)) = (found.get(0), found.get(2)) else { continue };
        let after = text.get(word.end()..text.ceil_char_boundary(word.end() + 24)).unwrap_or_default();
        // The next statement of a label is looked at by itself.
        let after = after.lines().next().unwrap_or_default();
        // "NO (I considered YES first)": what is past is not offered.
        let full = text.get(word.end()..text.ceil_char_boundary(word.end() + 80)).unwrap_or_default();
        let after = CONSIDERED.find(full).map_or(after, |_| "");
        let next = KEYED.find(after).map_or(after.len(), |m| m.start());
        let after = after.get(..next).unwrap_or_default();
        let parsed = label(word.as_str()).filter(|l| stands(after) && !mentions(after, other(*l)));
        let Some(parsed) = parsed else {
            if mentions(after, Label::Yes) || mentions(after, Label::No) {
                return Reading::no_decision("both labels are offered");
            }
            withdrawn = true;
            continue;
        };
        let before = sentence_before(text, all.start());
        if attributed(before) || given_by_others(text.get(word.end()..).unwrap_or_default()) {
            quoted.push(all.start());
            withdrawn = true;
            continue;
        }
        if denied(before) || subordinate(before) || supposed(text, all.start()) {
            withdrawn = true;
            continue;
        }
        said.push(Statement { label: parsed, end: word.end(), last: found.get(1).is_some() });
    }
    // "Prediction: YES. Correction: NO."
    if let Some(one) = said.last()
        && corrected(text, one.end, one.label)
    {
        return Reading::no_decision("the reply takes its label back");
    }
    let mut notes = vec!["read from running text".to_owned()];
    let agreed = said.first().map(|s| s.label).filter(|first| said.iter().all(|s| s.label == *first));
    let last = said.iter().rev().find(|s| s.last);
    let prediction = match (last, agreed) {
        (Some(s), _) => s.label,
        (None, Some(l)) => l,
        (None, None) if !said.is_empty() => return Reading::no_decision("the reply contradicts itself"),
        (None, None) if withdrawn => return Reading::no_decision("a label is named, but not as the answer"),
        (None, None) => match sole_label(text) {
            Some(l) => l,
            None => return Reading::no_decision("no label in the reply"),
        },
    };
    let stated = match last {
        // A final word has its own confidence; another's is not taken.
        Some(s) => {
            let next = said.iter().map(|other| other.end).chain(quoted.iter().copied());
            let to = next.filter(|end| *end > s.end).min().unwrap_or(text.len());
            let own = confidence(text.get(s.end..to).unwrap_or_default());
            if own.is_none() && agreed.is_some() && quoted.is_empty() { confidence(text) } else { own }
        }
        // A quoted label has a confidence of its own.
        None if !quoted.is_empty() => {
            let from = said.first().map_or(text.len(), |s| s.end);
            let to = quoted.iter().copied().find(|at| *at >= from).unwrap_or(text.len());
            confidence(text.get(from..to).unwrap_or_default())
        }
        None => confidence(text),
    };
    let (mut percent, mut rescaled) = (None, false);
    match stated {
        None => notes.push("no confidence given".to_owned()),
        Some(Stated::Unclear(why)) => notes.push(why.to_owned()),
        Some(Stated::Invalid(why)) => return Reading::no_decision(why),
        Some(Stated::Value(read)) => {
            (percent, rescaled) = (Some(read.percent), read.scale.is_some());
            notes.extend(read.note());
        }
    }
    static REASONS: LazyLock<Regex> =
        LazyLock::new(|| pattern(r"(?is)\b(?:reasoning|rationale|reasons?)\s*[:：]\s*(.+)"));
    let reasoning = REASONS.captures(text).and_then(|c| c.get(1)).map(|m| m.as_str().trim().to_owned());
    Reading {
        value: Some(VerdictReply { prediction, confidence: percent, rescaled, reasoning }),
        stage: Stage::Pattern,
        notes,
    }
}

/// Whether a label stands in a clause that somebody only doubts, or gives a chance: "failed to show that the answer is".
fn subordinate(sentence: &str) -> bool {
    static THAT: LazyLock<Regex> = LazyLock::new(|| {
        pattern(r"(?i)^(?P<head>.*)\bthat\s+(?:(?:the|my|our|final|correct|right|best)\s+)*$")
    });
    let sentence = SURE.replace_all(sentence, "");
    THAT.captures(&sentence).and_then(|c| c.name("head")).is_some_and(|head| ALOOF.is_match(head.as_str()))
}

/// Whether the words before a label deny it.
pub(super) fn denied(sentence: &str) -> bool {
    DENIED.is_match(&SURE.replace_all(sentence, ""))
}

/// Whether the text from `at` on corrects a label into the other one.
fn corrected(text: &str, at: usize, given: Label) -> bool {
    static CORRECTION: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?i)\b(?:correction|corrected|actually|wait|sorry|apolog\w*|scratch\s+that|I\s+(?:meant|misread|misspoke)|on\s+(?:reflection|second\s+thoughts?)|rather|revised?|updated?|edit|chang(?:ed|es?)|again)\b|更正|纠正|不对|抱歉|等等|应该是|改成|改为|应为|→|[-=]+>",
        )
    });
    let rest = text.get(at..).unwrap_or_default();
    CORRECTION.find_iter(rest).any(|m| {
        let after = rest.get(m.end()..rest.ceil_char_boundary(m.end() + 60)).unwrap_or_default();
        // What is corrected is no condition or quotation.
        let sentence =
            after.split(['.', '。', '?', '？']).find(|s| mentions(s, other(given)) || mentions(s, given));
        let initial = |l: Label| if l == Label::Yes { "Y" } else { "N" };
        let letter = |s: &str, l: Label| s.split(|c: char| !c.is_alphanumeric()).any(|w| w == initial(l));
        sentence.is_some_and(|s| mentions(s, other(given)) && !mentions(s, given))
            || after.split(['.', '。']).next().is_some_and(|s| letter(s, other(given)) && !letter(s, given))
    })
}

/// Whether the words after an object state the other label, or correct it into that.
pub(super) fn goes_back_on(prose: &str, at: usize, given: Label) -> bool {
    let after = prose.get(at..).unwrap_or_default();
    corrected(prose, at, given)
        || (KEYED.is_match(after) && of_text(after).value.is_some_and(|v| v.prediction != given))
}

/// The confidence that a text states; two that differ are none.
fn confidence(text: &str) -> Option<Stated> {
    static REASONS: LazyLock<Regex> =
        LazyLock::new(|| pattern(r"(?im)^\W*(?:[0-9]+\.\s*)?(?:reasoning|rationale|reasons?)\s*[:：]"));
    // What the reasons say about confidence counts only where nothing else does.
    let reasons = REASONS.find(text).map_or(text.len(), |m| m.start());
    [text.get(..reasons), text.get(reasons..)].into_iter().flatten().find_map(confidence_in)
}

fn confidence_in(text: &str) -> Option<Stated> {
    let mut read: Option<Stated> = None;
    for found in CONFIDENCE.find_iter(text) {
        let rest = text.get(found.end()..text.ceil_char_boundary(found.end() + 160)).unwrap_or_default();
        // On its own line, or on the next one if that of the label ends there.
        let line =
            rest.find(|c: char| !(c.is_whitespace() || matches!(c, ':' | '：' | '=' | '|'))).unwrap_or(0);
        let end = rest.get(line..).and_then(|r| r.find('\n')).map_or(rest.len(), |n| line + n);
        let Some(stated) = confidence::read(rest.get(..end).unwrap_or_default(), false) else { continue };
        match &read {
            Some(first) if *first != stated => return Some(Stated::Unclear("two confidences that differ")),
            _ => read = Some(stated),
        }
    }
    read.or_else(|| {
        let found = CONFIDENCE_BEFORE.captures(text)?;
        let number = found.name("n")?;
        let before = text.get(text.floor_char_boundary(number.start().saturating_sub(24))..number.start())?;
        if INEXACT.is_match(before) || before.ends_with('-') {
            return Some(Stated::Unclear("a range or a bound is no one confidence"));
        }
        confidence::read(&format!("{}%", number.as_str()), false)
    })
    .or_else(|| confidence::read(ALONE.captures(text)?.name("n")?.as_str(), false))
}

/// A label that is the first sentence, or a line of its own, where the other label is nowhere in the reply.
fn sole_label(text: &str) -> Option<Label> {
    // What the other label would take is not offered: a "YES" would need more.
    static WOULD: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r#"(?i)["'“‘「](?:yes|no|是|否)["'”’」]\s*(?:(?:would|could|might|requires?|needs?|calls?\s+for|demands?)\b|需要|要求)"#,
        )
    });
    let text = WOULD.replace_all(text, "");
    let text = text.as_ref();
    let mut labels = text.lines().filter_map(|l| {
        // After a question on the same line: "Will he come back? NO".
        let answer = l.trim().rsplit(['?', '？']).next().filter(|a| !a.trim().is_empty()).unwrap_or(l);
        let line = answer.trim().trim_matches(|c: char| !c.is_alphanumeric());
        ["yes", "no", "y", "n", "是", "是的", "否", "不是"]
            .iter()
            .find(|w| line.eq_ignore_ascii_case(w))
            .and_then(|w| label(w))
    });
    let found = match labels.next() {
        Some(first) => labels.all(|l| l == first).then_some(first)?,
        None => label(text)
            .filter(|_| !quoted_first(text) && !acknowledges(text))
            .or_else(|| repeated(text))
            .or_else(|| capitals(text))
            .filter(|_| !HEDGE.is_match(text))?,
    };
    (!mentions(text, other(found))).then_some(found)
}

/// Whether the reply begins with what somebody said: "No," said the accused.
fn quoted_first(text: &str) -> bool {
    let first = text.trim_start_matches(|c: char| !c.is_alphanumeric());
    given_by_others(first.trim_start_matches(char::is_alphanumeric))
}

/// Whether a "yes" only takes the task on: "Yes, I understand. Please share the facts."
fn acknowledges(text: &str) -> bool {
    static TAKEN_ON: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?i)^\W*(?:yes|是的?|好的?|はい)\W+(?:(?:of\s+course|certainly|sure(?:ly)?|absolutely)\W+)?(?:understood|got\s+it|noted|happy\s+to|glad\s+to|I(?:['’]m|\s+am)\s+(?:ready|happy|glad|here|able)|I\s+(?:understand|see|acknowledge|have\s+(?:read|understood|received|noted))|I\s+(?:can|could|will|shall|would)(?:\s+(?:now|certainly|gladly|be\s+(?:happy|glad)\s+to))*\s+(?:help|assist|do\s+(?:that|so|this)|analy[sz]e|read|review|examine|consider|predict|answer|provide|give|make|proceed|begin|start|look)|let\s+(?:me|us)|let['’]s|please|我(?:已经?)?(?:明白|理解|知道|了解|清楚|会|可以|将|准备)|当然|请|没问题|明白|了解)",
        )
    });
    static ASKS_FOR_MORE: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?i)\b(?:please|kindly|could\s+you|can\s+you|would\s+you)\s+(?:\w+\s+)?(?:provide|share|give|send|tell|describe|supply|paste|specify)\b|\bwhat\s+(?:is|are)\s+the\s+(?:facts|details|case)\b|请(?:您)?(?:提供|告诉|给出|发送|描述|说明)",
        )
    });
    TAKEN_ON.is_match(text) || ASKS_FOR_MORE.is_match(text)
}

/// One label over and over, and nothing else.
fn repeated(text: &str) -> Option<Label> {
    let mut words = text.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty()).map(label);
    let first = words.next()??;
    words.all(|l| l == Some(first)).then_some(first)
}

/// The only label in capitals, at the end of a clause that states it: "I would say YES."
fn capitals(text: &str) -> Option<Label> {
    static CAPITALS: LazyLock<Regex> = LazyLock::new(|| {
        pattern(r#"(?:^|[\s:"'(\[])(YES|NO)["')\]]*\s*(?:[.,;:!(\n]|$|(?:with|because|since)\b)"#)
    });
    static CLAUSE: LazyLock<Regex> = LazyLock::new(|| pattern(r"[,，、()（）:：—–]|\bbut\b"));
    static BUT: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?i)\b(?:anything|nothing)\s+but\s*$"));
    // Words with which one states one's own answer, and none else.
    static OWN: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?i)^(?:\W|[0-9])*(?:(?:I|we|my|our|me|us|you|ll|d|m|ve|s|a|the|this|that|it|its|is|am|be|are|to|of|for|in|on|at|as|and|so|thus|hence|therefore|then|well|ok|okay|hmm|would|will|shall|should|must|have|has|can|do|say|says|said|think|believe|guess|feel|go|going|opt|answer|answers|answering|reply|vote|choose|pick|predict|conclude|concluding|conclusion|find|hold|lean|leaning|leans|inclined|incline|settle|stand|stick|keep|maintain|by|with|towards?|prediction|verdict|decision|choice|opinion|view|judge?ment|assessment|gut|instinct|feeling|response|result|label|final|finally|own|overall|sum|short|accordingly|consequently|ultimately|clear|clearly|firm|firmly|definite|definitely|simple|simply|just|only|correct|right|here|question|court|bench|affirmative|negative|percent|confident|certain|sure|confidence|reach|give|giving|given|make|record|evidence|facts?|case|balance|after|all|considered|weighing|everything|above|these|reasons?|basis|likely|most|probably|from|one|option|chosen|selected|output|prefer|because|points?|suggests?|supports?|favou?rs?|clearly)\b(?:\W|[0-9])*)*$",
        )
    });
    static ON_A_VIEW: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?i)\b(?:on|under|by|from|in|per)\s+(?:the\s+)?(?:\w+\s+){0,2}?(?:\w+['’]s?\s+)(?:\w+\s+)?(?:version|view|account|case|reading|theory|logic|story|eyes)\b|^\W*suppose\b",
        )
    });
    // In a text all in capitals they mean nothing.
    text.chars().any(char::is_lowercase).then_some(())?;
    let mut found = CAPITALS.captures_iter(text).filter_map(|c| c.get(1)).map(|m| {
        let sentence = sentence_before(text, m.start());
        let clause =
            CLAUSE.find_iter(sentence).last().and_then(|c| sentence.get(c.end()..)).unwrap_or(sentence);
        let after = text.get(m.end()..text.ceil_char_boundary(m.end() + 40)).unwrap_or_default();
        let stated = OWN.is_match(clause)
            && !ALOOF.is_match(clause)
            && !ON_A_VIEW.is_match(sentence)
            && !BUT.is_match(sentence)
            && !attributed(sentence)
            && !supposed(text, m.start())
            && !joined(after);
        label(m.as_str()).filter(|_| stated)
    });
    let first = found.next()??;
    found.all(|l| l == Some(first)).then_some(first)
}
