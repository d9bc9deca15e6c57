//! AgenticSimLaw: prosecution and defence debate a row of a table before a judge whose belief is followed.
//!
//! Seven turns: an opening, a rebuttal and a closing of each side, and the verdict. Before each statement its speaker
//! makes a private plan (what the other side did, what was weak in its own case, what to do now); plan and statement
//! are two calls, and a plan is shown to nobody else. After the openings, the rebuttals and the closings the judge
//! notes a silent belief: label, confidence, reasons, and the arguments that moved it.
//!
//! Calls of a debate: 6 plans, 6 statements, 3 beliefs, 1 verdict, together 16 (the paper's code has 13: 6 statements,
//! 6 opinions of the judge and a verdict, at about 9,100 tokens a case; what a debate took here is in the record of
//! its calls). Both orders take twice as many; with c classes, one against the rest takes c debates, a bracket c − 1.
//!
//! The control flips at random: the judge is asked once, before anybody has argued, and that label is turned at each
//! of the three points where a debate could have turned it, with the probability that is given (usually the rate at
//! which a run of debates turned the judge). What such flips do to accuracy is what a debate's flips must beat.
//!
//! A confidence here is rhetorical, not a probability.

use std::collections::BTreeMap;

use rand::Rng as _;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::shared::{chars, limit, object, one_line, others, text_schema, tokens};
use crate::case::{Case, CaseError, Matter, form};
use crate::event::{Actor, Body, Decision, Event};
use crate::read::{Label, Reading, read_json, read_verdict};
use crate::run::{RunConfig, RunError, config};
use crate::session::{Ask, Session, SessionError};

/// Name of the protocol.
pub const NAME: &str = "simlaw";

/// Roles that a model answers for.
pub const ROLES: &[&str] = &["judge", "prosecution", "defence"];

/// The domains that come with the program.
pub const DOMAINS: &[&str] = &["justice", "credit", "employment", "fraud"];

/// Who opens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Order {
    /// The prosecution.
    #[default]
    Prosecution,
    /// The defence.
    Defence,
    /// Whoever the seed says, case by case.
    Random,
    /// Two debates; a label that depends on the order is flagged and not decided.
    Both,
}

/// How the sides deal with each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Variant {
    /// Each argues to win.
    #[default]
    Adversarial,
    /// Both help the judge to a full picture, each from its side of the question.
    Cooperative,
}

/// What is done instead of a debate, to compare it with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Control {
    /// The judge's label before any argument, turned at random.
    RandomFlip,
}

/// How more than two classes are decided by debates over two.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Multiclass {
    /// Each class against all others; the most certain yes counts.
    #[default]
    Ovr,
    /// Two classes at a time, the winner goes on.
    Bracket,
}

/// What is AgenticSimLaw's own.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// Who opens.
    pub order: Order,
    /// How the sides deal with each other.
    pub variant: Variant,
    /// A control instead of the debate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub control: Option<Control>,
    /// Probability of a flip at each of three points, for the control.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub flip_rate: Option<f64>,
    /// How more than two classes are decided.
    pub multiclass: Multiclass,
    /// Below this confidence, 0 to 1, a person should look at the decision.
    pub review_below: f64,
    /// Whose words the personas speak: one of [`DOMAINS`], or a file `simlaw/domain-NAME` among the user's prompts.
    pub domain: String,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            order: Order::default(),
            variant: Variant::default(),
            control: None,
            flip_rate: None,
            multiclass: Multiclass::default(),
            review_below: 0.6,
            domain: "justice".to_owned(),
        }
    }
}

