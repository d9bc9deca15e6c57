//! Replies by what makes them hard, each with neighbours that look like them and are read otherwise.

use super::*;

#[test]
fn verdicts_by_cause() {
    use Label::{No, Yes};
    let rows: &[(&str, Option<Label>, Option<f64>)] = &[
        ("I cannot honestly answer YES.", None, None),
        ("We could not say NO.", None, None),
        ("It would be wrong to say YES.", None, None),
        ("I do not believe that the answer is NO.", None, None),
        ("The verdict isn't NO.", None, None),
        ("If the witness is believed, YES.", None, None),
        ("Were the lease valid, the answer is NO.", None, None),
        ("NO, unless the notice was late.", None, None),
        ("I refuse to answer YES.", None, None),
        ("No. 7 of the schedule is decisive.", None, None),
        ("Yes-and-no situation.", None, None),
        ("No-fault liability applies. Confidence: 80", None, None),
        ("Prediction: No. 3 respondent pays. Confidence: 60", None, None),
        ("There is no doubt: the answer is YES.", Some(Yes), None),
        ("So my answer is NO.", Some(No), None),
        ("The State did not prove its case. Prediction: NO\nConfidence: 77", Some(No), Some(77.0)),
        ("Although it is not easy, prediction: YES", Some(Yes), None),
        ("YES, because the notice was served.", Some(Yes), None),
        ("NO. The appeal fails.", Some(No), None),
        ("Prediction: NO. Confidence: 66", Some(No), Some(66.0)),
        ("Prediction: scarcely YES", None, None),
        ("{\"prediction\":\"NO\",\"confidence\":\"9 out of 10\"}", Some(No), Some(90.0)),
        ("{\"prediction\":\"NO\",\"confidence\":\"2/5\"}", Some(No), Some(40.0)),
        ("{\"prediction\":\"NO\",\"confidence\":\"three of five\"}", Some(No), Some(60.0)),
        ("Prediction: YES\nConfidence: 6 / 10", Some(Yes), Some(60.0)),
        ("Prediction: YES\nConfidence: 45 out of 50", Some(Yes), Some(90.0)),
        ("Prediction: YES\nConfidence: nine out of ten", Some(Yes), Some(90.0)),
        ("Prediction: YES\nConfidence (0-10): 7", Some(Yes), Some(70.0)),
        ("Prediction: YES\nConfidence (percentage): 61", Some(Yes), Some(61.0)),
        ("Prediction: YES\nConfidence score (0-100): 58", Some(Yes), Some(58.0)),
        ("Prediction: YES\nConfidence (scale of 0 to 1): 0.4", Some(Yes), Some(40.0)),
        ("{\"prediction\":\"YES\",\"confidence (0-100)\":71}", Some(Yes), Some(71.0)),
        ("Prediction: YES\nConfidence (1-5): 4", Some(Yes), None),
        ("{\"prediction\":\"YES\",\"confidence\":\"4 stars\"}", Some(Yes), None),
        ("预测：否\n置信度（0-100）：65", Some(No), Some(65.0)),
        ("Prediction: NO\nConfidence: 60-70%", Some(No), None),
        ("Prediction: NO\nConfidence: between 60 and 70", Some(No), None),
        ("Prediction: NO\nConfidence: at least 60", Some(No), None),
        ("Prediction: NO\nConfidence: 61,5%", Some(No), Some(61.5)),
        ("Prediction: NO\nConfidence: 60+", Some(No), None),
        ("I am 70-80% confident. Prediction: NO", Some(No), None),
        ("I am 75% confident. Prediction: NO", Some(No), Some(75.0)),
        (
            "{\"defence\":{\"prediction\":\"NO\",\"confidence\":70},\"prosecutor\":{\"prediction\":\"YES\",\"confidence\":60}}",
            None,
            None,
        ),
        (
            "{\"a\":{\"prediction\":\"NO\",\"confidence\":70},\"b\":{\"prediction\":\"NO\",\"confidence\":70}}",
            Some(No),
            Some(70.0),
        ),
        (
            "{\"a\":{\"prediction\":\"NO\",\"confidence\":70},\"b\":{\"prediction\":\"NO\",\"confidence\":60}}",
            Some(No),
            None,
        ),
        ("{\"prediction\":\"NO\",\"answer\":\"YES\",\"confidence\":60}", None, None),
        ("{\"prediction\":\"NO\",\"answer\":\"NO\",\"confidence\":60}", Some(No), Some(60.0)),
        ("{\"prediction\":\"YES\",\"verdict\":\"guilty\",\"confidence\":60}", Some(Yes), Some(60.0)),
        (
            "First prediction: NO (confidence 30). Final prediction: YES (confidence 80).",
            Some(Yes),
            Some(80.0),
        ),
        ("Prediction: NO, confidence 30. Final prediction: YES", Some(Yes), None),
        ("Prediction: NO\nConfidence: 50\nFinal prediction: NO", Some(No), Some(50.0)),
        ("Confidence: 60\nPrediction: NO", Some(No), Some(60.0)),
        ("{\"prediction\":\"ＹＥＳ\",\"confidence\":\"６０\"}", Some(Yes), Some(60.0)),
        ("Prediction: NO\nConfidence: sixty-five percent", Some(No), Some(65.0)),
        ("Prediction: NO\nConfidence: very high (91%)", Some(No), Some(91.0)),
        ("Prediction: NO\nConfidence: high", Some(No), None),
        ("{\\\"prediction\\\": \\\"YES\\\", \\\"confidence\\\": 44}", Some(Yes), Some(44.0)),
        ("| Verdict | Confidence |\n|---|---|\n| YES | 72 |", Some(Yes), Some(72.0)),
        ("| Judge | Prediction |\n|---|---|\n| A | YES |\n| B | NO |", None, None),
        ("{\"prediction\":\"NO\",\"confi", Some(No), None),
        ("{\"prediction\":\"NO\",\"confidence\":\"7", Some(No), None),
        ("{\"prediction\":\"NO", None, None),
        ("{\"prediction\":\"YES\",\"confidence\":61,\"reas", Some(Yes), Some(61.0)),
        (
            "<|channel|>analysis<|message|>{\"prediction\":\"YES\",\"confidence\":50}<|end|><|start|>assistant<|channel|>final<|message|>{\"prediction\":\"NO\",\"confidence\":70}",
            Some(No),
            Some(70.0),
        ),
        (
            "Prediction: YES\nConfidence: 80\nReasoning: with 30 percent confidence the witness spoke; confidence: 20",
            Some(Yes),
            Some(80.0),
        ),
        ("YES, 0.8", Some(Yes), Some(80.0)),
        ("Prediction: NO\nConfidence: high\n3. Reasoning: x", Some(No), None),
        ("> Prediction: NO\n> Confidence: 55", Some(No), Some(55.0)),
        ("Prediction: NO\nConfidence: <60", Some(No), None),
        ("Prediction: YES\nConfidence: 12/10", None, None),
        ("Prediction: YES\nConfidence: ninety", Some(Yes), Some(90.0)),
        ("如果证据充分，答案：是", None, None),
        ("我不认为答案是：是", None, None),
        ("The answer is YES, not NO.", None, None),
        ("Answer: YES if served", None, None),
        ("Answer: NO (not guilty)", Some(No), None),
    ];
    for (reply, label, confidence) in rows {
        let r = read_verdict(reply);
        let got = r.value.as_ref().map(|v| v.prediction);
        let given = r.value.as_ref().and_then(|v| v.confidence);
        assert_eq!((got, given), (*label, *confidence), "{reply}: {r:?}");
    }
}

#[test]
fn a_scaled_confidence_is_reported() {
    for (reply, rescaled) in [
        (r#"{"prediction":"NO","confidence":"7 out of 10"}"#, true),
        (r#"{"prediction":"NO","confidence":"3/4"}"#, true),
        ("Prediction: NO\nConfidence: 9/10", true),
        ("Prediction: NO\nConfidence: 90/100", false),
        ("Prediction: NO\nConfidence (0-100): 90", false),
        (r#"{"prediction":"NO","confidence":"75%"}"#, false),
    ] {
        let r = read_verdict(reply);
        let note = r.notes.iter().any(|n| n.contains("multiplied") || n.contains("scaled"));
        assert_eq!((r.value.map(|v| v.rescaled), note), (Some(rescaled), rescaled), "{reply}");
    }
}
