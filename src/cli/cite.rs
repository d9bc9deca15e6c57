//! `nyaya cite`: every citation of a text, looked up.

use std::io::{BufRead, BufReader, IsTerminal as _, Read, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context as _, anyhow, bail};
use comfy_table::{Cell, Color};
use jiff::civil::Date;
use nyaya_corpora::citation::{
    self, Citation, Context as CitationContext, Coverage, Extractor, QuotedWords, Verdict,
};
use nyaya_corpora::{Catalogue, MemoryLookup, ProvisionId, ProvisionLookup, StruckDown, WithNumbers, WorkId};
use nyaya_retrieval::{KnowledgeBase, Retrieve as _};
use serde::{Deserialize, Serialize};

use super::context::{Context, today};
use super::output;

/// Find every citation in a text and look each one up on the day that governs.
///
/// Reads English, Hindi, romanised Hindi and Chinese. Verdicts: verified, repealed (with its successor),
/// not_yet_in_force, not_found (with the valid range), pinpoint_not_found, misquoted, wrong_number, misgrounded (cited
/// for an offence that it is not about), and unchecked for what was recognised but could not be looked up. Only verified
/// is green. A statute whose text is not in the knowledge base is checked by its list of numbers where the program has
/// one, and the result says "by its number only".
///
/// With --jsonl every line of the input is an object: `text`, optional `id`, `as_of`, `proceeding`, `default_statute`,
/// `jurisdiction`. For each comes a line out: `id`, `line`, `citations`, `coverage`, `not_understood`. Spans count
/// characters (Unicode code points) of `text`, from 0, end excluded.
///
/// Exit code 0 when every text was read, 1 when a line could not be, or, with --strict, when any citation is not
/// verified against a text or something that looks like a citation was not understood.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// A text file in UTF-8, or - for standard input
    file: PathBuf,
    /// The day that governs: the offence date for substantive law [default: today]
    #[arg(long, value_name = "DATE")]
    as_of: Option<Date>,
    /// The day of the proceeding, which governs procedure, evidence and constitutions [default: --as-of]
    #[arg(long, value_name = "DATE")]
    proceeding: Option<Date>,
    /// The statute that bare sections are of, such as in/ipc; an act named beside them goes first
    #[arg(long, value_name = "ID")]
    default_statute: Option<WorkId>,
    /// Whose law a bare "Article 21" is: in, cn [default: cn for texts with Chinese characters or that name China,
    /// else in]
    #[arg(long, value_name = "CC", value_parser = nyaya_corpora::id::jurisdiction)]
    jurisdiction: Option<String>,
    /// Read many texts, one JSON object a line; write one JSON object a line
    #[arg(long)]
    jsonl: bool,
    /// Fail unless every citation is verified against the text of its statute
    #[arg(long)]
    strict: bool,
}

/// A line of the input.
#[derive(Debug, Deserialize)]
struct Line {
    text: String,
    #[serde(default)]
    id: Option<serde_json::Value>,
    #[serde(default)]
    as_of: Option<Date>,
    #[serde(default)]
    proceeding: Option<Date>,
    #[serde(default)]
    default_statute: Option<WorkId>,
    #[serde(default)]
    jurisdiction: Option<String>,
}

/// What was found in one text.
#[derive(Debug, Serialize)]
struct Checked {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<serde_json::Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<usize>,
    as_of: Date,
    #[serde(skip_serializing_if = "Option::is_none")]
    proceeding: Option<Date>,
    jurisdiction: String,
    citations: Vec<Found>,
    coverage: Counts,
    not_understood: Vec<Words>,
}

/// A citation, with spans in characters.
#[derive(Debug, Serialize)]
struct Found {
    span: (usize, usize),
    raw: String,
    id: Option<ProvisionId>,
    verdict: Verdict,
    successor: Vec<String>,
    range: Option<String>,
    reason: String,
    /// `text`, `number` (only the list of numbers is held), or absent for what was not looked up.
    #[serde(skip_serializing_if = "Option::is_none")]
    looked_up_in: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    struck_down: Option<StruckDown>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    quoted: Vec<QuotedWords>,
}

#[derive(Debug, Default, Serialize)]
struct Counts {
    #[serde(flatten)]
    counts: Coverage,
    /// Of those that were looked up, how many by their number only.
    by_number_only: usize,
}

#[derive(Debug, Serialize)]
struct Words {
    span: (usize, usize),
    raw: String,
}

/// Whatever is held, and what the manifests say about the rest.
struct Checker {
    catalogue: Catalogue,
    held: Option<KnowledgeBase>,
    none: MemoryLookup,
}