impl Options {
    /// Checks the options.
    ///
    /// # Errors
    /// Names the option and what it may be.
    pub fn check(&self) -> Result<(), RunError> {
        if !(0.0..=1.0).contains(&self.review_below) {
            return Err(config(
                format!("review_below is {}", self.review_below),
                "it is a confidence from 0 to 1; the usual one is 0.6",
            ));
        }
        let plain = |c: char| c.is_ascii_alphanumeric() || c == '-';
        if self.domain.is_empty() || !self.domain.chars().all(plain) {
            return Err(config(
                format!("domain `{}`", self.domain),
                format!(
                    "choose {}, or give `simlaw/domain-NAME.en.md` in a folder with --prompts",
                    DOMAINS.join(", ")
                ),
            ));
        }
        match (self.control, self.flip_rate) {
            (Some(Control::RandomFlip), None) => Err(config(
                "the random-flip control needs a rate of flips",
                "give a number from 0 to 1, or the folder of a run of debates whose rate is taken: --flip-rate 0.05|RUN",
            )),
            (None, Some(_)) => Err(config(
                "a rate of flips is for the control only",
                "add --control random-flip, or leave --flip-rate out",
            )),
            (_, Some(rate)) if !(0.0..=1.0).contains(&rate) => {
                Err(config(format!("flip rate {rate}"), "it is a probability from 0 to 1"))
            }
            _ => Ok(()),
        }
    }
}

/// Whether a case can be tried here: it needs a row with labels.
///
/// # Errors
/// If it is of another kind.
pub fn accepts(case: &Case) -> Result<(), CaseError> {
    match &case.matter {
        Matter::Row { labels, question, .. } if labels.len() >= 2 && !question.trim().is_empty() => Ok(()),
        _ => Err(form(
            &case.id,
            "there is no row with a question and labels, and simlaw decides on those",
            "give a table: --table FILE --target COLUMN --positive LABEL",
        )),
    }
}

/// Share of the points at which the judge's label turned, over all debates in these records: from belief to belief,
/// and from the last one to the verdict. `None` if there is no such point.
#[must_use]
pub fn flip_rate(trials: &[Vec<Event>]) -> Option<f64> {
    let (mut points, mut flips) = (0u32, 0u32);
    for events in trials {
        let mut last: BTreeMap<String, String> = BTreeMap::new();
        for event in events {
            let Body::Belief { label: Some(label), .. } = &event.body else { continue };
            let debate = event.step.rsplit_once('/').map_or("", |(debate, _)| debate).to_owned();
            if let Some(before) = last.insert(debate, label.clone()) {
                points += 1;
                flips += u32::from(before != *label);
            }
        }
    }
    (points > 0).then(|| f64::from(flips) / f64::from(points))
}

/// The yes-or-no question of one debate.
#[derive(Debug, Clone)]
struct Contest {
    /// Put before the steps of this debate, to tell several of one trial apart.
    prefix: String,
    question: String,
    /// What yes and no mean, where that is not in the question.
    yes: String,
    no: String,
    /// Share of yes in the table, in percent.
    base_rate: String,
}

/// How a debate ends.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Ruling {
    yes: bool,
    /// 0 to 1.
    confidence: Option<f64>,
}

/// What came of the one or two debates of a contest.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Held {
    Decided(Ruling),
    Undecided,
    /// The two orders give two labels.
    OrderFlip,
}

#[derive(Serialize)]
struct Words<'a> {
    limit: usize,
    base_rate: &'a str,
    yes_side: bool,
    step: &'a str,
    cooperative: bool,
    persona: String,
    first: bool,
    argued: bool,
}

#[derive(Debug, Deserialize)]
struct Plan {
    #[serde(default)]
    reflection: String,
    #[serde(default)]
    critique: String,
    plan: String,
}

#[derive(Debug, Deserialize)]
struct Said {
    statement: String,
}

/// A belief or verdict as the judge writes it.
#[derive(Debug, Clone)]
struct Belief {
    ruling: Ruling,
    reasoning: String,
    moved_by: Vec<String>,
}

#[derive(Deserialize)]
struct Moved {
    #[serde(default)]
    moved_by: Vec<String>,
}

/// Reads a belief: the verdict by the structured reader, what moved it beside.
fn read_belief(raw: &str) -> Reading<Belief> {
    read_verdict(raw).map(|v| Belief {
        ruling: Ruling {
            yes: v.prediction == Label::Yes,
            confidence: v.confidence.map(|percent| percent / 100.0),
        },
        reasoning: v.reasoning.unwrap_or_default(),
        moved_by: read_json::<Moved>(raw).value.map(|m| m.moved_by).unwrap_or_default(),
    })
}

