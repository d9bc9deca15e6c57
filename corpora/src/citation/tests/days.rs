//! Days on which provisions began and ended.

use super::*;

#[test]
fn facts_of_the_manifest_and_of_the_row_itself_decide() {
    let manifest = format!(
        "{LAMP}\n[[commencement]]\nid = \"xx/lamp-act#s3A\"\nfrom = \"2003-05-01\"\n\n[[commencement]]\nid = \"xx/lamp-act#s6\"\nfrom = \"2000-01-01\"\nuntil = \"2006-01-01\"\n\n[[commencement]]\nid = \"xx/lamp-act#s4\"\nfrom = \"1999-11-01\"\n"
    );
    let catalogue = Catalogue::new([Manifest::parse("lamp", &manifest).unwrap()]);
    let gone = "[Torches.] Rep. by the Dusk Act (w. e. f. 6-4-2004).";
    let held = MemoryLookup::new([edition(
        date(2010, 1, 1),
        true,
        vec![
            lamp("s1", S1, Status::InForce),
            lamp("s3A", "Glass.", Status::InForce),
            lamp("s4", "Moths.", Status::InForce),
            lamp("s6", "Omitted.", Status::Omitted),
            lamp("s2", gone, Status::Repealed),
            // A source that does not say so but in the text.
            lamp("s5", gone, Status::InForce),
        ],
    )]);
    for (text, day, want) in [
        // The list of 2000 lacks it, and the fact says when it came.
        ("Section 3A of the Lamp Act", date(2003, 4, 30), Verdict::NotYetInForce),
        ("Section 6 of the Lamp Act", date(2006, 1, 1), Verdict::Repealed),
        // It was law, and what it said is not held.
        ("Section 6 of the Lamp Act", date(2005, 12, 31), Verdict::Unchecked),
        ("Section 2 of the Lamp Act", date(2004, 4, 5), Verdict::Unchecked),
        ("Section 5 of the Lamp Act", date(2003, 4, 5), Verdict::Unchecked),
        ("Section 5 of the Lamp Act", date(2015, 4, 5), Verdict::Repealed),
        ("Section 2 of the Lamp Act", date(2004, 4, 6), Verdict::Repealed),
        ("Section 2 of the Lamp Act", date(2015, 4, 6), Verdict::Repealed),
        // Begun before the act.
        ("Section 4 of the Lamp Act", date(1999, 12, 1), Verdict::Verified),
        ("Section 4 of the Lamp Act", date(1999, 10, 1), Verdict::NotYetInForce),
        ("Section 1 of the Lamp Act", date(1999, 12, 1), Verdict::NotYetInForce),
    ] {
        let c = check_text(text, &held, &catalogue, &on(day)).citations;
        assert_eq!(c[0].verdict, want, "{text} on {day}: {}", c[0].reason);
    }
}
