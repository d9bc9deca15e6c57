//! `--constrain-citations`: the schema of a reply lets its list of provisions hold only what its request shows. An
//! endpoint that does not keep to schemas is not held to it; what it lists is checked as ever.

use std::collections::BTreeSet;

use nyaya_corpora::ProvisionId;
use serde_json::{Value, json};

use crate::prompts::Piece;

/// The field of all courts' replies in which provisions are listed.
const FIELD: &str = "cites";

/// The provisions that a conversation shows inside its fences by their ids: passages that were found, the charges,
/// the law given with a case, and what the others listed.
pub(super) fn shown(pieces: &[Piece]) -> BTreeSet<ProvisionId> {
    let data = pieces.iter().filter_map(|p| match p {
        Piece::Data { entries, .. } => Some(entries),
        Piece::Text(_) | Piece::FenceCode => None,
    });
    let of_an_id = |c: char| c.is_ascii_alphanumeric() || "/#@:.-".contains(c);
    let words = data.flatten().flat_map(|entry| entry.split(|c| !of_an_id(c)));
    words
        .filter(|word| word.contains('#'))
        .filter_map(|word| word.trim_end_matches(['.', ':', '-']).parse::<ProvisionId>().ok())
        .map(|id| id.provision())
        .collect()
}

/// Lets the lists of provisions in a schema hold these and nothing else.
pub(super) fn constrain(schema: &mut Value, shown: &BTreeSet<ProvisionId>) {
    match schema {
        Value::Object(map) => {
            if let Some(Value::Object(properties)) = map.get_mut("properties")
                && let Some(Value::Object(list)) = properties.get_mut(FIELD)
            {
                if shown.is_empty() {
                    list.insert("maxItems".to_owned(), json!(0));
                } else {
                    let ids: Vec<String> = shown.iter().map(ToString::to_string).collect();
                    list.insert("items".to_owned(), json!({"type": "string", "enum": ids}));
                }
            }
            map.values_mut().for_each(|v| constrain(v, shown));
        }
        Value::Array(list) => list.iter_mut().for_each(|v| constrain(v, shown)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn data(text: &str) -> Piece {
        Piece::Data { label: "law".to_owned(), entries: vec![text.to_owned()] }
    }

    #[test]
    fn what_a_request_shows_is_named_by_its_id_inside_a_fence() {
        let pieces = [
            Piece::Text("in/ipc#s1 is an example".to_owned()),
            data(
                "[in/ipc#s300.exc1] A · heading\nwords of Section 2\n[in/ipc@2018-04-21:en#s302] B\n[no#id] C",
            ),
            data("charge: in/ipc#s304. 罪名：cn/criminal-law#a133-1；"),
        ];
        let ids: Vec<String> = shown(&pieces).iter().map(ToString::to_string).collect();
        assert_eq!(ids, ["cn/criminal-law#a133-1", "in/ipc#s300", "in/ipc#s302", "in/ipc#s304"]);
    }

    #[test]
    fn lists_at_any_depth_are_narrowed_and_nothing_else() {
        let list = json!({"type": "array", "maxItems": 6, "items": {"type": "string", "maxLength": 60}});
        let one = json!({"type": "object", "properties": {"statement": {"type": "string"}, "cites": list}});
        let mut schema =
            json!({"type": "object", "properties": {"votes": {"type": "array", "items": one.clone()}}});
        let before = schema.clone();
        constrain(&mut schema, &shown(&[data("[in/ipc#s302] x")]));
        let cites = schema.pointer("/properties/votes/items/properties/cites").unwrap();
        assert_eq!(cites.pointer("/items/enum"), Some(&json!(["in/ipc#s302"])));
        assert_eq!(cites["maxItems"], 6);
        let mut other = before;
        constrain(&mut other, &BTreeSet::new());
        assert_eq!(other.pointer("/properties/votes/items/properties/cites/maxItems"), Some(&json!(0)));
        assert_eq!(
            other.pointer("/properties/votes/items/properties/statement"),
            one.pointer("/properties/statement")
        );
    }
}
