use super::*;

fn read(raw: &str) -> (Option<(Label, Option<f64>)>, Stage) {
    let r = read_verdict(raw);
    (r.value.map(|v| (v.prediction, v.confidence)), r.stage)
}

#[test]
fn entailment_is_answered_by_letter() {
    for (raw, want, stage) in [
        ("Answer: Y", Label::Yes, Stage::Pattern),
        ("{\"answer\":\"N\",\"reason\":\"r\"}", Label::No, Stage::Strict),
        ("{\"answer\":\"n\"}", Label::No, Stage::Recovered),
        ("```json\n{\"answer\": \"Y\"}\n```", Label::Yes, Stage::Recovered),
        ("答案：N", Label::No, Stage::Pattern),
        ("答え：Y", Label::Yes, Stage::Pattern),
        ("答えは：いいえ", Label::No, Stage::Pattern),
        ("The reason is given. Answer: N", Label::No, Stage::Pattern),
    ] {
        let r = read_yes_no(raw);
        assert_eq!((r.value.map(|v| v.prediction), r.stage), (Some(want), stage), "{raw}");
    }
    for raw in ["", "Answer: Y or N", "Answer: maybe", "{\"answer\":\"U\"}"] {
        assert_eq!(read_yes_no(raw).stage, Stage::NoDecision, "{raw}");
    }
}

#[test]
fn one_of_several_labels() {
    let labels = ["low", "high", "medium risk", "0"].map(str::to_owned);
    for (raw, want, stage) in [
        ("{\"prediction\":\"low\",\"confidence\":70}", Some(("low", Some(70.0))), Stage::Strict),
        ("{\"prediction\":\"LOW\"}", Some(("low", None)), Stage::Recovered),
        ("{\"prediction\":0,\"confidence\":0.5}", Some(("0", Some(50.0))), Stage::Recovered),
        ("{\"prediction\":\"lowest\"}", None, Stage::NoDecision),
        ("Answer: medium risk", Some(("medium risk", None)), Stage::Pattern),
        ("high", Some(("high", None)), Stage::Pattern),
        ("Answer: low\nAnswer: high", None, Stage::NoDecision),
        ("It may be low or high.", None, Stage::NoDecision),
    ] {
        let r = read_choice(raw, &labels);
        let want = want.map(|(l, c)| (l.to_owned(), c));
        assert_eq!((r.value, r.stage), (want, stage), "{raw}");
    }
}

#[test]
fn objects() {
    use Label::{No, Yes};
    use Stage::{Recovered, Strict};
    for (raw, want, stage) in [
        (r#"{"prediction":"NO","confidence":12.5,"reasoning":"r"}"#, (No, Some(12.5)), Strict),
        (r#"{"prediction":"NO","confidence":0,"reasoning":"r"}"#, (No, Some(0.0)), Strict),
        (r#"{"prediction":"NO","confidence":0.29}"#, (No, Some(29.0)), Recovered),
        (r#"{"prediction":"YES"}"#, (Yes, None), Recovered),
        (r#"{"prediction":"YES","confidence":"high"}"#, (Yes, None), Recovered),
        (r#"{"prediction":"YES","confidence":"8/10"}"#, (Yes, Some(80.0)), Recovered),
        (r#"{"prediction":"YES","confidence":"0.7"}"#, (Yes, Some(70.0)), Recovered),
        (r#"{"prediction":"YES","confidence":"0.7%"}"#, (Yes, Some(0.7)), Recovered),
        (r#"{"Prediction":"Yes.","Confidence":64}"#, (Yes, Some(64.0)), Recovered),
        (r#"{"verdict":{"prediction":"NO","confidence":64}}"#, (No, Some(64.0)), Recovered),
        (r#"[{"prediction":"NO","confidence":64}]"#, (No, Some(64.0)), Recovered),
        (r#"{"prediction":true,"confidence":64}"#, (Yes, Some(64.0)), Recovered),
        (r#"{"prediction":"是","confidence":64}"#, (Yes, Some(64.0)), Recovered),
        (r#"{"prediction":"NO, he has no record","confidence":64}"#, (No, Some(64.0)), Recovered),
        (r#"{"prediction":"YES","confidence":7"#, (Yes, None), Recovered),
        ("{prediction: YES, confidence: 70}", (Yes, Some(70.0)), Recovered),
        (r#"{"prediction":"YES","confidence":70}{"prediction":"NO","conf"#, (Yes, Some(70.0)), Recovered),
        (r#"x</think>{"prediction":"NO","confidence":70}"#, (No, Some(70.0)), Recovered),
    ] {
        assert_eq!(read(raw), (Some(want), stage), "{raw}");
    }
}

#[test]
fn what_is_no_decision() {
    for raw in [
        r#"{"prediction":"NO DECISION","confidence":64}"#,
        r#"{"prediction":"YES/NO","confidence":64}"#,
        r#"{"prediction":"Yes and no","confidence":64}"#,
        r#"{"prediction":"No, wait, yes","confidence":64}"#,
        r#"{"prediction":null,"confidence":64}"#,
        r#"{"prediction":1,"confidence":64}"#,
        r#"{"prediction":"YES","confidence":-5}"#,
        r#"{"prediction":"YES","confidence":"120%"}"#,
        r#"{"reasoning":"nothing else"}"#,
        "Prediction: YES or NO",
        "Prediction: YES/NO",
        "Prediction: YES\nPrediction: NO",
        "The answer is no longer clear.",
        "I have no opinion.",
        "No, I cannot help with that.",
        "Prediction: YES (confidence: 400%)",
        "<think>Prediction: YES</think>",
        "There is no evidence, so nothing follows.",
        "THERE IS NO, AND CAN BE NO, ANSWER.",
        "I see NO way to tell.",
        "{\"reasoning\": \"long, prediction: YES, and then cut",
    ] {
        assert_eq!(read(raw), (None, Stage::NoDecision), "{raw}");
    }
}

#[test]
fn running_text() {
    use Label::{No, Yes};
    for (raw, want) in [
        ("YES", (Yes, None)),
        ("**NO**", (No, None)),
        ("Yes. The record is long.", (Yes, None)),
        ("My reasons are given.\n\nNO\n", (No, None)),
        ("The answer is YES with 80% confidence.", (Yes, Some(80.0))),
        ("Final verdict: no.\nConfidence score: 0.6", (No, Some(60.0))),
        ("Prediction: YES at first. After thought, my final prediction is NO.", (No, None)),
        ("预测：是\n置信度：75%", (Yes, Some(75.0))),
        ("- **Prediction**: \"NO\"\n- **Confidence**: 9/10", (No, Some(90.0))),
        ("prediction = YES, confidence = 66", (Yes, Some(66.0))),
        ("I'd say YES.", (Yes, None)),
        ("The answer is: **NO**", (No, None)),
        ("Final Answer: \\boxed{NO}", (No, None)),
        ("\\boxed{YES}", (Yes, None)),
        ("<answer>YES</answer> <confidence>80</confidence>", (Yes, Some(80.0))),
        ("| prediction | NO |\n| confidence | 55 |", (No, Some(55.0))),
        ("YES, 80%", (Yes, Some(80.0))),
    ] {
        assert_eq!(read(raw), (Some(want), Stage::Pattern), "{raw}");
    }
}

#[test]
fn labels_serialise_as_asked() {
    assert_eq!(serde_json::to_string(&Label::No).unwrap(), "\"NO\"");
}
