//! Acquittal, exemption, life and death in running text.

use std::sync::LazyLock;

use regex::Regex;

use super::change::{CHANGED_AFTER, FROM_BEFORE};
use super::context::{
    CLAUSE_END, EXCLUDE_CLAUSE, HYPOTHETICAL, Mention, RESET, SENTENCE_END, Weight, end_of, of_another,
    rejected, since_reset, start_of, weight_of,
};
use super::rank::{self, Around};
use super::{TermClass, What};
use crate::read::pattern;

/// The words of a statute: alternatives and bounds.
static STATUTE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)以上|以下|或者|可以?判处?|可以?处|punishable|shall\s+be\s+punished|shall\s+also|may\s+extend|liable\s+to|\bor\s+with\b|\bor\s+imprisonment\b",
    )
});
static CLASS: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)(?P<reprieve>死刑[，,、\s（(]*(?:并|同时)?(?:宣告)?缓期|死缓|suspended\s+death|death\s+(?:sentence|penalty)?[^.;]{0,20}(?:reprieve|suspen)|sentenced?\s+to\s+death[^.;]{0,30}(?:reprieve|suspen))|(?P<death>死刑|sentenced?\s+(?:(?:the\s+\w+|him|her|them)\s+)?to\s+death|death\s+(?:sentence|penalty)|capital\s+punishment|death\s+by\s+hanging|hang(?:ed|ing)?\s+(?:by\s+the\s+neck|till|until)|be\s+hanged\b|put\s+to\s+death)|(?P<life>无期(?:徒刑)?|(?:remainder|rest)\s+of\s+(?:his|her|their|the\s+accused's)\s+(?:natural\s+)?life|终身监禁|life\s+imprisonment|imprisonment\s+for\s+life|life\s+sentence|life\s+in\s+prison|sentenced?\s+(?:(?:the\s+\w+|him|her|them)\s+)?to\s+life)|(?P<acquittal>无罪|acquit(?:s|ted|tal)?\b|not\s+guilty)|(?P<exempt>免(?:予|于|除|去)(?:其)?(?:刑事)?(?:处罚|处分|刑罚)|免除其刑|免刑|exempt(?:ed|ion)?\s+from\s+(?:criminal\s+)?(?:punishment|penalty))",
    )
});
static NEGATED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)(?:不|未|非|无需|没有|排除|不予|不能|不应|不宜|尚不|不构成|不认定为|\bnot\b|n't\b|\bno\b|\bwithout\b|\brather\s+than\b|\binstead\s+of\b|\bneither\b|\bnor\b|\bavoid\w*\b)[^，。；,.;]{0,12}$",
    )
});
static NO_CLASS_AFTER: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)^\s*(?:辩护|推定|意见|供述|主张|的?辩解|plea|的人|后果|限|只适用|除|[^，。；]{0,12}(?:犯罪分子|罪犯|案件|罪名|条件|标准|期间|期满|考验期限)|[^，。；]{0,6}减为|缓期执行的|不当|不妥|不宜|过重|畸重|(?:is|was|would\s+be)\s+(?:not|too|excessive|unwarranted))",
    )
});
static LENIENCY: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(?i)可以|或者?[^，。；]{0,4}$|减轻[、或]|\bmay\b|\bcould\b|\bmight\b"));
/// An acquittal on one count only: "acquitted of murder", "not guilty on count 1", 盗窃罪无罪.
static OF_COUNT: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)^\s*(?:,\s*)?(?:of|on|under|for|in\s+respect\s+of|as\s+to)\s+(?:the\s+(?:charge|offence|count)s?\s+(?:of|under)\s+)?(?P<what>[a-z0-9]+)",
    )
});
static COUNT_BEFORE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)(?:罪|[甲乙丙丁]罪|项|起)\s*(?:指控)?\s*[:：,，]?\s*(?:应?(?:宣告|认定|判决))?(?:其|被告人)?\s*$|\bcount\s+\w+\s*[:：,]\s*$",
    )
});

/// What the law allows is not what is decided.
static AT_MOST: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)(?:最高|最重|顶格|法定刑?|上限)[^，。；\n]{0,8}$|\b(?:maximum|max|up\s+to|as\s+much\s+as|most)\b[^,.;\n]{0,24}$",
    )
});

