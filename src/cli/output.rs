//! Printing: results on stdout, everything else on stderr.

use std::io::{IsTerminal as _, Write as _};

use anyhow::Context as _;
use comfy_table::{ContentArrangement, Table, presets};
use serde::Serialize;

/// Prints a value as JSON.
pub fn json<T: Serialize + ?Sized>(value: &T) -> anyhow::Result<()> {
    let mut text = serde_json::to_string_pretty(value)?;
    text.push('\n');
    write(&text)
}

fn write(text: &str) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).context(STDOUT)
}

/// Said when a result cannot be written.
pub const STDOUT: &str = "standard output: the result could not be written whole\nhint: is the disk full that it goes to? free some space, or send it elsewhere, and run the same command again";

/// Prints text as it is.
pub fn text(text: &str) -> anyhow::Result<()> {
    write(text)?;
    if text.ends_with('\n') { Ok(()) } else { write("\n") }
}

/// An empty table that fits the terminal.
pub fn table<const N: usize>(header: [&str; N]) -> Table {
    let mut table = Table::new();
    table
        .load_preset(presets::UTF8_FULL_CONDENSED)
        .set_content_arrangement(ContentArrangement::Dynamic)
        .set_header(header);
    if !std::io::stdout().is_terminal() {
        table.set_width(120);
    }
    table
}

/// Prints an error: what went wrong, then why, then the hints, each once.
pub fn error(error: &anyhow::Error) {
    let colour = std::io::stderr().is_terminal();
    let (red, cyan, plain) = if colour { ("\x1b[31;1m", "\x1b[36;1m", "\x1b[0m") } else { ("", "", "") };
    let (mut said, mut hints): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
    for cause in error.chain() {
        // What a user typed or a file holds may carry escape sequences.
        let text: String = cause
            .to_string()
            .chars()
            .map(|c| if c.is_control() && c != '\n' { '\u{fffd}' } else { c })
            .collect();
        for line in text.lines() {
            let list = if line.starts_with("hint:") { &mut hints } else { &mut said };
            if !list.iter().any(|l: &String| l.contains(line)) {
                list.push(line.to_owned());
            }
        }
    }
    let mut err = std::io::stderr().lock();
    for (i, line) in said.iter().enumerate() {
        let lead = if i == 0 { format!("{red}error:{plain} ") } else { "  ".to_owned() };
        let _ = writeln!(err, "{lead}{line}");
    }
    for hint in hints {
        let _ = writeln!(err, "{cyan}hint:{plain}{}", hint.trim_start_matches("hint:"));
    }
}
