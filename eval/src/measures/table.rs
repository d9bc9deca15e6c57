//! The measures of a run as tables for people.

use comfy_table::{Cell, CellAlignment};
use nyaya_agents::event::Finding;

use super::cost::Cost;
use super::run::RunMeasures;
use crate::audit::{VERDICTS, plain, table, verdict_mark, verdict_name};
use crate::stats::Mean;
use crate::transcript::CONSTRAINED;

impl RunMeasures {
    /// As tables for people, `width` columns wide (the terminal's where `None`).
    #[must_use]
    pub fn to_table(&self, width: Option<u16>) -> String {
        let mut out = format!("{} of {} trials finished", self.finished, self.trials);
        if !self.unfinished.is_empty() {
            let names: Vec<String> = self.unfinished.iter().map(|n| plain(n)).collect();
            out.push_str(&format!("; unfinished, not counted: {}", names.join(", ")));
        }
        out.push('\n');

        let mut without: Vec<&str> = Vec::new();
        let mut main = table(width);
        main.set_header(["measure", "value", "95% interval", "over", "without a value"]);
        for (name, mean, percent) in [
            ("grounding score (SAMVAD)", self.grounding, false),
            ("… without words the passages supplied", self.grounding_beyond_passages, false),
            ("agreement, independent views", self.agreement_first, true),
            ("agreement, last round", self.agreement_last, true),
            ("rounds of deliberation", self.rounds, false),
            ("citation precision, mean of trials", self.citation_precision, true),
            ("calls a trial", self.calls, false),
            ("tokens a trial", self.tokens, false),
        ] {
            match mean {
                Some(mean) => _ = main.add_row(mean_row(name, mean, percent)),
                None => without.push(name),
            }
        }
        for (name, share, things) in [
            ("citation precision: verified of looked up", self.citations.precision, "citations"),
            ("citations not checked", self.citations.unchecked, "citations"),
            ("cited, retrieved by nobody before", self.not_retrieved.by_nobody, "agent × provision"),
            ("cited, not retrieved by itself before", self.not_retrieved.not_by_itself, "agent × provision"),
            ("hung", self.hung, "trials"),
            ("verdict as the case file expects", self.as_expected, "charges"),
        ] {
            let Some(s) = share else {
                without.push(name);
                continue;
            };
            main.add_row([
                name.to_owned(),
                format!("{}/{} = {:.1}%", s.count, s.of, s.share * 100.0),
                format!("{:.1}% – {:.1}%", s.low * 100.0, s.high * 100.0),
                format!("{} {things}", s.of),
                String::new(),
            ]);
        }
        push_table(&mut out, "", &main);
        if !without.is_empty() {
            // Not every court deliberates, cites or is told the right verdict: what nothing was measured of is no zero.
            out.push_str(&format!("No value in this run: {}.\n", without.join("; ")));
        }
        if let Some(paper) = self.paper {
            out.push_str(&format!(
                "The debate's paper states {} tokens a case, and its code makes {} calls; here each plan is a call of its own.\n",
                paper.tokens, paper.calls
            ));
        }
        let answers = self.answers.rows();
        if !answers.is_empty() {
            let mut table = table(width);
            table.set_header(["answers", "value", "95% interval", "always the same answer"]);
            for row in answers {
                table.add_row(row);
            }
            push_table(&mut out, "Answers against the right ones", &table);
        }
        if !self.by_trial.is_empty() && self.by_trial.iter().all(|t| t.grounding.keywords == 0) {
            out.push_str("Grounding is unknown: the run's folder holds no case file with keywords (cases/<case>.json).\n");
        }

        let mut rounds = table(width);
        rounds.set_header([
            "trial",
            "round",
            "whole ballot",
            "charge",
            "largest group",
            "finding",
            "no decision",
        ]);
        for trial in &self.by_trial {
            for (at, round) in trial.agreement.iter().enumerate() {
                for (i, charge) in round.charges.iter().enumerate() {
                    let first = i == 0;
                    rounds.add_row([
                        if first && at == 0 { plain(&trial.trial) } else { String::new() },
                        if first { round_name(round.round) } else { String::new() },
                        if first { format!("{:.0}%", round.whole * 100.0) } else { String::new() },
                        charge.id.to_string(),
                        format!("{}/{}", charge.votes, charge.of),
                        charge.leading.as_ref().map_or_else(|| "tied or none".to_owned(), finding_name),
                        charge.no_decision.to_string(),
                    ]);
                }
            }
        }
        push_table(&mut out, "Agreement by round", &rounds);

        let mut verdicts = table(width);
        verdicts.set_header(["verdict", "citations", "by trial, mean"]);
        for verdict in VERDICTS {
            let name = verdict_name(verdict);
            let n = self.citations.by_verdict.get(name).copied().unwrap_or(0);
            let by_trial: Vec<f64> = self
                .by_trial
                .iter()
                .map(|t| t.citations.by_verdict.get(name).copied().unwrap_or(0) as f64)
                .collect();
            let mean = by_trial.iter().sum::<f64>() / (by_trial.len().max(1) as f64);
            verdicts.add_row([
                format!("{} {}", verdict_mark(verdict), name.replace('_', " ")),
                n.to_string(),
                format!("{mean:.1}"),
            ]);
        }
        push_table(&mut out, "Citations by verdict", &verdicts);
        if self.constrained_citations {
            out.push_str(CONSTRAINED);
            out.push('\n');
        }

        let mut cost = table(width);
        cost.set_header([
            "role",
            "calls",
            "tokens read",
            "tokens written",
            "seconds",
            "cut off",
            "replies read as",
        ]);
        for column in 1..=5 {
            if let Some(column) = cost.column_mut(column) {
                column.set_cell_alignment(CellAlignment::Right);
            }
        }
        let total = Cost::all(&self.cost);
        for (role, c) in self.cost.iter().map(|(r, c)| (r.as_str(), c)).chain([("all", &total)]) {
            let stages: Vec<String> = c.stages.iter().map(|(s, n)| format!("{} {n}", plain(s))).collect();
            cost.add_row([
                Cell::new(plain(role)),
                Cell::new(c.calls),
                Cell::new(c.prompt_tokens.label()),
                Cell::new(c.completion_tokens.label()),
                Cell::new(format!("{:.1}", c.latency_ms as f64 / 1000.0)),
                Cell::new(c.cut_off),
                Cell::new(stages.join(", ")),
            ]);
        }
        push_table(&mut out, "Cost and reading of replies, by role", &cost);

        let mut failures = table(width);
        failures.set_header(["failure", "times"]);
        let f = self.failures;
        for (name, n) in [
            ("trials without a verdict", f.no_verdict),
            ("trials without a judgment", f.no_judgment),
            ("trials stopped by a budget", f.budget_stops),
            ("ballots with an undecided charge", f.undecided_ballots),
            ("replies from which nothing could be read", f.no_decision),
            ("replies cut off by a token limit", total.cut_off),
            ("refusals", f.refusals),
            ("refusals mended by asking again", f.refusals_mended),
            ("statements that differ from what they had to follow", f.discrepancies),
            ("conversations cut to fit the window", f.context_cuts),
        ] {
            failures.add_row([name.to_owned(), n.to_string()]);
        }
        let stages: Vec<String> =
            self.ballot_stages.iter().map(|(s, n)| format!("{} {n}", plain(s))).collect();
        failures.add_row(["ballots read as".to_owned(), stages.join(", ")]);
        push_table(&mut out, "Failures, and how ballots were read", &failures);
        out
    }
}

