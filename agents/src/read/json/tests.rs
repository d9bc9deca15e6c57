use serde_json::json;

use super::*;

fn value(raw: &str) -> (Value, Stage) {
    let r = read_value(raw);
    (r.value.unwrap_or(Value::Null), r.stage)
}

#[test]
fn strict_json_is_strict() {
    assert_eq!(value(" {\"a\": [1, 2]}\n"), (json!({"a": [1, 2]}), Stage::Strict));
    assert_eq!(value("[1]"), (json!([1]), Stage::Strict));
}

#[test]
fn mends_what_models_write() {
    for (raw, want) in [
        ("```json\n{\"a\": 1}\n```", json!({"a": 1})),
        ("Sure! {\"a\": 1} Hope it helps {not this}", json!({"a": 1})),
        ("{a: 1, b: 'x', }", json!({"a": 1, "b": "x"})),
        ("{“a”：“乙”，“b”：2}", json!({"a": "乙", "b": 2})),
        ("{'a': 'it's so', 'b': True, 'c': None}", json!({"a": "it's so", "b": true, "c": null})),
        (
            "{\"a\": \"he said \"no\", then left\", \"b\": 2}",
            json!({"a": "he said \"no\", then left", "b": 2}),
        ),
        ("{\"a\": \"two\nlines\"}", json!({"a": "two\nlines"})),
        ("{\"a\": 1 // one\n, /* two */ \"b\": 2}", json!({"a": 1, "b": 2})),
        ("{\"a\": \"x\"\n \"b\": \"y\"}", json!({"a": "x", "b": "y"})),
        ("{\"a\": [\"x\", \"y\",], \"b\": {\"c\": 1,}}", json!({"a": ["x", "y"], "b": {"c": 1}})),
        ("{\"a\": YES, \"b\": 85%}", json!({"a": "YES", "b": "85%"})),
        ("{\"a\": \"\\d \\u4e59 \\ud83d\\ude00 x\",}", json!({"a": "\\d 乙 😀 x"})),
        ("\"a\": 1, \"b\": [2]}", json!({"a": 1, "b": [2]})),
        ("\"{\\\"a\\\": 1}\"", json!({"a": 1})),
        ("{\"a\": \"x\", // one\n \"b\": 2}", json!({"a": "x", "b": 2})),
        ("{\"a\": {\"b\": [1, 2}", json!({"a": {"b": [1, 2]}})),
    ] {
        assert_eq!(value(raw), (want, Stage::Recovered), "{raw}");
    }
}

#[test]
fn cut_off_replies_keep_what_is_sure() {
    assert_eq!(value("{\"a\": \"half a sen").0, json!({"a": "half a sen"}));
    assert_eq!(value("{\"a\": 1, \"b\": 7").0, json!({"a": 1}), "7 may be the start of 72");
    assert_eq!(value("{\"a\": 1, \"b\": tr").0, json!({"a": 1}));
    assert_eq!(value("{\"a\": 1, \"b").0, json!({"a": 1}));
    assert_eq!(value("{\"a\": [\"x\", \"y").0, json!({"a": ["x", "y"]}));
    assert_eq!(value("{\"a\": 1} {\"a\": 2, \"b\": \"cu").0, json!({"a": 1}), "complete before cut off");
    assert_eq!(value("{\"a").1, Stage::NoDecision);
}

#[test]
fn a_reply_cut_off_in_its_next_key_keeps_the_field_before() {
    assert_eq!(value("{\"a\": \"x\", \"b").0, json!({"a": "x"}));
    assert_eq!(value("{\"a\": \"x\", \"b\"").0, json!({"a": "x"}));
    assert_eq!(value("{\"a\": \"he said \"no\", and").0, json!({"a": "he said \"no\", and"}));
}

#[test]
fn escapes_that_are_not_json_are_undone() {
    for raw in ["{\\\"a\\\": 1}", "{&quot;a&quot;: 1}"] {
        assert_eq!(value(raw), (json!({"a": 1}), Stage::Recovered), "{raw}");
    }
    assert_eq!(value("{\"a\": NO\", \"b\": 1}").0, json!({"a": "NO", "b": 1}));
    let raw = "<|channel|>analysis<|message|>{\"a\": 1}<|end|><|channel|>final<|message|>{\"a\": 2}";
    assert_eq!(value(raw).0, json!({"a": 2}));
    assert_eq!(value("<|channel|>analysis<|message|>{\"a\": 1}").1, Stage::NoDecision);
}

#[test]
fn thinking_is_never_the_answer() {
    assert_eq!(value("<think>{\"a\": 1}</think>{\"a\": 2}").0, json!({"a": 2}));
    assert_eq!(value("first {\"a\": 1}, hm </think>\n{\"a\": 2}").0, json!({"a": 2}));
    assert_eq!(value("<think>{\"a\": 1} and then").1, Stage::NoDecision);
    assert_eq!(value("{\"a\": \"a </think> in a string\", }").0, json!({"a": "a </think> in a string"}));
}

#[test]
fn the_last_one_that_fits_counts() {
    #[derive(serde::Deserialize, PartialEq, Debug)]
    struct T {
        a: u32,
    }
    let r = read_json::<T>("{\"a\": 1} {\"a\": 2} {\"b\": 3} [4]");
    assert_eq!((r.value, r.stage), (Some(T { a: 2 }), Stage::Recovered));
    assert_eq!(read_json::<T>("{\"name\": \"f\", \"arguments\": {\"a\": 5}}").value, Some(T { a: 5 }));
    assert_eq!(read_json::<T>("[{\"a\": 5}]").value, Some(T { a: 5 }));
    assert_eq!(read_json::<T>("[{\"a\": 5}, {\"a\": 6}]").value, None);
    let r = read_json::<T>("{\"a\": \"many\"}");
    assert_eq!(r.stage, Stage::NoDecision);
    assert!(r.notes[0].contains("expected"), "{:?}", r.notes);
}

#[test]
fn prose_is_not_json() {
    for raw in ["", "  ", "no braces", "{not json at all}", "[see note]", "{}{}x{", "{{{{", "a } b"] {
        let r = read_json::<std::collections::BTreeMap<String, u32>>(raw);
        if raw != "{}{}x{" {
            assert_eq!(r.stage, Stage::NoDecision, "{raw}");
        }
    }
}

#[test]
fn hostile_input_ends() {
    let start = std::time::Instant::now();
    for unit in
        ["{", "[", "{\"a\":", "{\"a\":\"", "\"", "<think>", "{a:[", "</think>", "'", "{\"a\":\"x\" ! "]
    {
        let _ = read_value(&unit.repeat(20_000));
    }
    assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
}
