//! SAMVAD: a judge, two counsel and a bench of adjudicators who deliberate.
//!
//! The judge looks law up and instructs the bench on it. Prosecution and defence look law up, open, answer each
//! other and close. Each adjudicator forms an independent view; then they speak in rounds, each on what was said
//! in the rounds before, until the largest group reaches the threshold of all adjudicators on every charge, or
//! the rounds run out. Who speaks first in a round is drawn by the seed; it is the order in which the record has
//! their words, and nobody hears those of the same round. With no rounds at all the independent views alone are
//! counted. The judge writes the judgment, which follows the bench.
//!
//! Everybody hears what is said in court. An agent's queries and passages are its own. Every conversation begins
//! with the same instructions, the same case file and the same record, and ends with what is the agent's own:
//! so a model that keeps the state of a prefix reads each statement once.
//!
//! Calls of a trial, where every reply will do: with a = adjudicators and r = rounds held, 2 + 6 + a·(1 + r), plus
//! 1 for the judge's queries, 2 for counsel's, a for the adjudicators', where these look law up; a short trial has
//! 2 fewer.

use std::collections::BTreeMap;

use nyaya_corpora::ProvisionId;
use nyaya_retrieval::Hit;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::shared::{
    CITE_CHARS, QUERY_CHARS, Queries, RawFinding, Said, charges, cites_schema, count, evidence, object,
    one_line, others, queries_schema, room, said_schema, text_schema,
};
use crate::case::{Case, CaseError, form};
use crate::event::{Actor, Ballot, Body, ChargeVerdict, Decision, Finding, Statement};
use crate::run::{RunConfig, RunError, Share, config};
use crate::session::{Answer, Ask, Session, SessionError};

/// Name of the protocol.
pub const NAME: &str = "samvad";

/// Roles that a model answers for.
pub const ROLES: &[&str] = &["judge", "prosecution", "defence", "adjudicator"];

/// Most entries in a statement's list of provisions.
const MOST_CITES: usize = 6;

/// What is SAMVAD's own.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// Adjudicators on the bench.
    pub adjudicators: u32,
    /// Share of all adjudicators that the largest group must reach, as written; see [`Share`].
    pub threshold: String,
    /// The share must be exceeded.
    pub strict_threshold: bool,
    /// Most rounds of deliberation after the independent views.
    pub rounds: u32,
    /// Rounds that are held even if the bench agrees before.
    pub min_rounds: u32,
    /// Opening and rebuttal only, shorter statements, one query an agent.
    pub short: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            adjudicators: 5,
            threshold: "0.8".to_owned(),
            strict_threshold: false,
            rounds: 3,
            min_rounds: 0,
            short: false,
        }
    }
}

impl Options {
    /// The threshold.
    ///
    /// # Errors
    /// If it is not a share.
    pub fn share(&self) -> Result<Share, RunError> {
        self.threshold.parse().map_err(|e: String| config(format!("threshold: {e}"), "the usual one is 0.8"))
    }

    /// Checks the options.
    ///
    /// # Errors
    /// Names the option and what it may be.
    pub fn check(&self) -> Result<(), RunError> {
        let share = self.share()?;
        if !(1..=99).contains(&self.adjudicators) {
            return Err(config(format!("{} adjudicators", self.adjudicators), "a bench has 1 to 99"));
        }
        let all = self.adjudicators;
        if !share.reached(all, all, self.strict_threshold) {
            return Err(config(
                format!("threshold {} is to be exceeded, and nothing exceeds all of {all}", self.threshold),
                "lower --threshold, or leave --strict-threshold out",
            ));
        }
        if self.min_rounds > self.rounds {
            return Err(config(
                format!("min_rounds {} is more than rounds {}", self.min_rounds, self.rounds),
                "lower the one or raise the other",
            ));
        }
        Ok(())
    }
}

/// Whether a case can be tried here: it needs charges.
///
/// # Errors
/// If it has none.
pub fn accepts(case: &Case) -> Result<(), CaseError> {
    if case.charges.is_empty() {
        return Err(form(
            &case.id,
            "there is no charge, and samvad finds on charges",
            "add `[[charge]]` with `id = \"in/ipc#s302\"`",
        ));
    }
    Ok(())
}

