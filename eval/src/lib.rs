//! Metrics, audit and reports: functions of transcripts, qrels and labels. No calls to a model.