/// One debate.
struct Debate<'s> {
    session: &'s Session,
    config: &'s RunConfig,
    options: &'s Options,
    contest: Contest,
    facts: String,
    /// Said in court so far, oldest first.
    record: Vec<String>,
    /// Each agent's own notes, shown to it alone.
    notes: BTreeMap<String, Vec<String>>,
}

/// Holds a trial.
///
/// # Errors
/// If the session cannot go on.
pub async fn hold(
    session: &Session,
    config: &RunConfig,
    options: &Options,
) -> Result<Decision, SessionError> {
    let Matter::Row { question, labels, base_rate } = &session.case().matter else {
        return Err(SessionError::Options { message: "simlaw needs a row with labels".to_owned() });
    };
    let decision = match labels.as_slice() {
        [yes, no] => {
            let contest = Contest {
                prefix: String::new(),
                question: question.clone(),
                yes: yes.clone(),
                no: no.clone(),
                base_rate: base_rate.clone(),
            };
            let result = contest_of(session, config, options, contest).await?;
            match result {
                Held::Decided(ruling) => {
                    decided(options, if ruling.yes { yes } else { no }, ruling.confidence, Vec::new())
                }
                other => undecided(other),
            }
        }
        _ if options.multiclass == Multiclass::Bracket => {
            bracket(session, config, options, question, labels).await?
        }
        _ => one_against_rest(session, config, options, question, labels).await?,
    };
    session.record(&session.actor("judge", "judge"), "verdict", None, Body::Decision(decision.clone()))?;
    Ok(decision)
}

/// Tokens of a case that the paper states, read and written.
pub const PAPER_TOKENS: u64 = 9_100;
/// Calls of a case in the paper's code: 6 statements, 6 opinions of the judge, a verdict.
pub const PAPER_CALLS: u64 = 13;

/// Turns of a debate, as the paper counts them.
const TURNS: u32 = 7;

fn decided(options: &Options, label: &str, confidence: Option<f64>, mut why: Vec<String>) -> Decision {
    match confidence {
        Some(c) if c < options.review_below => why.push(format!(
            "the judge's confidence, which is rhetorical and not a probability, is {c:.2}, below {:.2}",
            options.review_below
        )),
        None if options.control.is_none() => why.push("the judge gave no confidence".to_owned()),
        _ => {}
    }
    Decision::Label {
        label: Some(label.to_owned()),
        outcome: "decided".to_owned(),
        confidence,
        for_a_human: why,
        rounds: if options.control.is_some() { 0 } else { TURNS },
    }
}

fn undecided(result: Held) -> Decision {
    let (outcome, why) = match result {
        Held::OrderFlip => ("order_flip", "the label depends on who opens"),
        _ => ("no_decision", "the judge's verdict cannot be read"),
    };
    Decision::Label {
        label: None,
        outcome: outcome.to_owned(),
        confidence: None,
        for_a_human: vec![why.to_owned()],
        rounds: TURNS,
    }
}

fn label_question(session: &Session, question: &str, yes: &str, no: &str) -> Result<String, SessionError> {
    let words = BTreeMap::from([("question", question), ("yes", yes), ("no", no)]);
    session.text("simlaw/common#class-question", &words)
}

async fn one_against_rest(
    session: &Session,
    config: &RunConfig,
    options: &Options,
    question: &str,
    labels: &[String],
) -> Result<Decision, SessionError> {
    let mut scores: Vec<(&String, f64, bool)> = Vec::new();
    for (i, label) in labels.iter().enumerate() {
        let contest = Contest {
            prefix: format!("class-{}/", i + 1),
            question: label_question(session, question, label, "")?,
            yes: label.clone(),
            no: String::new(),
            base_rate: String::new(),
        };
        match contest_of(session, config, options, contest).await? {
            Held::Decided(Ruling { yes, confidence: Some(c) }) => {
                scores.push((label, if yes { c } else { 1.0 - c }, yes));
            }
            Held::Decided(_) | Held::Undecided => return Ok(undecided(Held::Undecided)),
            Held::OrderFlip => return Ok(undecided(Held::OrderFlip)),
        }
    }
    let best = scores.iter().map(|s| s.1).fold(f64::NEG_INFINITY, f64::max);
    let mut top = scores.iter().filter(|s| s.1 >= best);
    let yes = scores.iter().filter(|s| s.2).count();
    let why = match yes {
        1 => Vec::new(),
        n => vec![format!("{n} of {} classes were found to apply, each against the rest", scores.len())],
    };
    Ok(match (top.next(), top.next()) {
        (Some((label, score, _)), None) => decided(options, label, Some(*score), why),
        _ => Decision::Label {
            label: None,
            outcome: "split".to_owned(),
            confidence: None,
            for_a_human: vec!["several classes are equally likely to the judge".to_owned()],
            rounds: TURNS,
        },
    })
}

