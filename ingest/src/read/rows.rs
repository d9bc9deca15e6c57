//! Sources that are tables: JSON, one object a provision, and SQLite, one row a provision.

use std::path::Path;

use nyaya_corpora::manifest::{FieldMap, Format};
use rusqlite::types::ValueRef;
use serde_json::Value;

use super::{Body, Document, Reader, Row, bytes, encoding, sha256_hex};
use crate::Error;

/// More rows are not a statute.
const MAX_ROWS: usize = 100_000;

/// Reads JSON through a field map. Without one it finds the array of rows and the usual field names itself.
#[derive(Debug, Clone, Default)]
pub struct JsonReader {
    /// Which fields hold what.
    pub fields: Option<FieldMap>,
}

impl Reader for JsonReader {
    fn format(&self) -> Format {
        Format::Json
    }

    fn read(&self, path: &Path) -> Result<Document, Error> {
        let bytes = bytes(path)?;
        let (text, _) = encoding::decode(path, &bytes)?;
        let value: Value = serde_json::from_str(&text).map_err(|e| {
            Error::file(
                path,
                format!("not valid JSON: {e}"),
                "the file is damaged or is no JSON; fetch it again",
            )
        })?;
        let fields = match &self.fields {
            Some(fields) => fields.clone(),
            None => guess(&value).ok_or_else(|| {
                Error::file(
                    path,
                    "no array of objects with a number and a text in it",
                    "describe the file in the statute's manifest: [source.fields] rows, number, heading, text",
                )
            })?,
        };
        let rows = value.pointer(&fields.rows).and_then(Value::as_array).ok_or_else(|| {
            Error::file(
                path,
                format!("the JSON pointer `{}` does not lead to an array", fields.rows),
                "correct `rows` in the manifest's [source.fields]",
            )
        })?;
        if rows.len() > MAX_ROWS {
            return Err(Error::file(
                path,
                format!("{} rows", rows.len()),
                "give a file that holds one statute",
            ));
        }
        let mut out = Vec::with_capacity(rows.len());
        for (index, row) in rows.iter().enumerate() {
            let field = |name: &str| row.get(name).and_then(scalar);
            let Some(number) = field(&fields.number) else {
                return Err(Error::file(
                    path,
                    format!("row {index} has no field `{}`", fields.number),
                    "correct `number` in the manifest's [source.fields]",
                ));
            };
            out.push(Row {
                index,
                number,
                heading: fields.heading.as_deref().and_then(field).filter(|h| !h.trim().is_empty()),
                text: field(&fields.text).unwrap_or_default(),
                breadcrumb: fields
                    .breadcrumb
                    .iter()
                    .filter_map(|f| field(f))
                    .filter(|b| !b.trim().is_empty())
                    .collect(),
            });
        }
        document(path, sha256_hex(&bytes), Format::Json, out)
    }
}

fn scalar(value: &Value) -> Option<String> {
    match value {
        Value::String(s) => Some(s.clone()),
        Value::Number(n) => Some(n.to_string()),
        _ => None,
    }
}

/// The field map of a plain array of objects by the names people give such fields.
fn guess(value: &Value) -> Option<FieldMap> {
    let (rows, first) = match value {
        Value::Array(rows) => (String::new(), rows.first()?.as_object()?),
        Value::Object(map) => map.iter().find_map(|(name, v)| {
            let name = name.replace('~', "~0").replace('/', "~1");
            Some((format!("/{name}"), v.as_array()?.first()?.as_object()?))
        })?,
        _ => return None,
    };
    let find = |names: &[&str]| {
        names.iter().find_map(|name| first.keys().find(|k| k.eq_ignore_ascii_case(name)).cloned())
    };
    Some(FieldMap {
        rows,
        number: find(&["section", "article", "number", "article_no", "section_number", "no"])?,
        heading: find(&["section_title", "title", "heading", "name"]),
        text: find(&["section_desc", "description", "text", "content", "desc", "body"])?,
        breadcrumb: Vec::new(),
    })
}

/// Reads a query's rows from an SQLite file, which is opened read-only.
#[derive(Debug, Clone, Default)]
pub struct SqliteReader {
    /// `rows` is the query; the other fields name its columns.
    pub fields: Option<FieldMap>,
}

impl Reader for SqliteReader {
    fn format(&self) -> Format {
        Format::Sqlite
    }