/// Whether the sentence goes on to say that the death penalty need not be carried out at once: it is then the law, or
/// the first half of a reprieve.
fn not_at_once(rest: &str) -> bool {
    static REPRIEVED: LazyLock<Regex> =
        LazyLock::new(|| pattern(r"(?P<before>[^，。；\n]{0,12})缓期(?:[一二两2]年)?执行"));
    static NOT_NOW: LazyLock<Regex> = LazyLock::new(|| pattern(r"不(?:是必须|必)?立即执行"));
    let denied = |c: &regex::Captures<'_>| {
        c.name("before").is_some_and(|b| b.as_str().contains(['不', '未', '无', '非', '没']))
    };
    NOT_NOW.is_match(rest) || REPRIEVED.captures(rest).is_some_and(|c| !denied(&c))
}

/// "Is acquitted" decides as much as "is sentenced".
static PRONOUNCED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"(?i)\b(?:is|are|was|were|stands?|hereby)\s+(?:\w+ly\s+)?$|宣告[^，。；]{0,8}$")
});

/// One of several accused by name: 张三无罪.
static ONE_OF_SEVERAL: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^\s*(?:[A-Z]|(?:[Aa]ccused|[Dd]efendant)\s+(?:[Nn]o\.?\s*)?[A-Z0-9]+|(?:[Tt]he\s+)?(?:first|second|third|other)\s+(?:accused|defendant))\s*[:：]?\s*(?:is|was)?\s*$|^\s*(?:被告人)?(?:[甲乙丙丁戊]|\p{Han}某[某甲乙丙]?|[赵钱孙李周吴郑王冯陈蒋沈韩杨朱秦许何吕张孔曹严魏谢邹苏潘范彭马方任袁柳唐罗薛雷贺汤郝于傅余顾孟黄萧尹姚邵汪毛戴宋熊纪董梁杜江郭梅林钟徐邱高夏蔡田胡丁邓石崔龚程陆翁段刘叶黎白]\p{Han}{1,2})\s*$",
    )
});

/// Mentions of acquittal, exemption, life and death.
pub(super) fn classes(text: &str) -> Vec<Mention> {
    let mut mentions = Vec::new();
    for found in CLASS.captures_iter(text) {
        let Some(all) = found.get(0) else { continue };
        let class = if found.name("reprieve").is_some() {
            TermClass::DeathWithReprieve
        } else if found.name("death").is_some() {
            TermClass::Death
        } else if found.name("life").is_some() {
            TermClass::Life
        } else if found.name("acquittal").is_some() {
            TermClass::Acquittal
        } else {
            TermClass::Exempt
        };
        let (start, end) = (all.start(), all.end());
        let before = text.get(start_of(&CLAUSE_END, text, start)..start).unwrap_or_default();
        let sentence = text.get(start_of(&SENTENCE_END, text, start)..start).unwrap_or_default();
        let since = since_reset(sentence);
        let rest = text.get(end..end_of(&SENTENCE_END, text, end)).unwrap_or_default();
        let until = RESET.find(rest).and_then(|m| rest.get(..m.start())).unwrap_or(rest);
        let around = Around { text, sentence, since, clause: before, after: rest };
        if NEGATED.is_match(before)
            || HYPOTHETICAL.is_match(since)
            || rank::elsewhere(&around).is_some()
            || (class == TermClass::Death && not_at_once(rest))
            || rejected(before, rest)
            || CHANGED_AFTER.is_match(rest)
            || FROM_BEFORE.is_match(before)
            || AT_MOST.is_match(before)
            || NO_CLASS_AFTER.is_match(rest)
            || EXCLUDE_CLAUSE.is_match(before)
            || of_another(since)
            || (class == TermClass::Exempt && LENIENCY.is_match(before))
            || STATUTE.is_match(since)
            || STATUTE.is_match(until)
        {
            continue;
        }
        let of_one = class == TermClass::Acquittal && ONE_OF_SEVERAL.is_match(before);
        let weight = match weight_of(before, since) {
            Some(weight) => weight,
            None if class == TermClass::Acquittal
                && (PRONOUNCED.is_match(before) || ONE_OF_SEVERAL.is_match(before)) =>
            {
                Weight::Decided
            }
            None => Weight::Penalty,
        };
        let partial = class == TermClass::Acquittal
            && (COUNT_BEFORE.is_match(before)
                || OF_COUNT.captures(rest).and_then(|c| c.name("what")).is_some_and(|what| {
                    !["all", "both", "every", "everything", "any", "the"]
                        .contains(&what.as_str().to_lowercase().as_str())
                }));
        mentions.push(Mention {
            start,
            end,
            what: What::Class(class),
            kind: None,
            weight,
            settles: false,
            partial,
            of_one,
        });
    }
    mentions
}
