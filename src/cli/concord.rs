//! `nyaya concord`: from a provision of an earlier code to the later one, and back.

use std::process::ExitCode;

use anyhow::bail;
use jiff::civil::Date;
use nyaya_corpora::citation::{self, Context as CitationContext};
use nyaya_corpora::concordance::{Governs, Link, Side, governs};
use nyaya_corpora::{Catalogue, Concordance, Manifest, ProvisionId, WorkKind};
use serde_json::json;

use super::context::Context;
use super::output;

/// Which provision of a later code took the place of one of an earlier code, and back.
///
/// The tables cover the Indian codes of 2023: IPC and BNS, CrPC and BNSS, every section of each. A row says how the two
/// are related (same, changed, merged, split, dropped, new), how sure that is, and who says so. With a date it says
/// which of the two governs: the day of the offence for IPC and BNS, the day on which the proceeding began for CrPC and
/// BNSS (what was pending on 1 July 2024 goes on under the CrPC: BNSS, section 531). Without a date it gives both.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// in/ipc#s302, in/bns#s103, or a citation such as "s. 302 IPC"
    id: String,
    /// The day of the offence, which picks IPC or BNS
    #[arg(long, value_name = "DATE")]
    offence_date: Option<Date>,
    /// The day on which the proceeding began, which picks CrPC or BNSS
    #[arg(long, value_name = "DATE")]
    proceeding_date: Option<Date>,
}

/// Runs it.
pub fn main(context: &Context, args: &Args) -> anyhow::Result<ExitCode> {
    let catalogue = context.catalogue()?;
    let id = resolve(&args.id, &catalogue)?;
    let Some((side, other)) = Concordance::side(&id.work) else {
        bail!(
            "{id}: no concordance has {}\nhint: there are tables for in/ipc and in/bns, in/crpc and in/bnss",
            id.work
        );
    };
    let concordance = Concordance::builtin();
    let links = match side {
        Side::Old => concordance.forward(&id),
        Side::New => concordance.back(&id),
    };
    if links.is_empty() {
        let range = catalogue.get(&id.work).and_then(|m| m.versions.last()).map(|v| v.expected.join(", "));
        bail!("{id}: {} has no such section\nhint: it has {}", id.work, range.unwrap_or_default());
    }
    let (old_work, new_work) = match side {
        Side::Old => (&id.work, &other),
        Side::New => (&other, &id.work),
    };
    let (Some(old), Some(new)) = (catalogue.get(old_work), catalogue.get(new_work)) else {
        bail!(
            "{id}: the manifests of {old_work} and {new_work} are not both there\nhint: look into the manifests folder of the knowledge base"
        );
    };
    let procedure = new.kind == WorkKind::Procedure;
    let day = if procedure { args.proceeding_date } else { args.offence_date };
    let unused = if procedure { args.offence_date } else { args.proceeding_date };
    if unused.is_some() {
        tracing::warn!(
            "{} is chosen by {}; the other date says nothing here",
            old.id,
            if procedure { "--proceeding-date" } else { "--offence-date" }
        );
    }
    let choice = governs(day, new.in_force_from);
    let guidance = guidance(choice, day, old, new, &links, procedure);
    if context.global.json {
        let applicable = applicable(choice, &links);
        output::json(&json!({
            "id": id,
            "links": links,
            "date": day,
            "governs": choice,
            "applicable": applicable,
            "guidance": guidance,
        }))?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut table = output::table(["earlier code", "later code", "relation", "confidence", "according to"]);
    for link in &links {
        let name =
            |id: &Option<ProvisionId>| id.as_ref().map_or_else(|| "none".to_owned(), ToString::to_string);
        table.add_row([
            name(&link.old),
            name(&link.new),
            link.relation.name().to_owned(),
            link.confidence.name().to_owned(),
            link.sources.join(", "),
        ]);
    }
    output::text(&format!("{table}\n{guidance}"))?;
    Ok(ExitCode::SUCCESS)
}

/// The provisions that may govern.
fn applicable(choice: Governs, links: &[&Link]) -> Vec<ProvisionId> {
    let mut out: Vec<ProvisionId> = Vec::new();
    for link in links {
        let sides = match choice {
            Governs::Old => [link.old.as_ref(), None],
            Governs::New => [link.new.as_ref(), None],
            Governs::Either => [link.old.as_ref(), link.new.as_ref()],
        };
        for id in sides.into_iter().flatten() {
            if !out.contains(id) {
                out.push(id.clone());
            }
        }
    }
    out
}

fn guidance(
    choice: Governs,
    day: Option<Date>,
    old: &Manifest,
    new: &Manifest,
    links: &[&Link],
    procedure: bool,
) -> String {
    let start = new.in_force_from;
    let what = if procedure { "proceeding began" } else { "offence was committed" };
    let ids: Vec<String> = applicable(choice, links).iter().map(ToString::to_string).collect();
    let list = if ids.is_empty() { "no provision of it".to_owned() } else { ids.join(", ") };
    let mut text = match (choice, day) {
        (Governs::Old, Some(day)) => {
            format!("The {what} on {day}, before {start}: {} governs ({list}).", old.display_title())
        }
        (Governs::New, Some(day)) => {
            format!("The {what} on {day}, on or after {start}: {} governs ({list}).", new.display_title())
        }
        _ => format!(
            "No date is given, so either may govern ({list}): {} where the {what} before {start}, {} from then on.",
            old.display_title(),
            new.display_title()
        ),
    };
    if procedure {
        text.push_str(&format!(
            "\nWhat was pending on {start} goes on under {} (in/bnss#s531); give the day on which the proceeding began.",
            old.id
        ));
    }
    // Commencements of their own, such as BNS, section 106(2).
    let open = links.iter().filter_map(|l| l.new.as_ref()).flat_map(|id| {
        new.commencements.iter().filter(move |c| c.id.unit == id.unit).map(|c| match c.from {
            Some(from) => format!("{} is in force from {from}", c.id),
            None => format!("{} has not been brought into force ({})", c.id, c.note),
        })
    });
    let mut open: Vec<String> = open.collect();
    open.sort();
    open.dedup();
    for note in open {
        text.push_str(&format!("\n{note}."));
    }
    for finding in links
        .iter()
        .filter_map(|l| l.old.as_ref())
        .flat_map(|id| old.struck_down.iter().filter(move |s| id.unit.number() == Some(&s.number)))
    {
        text.push_str(&format!(
            "\nSection {} was struck down on {} ({}): {}.",
            finding.number, finding.finding.date, finding.finding.source, finding.finding.note
        ));
    }
    text
}

fn resolve(text: &str, catalogue: &Catalogue) -> anyhow::Result<ProvisionId> {
    if let Ok(id) = text.parse::<ProvisionId>() {
        return Ok(id);
    }
    let context = CitationContext { jurisdiction: Some("in".to_owned()), ..CitationContext::default() };
    let found = citation::extract(text, catalogue, &context);
    let mut ids = found
        .iter()
        .filter_map(|e| Some(ProvisionId::new(e.work.clone()?, e.unit.clone()?).with_pins(e.pins.clone())));
    match (ids.next(), ids.next()) {
        (Some(id), None) => Ok(id),
        (Some(_), Some(_)) => {
            bail!("`{text}` names more than one provision\nhint: ask for one at a time")
        }
        _ => bail!("`{text}` names no provision\nhint: write it as in/ipc#s302 or \"section 302 IPC\""),
    }
}
