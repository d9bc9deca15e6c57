//! What the template sees: plain values, all words chosen.

use serde::Serialize;

use super::coverage::Coverage;
use super::names::Language;
use super::text;

#[derive(Serialize)]
pub struct Page {
    #[serde(skip)]
    pub language: Language,
    pub lang: &'static str,
    pub title: String,
    pub program: &'static str,
    pub trials: Vec<TrialView>,
    pub several: bool,
    pub law: Vec<LawView>,
    pub coverage: Vec<Coverage>,
    /// Lists of provisions could hold only what was shown.
    pub constrained: bool,
    pub settings: Vec<(String, String)>,
    pub summary: Vec<MeasureView>,
    pub finished: usize,
    pub legend: Vec<(&'static str, &'static str, &'static str)>,
}

#[derive(Serialize)]
pub struct TrialView {
    pub anchor: String,
    pub name: String,
    pub title: String,
    pub lang: String,
    pub finished: bool,
    pub case: Option<CaseView>,
    pub verdict: Option<VerdictView>,
    pub decision: Option<DecisionView>,
    pub steps: Vec<StepView>,
    pub judgment: Vec<ItemView>,
    pub audit: Vec<AuditView>,
    pub measures: Vec<MeasureView>,
    pub cost: Vec<CostView>,
    pub models: Vec<String>,
    pub failures: Vec<(&'static str, u64)>,
}

#[derive(Serialize)]
pub struct CaseView {
    pub facts: Vec<text::Block>,
    pub evidence: Vec<(String, String, String)>,
    /// What is asked of the case, as a heading and pairs of a name and words.
    pub asked: Vec<(&'static str, Vec<(String, String)>)>,
    pub charges: Vec<(Link, String)>,
    pub offence_date: Option<String>,
    pub proceeding_date: Option<String>,
}

/// A name of a provision, with the anchor of its text where the page holds it.
#[derive(Clone, Serialize)]
pub struct Link {
    pub id: String,
    pub name: String,
    pub heading: String,
    pub href: Option<String>,
}

#[derive(Serialize)]
pub struct VerdictView {
    pub hung: bool,
    pub rounds: u32,
    pub charges: Vec<ChargeView>,
}

/// A sentence or a label.
#[derive(Serialize)]
pub struct DecisionView {
    pub result: String,
    pub decided: bool,
    pub notes: Vec<String>,
}

#[derive(Serialize)]
pub struct ChargeView {
    pub charge: Link,
    pub finding: FindingView,
    pub votes: u32,
    pub of: u32,
    pub seats: Vec<bool>,
}

#[derive(Clone, Serialize)]
pub struct FindingView {
    pub class: &'static str,
    pub label: &'static str,
    pub offence: Option<Link>,
}

#[derive(Serialize)]
pub struct StepView {
    pub anchor: String,
    pub title: String,
    pub items: Vec<ItemView>,
    pub agreement: Option<AgreementView>,
}

#[derive(Serialize)]
pub struct AgreementView {
    pub whole: String,
    pub charges: Vec<(Link, Vec<GroupView>)>,
}

#[derive(Serialize)]
pub struct GroupView {
    pub finding: FindingView,
    pub count: u32,
    pub of: u32,
}

#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum ItemView {
    Statement(StatementView),
    Search { speaker: Speaker, query: String, hits: Vec<HitView> },
    Private { speaker: Speaker, label: String, blocks: Vec<text::Block> },
    Notice { speaker: Speaker, label: &'static str, text: String },
}

#[derive(Clone, Serialize)]
pub struct Speaker {
    pub name: String,
    pub class: &'static str,
    pub persona: String,
}

#[derive(Serialize)]
pub struct StatementView {
    pub anchor: String,
    pub speaker: Speaker,
    pub blocks: Vec<text::Block>,
    pub cites: Vec<CiteView>,
    pub chips: Vec<ChipView>,
    pub ballot: Vec<(Link, FindingView)>,
    /// What the statement comes to, where that is not a finding: a sentence, a label.
    pub mark: Option<String>,
    pub stage: Option<String>,
}

/// A citation in the words.
#[derive(Serialize)]
pub struct CiteView {
    pub class: &'static str,
    pub mark: &'static str,
    pub label: &'static str,
    pub link: Link,
    pub reason: String,
}

/// A citation below a statement; equal ones are joined.
#[derive(Serialize, PartialEq)]
pub struct ChipView {
    pub class: &'static str,
    pub mark: &'static str,
    pub label: &'static str,
    pub name: String,
    pub id: String,
    pub href: Option<String>,
    pub places: Vec<&'static str>,
    pub reason: String,
    pub extra: Vec<String>,
    pub quoted: Vec<String>,
}

#[derive(Serialize)]
pub struct HitView {
    pub link: Link,
    pub rank: usize,
    pub exact: bool,
}

#[derive(Serialize)]
pub struct AuditView {
    pub agent: String,
    pub class: &'static str,
    pub link: Link,
    pub raw: String,
    pub statute: String,
    pub rank: Option<usize>,
    pub found: Vec<(String, usize)>,
    pub cited: String,
    pub quoted: Vec<String>,
    pub verdicts: Vec<(&'static str, &'static str, &'static str, usize)>,
    pub notes: Vec<String>,
}

#[derive(Serialize)]
pub struct MeasureView {
    pub label: &'static str,
    pub value: Option<String>,
    pub interval: String,
    pub over: String,
}

#[derive(Serialize)]
pub struct CostView {
    pub role: String,
    pub calls: u64,
    pub read: String,
    pub written: String,
    pub seconds: String,
    pub cut_off: u64,
    pub stages: String,
}

#[derive(Serialize)]
pub struct LawView {
    pub anchor: String,
    pub id: String,
    pub lang: String,
    pub statute: String,
    pub name: String,
    pub heading: String,
    pub breadcrumb: Vec<String>,
    pub version: String,
    pub status: &'static str,
    pub in_force: bool,
    pub struck_down: Option<String>,
    pub stretches: Vec<text::Stretch>,
    pub source: String,
    pub complete: bool,
    pub only_passage: bool,
    pub used: Vec<String>,
}