#[derive(Debug, Deserialize)]
struct View {
    statement: String,
    #[serde(default)]
    cites: Vec<String>,
    findings: Vec<RawFinding>,
}

/// An entry of the record as the prompts show it.
#[derive(Serialize)]
struct Entry<'a> {
    step: &'a str,
    round: Option<u32>,
    role: &'a str,
    number: u32,
    text: &'a str,
    cites: &'a [String],
    findings: Vec<Shown>,
}

/// A finding as the prompts show it: `guilty`, `not_guilty`, `lesser`, `hung`, `none`.
#[derive(Serialize)]
struct Shown {
    charge: String,
    finding: &'static str,
    offence: String,
    votes: u32,
    of: u32,
}

/// What a template of this protocol can say in its own words.
#[derive(Serialize, Default)]
struct Words {
    limit: usize,
    queries: usize,
    charges: Vec<String>,
    persona: String,
    number: u32,
    bench: u32,
    round: u32,
    law: bool,
    verdict: Vec<Shown>,
}

struct Court<'s> {
    session: &'s Session,
    config: &'s RunConfig,
    options: &'s Options,
    share: Share,
    case_text: String,
    charges: Vec<ProvisionId>,
    /// Said in court so far, oldest first.
    record: Vec<String>,
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
    let case = session.case();

    let share = options.share().map_err(|e| SessionError::Options { message: e.to_string() })?;
    let mut court = Court {
        session,
        config,
        options,
        share,
        case_text: session.text("samvad/common#casefile", &case_file(session, case))?,
        charges: case.charges.iter().map(|c| c.id.clone()).collect(),
        record: Vec::new(),
    };
    let judge = session.actor("judge", "judge");
    let prosecution = session.actor("prosecution", "prosecution");
    let defence = session.actor("defence", "defence");
    let bench: Vec<Actor> = (1..=options.adjudicators)
        .map(|n| session.actor("adjudicator", &format!("adjudicator-{n}")))
        .collect();
    let personas = session.personas("personas", bench.len());
    for (actor, persona) in bench.iter().zip(&personas) {
        session.record(actor, "start", None, Body::Persona { text: persona.clone() })?;
    }
    let member = |i: usize, actor: &Actor| Member {
        number: count(i + 1),
        actor: actor.clone(),
        persona: personas.get(i).cloned().unwrap_or_default(),
        law: String::new(),
    };
    let mut bench: Vec<Member> = bench.iter().enumerate().map(|(i, a)| member(i, a)).collect();

    let law = if court.looks_up("judge") {
        court.research(&judge, &Words::default()).await?
    } else {
        String::new()
    };
    court.speak(&judge, "instruction", &law).await?;
    let (prosecution_law, defence_law) = if court.looks_up("counsel") {
        let words = Words::default();
        let jobs = vec![court.research(&prosecution, &words), court.research(&defence, &words)];
        let mut laws = session.together("prosecution", jobs).await?.into_iter();
        (laws.next().unwrap_or_default(), laws.next().unwrap_or_default())
    } else {
        (String::new(), String::new())
    };
    let steps: &[&str] =
        if options.short { &["opening", "rebuttal"] } else { &["opening", "rebuttal", "closing"] };
    for step in steps {
        court.speak(&prosecution, step, &prosecution_law).await?;
        court.speak(&defence, step, &defence_law).await?;
    }

    if court.looks_up("adjudicators") {
        let words: Vec<Words> = bench.iter().map(Member::words).collect();
        let jobs = bench.iter().zip(&words).map(|(m, w)| court.research(&m.actor, w)).collect();
        let laws = session.together("adjudicator", jobs).await?;
        for (member, law) in bench.iter_mut().zip(laws) {
            member.law = law;
        }
    }
    let bench_actor = session.actor("bench", "bench");
    let mut round = 0;
    let charges = loop {
        let ballots = court.deliberate(&bench, round).await?;
        let charges = court.count(&ballots);
        let reached = charges.iter().all(|c| c.finding.is_some());
        let step = step_of(round);
        session.record(
            &bench_actor,
            &step,
            Some(round),
            Body::Agreement { charges: charges.clone(), reached },
        )?;
        if (reached && round >= options.min_rounds) || round >= options.rounds {
            break charges;
        }
        round += 1;
    };
    let hung = charges.iter().any(|c| c.finding.is_none());
    let verdict = Body::Verdict { charges: charges.clone(), hung, rounds: round };
    session.record(&bench_actor, "verdict", None, verdict)?;
    let judgment = court.judge(&judge, &charges, &law).await?;
    Ok(Decision::Charges { charges, hung, rounds: round, judgment })
}

