//! Invented tables under rows of column numbers.

use super::super::tables::Tables;
use super::super::tables::tests::{line, merged};
use crate::read::Line;

/// The words of lines, sorted, without what stands between cells.
fn bag(lines: &[String]) -> Vec<String> {
    let words = lines.iter().flat_map(|l| l.split([' ', '-'])).filter(|w| !w.is_empty() && *w != "|");
    let mut words: Vec<String> = words.map(str::to_owned).collect();
    words.sort();
    words
}

fn texts(lines: &[Line]) -> Vec<String> {
    lines.iter().map(|l| l.text.clone()).collect()
}

/// Six columns of which the third nearly touches the fourth, and dittos in the middle of their columns.
fn register() -> Vec<Line> {
    vec![
        line(
            720.0,
            &[
                (54.0, "Rule"),
                (150.0, "Kite"),
                (270.0, "Fee"),
                (352.0, "Shown or not"),
                (432.0, "Kept"),
                (504.0, "By whom"),
            ],
        ),
        line(710.0, &[(362.0, "shown"), (508.0, "seen")]),
        line(698.0, &[(58.0, "1"), (160.0, "2"), (291.0, "3"), (381.0, "4"), (457.0, "5"), (520.0, "6")]),
        line(680.0, &[(200.0, "CHAPTER V.—OF RED KITES")]),
        line(
            660.0,
            &[
                (59.0, "109"),
                (88.0, "Flying a red kite over a house in"),
                (248.0, "One coin for each hour"),
                (347.0, "Not-shown"),
                (428.0, "Kept"),
                (500.0, "Court of"),
            ],
        ),
        line(650.0, &[(88.0, "the town."), (248.0, "and day."), (500.0, "Kites.")]),
        line(
            638.0,
            &[
                (88.0, "If the kite be large and of more than"),
                (248.0, "Two coins."),
                (374.0, "Ditto"),
                (451.0, "Ditto"),
                (513.0, "Ditto."),
            ],
        ),
        line(628.0, &[(88.0, "one colour.")]),
        line(
            616.0,
            &[
                (59.0, "110"),
                (88.0, "Flying a kite by night."),
                (284.0, "Ditto"),
                (347.0, "Shown"),
                (451.0, "Ditto"),
                (505.0, "Any"),
            ],
        ),
        line(606.0, &[(500.0, "keeper.")]),
        line(
            594.0,
            &[
                (59.0, "111A"),
                (88.0, "Selling kites to any person who flies"),
                (248.0, "Three coins or"),
                (374.0, "Ditto"),
                (451.0, "Ditto"),
                (513.0, "Ditto."),
            ],
        ),
        line(584.0, &[(88.0, "them by night."), (248.0, "more.")]),
    ]
}

#[test]
fn every_row_has_all_its_cells_and_no_word_is_lost() {
    let lines = register();
    let rows = merged(&lines);
    assert_eq!(
        rows,
        [
            "Rule | Kite | Fee | Shown or not shown | Kept | By whom seen",
            "1 | 2 | 3 | 4 | 5 | 6",
            "CHAPTER V.—OF RED KITES",
            "109 | Flying a red kite over a house in the town. | One coin for each hour and day. | Not-shown | Kept | Court of Kites.",
            " | If the kite be large and of more than one colour. | Two coins. | Ditto | Ditto | Ditto.",
            "110 | Flying a kite by night. | Ditto | Shown | Ditto | Any keeper.",
            "111A | Selling kites to any person who flies them by night. | Three coins or more. | Ditto | Ditto | Ditto.",
        ]
    );
    assert_eq!(bag(&rows), bag(&texts(&lines)));
}

