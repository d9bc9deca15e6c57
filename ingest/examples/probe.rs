//! probe
#![allow(clippy::all, clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic)]
use nyaya_corpora::Catalogue;
use nyaya_ingest::{PdfReader, build_edition};
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let cat = Catalogue::builtin().unwrap();
    let path = std::path::Path::new(&args[2]);
    if args[1] == "lines" {
        let doc = nyaya_ingest::read::read(path, None, &PdfReader::in_process()).unwrap();
        match doc.body {
            nyaya_ingest::read::Body::Lines(l) => for l in l { println!("{:?} {:?} {:?} r{:?} g{:?} m{} w{:?} {}", l.page.unwrap_or(0), l.at.map(|a| (a.x0, a.x1, a.y, a.size)), l.offset, l.raised, l.gaps, l.margin, l.words, l.text); },
            nyaya_ingest::read::Body::Rows(r) => for r in r { println!("{r:?}"); },
        }
        return;
    }
    let m = cat.get(&args[1].parse().unwrap()).unwrap();
    let t = std::time::Instant::now();
    match build_edition(m, None, path, &PdfReader::in_process()) {
        Err(e) => println!("ERR {e}"),
        Ok(b) => {
            println!("{} found {} expected {} missing {:?} extra {:?} dup {:?} unassigned {:.4} fit {} v {} complete {} in {:?}", path.display(), b.edition.provisions.iter().filter(|p| p.id.unit.is_numbered_provision()).count(), b.expected, b.missing.iter().map(|u| u.to_string()).collect::<Vec<_>>(), b.extra.iter().map(|u| u.to_string()).collect::<Vec<_>>(), b.duplicates.iter().map(|u| u.to_string()).collect::<Vec<_>>(), b.unassigned_share, b.fit, b.edition.version, b.edition.complete, t.elapsed());
            for a in &args[3..] {
                if a == "toc" { for c in &b.contents { println!("{c:?}"); } }
                else if a == "diag" { for d in &b.diagnostics { println!("{:?} {} {}", d.severity, d.code, d.message); } }
                else if a == "long" { let mut v: Vec<_> = b.edition.provisions.iter().map(|p| (p.text.chars().count(), p.id.to_string())).collect(); v.sort(); for x in v.iter().rev().take(12) { println!("{x:?}"); } }
                else if a == "heads" { for p in &b.edition.provisions { println!("{} {:?} {:?} {:?}", p.id, p.status, p.heading, p.breadcrumb); } }
                else if a == "all" { for p in &b.edition.provisions { println!("== {} {:?} {:?} {:?}\n{}", p.id, p.status, p.heading, p.breadcrumb, p.text); } }
                else { for p in b.edition.provisions.iter().filter(|p| &p.id.unit.to_string() == a) { println!("== {} {:?} {:?} {:?} p{:?}\n{}\nPINS {:?}\nANN {:?}", p.id, p.status, p.heading, p.breadcrumb, p.source.page, p.text, p.pinpoints.iter().map(|p| p.path.join(".")).collect::<Vec<_>>(), p.annotations); } }
            }
        }
    }
}