    fn read(&self, path: &Path) -> Result<Document, Error> {
        let fields = self.fields.as_ref().ok_or_else(|| {
            Error::file(
                path,
                "an SQLite file needs a query to be read",
                "describe the file in the statute's manifest: [source.fields] rows (a SELECT), number, text",
            )
        })?;
        let sha256 = sha256_hex(&bytes(path)?);
        let failed = |e: rusqlite::Error| {
            Error::file(
                path,
                format!("SQLite: {e}"),
                "the file is damaged, or the manifest's query does not fit it; fetch it again",
            )
        };
        use rusqlite::OpenFlags;
        // `immutable` keeps SQLite from making journal files beside a source that may not be writable.
        let mut address = String::from("file:");
        for byte in
            path.to_str().ok_or_else(|| Error::file(path, "the path is not UTF-8", "move the file"))?.bytes()
        {
            match byte {
                b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'_' | b'.' | b'~' => {
                    address.push(char::from(byte))
                }
                _ => address.push_str(&format!("%{byte:02X}")),
            }
        }
        address.push_str("?immutable=1");
        let flags =
            OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = rusqlite::Connection::open_with_flags(&address, flags).map_err(failed)?;
        let mut statement = connection.prepare(&fields.rows).map_err(failed)?;
        if !statement.readonly() {
            return Err(Error::file(path, "the manifest's query would write", "use a SELECT"));
        }
        let column = |name: &str| statement.column_index(name).map_err(failed);
        let number = column(&fields.number)?;
        let text = column(&fields.text)?;
        let heading = fields.heading.as_deref().map(column).transpose()?;
        let breadcrumb = fields.breadcrumb.iter().map(|b| column(b)).collect::<Result<Vec<_>, _>>()?;
        let mut out = Vec::new();
        let mut cursor = statement.query([]).map_err(failed)?;
        while let Some(row) = cursor.next().map_err(failed)? {
            if out.len() >= MAX_ROWS {
                return Err(Error::file(
                    path,
                    format!("more than {MAX_ROWS} rows"),
                    "narrow the manifest's query to one statute",
                ));
            }
            let index = out.len();
            let get = |i: usize| -> Result<Option<String>, Error> {
                Ok(match row.get_ref(i).map_err(failed)? {
                    ValueRef::Text(bytes) => Some(String::from_utf8(bytes.to_vec()).map_err(|_| {
                        Error::file(
                            path,
                            format!("row {index} is not UTF-8"),
                            "get the file from its publisher again",
                        )
                    })?),
                    ValueRef::Integer(n) => Some(n.to_string()),
                    _ => None,
                })
            };
            let number = get(number)?.unwrap_or_default();
            let mut crumbs = Vec::new();
            for b in &breadcrumb {
                crumbs.extend(get(*b)?.filter(|b| !b.trim().is_empty()));
            }
            let heading = match heading {
                Some(h) => get(h)?.filter(|h| !h.trim().is_empty()),
                None => None,
            };
            out.push(Row {
                index,
                number,
                heading,
                text: get(text)?.unwrap_or_default(),
                breadcrumb: crumbs,
            });
        }
        document(path, sha256, Format::Sqlite, out)
    }
}

fn document(path: &Path, sha256: String, format: Format, rows: Vec<Row>) -> Result<Document, Error> {
    if rows.is_empty() {
        return Err(Error::file(
            path,
            "no rows",
            "check the manifest's [source.fields], or fetch the file again",
        ));
    }
    Ok(Document {
        path: path.to_owned(),
        sha256,
        format,
        pages: None,
        body: Body::Rows(rows),
        notes: Vec::new(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_come_through_a_pointer_or_by_their_usual_names() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("act.json");
        std::fs::write(&path, r#"{"meta":1,"parts":[{"Section":1,"section_title":"Name","section_desc":"This is an act."},{"Section":"1A","section_desc":"More."}]}"#).unwrap();
        let fields = FieldMap {
            rows: "/parts".into(),
            number: "Section".into(),
            heading: Some("section_title".into()),
            text: "section_desc".into(),
            breadcrumb: vec![],
        };
        for fields in [Some(fields), None] {
            let document = JsonReader { fields }.read(&path).unwrap();
            let Body::Rows(rows) = document.body else { panic!() };
            assert_eq!(rows[0].number, "1");
            assert_eq!(
                (rows[1].number.as_str(), rows[1].heading.as_deref(), rows[1].text.as_str()),
                ("1A", None, "More.")
            );
        }
        let wrong = FieldMap { rows: "/nothing".into(), ..FieldMap::default() };
        assert!(JsonReader { fields: Some(wrong) }.read(&path).unwrap_err().to_string().contains("hint: "));
    }

    #[test]
    fn sqlite_is_read_and_never_written() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("laws 1.db");
        let db = rusqlite::Connection::open(&path).unwrap();
        db.execute_batch("CREATE TABLE a(no TEXT, body TEXT, law TEXT); INSERT INTO a VALUES('第一条','甲。','x'),('第二条','乙。','x'),('第一条','丙。','y');").unwrap();
        drop(db);
        let fields = |rows: &str| {
            Some(FieldMap {
                rows: rows.into(),
                number: "no".into(),
                text: "body".into(),
                ..FieldMap::default()
            })
        };
        let document = SqliteReader { fields: fields("SELECT no, body FROM a WHERE law='x' ORDER BY rowid") }
            .read(&path)
            .unwrap();
        let Body::Rows(rows) = document.body else { panic!() };
        assert_eq!(rows.iter().map(|r| r.text.as_str()).collect::<Vec<_>>(), ["甲。", "乙。"]);
        for query in ["DELETE FROM a", "SELECT nothing FROM a", ""] {
            assert!(
                SqliteReader { fields: fields(query) }
                    .read(&path)
                    .unwrap_err()
                    .to_string()
                    .contains("hint: ")
            );
        }
    }
}
