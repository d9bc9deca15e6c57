//! Akoma Ntoso 1.0 (OASIS LegalDocML, namespace `…/akn/3.0`).
//!
//! Parts, chapters and the Chinese 编章节 become the elements of those names, groups an `hcontainer`. A provision is a
//! `section` or an `article`; its sub-sections are elements of their own where they part its text without a gap, else
//! it has one `content`. Schedules are `hcontainer`s at the end of the body. Ids follow the naming convention:
//! `sec_302__subsec_1`.

use std::io::{self, Write};

use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesEnd, BytesStart, BytesText, Event};

use super::{Provenance, label};
use crate::id::Unit;
use crate::manifest::{Grammar, Manifest, UnitName};
use crate::provision::{Edition, Provision, Status};

const NAMESPACE: &str = "http://docs.oasis-open.org/legaldocml/ns/akn/3.0";
/// Elements of this program inside `proprietary`.
const OWN: &str = "https://github.com/nyaya-law/nyaya";

struct Xml<'a> {
    out: Writer<&'a mut dyn Write>,
    open: Vec<String>,
}

impl Xml<'_> {
    fn start(&mut self, name: &str, attributes: &[(&str, &str)]) -> io::Result<()> {
        let mut tag = BytesStart::new(name);
        for attribute in attributes {
            tag.push_attribute(*attribute);
        }
        self.open.push(name.to_owned());
        self.out.write_event(Event::Start(tag))
    }

    fn end(&mut self) -> io::Result<()> {
        match self.open.pop() {
            Some(name) => self.out.write_event(Event::End(BytesEnd::new(name))),
            None => Ok(()),
        }
    }

    fn empty(&mut self, name: &str, attributes: &[(&str, &str)]) -> io::Result<()> {
        let mut tag = BytesStart::new(name);
        for attribute in attributes {
            tag.push_attribute(*attribute);
        }
        self.out.write_event(Event::Empty(tag))
    }

    fn element(&mut self, name: &str, attributes: &[(&str, &str)], text: &str) -> io::Result<()> {
        self.start(name, attributes)?;
        // XML has no place for most control characters.
        let text: String = text.chars().filter(|c| !c.is_control() || matches!(c, '\n' | '\t')).collect();
        self.out.write_event(Event::Text(BytesText::new(&text)))?;
        self.end()
    }

    fn paragraphs(&mut self, text: &str) -> io::Result<()> {
        let mut any = false;
        for line in text.lines().filter(|l| !l.trim().is_empty()) {
            self.element("p", &[], line)?;
            any = true;
        }
        if any { Ok(()) } else { self.empty("p", &[]) }
    }
}

/// ISO 639-2 for `FRBRlanguage`.
fn language(tag: &str) -> &str {
    match tag.split('-').next().unwrap_or(tag) {
        "en" => "eng",
        "hi" => "hin",
        "zh" => "zho",
        other => other,
    }
}

pub(super) fn write(
    edition: &Edition,
    manifest: Option<&Manifest>,
    provenance: &Provenance,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut xml = Xml { out: Writer::new_with_indent(out, b' ', 1), open: Vec::new() };
    xml.out.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
    xml.start("akomaNtoso", &[("xmlns", NAMESPACE)])?;
    xml.start("act", &[("name", "act"), ("contains", "singleVersion")])?;
    meta(&mut xml, edition, manifest, provenance)?;
    xml.start("preface", &[])?;
    xml.start("longTitle", &[])?;
    xml.start("p", &[])?;
    xml.element("docTitle", &[], &provenance.title)?;
    xml.end()?;
    xml.end()?;
    xml.end()?;
    if let Some(p) = edition.provisions.iter().find(|p| p.id.unit == Unit::Preamble) {
        xml.start("preamble", &[])?;
        xml.paragraphs(&p.text)?;
        xml.end()?;
    }
    xml.start("body", &[])?;
    body(&mut xml, edition, manifest)?;
    xml.end()?;
    xml.end()?;
    xml.end()?;
    writeln!(xml.out.get_mut())
}