impl Checker {
    fn open(context: &Context) -> anyhow::Result<Self> {
        let catalogue = context.catalogue()?;
        let held = match context.layout.current()? {
            Some(_) => Some(KnowledgeBase::open(
                context.layout.clone(),
                catalogue.clone(),
                None,
                context.vectors_at(),
            )?),
            None => {
                tracing::warn!(
                    "no knowledge base in {}: citations are checked by number only; `nyaya corpus build` adds the texts",
                    context.layout.root().display()
                );
                None
            }
        };
        Ok(Self { catalogue, held, none: MemoryLookup::default() })
    }

    fn lookup(&self) -> &dyn ProvisionLookup {
        self.held.as_ref().map_or(&self.none as &dyn ProvisionLookup, |kb| kb.lookup())
    }
}

/// Runs it.
pub fn main(context: &Context, args: &Args) -> anyhow::Result<ExitCode> {
    let checker = Checker::open(context)?;
    if let Some(work) = &args.default_statute
        && checker.catalogue.get(work).is_none()
    {
        bail!("{work}: unknown statute\nhint: `nyaya corpus list` shows the names");
    }
    let lookup = WithNumbers::new(checker.lookup(), &checker.catalogue);
    let names = Extractor::new(&checker.catalogue, &CitationContext::default());
    if args.jsonl {
        many(args, &checker, &lookup, &names)
    } else {
        one(context, args, &checker, &lookup, &names)
    }
}

fn open(args: &Args) -> anyhow::Result<Box<dyn Read>> {
    if args.file.as_os_str() == "-" {
        return Ok(Box::new(std::io::stdin()));
    }
    let file = std::fs::File::open(&args.file).with_context(|| {
        format!("{}: cannot be read\nhint: give a text file, or - for standard input", args.file.display())
    })?;
    Ok(Box::new(file))
}

fn check(
    line: &Line,
    checker: &Checker,
    lookup: &WithNumbers<'_>,
    names: &Extractor,
    args: &Args,
) -> Checked {
    let jurisdiction = line
        .jurisdiction
        .clone()
        .or_else(|| args.jurisdiction.clone())
        .unwrap_or_else(|| guess_jurisdiction(&line.text).to_owned());
    let as_of = line.as_of.or(args.as_of).unwrap_or_else(today);
    let context = CitationContext {
        as_of: Some(as_of),
        proceeding: line.proceeding.or(args.proceeding),
        default_work: line.default_statute.clone().or_else(|| args.default_statute.clone()),
        jurisdiction: Some(jurisdiction.clone()),
    };
    let found = names.with(&context).extract(&line.text);
    let report = citation::report(&line.text, &found, lookup, &checker.catalogue, &context);
    let places = Places::new(&line.text);
    let mut by_number_only = 0;
    let citations = report
        .citations
        .into_iter()
        .map(|c| {
            let numbers = c.id.as_ref().is_some_and(|id| lookup.numbers_only(&id.work));
            let looked_up = c.verdict != Verdict::Unchecked;
            by_number_only += usize::from(numbers && looked_up);
            let quoted =
                c.quoted.into_iter().map(|q| QuotedWords { span: places.characters(q.span), ..q }).collect();
            let Citation { span, raw, id, verdict, successor, range, reason, struck_down, .. } = c;
            Found {
                span: places.characters(span),
                raw,
                id,
                verdict,
                successor,
                range,
                reason,
                looked_up_in: looked_up.then_some(if numbers { "number" } else { "text" }),
                struck_down,
                quoted,
            }
        })
        .collect();
    let not_understood = report
        .not_understood
        .iter()
        .map(|span| Words {
            span: places.characters(*span),
            raw: line.text.get(span.0..span.1).unwrap_or_default().to_owned(),
        })
        .collect();
    Checked {
        id: line.id.clone(),
        line: None,
        as_of,
        proceeding: context.proceeding,
        jurisdiction,
        citations,
        coverage: Counts { counts: report.coverage, by_number_only },
        not_understood,
    }
}

/// Chinese characters, or China named in an alphabet: its articles are not India's.
fn guess_jurisdiction(text: &str) -> &'static str {
    let han = text.chars().any(|c| matches!(c, '\u{3400}'..='\u{9FFF}'));
    if han || ["PRC", "China", "Chinese"].iter().any(|w| text.contains(w)) { "cn" } else { "in" }
}

/// Byte offsets as characters, in one pass: spans come nearly sorted, and a table every 256 bytes serves the rest.
struct Places<'a> {
    text: &'a str,
    /// Characters before byte 256 · n.
    before: Vec<usize>,
}

const STEP: usize = 256;

impl<'a> Places<'a> {
    fn new(text: &'a str) -> Self {
        let mut before = Vec::with_capacity(text.len() / STEP + 1);
        let mut count = 0;
        for (i, b) in text.bytes().enumerate() {
            if i % STEP == 0 {
                before.push(count);
            }
            // Bytes that go on a character start with the bits 10.
            count += usize::from(b & 0xC0 != 0x80);
        }
        Self { text, before }
    }

