//! Which line, or part of a line, is the heading of a provision, by what the file marks and by the habit of the act.

use super::divisions::division_at;
use super::heading::{capitals_before_text, gone_in_words, stopped_title, title_like};
use super::heads::{Head, is_upper};
use super::pages::BodyLine;
use super::words::starts_paragraph;

/// Where the heading of a provision stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// The rest of this line.
    Line(usize),
    /// The line of the head, up to this byte.
    Until(usize),
}

/// How the act sets its headings.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Habit {
    /// Most heads have a title on their line and the text under it.
    own_line: bool,
    /// Most of those titles end with a stop.
    stops: bool,
    /// Most heads stand alone, with a title under them.
    below: bool,
    /// Most heads have a title on the line above them, as marginal notes come out in plain text.
    above: bool,
    /// The longest line, in characters: a line breaks early where the next word would have fitted.
    width: usize,
}

impl Habit {
    /// Looks at all heads.
    pub fn of(body: &[BodyLine<'_>], heads: &[Head], end: usize) -> Self {
        let width = body.iter().map(|l| l.text().chars().count()).max().unwrap_or(0);
        let mut habit = Self { width, ..Self::default() };
        let (mut with_text, mut titled, mut stopped) = (0, 0, 0);
        let (mut alone, mut under, mut over) = (0, 0, 0);
        for (k, head) in heads.iter().enumerate() {
            let stop = heads.get(k + 1).map_or(end, |h| h.line);
            let Some(line) = body.get(head.line).filter(|l| l.line.at.is_none()) else { continue };
            let rest = line.line.text.get(head.end..).unwrap_or_default().trim();
            let next = body.get(head.line + 1).filter(|_| head.line + 1 < stop);
            over += usize::from(title_above(body, head).is_some());
            if gone_in_words(rest).is_some() {
                continue;
            }
            if rest.is_empty() {
                alone += 1;
                let after = body.get(head.line + 2).filter(|_| head.line + 2 < stop);
                under += usize::from(next.zip(after).is_some_and(|(n, a)| {
                    title_like(n.text()) && !n.text().ends_with('.') && habit.breaks(n, a)
                }));
            } else {
                with_text += 1;
                if next.is_some_and(|n| habit.breaks(line, n)) {
                    titled += usize::from(title_like(rest));
                    stopped += usize::from(rest.ends_with(['.', '।']) && stopped_title(rest));
                }
            }
        }
        habit.own_line = titled * 2 >= with_text && titled > 0;
        habit.stops = (titled + stopped) * 4 >= with_text * 3 && stopped >= 2;
        habit.above = heads.len() >= 2 && over * 4 >= heads.len() * 3 && titled == 0;
        habit.below = under * 4 >= alone * 3 && under > 0;
        habit
    }

    /// Whether `next` begins something new, because `line` ended before the margin, rather than going on with it.
    fn breaks(&self, line: &BodyLine<'_>, next: &BodyLine<'_>) -> bool {
        let text = next.text();
        if next.after_blank || text.starts_with("(1)") {
            return true;
        }
        let word = text.split(' ').next().unwrap_or_default().chars().count();
        let fits = line.text().chars().count() + 1 + word <= self.width;
        fits && !text.starts_with(|c: char| c.is_lowercase())
    }
}

/// The line above a head that is a title of its own: set off from what is before, with the head directly under it.
fn title_above(body: &[BodyLine<'_>], head: &Head) -> Option<usize> {
    let line = body.get(head.line).filter(|l| l.line.at.is_none() && l.heading() == 0)?;
    let at = head.line.checked_sub(1)?;
    let above = body.get(at)?;
    // A heading of the page's own, or a line between blank ones over a number that stands alone, is one too.
    let marked = above.heading() > 0;
    let alone = line.line.text.get(head.end..)?.trim().is_empty();
    if !marked && (!above.after_blank || line.after_blank && !alone) {
        return None;
    }
    let title = title_like(above.text()) || stopped_title(above.text());
    let text = line.line.text.get(head.end..)?.trim();
    (title && (!text.is_empty() || alone) && !is_upper(above.text()) && division_at(body, at).is_none())
        .then_some(at)
}

impl Habit {
    /// The line with the title of a provision, where the act sets it above the number.
    pub fn above(self, body: &[BodyLine<'_>], head: &Head) -> Option<usize> {
        if self.above { title_above(body, head) } else { None }
    }
}

/// The heading of the provision that begins at `head` and ends before `stop`, if the file or its habit marks one. The
/// dash behind a title is looked for in the text.
pub(super) fn place(body: &[BodyLine<'_>], head: &Head, stop: usize, habit: Habit) -> Option<Place> {
    let first = body.get(head.line)?;
    let rest = first.line.text.get(head.end..)?.trim();
    let next = body.get(head.line + 1).filter(|_| head.line + 1 < stop);
    if rest.is_empty() {
        let (next, after) = (next?, body.get(head.line + 2).filter(|_| head.line + 2 < stop)?);
        let blank = after.after_blank || after.text().starts_with('(');
        // "(Oggetto)" under "Art. 1"
        let bracketed = next.text().strip_prefix('(').and_then(|t| t.strip_suffix(')'));
        let inside = bracketed.filter(|t| t.chars().count() > 3).unwrap_or(next.text());
        let title = title_like(inside) && !inside.ends_with('.');
        let marked = next.heading() > 0;
        // "(1)" under the number is the first paragraph of the text.
        let text = first.line.at.is_none() && starts_paragraph(next.text(), "");
        let known = (habit.below || bracketed.is_some()) && habit.breaks(next, after);
        return (marked || first.line.at.is_none() && title && !text && (known || blank))
            .then_some(Place::Line(head.line + 1));
    }
    if first.heading() > 0 {
        return Some(Place::Line(head.line));
    }
    if let Some(end) = bold_until(first).filter(|end| *end > head.end) {
        let after = first.line.text.get(end..)?.trim_matches(['*', ' ']);
        let title = first.line.text.get(head.end..end)?.trim_matches(['*', ' ']);
        // A paragraph that is bold as a whole is one as others are.
        if after.is_empty() {
            return (next.is_some() && title.chars().count() <= 140).then_some(Place::Line(head.line));
        }
        if !title.contains('—') && title.chars().any(char::is_alphabetic) {
            return Some(Place::Until(end));
        }
    }
    if let Some(at) = capitals_before_text(rest) {
        let skipped =
            first.line.text.get(head.end..)?.len() - first.line.text.get(head.end..)?.trim_start().len();
        return Some(Place::Until(head.end + skipped + at));
    }
    let next = next?;
    // On a page a heading is set larger than the text under it.
    if let (Some(at), Some(below)) = (first.line.at, next.line.at) {
        return (at.size > 1.08 * below.size && title_like(rest)).then_some(Place::Line(head.line));
    }
    let title = title_like(rest)
        && (next.after_blank
            || next.text().starts_with("(1)")
            || habit.own_line && habit.breaks(first, next));
    let stopped = habit.stops && stopped_title(rest) && habit.breaks(first, next);
    (title || stopped).then_some(Place::Line(head.line))
}

/// Byte at which the bold words end with which a line begins.
fn bold_until(line: &BodyLine<'_>) -> Option<usize> {
    if line.line.strong > 0 {
        return Some(line.line.strong);
    }
    let text = &line.line.text;
    let open = text.len() - text.trim_start().len();
    let inside = text.get(open..)?.strip_prefix("**")?;
    let close = inside.find("**")?;
    Some(open + 2 + close)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_and_sentences() {
        for yes in ["Short title", "Zweck", "Who may sue", "Powers of the warden", "Hours of ringing"] {
            assert!(title_like(yes), "{yes}");
        }
        for no in [
            "Tar shall be black.",
            "(1) Tar is black",
            "of tar",
            "Tar may be sold",
            "Teer ist schwarz",
            "Tar; pitch",
            "The fine: one crown,",
            "SALT",
        ]
        .iter()
        .filter(|t| **t != "SALT")
        {
            assert!(!title_like(no), "{no}");
        }
        assert!(stopped_title("Short title.") && !stopped_title("The fine is one crown."));
        assert!(!stopped_title("No cold tar."));
        assert_eq!(capitals_before_text("DEFINITIONS. In this Act"), Some("DEFINITIONS.".len()));
        assert_eq!(capitals_before_text("Definitions. In this Act"), None);
    }
}
