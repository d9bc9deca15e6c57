//! Whose a number is where more than one act is named: headnotes, and acts that the catalogue does not have.

use super::*;

#[test]
fn in_a_headnote_the_act_stands_before_its_numbers() {
    check_rows(&[
        ("Penal Code, 1860 — S. 302 — Criminal Procedure Code, 1973 — S. 313", "ipc#s302 crpc#s313"),
        ("Criminal Procedure Code, 1973 — S. 482 — Penal Code, 1860, S. 420", "crpc#s482 ipc#s420"),
        ("Evidence Act, 1872 - S. 32 - Penal Code, 1860 - S. 302", "evidence-act#s32 ipc#s302"),
        ("Dak Act, S. 138 - CrPC, S. 482", "? crpc#s482"),
        (
            "Constitution of India, Arts. 14, 21 and 226 — CrPC, S. 482",
            "constitution#a14 constitution#a21 constitution#a226 crpc#s482",
        ),
        ("Constitution of India, Art. 136 - Penal Code, S. 302", "constitution#a136 ipc#s302"),
        ("BNS - S. 103 - BNSS - S. 483", "bns#s103 bnss#s483"),
        ("Dak Act, S. 37 — Penal Code", "?"),
        ("CrPC, S. 37 — Penal Code", "crpc#s37"),
        ("Penal Code, 1860, S. 302 - Evidence Act, 1872, S. 8", "ipc#s302 evidence-act#s8"),
        (
            "Penal Code (45 of 1860), Ss. 300 and 304 - Evidence Act (1 of 1872), S. 32",
            "ipc#s300 ipc#s304 evidence-act#s32",
        ),
        ("IPC, 1860 - Section 376 - CrPC, 1973 - Section 161", "ipc#s376 crpc#s161"),
        ("Penal Code – Ss. 299 to 304 – CrPC – S. 313", "ipc#s299~s304 crpc#s313"),
        ("Penal Code — S. 302 r/w S. 34 — CrPC — S. 313", "ipc#s302 ipc#s34 crpc#s313"),
        ("Penal Code: S. 302: Criminal Procedure Code: S. 313", "ipc#s302 crpc#s313"),
        ("Penal Code, S. 302, Criminal Procedure Code, S. 313", "ipc#s302 crpc#s313"),
        ("CrPC, 1973, S. 482 Penal Code, 1860, S. 420", "crpc#s482 ipc#s420"),
        ("Penal Code — S. 302 — Ferries Act — S. 7A — CrPC — S. 313", "ipc#s302 ? crpc#s313"),
        ("Penal Code — S. 302 — Constitution of India — Art. 136", "ipc#s302 constitution#a136"),
        // Whether the acts stand before or behind is not said.
        ("S. 302 — Penal Code, 1860 — S. 34", "? ?"),
        ("S. 302 — IPC — S. 313 — CrPC — S. 5 — Evidence Act", "? ? ?"),
        ("Penal Code, 1860 ― S. 302 ― Criminal Procedure Code ― S. 313", "ipc#s302 crpc#s313"),
        // Nothing else can be meant.
        ("S. 302, IPC — S. 313, CrPC", "ipc#s302 crpc#s313"),
        ("S. 302 IPC — S. 313 CrPC", "ipc#s302 crpc#s313"),
        ("Section 302 – IPC", "ipc#s302"),
        ("Section 302 - Indian Penal Code - murder", "ipc#s302"),
        ("Section-302-IPC", "ipc#s302"),
    ]);
}