    fn character(&self, byte: usize) -> usize {
        let block = byte / STEP;
        let known = self.before.get(block).copied().unwrap_or(0);
        let from = if self.before.get(block).is_some() { block * STEP } else { 0 };
        let bytes = self.text.as_bytes().get(from..byte).unwrap_or_default();
        known + bytes.iter().filter(|b| **b & 0xC0 != 0x80).count()
    }

    fn characters(&self, span: (usize, usize)) -> (usize, usize) {
        (self.character(span.0), self.character(span.1))
    }
}

fn strict_fails(checked: &Checked) -> bool {
    let green = |f: &Found| f.verdict == Verdict::Verified && f.looked_up_in == Some("text");
    !checked.citations.iter().all(green) || !checked.not_understood.is_empty()
}

/// The end of `--strict` where something is not green: the result stands on stdout, the reason here.
fn not_all_verified(name: &str) -> ExitCode {
    output::error(&anyhow!(
        "{name}: --strict, and not every citation is verified by its text\nhint: the verdicts above say why; leave --strict out if they are to be read only"
    ));
    ExitCode::FAILURE
}

fn many(
    args: &Args,
    checker: &Checker,
    lookup: &WithNumbers<'_>,
    names: &Extractor,
) -> anyhow::Result<ExitCode> {
    let name = if args.file.as_os_str() == "-" {
        "standard input".to_owned()
    } else {
        args.file.display().to_string()
    };
    let mut input = BufReader::new(open(args)?);
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    let (mut buffer, mut number, mut texts, mut bad, mut not_green) = (Vec::new(), 0, 0usize, 0usize, false);
    loop {
        buffer.clear();
        let read = input.read_until(b'\n', &mut buffer).with_context(|| format!("{name}: cannot be read"))?;
        if read == 0 {
            break;
        }
        number += 1;
        if number == 1 && buffer.starts_with("\u{feff}".as_bytes()) {
            buffer.drain(..3);
        }
        if buffer.trim_ascii().is_empty() {
            continue;
        }
        let parsed =
            serde_json::from_slice::<Line>(&buffer).map_err(anyhow::Error::from).and_then(|mut line| {
                line.jurisdiction = match line.jurisdiction.as_deref().map(str::trim) {
                    None | Some("") => None,
                    Some(code) => Some(nyaya_corpora::id::jurisdiction(code)?),
                };
                if let Some(work) =
                    line.default_statute.as_ref().filter(|w| checker.catalogue.get(w).is_none())
                {
                    bail!("{work}: unknown statute\nhint: `nyaya corpus list` shows the names");
                }
                Ok(line)
            });
        let line = match parsed {
            Ok(line) => line,
            Err(error) => {
                bad += 1;
                let error = anyhow!(
                    "hint: a line is an object with `text`, and optional `id`, `as_of` and `proceeding` (YYYY-MM-DD), `default_statute`, `jurisdiction`"
                )
                .context(error)
                .context(format!("{name}:{number}: this line was left out"));
                output::error(&error);
                continue;
            }
        };
        texts += 1;
        let checked = Checked { line: Some(number), ..check(&line, checker, lookup, names, args) };
        not_green |= strict_fails(&checked);
        serde_json::to_writer(&mut out, &checked)?;
        writeln!(out)?;
    }
    out.flush()?;
    if bad > 0 {
        bail!(
            "{name}: {bad} of {} lines could not be read; the others were\nhint: mend the lines named above and run them again",
            texts + bad
        );
    }
    if texts == 0 {
        bail!("{name}: no lines\nhint: a line is an object such as {{\"text\": \"Section 302 IPC\"}}");
    }
    Ok(if args.strict && not_green { not_all_verified(&name) } else { ExitCode::SUCCESS })
}

/// Longest text that is read at once, in bytes; citations and their contexts take many times as much memory.
const LONGEST: u64 = 64 << 20;