/// An adjudicator.
struct Member {
    number: u32,
    actor: Actor,
    persona: String,
    law: String,
}

impl Member {
    fn words(&self) -> Words {
        Words { persona: self.persona.clone(), number: self.number, ..Words::default() }
    }
}

fn step_of(round: u32) -> String {
    if round == 0 { "view".to_owned() } else { format!("round-{round}") }
}

/// What the template of the case file can say: all of the case but its name and what is expected.
fn case_file(session: &Session, case: &Case) -> Value {
    json!({
        "title": case.title,
        "facts": case.facts,
        "offence_date": case.offence_date.map(|d| d.to_string()),
        "charges": charges(case, &|id| session.called(id)),
        "evidence": evidence(case),
    })
}

impl<'s> Court<'s> {
    fn looks_up(&self, role: &str) -> bool {
        self.config.rag.iter().any(|r| r == role)
    }

    fn chinese(&self) -> bool {
        self.session.language().starts_with("zh")
    }

    /// Most characters of a statement; `share` in percent of the usual.
    fn chars(&self, percent: usize) -> usize {
        let usual = self.config.statement_chars.unwrap_or(match (self.chinese(), self.options.short) {
            (false, false) => 800,
            (false, true) => 480,
            (true, false) => 260,
            (true, true) => 150,
        });
        (usual * percent / 100).max(40)
    }

    /// The length to ask for, in words (in characters for Chinese), well below the schema's limit.
    fn limit(&self, chars: usize) -> usize {
        if self.chinese() { chars * 3 / 4 / 10 * 10 } else { chars / 8 / 5 * 5 }
    }

    /// Tokens that hold so many characters of the trial's language and so many of ids.
    fn tokens(&self, role: &str, chars: usize, id_chars: usize) -> u32 {
        if let Some(tokens) = self.config.max_tokens.get(role) {
            return *tokens;
        }
        let text = match self.session.language().split('-').next() {
            Some("en") => chars.div_ceil(3),
            Some("zh") => chars * 13 / 10,
            _ => chars * 3 / 2,
        };
        u32::try_from(text + id_chars.div_ceil(2) + 64).unwrap_or(u32::MAX)
    }

    fn finding_schema(&self, findings: &[&str]) -> Value {
        let charges: Vec<String> = self.charges.iter().map(ToString::to_string).collect();
        json!({
            "type": "array", "minItems": charges.len(), "maxItems": charges.len(),
            "items": object(&[
                ("charge", json!({"type": "string", "enum": charges})),
                ("finding", json!({"type": "string", "enum": findings})),
                ("offence", json!({"type": "string", "maxLength": CITE_CHARS})),
            ]),
        })
    }

    /// The schema of a [`View`].
    fn view_schema(&self, chars: usize, findings: &[&str]) -> Value {
        object(&[
            ("statement", text_schema(room(chars))),
            ("cites", cites_schema(MOST_CITES)),
            ("findings", self.finding_schema(findings)),
        ])
    }

    /// Characters that the lists of ids of a reply can take.
    fn id_chars(&self, with_findings: bool) -> usize {
        let longest = self.charges.iter().map(|c| c.to_string().len()).max().unwrap_or(0);
        MOST_CITES * (CITE_CHARS + 4)
            + if with_findings { self.charges.len() * (longest + CITE_CHARS + 70) } else { 0 }
    }