fn meta(
    xml: &mut Xml<'_>,
    edition: &Edition,
    manifest: Option<&Manifest>,
    provenance: &Provenance,
) -> io::Result<()> {
    let begins = manifest.map_or(edition.version, |m| m.in_force_from).to_string();
    let (country, name) = (edition.work.jurisdiction(), edition.work.name());
    let work = format!("/akn/{country}/act/{begins}/{name}");
    let expression = format!("{work}/{}@{}", language(&edition.language), edition.version);
    let version = edition.version.to_string();
    xml.start("meta", &[])?;
    xml.start("identification", &[("source", "#nyaya")])?;
    let manifestation = format!("{expression}.xml");
    for (level, uri, date, kind) in [
        ("FRBRWork", &work, &begins, "in-force"),
        ("FRBRExpression", &expression, &version, "in-force"),
        ("FRBRManifestation", &manifestation, &version, "in-force"),
    ] {
        xml.start(level, &[])?;
        let this = if level == "FRBRManifestation" {
            format!("{expression}/!main.xml")
        } else {
            format!("{uri}/!main")
        };
        xml.empty("FRBRthis", &[("value", &this)])?;
        xml.empty("FRBRuri", &[("value", uri)])?;
        xml.empty("FRBRdate", &[("date", date), ("name", kind)])?;
        xml.empty(
            "FRBRauthor",
            &[("href", if level == "FRBRManifestation" { "#nyaya" } else { "#legislature" })],
        )?;
        match level {
            "FRBRWork" => xml.empty("FRBRcountry", &[("value", country)])?,
            "FRBRExpression" => xml.empty("FRBRlanguage", &[("language", language(&edition.language))])?,
            _ => xml.empty("FRBRformat", &[("value", "application/akn+xml")])?,
        }
        xml.end()?;
    }
    xml.end()?;
    xml.start("references", &[("source", "#nyaya")])?;
    xml.empty(
        "TLCOrganization",
        &[("eId", "nyaya"), ("href", "/akn/ontology/organization/nyaya"), ("showAs", "nyaya")],
    )?;
    xml.empty(
        "TLCOrganization",
        &[
            ("eId", "legislature"),
            ("href", &format!("/akn/ontology/organization/{country}/legislature")),
            ("showAs", "legislature"),
        ],
    )?;
    xml.end()?;
    // What the source printed around the text, and courts' findings.
    let mut notes: Vec<(String, String)> = Vec::new();
    for p in &edition.provisions {
        let at = eid(&p.id.unit);
        if let Some(found) = &p.struck_down {
            notes.push((
                format!("{at}__note_struck-down"),
                format!("{}: struck down on {}, {}: {}", p.id, found.date, found.source, found.note),
            ));
        }
        for (n, note) in p.annotations.iter().enumerate() {
            notes.push((format!("{at}__note_{}", n + 1), format!("{}: {}", p.id, note.text.trim())));
        }
    }
    if !notes.is_empty() {
        xml.start("notes", &[("source", "#nyaya")])?;
        for (id, text) in &notes {
            xml.start("note", &[("eId", id)])?;
            xml.element("p", &[], text)?;
            xml.end()?;
        }
        xml.end()?;
    }
    xml.start("proprietary", &[("source", "#nyaya"), ("xmlns:nyaya", OWN)])?;
    let coverage = provenance.coverage();
    for (name, value) in [
        ("nyaya:id", format!("{}@{}:{}", provenance.work, provenance.version, provenance.language)),
        ("nyaya:source", provenance.source.clone()),
        ("nyaya:sourceFile", provenance.source_file.clone()),
        ("nyaya:sourceSha256", provenance.source_sha256.clone()),
        ("nyaya:licence", provenance.licence.clone()),
        ("nyaya:coverage", coverage),
    ] {
        xml.element(name, &[], &value)?;
    }
    xml.end()?;
    xml.end()
}

fn eid(unit: &Unit) -> String {
    match unit {
        Unit::Preamble => "preamble".to_owned(),
        Unit::Section(n) => format!("sec_{n}"),
        Unit::Article(n) => format!("art_{n}"),
        Unit::Schedule(n) => format!("sched_{n}"),
    }
}

/// The element for a part, a chapter, a group.
fn container(name: &str, articles: bool) -> (&'static str, &'static str) {
    let upper = name.to_uppercase();
    let numbered = |c: char| name.starts_with('第') && name.chars().take(12).any(|x| x == c);
    if upper.starts_with("PART") || numbered('编') {
        ("part", "part")
    } else if upper.starts_with("CHAPTER") || numbered('章') {
        ("chapter", "chp")
    } else if articles && numbered('节') {
        ("section", "sec")
    } else {
        ("hcontainer", "hcontainer")
    }
}

