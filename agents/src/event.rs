//! What happens in a trial: an append-only list of events, from which audit, measures and report are made.

use nyaya_corpora::ProvisionId;
use nyaya_corpora::citation::Citation;
use nyaya_retrieval::{Hit, Query};
use serde::{Deserialize, Serialize};

use crate::chat::{ChatReply, ChatRequest};
use crate::read::TermClass;

/// Version of the event format; a reader refuses a higher one.
pub const SCHEMA_VERSION: u32 = 1;

/// Who did something.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Actor {
    /// `judge`, `prosecution`, `defence`, `adjudicator`, `bench`, `session`.
    pub role: String,
    /// `judge`, `prosecution`, `adjudicator-1`, …
    pub agent: String,
}

/// One line of `events.jsonl`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Event {
    /// Place in the trial, from 0, without gaps.
    pub seq: u64,
    /// Where in the protocol: `opening`, `rebuttal`, `round-1`, …
    pub step: String,
    /// Round of deliberation, where there is one; 0 is the independent view.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub round: Option<u32>,
    /// Who.
    pub actor: Actor,
    /// What.
    #[serde(flatten)]
    pub body: Body,
    /// RFC 3339, for people; never part of what replay compares.
    pub at: String,
}

/// A statement that others may read, with what it cites.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Statement {
    /// The words.
    pub text: String,
    /// Provisions the speaker cites in the field meant for them, as written by the model.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cites: Vec<String>,
    /// Every citation, of the field and of the words, checked against the knowledge base.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub citations: Vec<CheckedCitation>,
}

/// A citation with its place.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CheckedCitation {
    /// `field` (the structured list), `text`, or `finding` (a lesser offence in a ballot).
    pub place: String,
    /// The citation and its verdict. For `field` the span counts in the entry itself.
    #[serde(flatten)]
    pub citation: Citation,
    /// Words of at least the verifier's minimum length that stand in the statement beside it and in the provision.
    #[serde(rename = "quoted_words", default, skip_serializing_if = "Option::is_none")]
    pub quoted: Option<String>,
}

/// A finding on one charge.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(tag = "finding", rename_all = "snake_case")]
pub enum Finding {
    /// Guilty as charged.
    Guilty,
    /// Not guilty.
    NotGuilty,
    /// Guilty of a lesser offence.
    Lesser {
        /// That offence.
        offence: ProvisionId,
    },
}

/// One agent's position in one round: a finding per charge, or none that could be read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Ballot {
    /// Charge (its `ProvisionId`) and finding, in the order of the charges; `None` is no decision.
    pub findings: Vec<(ProvisionId, Option<Finding>)>,
    /// How the reply was read: `strict`, `recovered`, `pattern`, `no_decision`.
    pub stage: String,
}

/// The bench's verdict on one charge.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ChargeVerdict {
    /// The charge.
    pub charge: ProvisionId,
    /// The finding that reached the threshold; `None` is hung.
    pub finding: Option<Finding>,
    /// Adjudicators with that finding (with the largest group's, if hung).
    pub votes: u32,
    /// All adjudicators, those without a decision included.
    pub of: u32,
}

/// A sentence: its class, and months where it is a term.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Sentence {
    /// Death and life are classes of their own, never numbers of months.
    pub class: TermClass,
    /// Months of imprisonment; `None` for death, life, and where there is no imprisonment.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub months: Option<u32>,
}

/// What a trial comes to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "decides", rename_all = "snake_case")]
pub enum Decision {
    /// Findings on charges.
    Charges {
        /// The verdict.
        charges: Vec<ChargeVerdict>,
        /// Whether the bench hung on any charge.
        hung: bool,
        /// Rounds held.
        rounds: u32,
        /// The judgment, if the judge gave one.
        judgment: Option<Statement>,
    },
    /// A sentence.
    Term {
        /// The sentence; `None` if there is no decision.
        sentence: Option<Sentence>,
        /// Whether the presiding judge found the bench agreed.
        consensus: bool,
        /// Rounds of deliberation held.
        rounds: u32,
    },
    /// A label, such as `Y` and `N`, or a class of the target column.
    Label {
        /// The label; `None` if there is no decision.
        label: Option<String>,
        /// How it came about: `decided`, `no_consensus`, `split`, `no_decision`, as the protocol says.
        outcome: String,
        /// What the deciding model says of its certainty, 0 to 1: rhetorical, not a probability.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        confidence: Option<f64>,
        /// Why a person should look at it; empty if nothing calls for it.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        for_a_human: Vec<String>,
        /// Rounds or turns held.
        rounds: u32,
    },
}