    /// Begins a question: what is common to all first, what is the agent's own last.
    fn question(
        &self,
        actor: &Actor,
        step: &str,
        block: &str,
        words: &Words,
        law: &str,
    ) -> Result<Ask<'s>, SessionError> {
        let session = self.session;
        let example = self.charges.first().map(ToString::to_string).unwrap_or_default();
        let mut ask = session.ask(actor, step).system_pieces(session.render(
            "samvad/common#system",
            &BTreeMap::from([("example", example)]),
            &[],
        )?);
        for (label, entries) in [
            ("case", vec![self.case_text.clone()]),
            ("record", self.record.clone()),
            ("law", if law.is_empty() { Vec::new() } else { vec![law.to_owned()] }),
        ] {
            ask = others(session, ask, &format!("samvad/common#{label}"), label, entries)?;
        }
        Ok(ask.pieces(session.render(&format!("samvad/{}#{block}", actor.role), words, &[])?))
    }

    /// An agent's own queries and the passages they find, as text for its prompts.
    async fn research(&self, actor: &Actor, words: &Words) -> Result<String, SessionError> {
        let n = self.config.queries.unwrap_or(if self.options.short { 1 } else { 2 });
        let words = Words {
            queries: n,
            charges: self.charges.iter().map(ToString::to_string).collect(),
            persona: words.persona.clone(),
            number: words.number,
            ..Words::default()
        };
        let empty = self.problem("empty", "", "")?;
        let answer = self
            .question(actor, "queries", "queries", &words, "")?
            .schema("queries", queries_schema(n))
            .max_tokens(self.tokens(&actor.role, n * (QUERY_CHARS + 4), 0))
            .send_checked(|q: &Queries| {
                if q.queries.iter().all(|q| q.trim().is_empty()) { Err(empty.clone()) } else { Ok(()) }
            })
            .await?;
        let mut queries: Vec<String> = answer
            .reading
            .value
            .map(|q| {
                q.queries.iter().map(|q| q.trim().to_owned()).filter(|q| !q.is_empty()).take(n).collect()
            })
            .unwrap_or_default();
        if queries.is_empty() {
            // The event of the unread reply stands before; the search shows what was asked instead.
            queries.push(format!(
                "{} {}",
                self.charges.first().map(ToString::to_string).unwrap_or_default(),
                self.session.case().keywords.join(" ")
            ));
        }
        let mut lists = Vec::with_capacity(queries.len());
        for query in &queries {
            lists.push(self.session.search(actor, "queries", query).await?);
        }
        Ok(self.passages(&merge(lists, self.config.k)))
    }

    fn passages(&self, hits: &[Hit]) -> String {
        let most = self.config.passage_chars.or(match (self.options.short, self.chinese()) {
            (false, _) => None,
            (true, false) => Some(700),
            (true, true) => Some(300),
        });
        let shown: Vec<String> = hits
            .iter()
            .map(|h| {
                let place: Vec<&str> = std::iter::once(h.title.as_str())
                    .chain(h.breadcrumb.last().map(String::as_str))
                    .chain(h.heading.as_deref())
                    .filter(|s| !s.is_empty())
                    .collect();
                format!("[{}] {}\n{}", h.id, place.join(" · "), shortened(&h.text, most))
            })
            .collect();
        shown.join("\n\n")
    }

    /// A statement in court; what cannot be had of the model stays unsaid, and the record shows why.
    async fn speak(&mut self, actor: &Actor, step: &str, law: &str) -> Result<(), SessionError> {
        let chars = self.chars(100);
        let words = Words { limit: self.limit(chars), law: !law.is_empty(), ..Words::default() };
        let empty = self.problem("empty", "", "")?;
        let answer = self
            .question(actor, step, step, &words, law)?
            .schema("statement", said_schema(chars, MOST_CITES))
            .max_tokens(self.tokens(&actor.role, room(chars), self.id_chars(false)))
            .send_checked(|s: &Said| s.check(&empty))
            .await?;
        if let Some(said) = answer.reading.value.filter(Said::says) {
            let text = self.session.whole_sentences(actor, step, &said.statement, room(chars))?;
            self.session.say(actor, step, &text, &said.cites)?;
            let entry = self.entry(step, None, actor, 0, &text, &said.cites, Vec::new())?;
            self.record.push(entry);
        }
        Ok(())
    }

    #[expect(
        clippy::too_many_arguments,
        reason = "the fields of an entry, named at the one place that uses them"
    )]
    fn entry(
        &self,
        step: &str,
        round: Option<u32>,
        actor: &Actor,
        number: u32,
        text: &str,
        cites: &[String],
        findings: Vec<Shown>,
    ) -> Result<String, SessionError> {
        // One line an entry, so that a statement cannot pass for another speaker's.
        let text = one_line(text);
        let cites: Vec<String> = cites.iter().map(|c| one_line(c)).collect();
        let entry = Entry { step, round, role: &actor.role, number, text: &text, cites: &cites, findings };
        self.session.text("samvad/common#entry", &entry)
    }

    fn problem(&self, kind: &str, charge: &str, value: &str) -> Result<String, SessionError> {
        let context = BTreeMap::from([("kind", kind), ("charge", charge), ("value", value)]);
        self.session.text("samvad/common#problem", &context)
    }

    /// One round: everybody on what stands in the record, nobody on what the others say in this round. The record
    /// has them in an order that the seed draws for each round.
    async fn deliberate(&mut self, bench: &[Member], round: u32) -> Result<Vec<Ballot>, SessionError> {
        use rand::seq::SliceRandom as _;
        let mut order: Vec<&Member> = bench.iter().collect();
        order.shuffle(&mut self.session.rng(&format!("speaking order, {}", step_of(round))));
        let jobs = order.into_iter().map(|member| self.position(member, bench.len(), round)).collect();
        let said = self.session.together("adjudicator", jobs).await?;
        let mut ballots = Vec::with_capacity(said.len());
        for (ballot, entry) in said {
            ballots.push(ballot);
            self.record.extend(entry);
        }
        Ok(ballots)
    }

    async fn position(
        &self,
        member: &Member,
        bench: usize,
        round: u32,
    ) -> Result<(Ballot, Option<String>), SessionError> {
        let chars = self.chars(75);
        let words = Words {
            limit: self.limit(chars),
            law: !member.law.is_empty(),
            charges: self.charges.iter().map(ToString::to_string).collect(),
            bench: count(bench),
            round,
            ..member.words()
        };
        let schema = self.view_schema(chars, &["guilty", "not_guilty", "lesser_offence"]);
        let step = step_of(round);
        let block = if round == 0 { "view" } else { "round" };
        let answer: Answer<View> = self
            .question(&member.actor, &step, block, &words, &member.law)?
            .round(round)
            .schema("position", schema)
            .max_tokens(self.tokens(&member.actor.role, room(chars), self.id_chars(true)))
            .send_checked(|v: &View| self.findings(&v.findings, false).problem())
            .await?;
        let actor = &member.actor;
        let Some(view) = answer.reading.value else {
            let findings = self.charges.iter().map(|c| (c.clone(), None)).collect();
            let ballot = Ballot { findings, stage: answer.reading.stage.as_str().to_owned() };
            let statement = self.session.statement("", &[]);
            let body = Body::Position { ballot: ballot.clone(), statement };
            self.session.record(actor, &step, Some(round), body)?;
            return Ok((ballot, None));
        };
        let read = self.findings(&view.findings, false);
        if let Err(reason) = read.problem() {
            self.session.record(actor, &step, Some(round), Body::NoDecision { reason })?;
        }
        let ballot = Ballot {
            findings: self
                .charges
                .iter()
                .cloned()
                .zip(read.findings.iter().map(|f| f.clone().flatten()))
                .collect(),
            stage: answer.reading.stage.as_str().to_owned(),
        };
        let text = self.session.whole_sentences(actor, &step, &view.statement, room(chars))?;
        let mut statement = self.session.statement(&text, &view.cites);
        for (_, finding) in &ballot.findings {
            if let Some(Finding::Lesser { offence }) = finding {
                statement.citations.extend(self.session.checked("finding", offence));
            }
        }
        let shown = ballot.findings.iter().map(|(c, f)| shown(c, f.as_ref(), "none", 0, 0)).collect();
        let entry = self.entry(&step, Some(round), actor, member.number, &text, &view.cites, shown)?;
        let body = Body::Position { ballot: ballot.clone(), statement };
        self.session.record(actor, &step, Some(round), body)?;
        Ok((ballot, Some(entry)))
    }

    /// Reads findings, a charge each. `hung` allows that the bench could not agree, read as `Some(None)`.
    fn findings(&self, raw: &[RawFinding], hung: bool) -> Read {
        let mut read = Read { findings: Vec::with_capacity(self.charges.len()), problems: Vec::new() };
        for (i, charge) in self.charges.iter().enumerate() {
            let named = raw.iter().find(|f| {
                let text = f.charge.trim();
                text == charge.to_string() || self.session.provision_named(text).as_ref() == Some(charge)
            });
            // A reply with the right number of findings, the charge left out, goes by the order.
            let by_order =
                || raw.get(i).filter(|f| f.charge.trim().is_empty() && raw.len() == self.charges.len());
            let finding = match named.or_else(by_order) {
                None => Err(("no_finding", String::new())),
                Some(raw) => self.finding(charge, raw, hung),
            };
            match finding {
                Ok(finding) => read.findings.push(Some(finding)),
                Err((kind, value)) => {
                    // A template that fails would have failed at the first statement already.
                    let text =
                        self.problem(kind, &charge.to_string(), &value).unwrap_or_else(|e| e.to_string());
                    read.problems.push(text);
                    read.findings.push(None);
                }
            }
        }
        read
    }

    fn finding(
        &self,
        charge: &ProvisionId,
        raw: &RawFinding,
        hung: bool,
    ) -> Result<Option<Finding>, (&'static str, String)> {
        let word: String = raw
            .finding
            .trim()
            .to_lowercase()
            .chars()
            .map(|c| if c == ' ' || c == '-' { '_' } else { c })
            .collect();
        match word.as_str() {
            "guilty" | "有罪" => Ok(Some(Finding::Guilty)),
            "not_guilty" | "无罪" => Ok(Some(Finding::NotGuilty)),
            "hung" | "no_verdict" | "未达成" if hung => Ok(None),
            "lesser_offence" | "lesser" | "guilty_of_lesser_offence" | "轻罪" => {
                let text = raw.offence.as_deref().unwrap_or_default();
                match self.session.provision_named(text) {
                    Some(offence) if &offence == charge => Err(("same_offence", text.to_owned())),
                    Some(offence) => Ok(Some(Finding::Lesser { offence })),
                    None => Err(("bad_offence", text.to_owned())),
                }
            }
            _ => Err(("no_finding", raw.finding.clone())),
        }
    }

    /// The largest group of each charge, and its finding if the group is large enough.
    fn count(&self, ballots: &[Ballot]) -> Vec<ChargeVerdict> {
        let of = count(ballots.len());
        self.charges
            .iter()
            .map(|charge| {
                let cast = ballots.iter().flat_map(|b| &b.findings).filter(|(c, _)| c == charge);
                let mut groups: BTreeMap<&Finding, u32> = BTreeMap::new();
                for finding in cast.filter_map(|(_, f)| f.as_ref()) {
                    *groups.entry(finding).or_default() += 1;
                }
                let votes = groups.values().copied().max().unwrap_or(0);
                // Two groups of the same size can both reach a low threshold; then neither is the largest.
                let mut largest = groups.iter().filter(|(_, n)| **n == votes);
                let only = largest.next().filter(|_| largest.next().is_none());
                let finding = only
                    .filter(|_| self.share.reached(votes, of, self.options.strict_threshold))
                    .map(|(f, _)| (*f).clone());
                ChargeVerdict { charge: charge.clone(), finding, votes, of }
            })
            .collect()
    }

    /// The judgment. If it still differs from the bench's verdict after it was asked for again, or names no
    /// law, it stands as it is, and an event says so.
    async fn judge(
        &self,
        judge: &Actor,
        verdict: &[ChargeVerdict],
        law: &str,
    ) -> Result<Option<Statement>, SessionError> {
        let chars = self.chars(150);
        let words = Words {
            limit: self.limit(chars),
            law: !law.is_empty(),
            verdict: verdict
                .iter()
                .map(|v| shown(&v.charge, v.finding.as_ref(), "hung", v.votes, v.of))
                .collect(),
            ..Words::default()
        };
        let schema = self.view_schema(chars, &["guilty", "not_guilty", "lesser_offence", "hung"]);
        let check = |view: &View| {
            if view.statement.trim().is_empty() {
                return Err(self.problem("empty", "", "").unwrap_or_default());
            }
            let read = self.findings(&view.findings, true);
            read.problem()?;
            for (bench, said) in verdict.iter().zip(&read.findings) {
                if said.as_ref() != Some(&bench.finding) {
                    let value = shown(&bench.charge, bench.finding.as_ref(), "hung", 0, 0);
                    let value = format!("{} {}", value.finding, value.offence);
                    return Err(self
                        .problem("differs", &bench.charge.to_string(), value.trim())
                        .unwrap_or_else(|e| e.to_string()));
                }
            }
            let statement = self.session.statement(&view.statement, &view.cites);
            if statement.citations.iter().all(|c| c.citation.id.is_none()) {
                return Err(self.problem("no_law", "", "").unwrap_or_else(|e| e.to_string()));
            }
            Ok(())
        };
        let answer = self
            .question(judge, "judgment", "judgment", &words, law)?
            .schema("judgment", schema)
            .max_tokens(self.tokens(&judge.role, room(chars), self.id_chars(true)))
            .send_checked(check)
            .await?;
        let Some(view) = answer.reading.value else { return Ok(None) };
        let text = self.session.whole_sentences(judge, "judgment", &view.statement, room(chars))?;
        let statement = self.session.statement(&text, &view.cites);
        self.session.record(judge, "judgment", None, Body::Judgment(statement.clone()))?;
        if let Some(text) = answer.problem {
            self.session.record(judge, "judgment", None, Body::Discrepancy { text })?;
        }
        Ok(Some(statement))
    }
}