#[test]
fn the_number_of_an_act_before_it_is_not_of_the_act_behind_the_list() {
    check_rows(&[
        ("गैंगस्टर एक्ट की धारा 3 एवं धारा 376 भा.दं.सं.", "? ipc#s376"),
        ("पाक्सो एक्ट की धारा 4 एवं धारा 376 भादवि", "? ipc#s376"),
        ("पास्को की धारा 4 व धारा 376 भादवि", "? ipc#s376"),
        ("मोटर व्हीकल एक्ट की धारा 184 एवं धारा 279 भादवि", "? ipc#s279"),
        ("एम.वी. एक्ट की धारा 3/181 एवं धारा 279 भादवि", "? ? ipc#s279"),
        ("एम.वी. एक्ट 3/181 एवं धारा 279 भादवि", "? ? ipc#s279"),
        ("रेलवे एक्ट की धारा 147 तथा धारा 353 भादवि", "? ipc#s353"),
        ("आई.टी. एक्ट की धारा 66 एवं धारा 420 भादवि", "? ipc#s420"),
        ("विस्फोटक पदार्थ अधिनियम की धारा 3 एवं धारा 302 भादवि", "? ipc#s302"),
        ("Gangster act ki dhara 3 aur dhara 302 IPC", "? ipc#s302"),
        ("Railways Act section 147 and section 353 IPC", "? ipc#s353"),
        ("under the Gangsters Act section 3 and section 302 IPC", "? ipc#s302"),
        ("GST law section 132 and section 420 IPC", "? ipc#s420"),
        ("TADA ss. 3, 5 r/w ss. 302, 307 IPC", "? ? ipc#s302 ipc#s307"),
        ("In the Customs Act s. 135, in the IPC s. 420", "? ipc#s420"),
        ("MCOCA 3(2) and 302 IPC", "? ipc#s302"),
        ("MCOCA 3(2), 4 and sections 302, 34 IPC", "? ? ipc#s302 ipc#s34"),
        ("MCOCA s. 3(2), IPC s. 302", "? ipc#s302"),
        ("Gangsters Act — S. 3 — Penal Code — S. 302", "? ipc#s302"),
        ("Gangsters Act — S. 3 — Penal Code", "?"),
        ("Gangsters Act, section 3, IPC, section 302", "? ipc#s302"),
        ("under the Forest Act, 1927, sections 26, 33 and 379 IPC", "? ? ipc#s379"),
        (
            "Evidence Act sections 8, 20 and sections 353, 332 IPC",
            "evidence-act#s8 evidence-act#s20 ipc#s353 ipc#s332",
        ),
        ("Railways Act, as amended, section 147 and section 353 IPC", "? ipc#s353"),
        ("Railways Act (24 of 1989), Ss. 147, 148 and S. 353 IPC", "? ? ipc#s353"),
        ("Railways Act No. 24 of 1989 section 147 and section 353 IPC", "? ipc#s353"),
        ("Railways Act of 1989 section 147 and section 353 IPC", "? ipc#s353"),
        ("the Railways Act's section 147 and section 353 IPC", "? ipc#s353"),
        ("the Railways Act; section 147 and section 353 IPC", "? ipc#s353"),
        ("Railways Act provides in section 147 and section 353 IPC", "? ipc#s353"),
        ("Railways Act, s 147: Penal Code, s 353", "? ipc#s353"),
        // What is no act, or is one cited before, takes nothing.
        ("हत्या की धारा 302 और धारा 34 IPC", "ipc#s302 ipc#s34"),
        ("the CBI, section 302 and section 34 IPC", "ipc#s302 ipc#s34"),
        ("his act, section 302 and section 34 IPC", "ipc#s302 ipc#s34"),
        // Of the act before or the code behind: nobody can tell.
        ("Arms Act, Section 302 IPC", "?"),
        ("Sections 3, 4 Gangsters Act and section 302 IPC", "? ? ipc#s302"),
    ]);
}

#[test]
fn a_code_with_the_number_of_another_is_another() {
    let mut rows = Vec::new();
    for name in [
        "Criminal Procedure Code (V of 1898)",
        "Code of Criminal Procedure, Act V of 1898",
        "Criminal Procedure Code, V of 1898",
        "Criminal Procedure Code, 5 of 1898",
        "Criminal Procedure Code (5 of 1898)",
        "Criminal Procedure Code (Act No. V of 1898)",
        "Criminal Procedure Code (No. V of 1898)",
        "Criminal Procedure Code, Act No. 5 of 1898",
        "Criminal Procedure Code Act V of 1898",
        "Criminal Procedure Code [Act V of 1898]",
        "Criminal Procedure Code (Central Act V of 1898)",
        "Code of Criminal Procedure, Act X of 1882",
        "Code of Criminal Procedure, 1898 (V of 1898)",
        "Code of Criminal Procedure, 1973 (V of 1898)",
        "Code of Criminal Procedure as amended in 1955 (V of 1898)",
        "Code of Criminal Procedure (as amended in 1955)",
        "Code of Criminal Procedure of the year 1898",
        "Code of Criminal Procedure (3 of 1974)",
        "Criminal Procedure Code then in force (V of 1898)",
        "Criminal Procedure Code, that is Act V of 1898",
        "Criminal Procedure Code {V of 1898}",
        "Criminal Procedure Code (Act V) of 1898",
        "Criminal Procedure Code (v of 1898)",
        "Code of Criminal Procedure (Act, 1898)",
        "Code of Criminal Procedure in its 1898 form",
        "Code of Criminal Procedure, since repealed (V of 1898)",
        "Code of Criminal Procedure (Cr.P.C.) (V of 1898)",
        "Code of Criminal Procedure (hereafter the Code) (V of 1898)",
        "Cr.P.C. (Old)",
        "Penal Code (XLV of 1861)",
        "Penal Code, Act XIV of 1870",
    ] {
        rows.push((format!("Section 161 of the {name}"), "?"));
    }
    for name in ["Criminal Procedure Code (V of 1898)", "Code of Criminal Procedure, Act V of 1898"] {
        rows.push((format!("{name}, S. 161"), "?"));
        rows.push((format!("{name} - S. 161 - Offence"), "?"));
    }
    rows.push(("Section 161 (old) Cr.P.C.".to_owned(), "?"));
    rows.push(("दंड प्रक्रिया संहिता (1898 का 5) की धारा 161".to_owned(), "?"));
    for name in [
        "Code of Criminal Procedure (2 of 1974)",
        "Code of Criminal Procedure, 1973 (II of 1974)",
        "Code of Criminal Procedure (Act No. 2 of 1974)",
        "Code of Criminal Procedure as amended in 2005",
        "Code of Criminal Procedure (FIR No. 5 of 1970)",
        "Code of Criminal Procedure as amended by Act 25 of 2005",
    ] {
        rows.push((format!("Section 161 of the {name}"), "crpc#s161"));
    }
    rows.push(("Penal Code (XLV of 1860), S. 302".to_owned(), "ipc#s302"));
    rows.push(("Section 302 of the Indian Penal Code, Act XLV of 1860".to_owned(), "ipc#s302"));
    let rows: Vec<(&str, &str)> = rows.iter().map(|(text, want)| (text.as_str(), *want)).collect();
    check_rows(&rows);
}

