//! Extraction over texts made to break it: linear time, no panic, spans that are the words.
//!
//! The random part runs for two seconds; `NYAYA_FUZZ_SECONDS=600` gives it ten minutes.
#![allow(missing_docs, clippy::unwrap_used, clippy::indexing_slicing, reason = "a test")]

use std::time::{Duration, Instant};

use nyaya_corpora::citation::{Context, Extractor, check_text};
use nyaya_corpora::{Catalogue, MemoryLookup, WithNumbers};

fn contexts() -> Vec<Context> {
    let of = |default: Option<&str>, jurisdiction: &str| Context {
        as_of: "2023-05-01".parse().ok(),
        default_work: default.map(|w| w.parse().unwrap()),
        jurisdiction: Some(jurisdiction.to_owned()),
        proceeding: None,
    };
    vec![of(None, "in"), of(Some("in/ipc"), "in"), of(Some("cn/criminal-law"), "cn")]
}

/// Time that this thread ran, where the system tells it; else the clock's.
fn on_cpu() -> Duration {
    static START: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanos = told.and_then(|s| s.split(' ').next().and_then(|n| n.parse().ok()));
    nanos.map_or_else(|| START.get_or_init(Instant::now).elapsed(), Duration::from_nanos)
}

/// Pieces of which hostile texts are made.
const PIECES: &[&str] = &[
    "section ",
    "Section ",
    "sections ",
    "Sections 5, ",
    "s. ",
    "u/s ",
    "§",
    "302",
    "302A",
    "302/34",
    " 34 ",
    "(",
    ")",
    "(a)",
    "(1)",
    "((((",
    "))))",
    "[",
    "]",
    ",",
    ", ",
    ";",
    ":",
    ".",
    ". ",
    " - ",
    "-",
    "/",
    "\n",
    "\n\n",
    "“",
    "”",
    "\"",
    "《",
    "》",
    "。",
    "、",
    "，",
    "第",
    "条",
    "款",
    "项",
    "第三条",
    "第一百三十三条之一",
    "之一",
    "刑法",
    "《刑法》",
    "同法",
    "该条",
    "本法",
    "反垄断法",
    "条例",
    "一百",
    "〇",
    "廿",
    "１３３",
    "IPC",
    "IPC ",
    "of the ",
    "of ",
    "and ",
    "read with ",
    "r/w ",
    "Act",
    "the Act ",
    "the said Act ",
    "Arms Act ",
    "Forest Act, 1927 ",
    "the forest act ",
    "Constitution ",
    "Constitution of India ",
    "Constitution of Nepal ",
    "Article ",
    "Articles 14 ",
    "Article XXI ",
    "namely: ",
    "to ",
    "the former section ",
    "the latter provision ",
    "thereof ",
    "the said section ",
    "Exception 1 to ",
    "proviso ",
    "clause (a) of ",
    "sub-section (2) of ",
    "Schedule VII, ",
    "List II, ",
    "Entry 3 ",
    "धारा ",
    "धारा ३०२ ",
    "भारतीय दंड संहिता ",
    "अधिनियम की ",
    "के ",
    "उक्त धारा ",
    "dhara ",
    "ki ",
    "dand sanhita ",
    "(2014) 8 SCC 273",
    "AIR 1973 SC 1461",
    "1860",
    "2013",
    "99999999999",
    "0",
    "é",
    "\u{200d}",
    "\u{feff}",
    "😀",
    "\0",
    "ß",
    "naïve ",
    "provides ",
];

#[test]
fn time_grows_as_the_text_does() {
    let catalogue = Catalogue::builtin().unwrap();
    let mut slow = Vec::new();
    for context in contexts() {
        let extractor = Extractor::new(&catalogue, &context);
        for piece in PIECES.iter().copied().chain([
            "section section ",
            "第第第",
            "第三条第三条",
            "刑法第三条与",
            "(((((",
            "Section 1 of the Act and section ",
            "the following sections of the Forest Act ",
            "sections of the IPC: 5, ",
            "Section 5. The Arms Act ",
            "section 5 the forest act ",
            "Article 5, ICCPR ",
            "第三条，条例",
            "《第三条",
            "该条第一款",
        ]) {
            let time = |bytes: usize| {
                let text = piece.repeat(bytes / piece.len() + 1);
                // The best of three: others use the machine too.
                (0..3)
                    .map(|_| {
                        let start = on_cpu();
                        std::hint::black_box(extractor.extract(&text).len());
                        on_cpu().saturating_sub(start)
                    })
                    .min()
                    .unwrap_or_default()
            };
            let (short, long) = (time(16 << 10), time(128 << 10));
            // Eight times the text: eight times the time, with room for noise.
            // The system counts in ticks, so a few milliseconds may be told as none.
            let short = short.max(Duration::from_millis(3));
            if long > short * 24 + Duration::from_millis(20) {
                slow.push(format!("{piece:?} ({:?}): {short:?}, then {long:?}", context.default_work));
            }
        }
    }
    assert!(slow.is_empty(), "{}", slow.join("\n"));
}

#[test]
fn random_texts_give_spans_that_are_their_words() {
    let seconds = std::env::var("NYAYA_FUZZ_SECONDS").ok().and_then(|s| s.parse().ok()).unwrap_or(2);
    let end = Instant::now() + Duration::from_secs(seconds);
    let catalogue = Catalogue::builtin().unwrap();
    let none = MemoryLookup::default();
    let lookup = WithNumbers::new(&none, &catalogue);
    let contexts = contexts();
    let extractors: Vec<Extractor> = contexts.iter().map(|c| Extractor::new(&catalogue, c)).collect();
    // SplitMix64 (Steele, Lea and Flood 2014).
    let mut state = 0x6e79_6179_6121u64;
    let mut random = move |below: usize| {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((z ^ (z >> 31)) % below as u64).unwrap_or(0)
    };
    let mut texts = 0u64;
    while Instant::now() < end {
        let mut text = String::new();
        for _ in 0..1 + random(60) {
            match random(12) {
                0 => text.push(char::from_u32(u32::try_from(random(0x3000)).unwrap_or(0)).unwrap_or(' ')),
                1 => text.push_str(&random(3000).to_string()),
                _ => text.push_str(PIECES[random(PIECES.len())]),
            }
        }
        for (context, extractor) in contexts.iter().zip(&extractors) {
            let start = Instant::now();
            let found = extractor.extract(&text);
            assert!(start.elapsed() < Duration::from_secs(5), "{text:?}");
            for e in &found {
                assert_eq!(text.get(e.span.0..e.span.1), Some(e.raw.as_str()), "{text:?}");
                assert!(e.work.is_some() || e.unresolved.is_some(), "{text:?}: {e:?}");
            }
            assert!(found.windows(2).all(|w| w[0].span.0 <= w[1].span.0), "{text:?}");
            if texts.is_multiple_of(16) {
                let report = check_text(&text, &lookup, &catalogue, context);
                assert_eq!(report.coverage.total, report.citations.len());
                for c in &report.citations {
                    if let Some(id) = &c.id {
                        assert_eq!(id.to_string().parse().as_ref(), Ok(id), "{text:?}");
                    }
                }
            }
        }
        texts += 1;
    }
    println!("{texts} texts in {seconds} s");
    assert!(texts > 10);
}