/// Findings as read, in the order of the charges. The inner `None` is a hung bench.
struct Read {
    findings: Vec<Option<Option<Finding>>>,
    problems: Vec<String>,
}

impl Read {
    fn problem(&self) -> Result<(), String> {
        if self.problems.is_empty() { Ok(()) } else { Err(self.problems.join(" ")) }
    }
}

fn shown(
    charge: &ProvisionId,
    finding: Option<&Finding>,
    otherwise: &'static str,
    votes: u32,
    of: u32,
) -> Shown {
    let (finding, offence) = match finding {
        Some(Finding::Guilty) => ("guilty", String::new()),
        Some(Finding::NotGuilty) => ("not_guilty", String::new()),
        Some(Finding::Lesser { offence }) => ("lesser_offence", offence.to_string()),
        None => (otherwise, String::new()),
    };
    Shown { charge: charge.to_string(), finding, offence, votes, of }
}

/// One list of several: rank by rank, each provision once, at most `k`.
fn merge(lists: Vec<Vec<Hit>>, k: usize) -> Vec<Hit> {
    let mut merged: Vec<Hit> = Vec::new();
    let longest = lists.iter().map(Vec::len).max().unwrap_or(0);
    for rank in 0..longest {
        for hit in lists.iter().filter_map(|l| l.get(rank)) {
            if merged.len() < k && !merged.iter().any(|m| m.id.provision() == hit.id.provision()) {
                merged.push(hit.clone());
            }
        }
    }
    merged
}

/// The start of a text, up to the end of a sentence where there is one, and a mark that more follows.
fn shortened(text: &str, most: Option<usize>) -> String {
    let Some(end) = most.and_then(|n| text.char_indices().nth(n)).map(|(i, _)| i) else {
        return text.to_owned();
    };
    let start = text.get(..end).unwrap_or(text);
    let stop = start
        .char_indices()
        .rev()
        .find(|(_, c)| matches!(c, '.' | ';' | '。' | '；' | '\n'))
        .map(|(i, c)| i + c.len_utf8())
        .filter(|i| *i > end / 2)
        .unwrap_or(end);
    format!("{} […]", start.get(..stop).unwrap_or(start).trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passages_end_with_a_sentence_where_they_can() {
        assert_eq!(shortened("One two. Three four five six.", Some(12)), "One two. […]");
        assert_eq!(
            shortened("盗窃公私财物的，处罚。数额巨大的，处重罚。", Some(13)),
            "盗窃公私财物的，处罚。 […]"
        );
        assert_eq!(shortened("short", Some(12)), "short");
        assert_eq!(shortened("no stop here at all", Some(7)), "no stop […]");
        assert_eq!(shortened("whole. text.", None), "whole. text.");
    }
}