fn one(
    context: &Context,
    args: &Args,
    checker: &Checker,
    lookup: &WithNumbers<'_>,
    names: &Extractor,
) -> anyhow::Result<ExitCode> {
    let mut bytes = Vec::new();
    open(args)?.take(LONGEST + 1).read_to_end(&mut bytes).with_context(|| {
        format!("{}: cannot be read\nhint: give a text file, or - for standard input", args.file.display())
    })?;
    if bytes.len() as u64 > LONGEST {
        bail!(
            "{}: more than {} MB\nhint: cut the text, or give many texts with --jsonl, which are read one by one",
            args.file.display(),
            LONGEST >> 20
        );
    }
    if bytes.starts_with(b"%PDF-") || bytes.contains(&0) {
        bail!(
            "{}: no plain text\nhint: `nyaya cite` takes plain text in UTF-8; take the text out of a PDF or Word file first",
            args.file.display()
        );
    }
    let text = String::from_utf8(bytes).map_err(|e| {
        anyhow!(
            "{}: byte {} is not UTF-8\nhint: `nyaya cite` takes plain text in UTF-8; convert it, or build a PDF as a corpus",
            args.file.display(),
            e.utf8_error().valid_up_to()
        )
    })?;
    let text = text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text);
    let line =
        Line { text, id: None, as_of: None, proceeding: None, default_statute: None, jurisdiction: None };
    let checked = check(&line, checker, lookup, names, args);
    let failed = args.strict && strict_fails(&checked);
    if context.global.json {
        output::json(&checked)?;
    } else {
        output::text(&describe(&line.text, &checked)?)?;
    }
    Ok(if failed { not_all_verified(&args.file.display().to_string()) } else { ExitCode::SUCCESS })
}

/// The table and the line of coverage.
fn describe(text: &str, checked: &Checked) -> anyhow::Result<String> {
    let colour = std::io::stdout().is_terminal();
    let mut lines = Vec::new();
    if !checked.citations.is_empty() {
        let mut table = output::table(["where", "citation", "verdict", "provision", "why"]);
        let mut at = Positions::new(text);
        for c in &checked.citations {
            let name = serde_json::to_value(c.verdict)?.as_str().unwrap_or_default().replace('_', " ");
            let verdict = match c.looked_up_in {
                Some("number") => format!("{name}\n(number only)"),
                _ => name,
            };
            let verdict = match (colour, c.verdict) {
                (false, _) => Cell::new(verdict),
                (_, Verdict::Verified) => Cell::new(verdict).fg(Color::Green),
                (_, Verdict::Unchecked) => Cell::new(verdict).fg(Color::Yellow),
                _ => Cell::new(verdict).fg(Color::Red),
            };
            let mut why = c.reason.clone();
            if let Some(found) = &c.struck_down {
                why.push_str(&format!("\nstruck down on {}: {} ({})", found.date, found.note, found.source));
            }
            table.add_row([
                Cell::new(at.place(c.span.0)),
                Cell::new(one_line(&c.raw)),
                verdict,
                Cell::new(c.id.as_ref().map_or_else(|| "?".to_owned(), ToString::to_string)),
                Cell::new(why),
            ]);
        }
        lines.push(table.to_string());
    }
    let coverage = &checked.coverage.counts;
    let mut counts: Vec<String> = Vec::new();
    for (verdict, n) in &coverage.by_verdict {
        let name = serde_json::to_value(verdict)?.as_str().unwrap_or_default().replace('_', " ");
        counts.push(format!("{n} {name}"));
    }
    let counts = if counts.is_empty() { String::new() } else { format!(" ({})", counts.join(", ")) };
    lines.push(format!(
        "coverage: {} recognised{counts}, {} looked up, {} not; {} that look like citations were not understood; as of {}",
        coverage.total,
        coverage.checked,
        coverage.total - coverage.checked,
        coverage.not_understood,
        checked.as_of
    ));
    if checked.coverage.by_number_only > 0 {
        lines.push(format!(
            "  {} looked up by number only: the text of the statute is not in the knowledge base (`nyaya corpus build` adds it)",
            checked.coverage.by_number_only
        ));
    }
    for (reason, n) in &coverage.unchecked_because {
        lines.push(format!("  {n} not looked up: {reason}"));
    }
    let mut at = Positions::new(text);
    for words in checked.not_understood.iter().take(20) {
        lines.push(format!("  not understood: {} at {}", one_line(&words.raw), at.place(words.span.0)));
    }
    if checked.not_understood.len() > 20 {
        lines.push(format!("  and {} more (all with --json)", checked.not_understood.len() - 20));
    }
    Ok(lines.join("\n"))
}

fn one_line(text: &str) -> String {
    text.split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
        .chars()
        .map(|c| if c.is_control() { '\u{fffd}' } else { c })
        .collect()
}

/// Line and column of characters, asked for in the order of the text.
struct Positions<'a> {
    rest: std::str::Chars<'a>,
    at: usize,
    line: usize,
    column: usize,
}

impl<'a> Positions<'a> {
    fn new(text: &'a str) -> Self {
        Self { rest: text.chars(), at: 0, line: 1, column: 1 }
    }

    fn place(&mut self, character: usize) -> String {
        while self.at < character {
            let Some(c) = self.rest.next() else { break };
            self.at += 1;
            if c == '\n' {
                self.line += 1;
                self.column = 1;
            } else {
                self.column += 1;
            }
        }
        format!("{}:{}", self.line, self.column)
    }
}