/// `independent views` or `round 2`.
#[must_use]
pub fn round_name(round: u32) -> String {
    if round == 0 { "independent".to_owned() } else { format!("round {round}") }
}

/// `guilty`, `not guilty`, `lesser offence in/ipc#s304`.
#[must_use]
pub fn finding_name(finding: &Finding) -> String {
    match finding {
        Finding::Guilty => "guilty".to_owned(),
        Finding::NotGuilty => "not guilty".to_owned(),
        Finding::Lesser { offence } => format!("lesser offence {offence}"),
    }
}

fn mean_row(name: &str, m: Mean, percent: bool) -> [String; 5] {
    let number = |x: f64| {
        if percent {
            format!("{:.1}%", x * 100.0)
        } else if x.abs() >= 100.0 {
            format!("{x:.0}")
        } else {
            format!("{x:.3}")
        }
    };
    [
        name.to_owned(),
        number(m.mean),
        match (m.low, m.high) {
            (Some(low), Some(high)) => format!("{} – {}", number(low), number(high)),
            _ => "–".to_owned(),
        },
        if m.n == 1 { "1 trial".to_owned() } else { format!("{} trials", m.n) },
        m.without.to_string(),
    ]
}

fn push_table(out: &mut String, title: &str, table: &comfy_table::Table) {
    if table.row_count() > 0 {
        if !title.is_empty() {
            out.push_str(&format!("\n{title}\n"));
        }
        out.push_str(&table.to_string());
        out.push('\n');
    }
}
