//! `nyaya search`.

use std::collections::BTreeSet;
use std::process::ExitCode;

use jiff::civil::Date;
use nyaya_corpora::{Status, WorkId};
use nyaya_retrieval::{Hit, Mode, Query, Retrieve as _};

use super::context::Context;
use super::output;

/// Find provisions by what they say, or by name.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Words, a question, or a citation, in any language of the statutes
    query: String,
    /// How many provisions
    #[arg(short, default_value_t = 5, value_parser = clap::value_parser!(u16).range(1..=200))]
    k: u16,
    /// Only this statute, such as in/ipc; may be repeated
    #[arg(long, value_name = "ID")]
    statute: Vec<WorkId>,
    /// Only this jurisdiction: in, cn, …
    #[arg(long, value_name = "CC", value_parser = nyaya_corpora::id::jurisdiction)]
    jurisdiction: Option<String>,
    /// How to search
    #[arg(long, value_enum, default_value_t = ModeArg::Hybrid)]
    mode: ModeArg,
    /// Only law in force on this day (YYYY-MM-DD)
    #[arg(long, value_name = "DATE")]
    as_of: Option<Date>,
    /// Whole passages instead of their beginnings
    #[arg(long)]
    full: bool,
}

#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum ModeArg {
    /// Words
    Bm25,
    /// Meaning
    Dense,
    /// Both
    Hybrid,
}

/// Runs it.
pub async fn main(context: &Context, args: Args) -> anyhow::Result<ExitCode> {
    let mode = match args.mode {
        ModeArg::Bm25 => Mode::Bm25,
        ModeArg::Dense => Mode::Dense,
        ModeArg::Hybrid => Mode::Hybrid,
    };
    let text = args.query.trim();
    if nyaya_retrieval::analyzer::terms(text).is_empty() || text.len() > MOST_BYTES {
        anyhow::bail!(
            "the query has {}\nhint: give words, a question or a citation",
            if text.len() > MOST_BYTES { "more than 10,000 bytes" } else { "no words to search for" }
        );
    }
    let kb = context.knowledge_base(mode == Mode::Bm25).await?;
    for work in &args.statute {
        if !kb.generation().editions.iter().any(|e| &e.work == work) {
            let held: Vec<String> = kb.generation().editions.iter().map(|e| e.work.to_string()).collect();
            anyhow::bail!(
                "{work}: the knowledge base does not hold this statute\nhint: it holds {}; `nyaya corpus build {work}` adds it",
                held.join(", ")
            );
        }
    }
    if let Some(jurisdiction) = &args.jurisdiction
        && !kb.generation().editions.iter().any(|e| e.work.jurisdiction() == jurisdiction)
    {
        let mut held: Vec<&str> = kb.generation().editions.iter().map(|e| e.work.jurisdiction()).collect();
        held.dedup();
        anyhow::bail!(
            "{jurisdiction}: no statute of this jurisdiction is held\nhint: held are {}",
            held.join(", ")
        );
    }
    let query = Query {
        text: args.query,
        k: usize::from(args.k),
        mode,
        works: args.statute,
        jurisdiction: args.jurisdiction,
        as_of: args.as_of,
    };
    for id in kb.named_in_vain(&query) {
        // What stands below was found by words and meaning; nobody should take it for what was named.
        tracing::warn!("{id}: named in the query, and not in the statutes searched{}", on_day(args.as_of));
    }
    let hits = kb.search(&query).await?;
    if let Some(day) = query.as_of {
        warn_of_later_texts(&hits, day);
    }
    if context.global.json {
        output::json(&hits)?;
    } else if hits.is_empty() {
        output::text("nothing found")?;
    } else {
        for hit in &hits {
            output::text(&describe(hit, args.full))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Says which of the texts shown are not those of the day asked for, because only a later version is held.
fn warn_of_later_texts(hits: &[Hit], day: Date) {
    let later: BTreeSet<String> =
        hits.iter().filter(|h| h.version > day).map(|h| format!("{} ({})", h.id.work, h.version)).collect();
    if !later.is_empty() {
        let later = later.into_iter().collect::<Vec<_>>().join(", ");
        tracing::warn!(
            "no version of {day} is held: the text shown is a later one of {later}\nhint: build the version of that day: `nyaya corpus build STATUTE --from FILE`; `nyaya corpus list` shows the versions"
        );
    }
}

/// Longest query; an embedder reads some hundreds of words at most.
const MOST_BYTES: usize = 10_000;

fn on_day(day: Option<Date>) -> String {
    day.map_or_else(String::new, |d| format!(" as in force on {d}"))
}

fn describe(hit: &Hit, full: bool) -> String {
    let mut lines = Vec::new();
    let how = if hit.exact {
        "named in the query".to_owned()
    } else {
        let rank = |name: &str, rank: Option<usize>| rank.map(|r| format!("{name} {r}"));
        [rank("words", hit.bm25_rank), rank("meaning", hit.dense_rank)]
            .into_iter()
            .flatten()
            .collect::<Vec<_>>()
            .join(", ")
    };
    let heading = hit.heading.as_deref().unwrap_or("");
    lines.push(format!("{:>2}. {}  {heading}", hit.rank, hit.id));
    let place: Vec<&str> =
        std::iter::once(hit.title.as_str()).chain(hit.breadcrumb.iter().map(String::as_str)).collect();
    lines.push(format!("    {} · version of {} · {how}", place.join(" > "), hit.version));
    if hit.status != Status::InForce {
        lines.push(format!("    status: {:?}", hit.status));
    }
    if let Some(end) = hit.repealed_on {
        lines.push(format!("    the statute was repealed with effect from {end}"));
    }
    if let Some(struck) = &hit.struck_down {
        lines.push(format!("    struck down on {} by {}", struck.date, struck.source));
    }
    let text = if full { hit.text.clone() } else { shorten(&hit.text, 240) };
    lines.extend(text.lines().map(|l| format!("    {l}")));
    lines.push(String::new());
    lines.join("\n")
}

/// The first `n` characters, cut at the end of a word where there is one.
pub fn shorten(text: &str, n: usize) -> String {
    if text.chars().count() <= n {
        return text.to_owned();
    }
    let cut: String = text.chars().take(n).collect();
    let end = cut.rfind(char::is_whitespace).filter(|i| *i > n / 2).unwrap_or(cut.len());
    format!("{}…", cut.get(..end).unwrap_or(&cut))
}