async fn bracket(
    session: &Session,
    config: &RunConfig,
    options: &Options,
    question: &str,
    labels: &[String],
) -> Result<Decision, SessionError> {
    let mut left: Vec<String> = labels.to_vec();
    let mut heat = 0;
    let mut last = None;
    while left.len() > 1 {
        let mut next = Vec::with_capacity(left.len().div_ceil(2));
        for pair in left.chunks(2) {
            let [a, b] = pair else {
                // An odd one goes on without a debate.
                next.extend(pair.iter().cloned());
                continue;
            };
            heat += 1;
            let contest = Contest {
                prefix: format!("heat-{heat}/"),
                question: label_question(session, question, a, b)?,
                yes: a.clone(),
                no: b.clone(),
                base_rate: String::new(),
            };
            match contest_of(session, config, options, contest).await? {
                Held::Decided(ruling) => {
                    next.push(if ruling.yes { a.clone() } else { b.clone() });
                    last = ruling.confidence;
                }
                other => return Ok(undecided(other)),
            }
        }
        left = next;
    }
    Ok(match left.first() {
        Some(label) => decided(options, label, last, Vec::new()),
        None => undecided(Held::Undecided),
    })
}

/// The debate or debates on one question.
async fn contest_of(
    session: &Session,
    config: &RunConfig,
    options: &Options,
    contest: Contest,
) -> Result<Held, SessionError> {
    if options.control == Some(Control::RandomFlip) {
        return flipped(session, config, options, contest).await;
    }
    let one = |ruling: Option<Ruling>| ruling.map_or(Held::Undecided, Held::Decided);
    let defence_first = match options.order {
        Order::Prosecution => false,
        Order::Defence => true,
        Order::Random => session.rng(&format!("{}order", contest.prefix)).random_bool(0.5),
        Order::Both => {
            let mut rulings = Vec::with_capacity(2);
            for (name, defence_first) in [("prosecution-first/", false), ("defence-first/", true)] {
                let contest = Contest { prefix: format!("{}{name}", contest.prefix), ..contest.clone() };
                rulings.push(debate(session, config, options, contest, defence_first).await?);
            }
            return Ok(match rulings.as_slice() {
                [Some(a), Some(b)] if a.yes == b.yes => Held::Decided(Ruling {
                    yes: a.yes,
                    confidence: a.confidence.zip(b.confidence).map(|(a, b)| f64::midpoint(a, b)),
                }),
                [Some(_), Some(_)] => Held::OrderFlip,
                _ => Held::Undecided,
            });
        }
    };
    Ok(one(debate(session, config, options, contest, defence_first).await?))
}

fn new_debate<'s>(
    session: &'s Session,
    config: &'s RunConfig,
    options: &'s Options,
    contest: Contest,
) -> Debate<'s> {
    let facts = session.case().facts.clone();
    Debate { session, config, options, contest, facts, record: Vec::new(), notes: BTreeMap::new() }
}

async fn debate(
    session: &Session,
    config: &RunConfig,
    options: &Options,
    contest: Contest,
    defence_first: bool,
) -> Result<Option<Ruling>, SessionError> {
    let mut debate = new_debate(session, config, options, contest);
    let judge = session.actor("judge", "judge");
    let mut sides = [session.actor("prosecution", "prosecution"), session.actor("defence", "defence")];
    if defence_first {
        sides.reverse();
    }
    for actor in sides.iter().chain([&judge]) {
        let text = debate.persona(actor)?;
        session.record(actor, &debate.step("start"), None, Body::Persona { text })?;
    }
    for step in ["opening", "rebuttal", "closing"] {
        for side in &sides {
            debate.plan(side, step).await?;
            debate.speak(side, step).await?;
        }
        debate.believe(&judge, &format!("after-{step}"), "belief").await?;
    }
    debate.believe(&judge, "verdict", "verdict").await
}

