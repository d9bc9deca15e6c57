//! Passages: slices of provisions small enough for the embedder.

use nyaya_corpora::{Edition, Passage, Provision};
use text_splitter::{ChunkConfig, ChunkSizer, TextSplitter};

/// No passage is asked to be smaller than this many tokens, however long the words before it are.
const LEAST_TOKENS: usize = 24;

/// Cuts an edition into passages of at most `max_tokens` tokens, together with `overhead_tokens` of the words that
/// will be put before them (prefix, title, breadcrumb, heading).
///
/// A passage never crosses a provision, and `provision.text[passage.range] == passage.text`. Cuts are made at
/// paragraphs, else sentences, else words. A provision that fits is one passage; one without text has none.
#[must_use]
pub fn passages<S: ChunkSizer>(
    edition: &Edition,
    sizer: &S,
    max_tokens: usize,
    overhead_tokens: impl Fn(&Provision) -> usize,
) -> Vec<Passage> {
    let mut out = Vec::new();
    for provision in &edition.provisions {
        let capacity = max_tokens.saturating_sub(overhead_tokens(provision)).max(LEAST_TOKENS);
        for (start, text) in pieces(&provision.text, sizer, capacity) {
            out.push(Passage {
                id: provision.id.clone(),
                version: edition.version,
                language: edition.language.clone(),
                range: start..start + text.len(),
                text: text.to_owned(),
            });
        }
    }
    out
}

/// Slices with their offsets.
fn pieces<'t, S: ChunkSizer>(text: &'t str, sizer: &S, capacity: usize) -> Vec<(usize, &'t str)> {
    let trimmed = text.trim();
    if trimmed.is_empty() {
        return Vec::new();
    }
    let total = sizer.size(trimmed);
    if total <= capacity {
        return vec![(text.len() - text.trim_start().len(), trimmed)];
    }
    let first = split(text, sizer, capacity);
    // The last piece of a greedy cut may be a few words. The same number of pieces, more even, serves better.
    let smallest = first.iter().map(|(_, t)| sizer.size(t)).min().unwrap_or(capacity);
    if first.len() > 1 && smallest * 3 < capacity {
        let mut even = total.div_ceil(first.len());
        while even < capacity {
            let second = split(text, sizer, even);
            if second.len() <= first.len() {
                return second;
            }
            even += (capacity / 10).max(1);
        }
    }
    first
}

fn split<'t, S: ChunkSizer>(text: &'t str, sizer: &S, capacity: usize) -> Vec<(usize, &'t str)> {
    let splitter = TextSplitter::new(ChunkConfig::new(capacity).with_sizer(sizer));
    splitter.chunk_indices(text).filter(|(_, t)| !t.trim().is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use nyaya_corpora::{ProvisionId, SourceRef, Status};
    use proptest::prelude::*;

    /// Words count as tokens.
    struct Words;
    impl ChunkSizer for Words {
        fn size(&self, chunk: &str) -> usize {
            chunk.split_whitespace().count()
        }
    }

    fn edition(texts: &[String]) -> Edition {
        let provisions = texts
            .iter()
            .enumerate()
            .map(|(i, text)| Provision {
                id: format!("xx/act#s{}", i + 1).parse::<ProvisionId>().unwrap(),
                heading: None,
                breadcrumb: vec![],
                text: text.clone(),
                status: Status::InForce,
                in_force_from: None,
                in_force_until: None,
                struck_down: None,
                annotations: vec![],
                pinpoints: vec![],
                source: SourceRef { file_sha256: String::new(), page: None, offset: None },
            })
            .collect();
        Edition {
            work: "xx/act".parse().unwrap(),
            version: jiff::civil::date(2001, 2, 3),
            language: "en".into(),
            source: "file".into(),
            source_file: String::new(),
            source_sha256: String::new(),
            complete: true,
            provisions,
        }
    }

    #[test]
    fn a_short_provision_is_one_passage_and_an_empty_one_none() {
        let edition = edition(&["A kite is flown.".into(), String::new()]);
        let passages = passages(&edition, &Words, 100, |_| 10);
        assert_eq!(passages.len(), 1);
        assert_eq!(passages[0].text, "A kite is flown.");
    }

    #[test]
    fn no_tail_of_a_few_words_is_left() {
        let sentence = "Whoever flies a kite over a road shall be warned by the warden. ";
        let edition = edition(&[sentence.repeat(9).trim().to_owned()]);
        let passages = passages(&edition, &Words, 60, |_| 10);
        let sizes: Vec<usize> = passages.iter().map(|p| Words.size(&p.text)).collect();
        assert!(sizes.iter().all(|n| (20..=50).contains(n)), "{sizes:?}");
    }

    proptest! {
        #[test]
        fn a_passage_is_a_slice_of_its_provision(texts in proptest::collection::vec("([a-z]{1,9}[ .]|\\PC|[\\n第条甲乙。]){0,300}", 1..4), max in 1usize..80) {
            let edition = edition(&texts);
            let passages = passages(&edition, &Words, max, |_| 5);
            for passage in &passages {
                let provision = edition.provisions.iter().find(|p| p.id == passage.id).unwrap();
                prop_assert_eq!(&provision.text[passage.range.clone()], passage.text.as_str());
                prop_assert!(Words.size(&passage.text) <= max.saturating_sub(5).max(LEAST_TOKENS));
            }
            for provision in &edition.provisions {
                let kept: String = passages.iter().filter(|p| p.id == provision.id).flat_map(|p| p.text.chars()).filter(|c| !c.is_whitespace()).collect();
                let all: String = provision.text.chars().filter(|c| !c.is_whitespace()).collect();
                prop_assert_eq!(kept, all);
            }
        }
    }
}