/// What happened.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[expect(clippy::large_enum_variant, reason = "most events are calls, the largest kind")]
pub enum Body {
    /// First event: format and the path of the trial.
    Started {
        /// [`SCHEMA_VERSION`].
        schema: u32,
        /// Case id.
        case: String,
        /// Repeat, from 0.
        repeat: u32,
        /// Language of the trial, BCP 47.
        language: String,
    },
    /// The person whom an agent plays.
    Persona {
        /// Who that is, as the prompts say it.
        text: String,
    },
    /// A search and what it gave.
    Retrieved {
        /// Key of the call.
        key: String,
        /// Hash of the logical request.
        hash: String,
        /// The query.
        query: Query,
        /// The hits in order.
        hits: Vec<Hit>,
    },
    /// An exchange with a model. Recorded as soon as the reply is there; replay reads it back.
    ModelCall {
        /// Key of the call: case, repeat, step, agent, attempt, sample.
        key: String,
        /// Hash of the logical request, before fences and wire format.
        hash: String,
        /// What was sent, fences included; `{fence}` stands for their secret, which is in `run.toml`.
        request: ChatRequest,
        /// What came back.
        reply: ChatReply,
        /// How it was read: `strict`, `recovered`, `pattern`, `text`, `no_decision`.
        stage: String,
    },
    /// A note for the agent itself.
    Private {
        /// The words.
        text: String,
    },
    /// Said in court.
    Public(Statement),
    /// A position with its reasons, at a round of deliberation.
    Position {
        /// The ballot.
        ballot: Ballot,
        /// The reasons, as said to the bench.
        statement: Statement,
    },
    /// How far the bench agrees after a round.
    Agreement {
        /// Size of the largest group, over whole ballots and per charge.
        charges: Vec<ChargeVerdict>,
        /// Whether every charge reached the threshold.
        reached: bool,
    },
    /// What an agent means to do, for itself.
    Plan {
        /// The words.
        text: String,
    },
    /// What an agent makes of a round, for itself.
    Reflection {
        /// The words.
        text: String,
    },
    /// Recalled from, or written to, an agent's memory.
    Memory {
        /// `recalled` or `written`.
        action: String,
        /// The entries.
        entries: Vec<String>,
    },
    /// What the judge believes for the moment; never shown to anybody else.
    Belief {
        /// The label; `None` if none could be read.
        label: Option<String>,
        /// What the model says of its certainty, 0 to 1: rhetorical, not a probability.
        confidence: Option<f64>,
        /// Why.
        reasoning: String,
        /// Arguments that moved the belief, as the model names them.
        moved_by: Vec<String>,
        /// How the reply was read.
        stage: String,
    },
    /// A sentence that an agent holds right, with its rationale as said to the bench.
    Sentence {
        /// The sentence; `None` if none could be read.
        sentence: Option<Sentence>,
        /// The rationale.
        statement: Statement,
        /// How the reply was read.
        stage: String,
    },
    /// The presiding judge's own reading of whether the bench agrees.
    ConsensusCheck {
        /// Whether it does; `None` if the reply could not be read, which counts as no.
        reached: Option<bool>,
        /// Why.
        statement: Statement,
        /// How the reply was read.
        stage: String,
    },
    /// An agent's answer to the question of the case, with its reasons.
    Answer {
        /// The label; `None` if none could be read.
        label: Option<String>,
        /// The reasons.
        statement: Statement,
        /// Whether the agent agrees with the others' solution, where it was asked.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        agrees: Option<bool>,
        /// How the reply was read.
        stage: String,
    },
    /// A vote for one of the agents' answers.
    Vote {
        /// Whose answer; `None` if none could be read.
        choice: Option<String>,
        /// How the reply was read.
        stage: String,
    },
    /// The agents' answers in the order in which an agent prefers them, best first.
    Ranking {
        /// Whose answers; empty if none could be read.
        order: Vec<String>,
        /// How the reply was read.
        stage: String,
    },
    /// How the answers, votes or rankings stand.
    Tally {
        /// What was counted: `agreement`, `votes`, `borda`, `samples`.
        rule: String,
        /// Points by label or by agent, in order of the names.
        points: Vec<(String, u32)>,
        /// Out of how many.
        of: u32,
        /// Whether the rule is satisfied.
        reached: bool,
    },
    /// What the protocol decides, where that is not a verdict on charges.
    Decision(Decision),
    /// The bench's verdict.
    Verdict {
        /// Per charge.
        charges: Vec<ChargeVerdict>,
        /// Whether the bench hung on any charge.
        hung: bool,
        /// Rounds of deliberation held after the independent views.
        rounds: u32,
    },
    /// The final judgment.
    Judgment(Statement),
    /// A model would not take part.
    Refusal {
        /// The words.
        text: String,
        /// Whether the reframed question was answered after all.
        mended: bool,
    },
    /// Something of the conversation was left out to fit the window.
    ContextCut {
        /// What.
        what: String,
        /// Tokens before.
        before: u64,
        /// Tokens after.
        after: u64,
    },
    /// The end of a statement that the limit of the reply broke off within a sentence; it is left out of what is said.
    Trimmed {
        /// The words left out.
        text: String,
    },
    /// A budget ended the trial.
    BudgetStop {
        /// Which.
        budget: String,
    },
    /// A statement that still differs from what it had to follow, after it was asked for once more.
    Discrepancy {
        /// In what it differs.
        text: String,
    },
    /// A reply from which nothing could be read.
    NoDecision {
        /// Why.
        reason: String,
    },
    /// Last event of a finished trial.
    Finished,
}

impl Body {
    /// What was said in this event for others to read, with its citations; `None` where nothing was.
    #[must_use]
    pub fn statement(&self) -> Option<&Statement> {
        match self {
            Self::Public(statement)
            | Self::Judgment(statement)
            | Self::Position { statement, .. }
            | Self::Sentence { statement, .. }
            | Self::ConsensusCheck { statement, .. }
            | Self::Answer { statement, .. } => Some(statement),
            _ => None,
        }
    }
}
