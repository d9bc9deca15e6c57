//! What a person sees of a trial: its progress, and what it came to.

use std::sync::Arc;
use std::time::Instant;

use nyaya_agents::case::Case;
use nyaya_agents::event::{Body, ChargeVerdict, Decision, Finding};
use nyaya_agents::read::TermClass;
use nyaya_agents::run::Outcome;
use nyaya_agents::session::{Observer, Progress};

use crate::cli::progress::Bars;

/// The verdict in words.
pub fn verdict_text(case: &Case, outcome: &Outcome) -> String {
    let mut lines = vec![format!("case {}: {}", case.id, case.title)];
    match &outcome.decision {
        Some(Decision::Charges { charges, rounds, .. }) => {
            for charge in charges {
                lines.push(format!("  {}: {}", charge.charge, finding_text(charge)));
            }
            lines.push(format!("  rounds of deliberation: {rounds}"));
        }
        Some(Decision::Term { sentence, consensus, rounds }) => {
            let term = sentence.map_or("no decision".to_owned(), |s| match s.months {
                Some(months) => format!("{months} months"),
                None => class_name(s.class),
            });
            let how = match (*rounds, *consensus) {
                // One model alone holds no round.
                (0, _) => String::new(),
                (n, true) => format!(" (the bench agrees; rounds of deliberation: {n})"),
                (n, false) => format!(" (the bench does not agree; rounds of deliberation: {n})"),
            };
            lines.push(format!("  sentence: {term}{how}"));
        }
        Some(Decision::Label { label, outcome, for_a_human, confidence, .. }) => {
            let sure = confidence
                .map(|c| format!("; confidence {c:.2}: rhetorical, not a probability"))
                .unwrap_or_default();
            lines.push(format!("  {} ({outcome}{sure})", label.as_deref().unwrap_or("no label")));
            lines.extend(for_a_human.iter().map(|why| format!("  for a person to look at: {why}")));
        }
        None => {}
    }
    if let Some(why) = &outcome.stopped {
        lines.push(format!("  stopped: {why}"));
    }
    lines.join("\n")
}

fn finding_text(charge: &ChargeVerdict) -> String {
    let votes = format!("{} of {}", charge.votes, charge.of);
    match &charge.finding {
        Some(Finding::Guilty) => format!("guilty ({votes})"),
        Some(Finding::NotGuilty) => format!("not guilty ({votes})"),
        Some(Finding::Lesser { offence }) => format!("guilty of the lesser offence {offence} ({votes})"),
        None => format!("hung: the largest group has {votes}"),
    }
}

/// Says on stderr what happens in a trial.
pub struct Watch {
    bars: Arc<Bars>,
    quiet: bool,
    since: Instant,
}

impl Watch {
    /// Nothing at all if `quiet`.
    pub fn new(bars: Arc<Bars>, quiet: bool) -> Self {
        Self { bars, quiet, since: Instant::now() }
    }
}

impl Observer for Watch {
    fn progress(&self, progress: &Progress<'_>) {
        if self.quiet {
            return;
        }
        let at = self.since.elapsed().as_secs();
        match progress {
            Progress::Trial { case, repeat, recorded, .. } if *recorded > 0 => {
                self.bars.say(&format!("  {case}-{repeat}: going on; {recorded} calls are recorded already"));
            }
            Progress::Trial { case, repeat, .. } => self.bars.say(&format!("  {case}-{repeat}")),
            Progress::Answered { step, actor, reply, stage, replayed } => {
                let tokens = match (reply.usage.prompt_tokens, reply.usage.completion_tokens) {
                    (Some(read), Some(written)) => format!("{read}+{written} tokens"),
                    _ => "tokens unknown".to_owned(),
                };
                let how = if *replayed {
                    "from the record".to_owned()
                } else {
                    let seconds = reply.latency_ms / 1000;
                    format!("{tokens}, {seconds} s, {}, {stage}", reply.finish_reason)
                };
                self.bars.say(&format!("  {at:>4} s  {step}: {} ({how})", actor.agent));
            }
            Progress::Searched { actor, query, hits, .. } => {
                self.bars.say(&format!("  {at:>4} s  {} looks up: {query} ({hits} passages)", actor.agent));
            }
            Progress::Recorded(event) => {
                if let Body::Agreement { reached, .. } = &event.body {
                    let word = if *reached { "agrees" } else { "does not agree yet" };
                    self.bars.say(&format!("  {at:>4} s  the bench {word}"));
                }
            }
            Progress::Asking { .. } => {}
        }
    }
}

/// A class of sentences, in words: `death with reprieve`.
fn class_name(class: TermClass) -> String {
    serde_json::to_value(class).ok().and_then(|v| v.as_str().map(|s| s.replace('_', " "))).unwrap_or_default()
}
