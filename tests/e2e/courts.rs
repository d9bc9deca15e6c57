//! Reading answers, and the debate, the panel and the baselines from the command line.

use serde_json::Value;

use crate::endpoint::{Endpoint, Manner};
use crate::support::Place;

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|l| serde_json::from_str(l).unwrap()).collect()
}

#[test]
fn read_shows_every_line_and_names_a_bad_one() {
    let place = Place::new();
    let terms =
        "{\"id\":\"a\",\"text\":\"判处有期徒刑三年六个月\",\"months\":42}\n{\"reply\":\"六个月至一年\"}\n";
    std::fs::write(place.path("terms.jsonl"), terms).unwrap();
    let read = lines(&place.ok(&["read", "terms", "terms.jsonl"]));
    assert_eq!(
        (&read[0]["months"], &read[0]["class"], &read[0]["stage"]),
        (&42.into(), &"fixed".into(), &"pattern".into())
    );
    assert_eq!((&read[1]["months"], &read[1]["class"]), (&Value::Null, &"range".into()));
    assert_eq!(read[1]["range"], serde_json::json!([6, 12]));
    let list = place.json(&["read", "terms", "terms.jsonl"]);
    assert_eq!(list.as_array().unwrap().len(), 2);
    let table = place.ok(&["read", "terms", "--table", "terms.jsonl"]);
    assert!(table.contains("months") && table.contains("6 to 12"), "{table}");

    let verdicts = "{\"reply\":\"Prediction: NO\\nConfidence: 30\"}\nnot json\n{\"text\":\"{\\\"prediction\\\":\\\"YES\\\",\\\"confidence\\\":72}\"}\n";
    std::fs::write(place.path("verdicts.jsonl"), verdicts).unwrap();
    let out = place.run(&["read", "verdicts", "verdicts.jsonl"]);
    assert!(!out.status.success());
    let read = lines(&String::from_utf8(out.stdout).unwrap());
    assert_eq!(read.len(), 3);
    assert_eq!(
        (&read[0]["prediction"], &read[0]["confidence"], &read[0]["stage"]),
        (&"NO".into(), &30.0.into(), &"pattern".into())
    );
    assert!(read[1]["error"].as_str().unwrap().starts_with("not JSON"));
    assert_eq!((&read[2]["prediction"], &read[2]["stage"]), (&"YES".into(), &"strict".into()));
    let said = String::from_utf8(out.stderr).unwrap();
    assert!(said.contains("line 2: not JSON") && said.contains("hint:"), "{said}");
    place.fails(&["read", "terms", "absent.jsonl"], &["absent.jsonl"]);
    std::fs::write(place.path("empty.jsonl"), "\n").unwrap();
    place.fails(&["read", "verdicts", "empty.jsonl"], &["holds no line"]);
}

const TABLE: &str = "id,age,priors,race,recid\n1,33,4,a,1\n2,21,0,b,0\n3,50,2,a,0\n4,27,1,b,1\n";

#[test]
fn a_debate_needs_no_knowledge_base_and_is_matched_by_baselines() {
    let place = Place::new();
    std::fs::write(place.path("rows.csv"), TABLE).unwrap();
    let endpoint = Endpoint::start(Manner::Good(0));
    let url = endpoint.url();
    let model = ["--llm", url.as_str(), "--model", "m"];
    let table = ["--table", "rows.csv", "--target", "recid", "--positive", "1", "--drop", "race"];
    let run = |extra: &[&str]| {
        let mut args = vec!["run"];
        args.extend(extra);
        args.extend(table);
        args.extend(model);
        place.json(&args)
    };
    let debate = run(&["simlaw", "--limit", "2", "--out", "debate"]);
    assert_eq!(debate["finished"], 2);
    assert_eq!(debate["total"]["asked"], 32);
    let said = serde_json::to_string(&endpoint.requests()).unwrap();
    assert!(said.contains("Priors: 4.") && !said.contains("recid") && !said.contains("Race"));
    // The same again asks nobody.
    let again = run(&["simlaw", "--limit", "2", "--out", "debate"]);
    assert_eq!((&again["total"]["asked"], &again["total"]["replayed"]), (&0.into(), &32.into()));
    let control = run(&["simlaw", "--control", "random-flip", "--flip-rate", "debate", "--out", "control"]);
    assert_eq!((&control["finished"], &control["total"]["asked"]), (&4.into(), &4.into()));
    // A debate took 16 · 120 tokens; a sample takes 120.
    let same = run(&[
        "single",
        "--method",
        "self-consistency",
        "--match-tokens",
        "debate",
        "--limit",
        "1",
        "--out",
        "sc",
    ]);
    assert_eq!(same["total"]["asked"], 16);
    std::fs::write(
        place.path("train.csv"),
        TABLE.replace("1,33,4,a,1\n", "1,33,4,a,1\n9,33,4,b,0\n8,60,0,a,0\n"),
    )
    .unwrap();
    let shots = run(&[
        "single",
        "--method",
        "fewshot",
        "--train",
        "train.csv",
        "--examples",
        "2",
        "--limit",
        "1",
        "--out",
        "few",
    ]);
    assert_eq!(shots["finished"], 1);
    let case: Value =
        serde_json::from_str(&std::fs::read_to_string(place.path("few/cases/rows-1.json")).unwrap()).unwrap();
    // Row 1 of the training file is the case, row 9 tells the same story.
    assert_eq!((&case["shots"]["dropped"], &case["shots"]["of"]), (&2.into(), &6.into()));
    assert_eq!(case["shots"]["list"].as_array().unwrap().len(), 2);

    place.fails(&["run", "simlaw", "--table", "rows.csv", "--target", "recid"], &["--positive"]);
    place.fails(
        &["run", "simlaw", "--table", "rows.csv", "--target", "x", "--positive", "1"],
        &["columns are"],
    );
    place.fails(
        &[
            "run",
            "single",
            "--method",
            "fewshot",
            "--table",
            "rows.csv",
            "--target",
            "recid",
            "--positive",
            "1",
        ],
        &["--train"],
    );
}

const PAIRS: &str = "<d><pair id=\"p1\" label=\"Y\"><t1>Article 1 A berth has a keeper.</t1><t2>A berth has a keeper.</t2></pair><pair id=\"p2\" label=\"N\"><t1>Article 2 A fee is due.</t1><t2>No fee is due.</t2></pair></d>";

#[test]
fn a_sweep_of_panels_is_one_command_and_goes_on() {
    let place = Place::new();
    std::fs::write(place.path("pairs.xml"), PAIRS).unwrap();
    let endpoint = Endpoint::start(Manner::Good(0));
    let url = endpoint.url();
    let args = [
        "run",
        "lmad",
        "--cases",
        "pairs.xml",
        "--sweep",
        "--agents",
        "2,3",
        "--rounds",
        "1,2",
        "--decision",
        "vote",
        "--personas",
        "fixed",
        "--out",
        "sweep",
        "--llm",
        &url,
        "--model",
        "m",
    ];
    let cells = place.json(&args);
    let cells = cells.as_array().unwrap();
    assert_eq!(cells.len(), 4);
    for cell in cells {
        assert_eq!((&cell["finished"], &cell["known"]), (&2.into(), &2.into()), "{cell}");
        let run = place.path(cell["run"].as_str().unwrap());
        assert!(run.join("run.toml").is_file());
    }
    let asked = endpoint.count();
    place.ok(&args);
    assert_eq!(endpoint.count(), asked, "all is read back");
    place.fails(
        &["run", "lmad", "--cases", "pairs.xml", "--agents", "2,3", "--llm", &url, "--model", "m"],
        &["--sweep"],
    );
}