#[test]
fn the_columns_hold_on_the_page_after() {
    let first = register();
    // The row at the foot goes on, and nothing but one column has a wide gap before it.
    let second = [
        line(720.0, &[(88.0, "and by day.")]),
        line(
            708.0,
            &[
                (59.0, "112"),
                (88.0, "Making a kite of a colour that is"),
                (229.0, "not"),
                (248.0, "Four coins."),
                (374.0, "Ditto"),
                (451.0, "Ditto"),
                (513.0, "Ditto."),
            ],
        ),
        line(698.0, &[(88.0, "known.")]),
        line(
            686.0,
            &[
                (59.0, "113"),
                (88.0, "Burning a kite."),
                (248.0, "Five coins, or six coins"),
                (347.0, "Not-shown"),
                (451.0, "Ditto"),
                (513.0, "Ditto."),
            ],
        ),
        line(
            650.0,
            &[(
                40.0,
                "Nothing that is said here of a kite holds for a lamp, and what is said of a lamp holds for the keeper of it alone.",
            )],
        ),
    ];
    let mut tables = Tables::default();
    let page: Vec<&Line> = first.iter().collect();
    let mut before: Vec<super::super::pages::BodyLine<'_>> = tables
        .page(&page, &mut [])
        .into_iter()
        .map(|line| super::super::pages::BodyLine { line, indent: 0.0, short: None, after_blank: false })
        .collect();
    let page: Vec<&Line> = second.iter().collect();
    let more = tables.page(&page, &mut before);
    let mut rows: Vec<String> = before.iter().map(|l| l.line.text.clone()).collect();
    assert_eq!(
        rows.last().unwrap(),
        "111A | Selling kites to any person who flies them by night. and by day. | Three coins or more. | Ditto | Ditto | Ditto."
    );
    let more: Vec<String> = more.iter().map(|l| l.text.clone()).collect();
    assert_eq!(more.len(), 3, "{more:#?}");
    assert_eq!(
        more[0],
        "112 | Making a kite of a colour that is not known. | Four coins. | Ditto | Ditto | Ditto."
    );
    assert_eq!(more[1], "113 | Burning a kite. | Five coins, or six coins | Not-shown | Ditto | Ditto.");
    assert!(more[2].starts_with("Nothing"));
    rows.extend(more);
    assert_eq!(bag(&rows), bag(&[texts(&first), texts(&second)].concat()));
}

#[test]
fn cells_that_stand_higher_than_the_others_are_of_the_same_row() {
    let lines = [
        line(698.0, &[(58.0, "1"), (160.0, "2"), (291.0, "3"), (381.0, "4")]),
        line(685.0, &[(347.0, "Shown")]),
        line(681.0, &[(59.0, "109"), (88.0, "Flying a red kite over a"), (248.0, "One coin")]),
        line(675.0, &[(347.0, "always.")]),
        line(671.0, &[(88.0, "house.")]),
        line(661.0, &[(50.0, "2"), (347.0, "Shown")]),
        line(657.0, &[(54.5, "[110"), (88.0, "Flying a kite."), (248.0, "Two coins]")]),
        line(645.0, &[(59.0, "111"), (88.0, "Selling a kite."), (248.0, "Two coins"), (347.0, "Shown")]),
    ];
    assert_eq!(
        merged(&lines),
        [
            "1 | 2 | 3 | 4",
            "109 | Flying a red kite over a house. | One coin | Shown always.",
            "2[110 | Flying a kite. | Two coins] | Shown",
            "111 | Selling a kite. | Two coins | Shown",
        ]
    );
}

#[test]
fn a_column_of_numbers_says_where_rows_begin() {
    let mut lines = vec![
        line(720.0, &[(80.0, "Kite"), (203.0, "Rule of the"), (283.0, "Who may fly it")]),
        line(710.0, &[(218.0, "book")]),
        line(698.0, &[(103.0, "1"), (228.0, "2"), (331.0, "3")]),
        line(680.0, &[(61.0, "Red kites, and others"), (224.0, "341,"), (264.0, "The keeper.")]),
        line(670.0, &[(61.0, "of the town."), (224.0, "342")]),
        line(
            660.0,
            &[(61.0, "Green kites of children and some others"), (224.0, "343"), (264.0, "The keeper and")],
        ),
        line(650.0, &[(264.0, "the child.")]),
        // Set against the word before it.
        line(
            640.0,
            &[(61.0, "The white kites by any lamp carrier, smiths,"), (223.8, "344"), (264.0, "Ditto.")],
        ),
        line(630.0, &[(61.0, "etc.")]),
    ];
    lines.push(line(
        612.0,
        &[(
            50.0,
            "Nothing that is said here of a kite holds for a lamp, nor for its keeper, if he is not one.",
        )],
    ));
    let rows = merged(&lines);
    assert_eq!(
        rows.get(..5).unwrap_or_default(),
        [
            "Kite | Rule of the book | Who may fly it",
            "1 | 2 | 3",
            "Red kites, and others of the town. | 341, 342 | The keeper.",
            "Green kites of children and some others | 343 | The keeper and the child.",
            "The white kites by any lamp carrier, smiths, etc. | 344 | Ditto.",
        ]
    );
    assert_eq!(rows.len(), 6, "{rows:#?}");
}