/// The control: the label before any argument, turned at random.
async fn flipped(
    session: &Session,
    config: &RunConfig,
    options: &Options,
    contest: Contest,
) -> Result<Held, SessionError> {
    let mut debate = new_debate(session, config, options, contest);
    let judge = session.actor("judge", "judge");
    let Some(before) = debate.believe(&judge, "unargued", "belief").await? else {
        return Ok(Held::Undecided);
    };
    let rate = options.flip_rate.unwrap_or(0.0).clamp(0.0, 1.0);
    let mut rng = session.rng(&debate.step("random-flip"));
    let mut yes = before.yes;
    for point in ["flip-1", "flip-2", "flip-3"] {
        if rng.random_bool(rate) {
            yes = !yes;
            let words = if yes { "turned to yes" } else { "turned to no" };
            let body =
                Body::Discrepancy { text: format!("the label was {words} by chance, not by the judge") };
            session.record(&judge, &debate.step(point), None, body)?;
        }
    }
    // The confidence was that of the label before it was turned.
    let confidence = before.confidence.filter(|_| yes == before.yes);
    Ok(Held::Decided(Ruling { yes, confidence }))
}

impl<'s> Debate<'s> {
    fn step(&self, step: &str) -> String {
        format!("{}{step}", self.contest.prefix)
    }

    fn persona(&self, actor: &Actor) -> Result<String, SessionError> {
        let block = format!("simlaw/domain-{}#{}", self.options.domain, actor.role);
        self.session.text(&block, &BTreeMap::<String, String>::new())
    }

    fn words<'a>(&'a self, actor: &Actor, step: &'a str, chars: usize) -> Result<Words<'a>, SessionError> {
        Ok(Words {
            limit: limit(self.session, chars),
            base_rate: &self.contest.base_rate,
            yes_side: actor.role == "prosecution",
            step,
            cooperative: self.options.variant == Variant::Cooperative,
            persona: self.persona(actor)?,
            first: self.record.is_empty(),
            argued: !self.record.is_empty(),
        })
    }