#[test]
fn a_code_reads_its_own_references() {
    let own = Context {
        default_work: Some("in/crpc".parse().unwrap()),
        jurisdiction: Some("in".to_owned()),
        ..Context::default()
    };
    for (text, want) in [
        // The document's own code is named first; the list is tied to the act behind it.
        (
            "Notwithstanding anything in this Code, theft under section 379, section 380 or section 381 of the Indian Penal Code (45 of 1860) is tried at once",
            "in/ipc#s379 in/ipc#s380 in/ipc#s381",
        ),
        // A declaration is no Declaration.
        (
            "Where the Court makes a declaration on a boat under section 105, the owner is told.",
            "in/crpc#s105",
        ),
        // A sub-section, an explanation, and the head of a form speak for themselves.
        (
            "(1) Rules may be made under the Boats Act, 1987.\n(2) The keeper acts under section 328.",
            "in/crpc#s328",
        ),
        ("He was bound by the Boats Code.\nExplanation.—In section 176 a boat is a ship.", "in/crpc#s176"),
        ("As the Boats Act has it.\nORDER ON A BOAT\n(See section 83)", "in/crpc#s83"),
        // But a sentence does not.
        ("Rules may be made under the Boats Act, 1987. The keeper acts under section 328.", "?"),
        // A year is no provision of the next act.
        ("bound by the Boats Act, 1950 (46 of 1950), the Ships Act or the Rafts Act", ""),
    ] {
        assert_eq!(shapes(text, &own), want, "{text}");
    }
}

#[test]
fn what_goes_by_the_name_of_one_of_the_catalogue_is_left_open() {
    let mut rows: Vec<(String, &str)> = Vec::new();
    for name in [
        "pakistan penal code ki dhara 302",
        "ranbir penal code, section 302",
        "malaysian penal code sec 302",
        "pakistan ke crpc ki dhara 154",
        "Pakistan's IPC s. 302",
        "singapore's penal code, s 300",
        "Macaulay's draft Penal Code, section 302",
        "Section 302 of the Penal Code as in force in Pakistan",
        "Section 302 of the Penal Code, as applied to Ceylon",
        "Section 302 of the Penal Code which Pakistan retained",
        "The Sri Lankan court applied section 296 of the Penal Code.",
        "In Singapore, section 300 of the Penal Code defines murder.",
        "Article 14 of the Constitution of the Indian National Congress",
        "Article 3 of the Constitution of our cooperative bank",
        "Under the club's Constitution, Article 14 requires notice.",
        "nepal constitution article 21",
        "Article 14 of the Constitution (of Nepal)",
        "The Supreme Court of Nepal read Article 12 of the Constitution broadly.",
        "在台湾，刑法第二百七十一条规定杀人罪",
        "在日本，《刑法》第一百九十九条规定杀人罪",
        "德国现行《刑法》第211条",
        "台湾地区现行“刑法”第271条",
        "北洋政府刑法第二十条",
    ] {
        rows.push((name.to_owned(), "?"));
    }
    for (text, want) in [
        ("A citizen of Nepal was charged under section 302 of the Penal Code.", "ipc#s302"),
        ("Section 302 of the Penal Code and the law of the land", "ipc#s302"),
        ("Article 14 of the Constitution of India, a union of States", "constitution#a14"),
        ("被告人在日本，后依《刑法》第二百六十四条受审", "cl#a264"),
        ("我国现行《刑法》第二百六十四条", "cl#a264"),
        ("In Pakistan he fled; section 302 of the Penal Code applies.", "ipc#s302"),
    ] {
        rows.push((text.to_owned(), want));
    }
    let rows: Vec<(&str, &str)> = rows.iter().map(|(text, want)| (text.as_str(), *want)).collect();
    check_rows(&rows);
}
