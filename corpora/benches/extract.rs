//! Citation extraction over the text of an invented statute: the target is 20 MB/s a core.
#![allow(missing_docs, reason = "criterion's macros make public functions")]

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use nyaya_corpora::citation::{Context, Extractor};
use nyaya_corpora::{Catalogue, Manifest};
use std::hint::black_box;

const LAMP: &str = r#"id = "xx/lamp-act"
kind = "substantive"
unit = "section"
grammar = "indian-act"
language = "en"
in_force_from = "2000-01-01"
[title]
en = "Lamp Act, 1999"
[names]
en = ["Lamp Act", "LA"]
zh = ["灯法"]
"#;

/// Sections that cite each other about as often as a criminal code does.
fn statute(bytes: usize) -> String {
    let mut text = String::with_capacity(bytes + 1000);
    let mut n = 1;
    while text.len() < bytes {
        text.push_str(&format!(
            "{n}. Dimming of lamps.—(1) Whoever, being the keeper of a lamp within the meaning of section {}, dims it with the \
             intention of causing loss to the master of a ship, or with the knowledge that he is likely thereby to cause such \
             loss, shall be punished with imprisonment which may extend to {} years, and shall also be liable to fine:\n\
             Provided that nothing in clause (a) of sub-section (2) of section {} or in the Lamp Act, 1999 shall apply to a \
             keeper who acts in good faith under sections {}, {} and {}.\nExplanation.—A lamp that has been put out is dimmed.\n\n",
            n % 400 + 1, n % 14 + 1, n % 300 + 1, n % 90 + 1, n % 80 + 2, n % 70 + 3,
        ));
        n += 1;
    }
    text
}

fn chinese(bytes: usize) -> String {
    let mut text = String::with_capacity(bytes + 500);
    while text.len() < bytes {
        text.push_str(
            "守灯人故意使灯熄灭，情节严重的，处三年以下有期徒刑或者拘役，并处罚金；情节特别严重的，处三年以上七年以下有期徒刑。\n\
             有前款行为，同时构成灯法第二百三十二条、第二百六十四条第一款规定之罪的，依照处罚较重的规定定罪处罚。\n",
        );
    }
    text
}

fn extraction(c: &mut Criterion) {
    let mut all = Catalogue::builtin().map(|b| b.all().to_vec()).unwrap_or_default();
    all.extend(Manifest::parse("lamp", LAMP));
    let extractor = Extractor::new(&Catalogue::new(all), &Context::default());
    let mut group = c.benchmark_group("extract");
    for (name, text) in [("english", statute(1 << 20)), ("chinese", chinese(1 << 20))] {
        group.throughput(Throughput::Bytes(text.len() as u64));
        group.sample_size(20);
        group.bench_function(name, |b| b.iter(|| extractor.extract(black_box(&text)).len()));
    }
    group.finish();
}

criterion_group!(benches, extraction);
criterion_main!(benches);