    /// Begins a question: what is common to all first, what is the agent's own last.
    fn question(
        &self,
        actor: &Actor,
        step: &str,
        block: &str,
        words: &Words<'_>,
    ) -> Result<Ask<'s>, SessionError> {
        let session = self.session;
        // The question may name labels, which are words of the table.
        let case = [("case", vec![self.facts.clone()]), ("question", vec![self.contest.question.clone()])];
        let mut ask = session
            .ask(actor, step)
            .system_pieces(session.render("simlaw/common#system", words, &[])?)
            .pieces(session.render("simlaw/common#case", words, &case)?);
        ask = others(session, ask, "simlaw/common#record", "record", self.record.clone())?;
        let notes = self.notes.get(&actor.agent).cloned().unwrap_or_default();
        ask = others(session, ask, "simlaw/common#notes", "notes", notes)?;
        Ok(ask.pieces(session.render(block, words, &[])?))
    }

    /// What a side makes of things, for itself.
    async fn plan(&mut self, actor: &Actor, step: &str) -> Result<(), SessionError> {
        let chars = chars(self.session, self.config);
        let part = chars / 2;
        let words = self.words(actor, step, part)?;
        let schema = object(&["reflection", "critique", "plan"].map(|field| (field, text_schema(part))));
        let path = self.step(&format!("{step}-plan"));
        let answer = self
            .question(actor, &path, "simlaw/counsel#plan", &words)?
            .schema("plan", schema)
            .max_tokens(tokens(self.session, self.config, &actor.role, part * 3))
            .send::<Plan>()
            .await?;
        let Some(plan) = answer.reading.value else { return Ok(()) };
        let fields = BTreeMap::from([
            ("reflection", one_line(&plan.reflection)),
            ("critique", one_line(&plan.critique)),
            ("plan", one_line(&plan.plan)),
            ("step", step.to_owned()),
        ]);
        let text = self.session.text("simlaw/common#note", &fields)?;
        self.session.record(actor, &path, None, Body::Plan { text: text.clone() })?;
        self.notes.entry(actor.agent.clone()).or_default().push(text);
        Ok(())
    }

    /// A statement in court. What cannot be had of the model stays unsaid, and the record shows why.
    async fn speak(&mut self, actor: &Actor, step: &str) -> Result<(), SessionError> {
        let chars = chars(self.session, self.config);
        let words = self.words(actor, step, chars)?;
        let schema = object(&[("statement", text_schema(chars))]);
        let path = self.step(step);
        let empty = self.session.text("simlaw/common#empty", &BTreeMap::<String, String>::new())?;
        let answer = self
            .question(actor, &path, "simlaw/counsel#statement", &words)?
            .schema("statement", schema)
            .max_tokens(tokens(self.session, self.config, &actor.role, chars))
            .send_checked(|s: &Said| if s.statement.trim().is_empty() { Err(empty.clone()) } else { Ok(()) })
            .await?;
        if let Some(said) = answer.reading.value.filter(|s| !s.statement.trim().is_empty()) {
            self.session.say(actor, &path, &said.statement, &[])?;
            let entry = BTreeMap::from([
                ("step", step.to_owned()),
                ("role", actor.role.clone()),
                ("text", one_line(&said.statement)),
            ]);
            self.record.push(self.session.text("simlaw/common#entry", &entry)?);
        }
        Ok(())
    }

    /// What the judge believes for the moment, or decides. Shown to the judge alone.
    async fn believe(
        &mut self,
        judge: &Actor,
        step: &str,
        block: &str,
    ) -> Result<Option<Ruling>, SessionError> {
        let chars = chars(self.session, self.config);
        let words = self.words(judge, step, chars)?;
        let moved = json!({"type": "array", "maxItems": 4, "items": {"type": "string", "maxLength": 120}});
        let schema = object(&[
            ("reasoning", text_schema(chars)),
            ("moved_by", moved),
            ("prediction", json!({"type": "string", "enum": ["YES", "NO"]})),
            ("confidence", json!({"type": "integer", "minimum": 0, "maximum": 100})),
        ]);
        let path = self.step(step);
        let answer = self
            .question(judge, &path, &format!("simlaw/judge#{block}"), &words)?
            .schema(block, schema)
            .max_tokens(tokens(self.session, self.config, &judge.role, chars + 480))
            .send_read(read_belief, |_| Ok(()))
            .await?;
        let belief = answer.reading.value;
        let label = belief.as_ref().map(|b| if b.ruling.yes { &self.contest.yes } else { &self.contest.no });
        let label = match (label, &belief) {
            // Against the rest, no has no label of its own.
            (Some(l), Some(b)) if l.is_empty() => Some(if b.ruling.yes { "YES" } else { "NO" }.to_owned()),
            (label, _) => label.cloned(),
        };
        let body = Body::Belief {
            label,
            confidence: belief.as_ref().and_then(|b| b.ruling.confidence),
            reasoning: belief.as_ref().map(|b| b.reasoning.clone()).unwrap_or_default(),
            moved_by: belief.as_ref().map(|b| b.moved_by.clone()).unwrap_or_default(),
            stage: answer.reading.stage.as_str().to_owned(),
        };
        self.session.record(judge, &path, None, body)?;
        if let Some(belief) = &belief {
            let note = BTreeMap::from([
                ("step", step.to_owned()),
                ("prediction", if belief.ruling.yes { "YES" } else { "NO" }.to_owned()),
                (
                    "confidence",
                    belief.ruling.confidence.map(|c| format!("{:.0}", c * 100.0)).unwrap_or_default(),
                ),
                ("reasoning", one_line(&belief.reasoning)),
            ]);
            let text = self.session.text("simlaw/common#belief-note", &note)?;
            self.notes.entry(judge.agent.clone()).or_default().push(text);
        }
        Ok(belief.map(|b| b.ruling))
    }
}