fn body(xml: &mut Xml<'_>, edition: &Edition, manifest: Option<&Manifest>) -> io::Result<()> {
    let articles = manifest.is_some_and(|m| m.unit == UnitName::Article);
    let mut open: Vec<&String> = Vec::new();
    // Ids of containers count within their parent.
    let mut counts: std::collections::HashMap<String, usize> = std::collections::HashMap::new();
    let mut ids: Vec<String> = Vec::new();
    let mut any = false;
    for p in edition.provisions.iter().filter(|p| p.id.unit != Unit::Preamble) {
        let schedule = matches!(p.id.unit, Unit::Schedule(_));
        let path: Vec<&String> = if schedule { Vec::new() } else { p.breadcrumb.iter().collect() };
        let same = open.iter().zip(&path).take_while(|(a, b)| a == b).count();
        while open.len() > same {
            open.pop();
            ids.pop();
            xml.end()?;
        }
        for name in path.into_iter().skip(same) {
            let (element, short) = container(name, articles);
            let parent = ids.last().map(|id| format!("{id}__")).unwrap_or_default();
            let count = counts.entry(format!("{parent}{short}")).or_default();
            *count += 1;
            let id = format!("{parent}{short}_{count}");
            let mut attributes = vec![("eId", id.as_str())];
            if element == "hcontainer" {
                attributes.push(("name", "group"));
            }
            xml.start(element, &attributes)?;
            xml.element("heading", &[], name)?;
            ids.push(id);
            open.push(name);
        }
        provision(xml, p, manifest)?;
        any = true;
    }
    while open.pop().is_some() {
        xml.end()?;
    }
    if !any {
        // A body may not be empty.
        xml.start("hcontainer", &[("eId", "hcontainer_1"), ("name", "empty")])?;
        xml.start("content", &[])?;
        xml.empty("p", &[])?;
        xml.end()?;
        xml.end()?;
    }
    Ok(())
}

fn provision(xml: &mut Xml<'_>, p: &Provision, manifest: Option<&Manifest>) -> io::Result<()> {
    let id = eid(&p.id.unit);
    let mut attributes = vec![("eId", id.as_str())];
    let element = match p.id.unit {
        Unit::Section(_) => "section",
        Unit::Article(_) => "article",
        _ => {
            attributes.push(("name", "schedule"));
            "hcontainer"
        }
    };
    if matches!(p.status, Status::Omitted | Status::Repealed) {
        attributes.push(("status", "removed"));
    }
    xml.start(element, &attributes)?;
    xml.element("num", &[], &label(p, manifest))?;
    if let Some(heading) = p.heading.as_deref().filter(|h| !h.trim().is_empty()) {
        xml.element("heading", &[], heading)?;
    }
    let chinese = manifest.is_some_and(|m| m.grammar == Grammar::ChineseCode);
    match parts(p, chinese) {
        Some((intro, parts)) => {
            if !intro.trim().is_empty() {
                xml.start("intro", &[])?;
                xml.paragraphs(intro)?;
                xml.end()?;
            }
            let (element, short) = if chinese { ("paragraph", "para") } else { ("subsection", "subsec") };
            for (n, text) in parts {
                xml.start(element, &[("eId", &format!("{id}__{short}_{n}"))])?;
                let mark = format!("({n})");
                let rest = match text.trim_start().strip_prefix(&mark) {
                    Some(rest) => {
                        xml.element("num", &[], &mark)?;
                        rest
                    }
                    None => text,
                };
                xml.start("content", &[])?;
                xml.paragraphs(rest)?;
                xml.end()?;
                xml.end()?;
            }
        }
        None => {
            xml.start("content", &[])?;
            xml.paragraphs(&p.text)?;
            xml.end()?;
        }
    }
    xml.end()
}

/// Sub-sections 1, 2, … of a provision with their words, and the words before them; nothing where they do not part the
/// whole text.
fn parts(p: &Provision, chinese: bool) -> Option<(&str, Vec<(String, &str)>)> {
    if matches!(p.id.unit, Unit::Schedule(_)) {
        return None;
    }
    let number = |pin: &str| {
        let figure = if chinese { pin.strip_prefix('p')? } else { pin };
        figure.parse::<u32>().ok()
    };
    let mut starts: Vec<(u32, usize)> = p
        .pinpoints
        .iter()
        .filter(|pin| pin.path.len() == 1)
        .filter_map(|pin| Some((number(pin.path.first()?)?, pin.range.start)))
        .collect();
    starts.sort_by_key(|s| s.1);
    let due = starts.iter().enumerate().all(|(n, s)| usize::try_from(s.0).is_ok_and(|k| k == n + 1));
    if starts.len() < 2 || !due {
        return None;
    }
    let first = starts.first()?.1;
    let ends = starts.iter().skip(1).map(|s| s.1).chain([p.text.len()]);
    let mut out = Vec::new();
    for ((n, from), to) in starts.iter().zip(ends) {
        out.push((n.to_string(), p.text.get(*from..to)?));
    }
    Some((p.text.get(..first)?, out))
}
