//! Sources that are tables: JSON, JSON lines, CSV, and SQLite.

use std::path::Path;

use nyaya_corpora::manifest::{FieldMap, Format};
use nyaya_corpora::{Diagnostic, Severity};
use rusqlite::types::ValueRef;
use serde_json::{Map, Value};

use super::{Body, Document, Reader, Row, bytes, encoding, own, records, sha256_hex};
use crate::Error;

/// More rows are not a statute.
pub(super) const MAX_ROWS: usize = 100_000;
/// Columns of a table that are looked at.
const MAX_COLUMNS: usize = 200;

/// Reads JSON, JSON lines and CSV through a field map. Without one it finds rows and fields by what they hold.
#[derive(Debug, Clone)]
pub struct TableReader {
    /// [`Format::Json`], [`Format::Jsonl`] or [`Format::Csv`].
    pub format: Format,
    /// Which fields hold what.
    pub fields: Option<FieldMap>,
}

impl Reader for TableReader {
    fn format(&self) -> Format {
        self.format
    }

    fn read(&self, path: &Path) -> Result<Document, Error> {
        let bytes = bytes(path)?;
        let (text, _) = encoding::decode(path, &bytes)?;
        if self.format == Format::Jsonl
            && let Some(held) = own::read(path, &text)?
        {
            return Ok(Document {
                path: path.to_owned(),
                sha256: sha256_hex(&bytes),
                format: self.format,
                pages: None,
                files: Vec::new(),
                body: Body::Held(Box::new(held)),
                notes: Vec::new(),
            });
        }
        let value = match self.format {
            Format::Jsonl => json_lines(path, &text)?,
            Format::Csv => csv_rows(path, &text)?,
            _ => serde_json::from_str(&text).map_err(|e| {
                Error::file(
                    path,
                    format!("not valid JSON: {e}"),
                    "the file is damaged or is no JSON (one object a line is .jsonl); fetch it again",
                )
            })?,
        };
        let sha256 = sha256_hex(&bytes);
        match &self.fields {
            Some(fields) => document(path, sha256, self.format, mapped(path, &value, fields)?, None),
            None => found(path, sha256, self.format, &value),
        }
    }
}

/// Rows by what the fields hold; where no objects are provisions, the words as running text.
fn found(path: &Path, sha256: String, format: Format, value: &Value) -> Result<Document, Error> {
    if let Some(found) = records::find(value) {
        let fields = &found.fields;
        let said = format!(
            "no field map was given; read: number from `{}`, text from `{}`{}{}",
            fields.number,
            fields.text,
            fields.heading.as_ref().map_or_else(String::new, |h| format!(", heading from `{h}`")),
            if fields.rows.is_empty() { String::new() } else { format!(", rows of `{}`", fields.rows) },
        );
        let mut document = document(path, sha256, format, found.rows, Some(said))?;
        if !found.left.is_empty() {
            let names: Vec<String> =
                found.left.iter().map(|(name, n)| format!("`{name}` ({n} letters)")).collect();
            document.notes.push(Diagnostic::new(
                Severity::Warning,
                "left_out",
                format!("words outside the rows were not read: {}", names.join(", ")),
            ));
        }
        return Ok(document);
    }
    let lines = records::running_text(value);
    if lines.iter().all(|l| l.text.trim().is_empty()) {
        return Err(Error::file(
            path,
            "no objects with a number and a text in it, and no running text",
            "describe the file in the statute's manifest: [source.fields] rows, number, heading, text",
        ));
    }
    let note = Diagnostic::new(
        Severity::Info,
        "running_text",
        "no field holds the numbers of provisions; the strings were read as running text",
    );
    Ok(Document {
        path: path.to_owned(),
        sha256,
        format,
        pages: None,
        files: Vec::new(),
        body: Body::Lines(lines),
        notes: vec![note],
    })
}

/// Rows through a field map.
fn mapped(path: &Path, value: &Value, fields: &FieldMap) -> Result<Vec<Row>, Error> {
    let rows = value.pointer(&fields.rows).and_then(Value::as_array).ok_or_else(|| {
        Error::file(
            path,
            format!("the JSON pointer `{}` does not lead to an array", fields.rows),
            "correct `rows` in the manifest's [source.fields]",
        )
    })?;
    if rows.len() > MAX_ROWS {
        return Err(too_many(path));
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
            gone: false,
        });
    }
    Ok(out)
}

fn too_many(path: &Path) -> Error {
    Error::file(path, format!("more than {MAX_ROWS} rows"), "give a file that holds one statute")
}

/// One value a line.
fn json_lines(path: &Path, text: &str) -> Result<Value, Error> {
    let mut rows = Vec::new();
    for (i, line) in text.lines().enumerate().filter(|(_, l)| !l.trim().is_empty()) {
        rows.push(serde_json::from_str(line).map_err(|e| {
            Error::file(
                path,
                format!("line {}: not valid JSON: {e}", i + 1),
                "every line must be one object; a file that is one JSON document is named .json",
            )
        })?);
        if rows.len() > MAX_ROWS {
            return Err(too_many(path));
        }
    }
    Ok(Value::Array(rows))
}

/// Rows of a table with a header, divided by commas, semicolons or tabs.
fn csv_rows(path: &Path, text: &str) -> Result<Value, Error> {
    let header = text.lines().next().unwrap_or_default();
    let delimiter = [b',', b';', b'\t', b'|']
        .into_iter()
        .max_by_key(|d| (header.bytes().filter(|b| b == d).count(), *d == b','))
        .unwrap_or(b',');
    let failed = |e: csv::Error| {
        Error::file(
            path,
            format!("not a table: {e}"),
            "the first line names the columns; quote cells that hold commas",
        )
    };
    let mut reader =
        csv::ReaderBuilder::new().delimiter(delimiter).flexible(true).from_reader(text.as_bytes());
    let names: Vec<String> = reader.headers().map_err(failed)?.iter().map(|h| h.trim().to_owned()).collect();
    if names.len() > MAX_COLUMNS {
        return Err(Error::file(path, format!("{} columns", names.len()), "give a table of one statute"));
    }
    let mut rows = Vec::new();
    for record in reader.records() {
        let record = record.map_err(failed)?;
        let row: Map<String, Value> =
            names.iter().cloned().zip(record.iter().map(|cell| Value::String(cell.to_owned()))).collect();
        rows.push(Value::Object(row));
        if rows.len() > MAX_ROWS {
            return Err(too_many(path));
        }
    }
    Ok(Value::Array(rows))
}

fn scalar(value: &Value) -> Option<String> {
    match value {
        Value::String(s) => Some(s.clone()),
        Value::Number(n) => Some(n.to_string()),
        _ => None,
    }
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
        let Some(fields) = self.fields.as_ref() else {
            let tables = all_tables(path, &connection)?;
            return found(path, sha256, Format::Sqlite, &tables);
        };
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
                gone: false,
            });
        }
        document(path, sha256, Format::Sqlite, out, None)
    }
}

/// The columns of a table. Asked for as text: the names in a damaged file need not be UTF-8.
fn column_names(path: &Path, connection: &rusqlite::Connection, table: &str) -> Result<Vec<String>, Error> {
    let failed =
        |e: rusqlite::Error| Error::file(path, format!("SQLite: {e}"), "the file is damaged; fetch it again");
    let mut query = connection.prepare("SELECT name FROM pragma_table_info(?1)").map_err(failed)?;
    let mut rows = query.query([table]).map_err(failed)?;
    let mut names = Vec::new();
    while let Some(row) = rows.next().map_err(failed)? {
        let name = match row.get_ref(0).map_err(failed)? {
            ValueRef::Text(bytes) => String::from_utf8(bytes.to_vec()).ok(),
            _ => None,
        };
        let Some(name) = name else {
            return Err(Error::file(
                path,
                "the name of a column is not UTF-8",
                "the file is damaged; fetch it again",
            ));
        };
        names.push(name);
    }
    names.truncate(MAX_COLUMNS);
    Ok(names)
}

/// Every table of a database as an array of objects under its name.
fn all_tables(path: &Path, connection: &rusqlite::Connection) -> Result<Value, Error> {
    let failed =
        |e: rusqlite::Error| Error::file(path, format!("SQLite: {e}"), "the file is damaged; fetch it again");
    let mut names = connection
        .prepare(
            "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite_%'",
        )
        .map_err(failed)?;
    let names: Vec<String> =
        names.query_map([], |r| r.get(0)).map_err(failed)?.collect::<Result<_, _>>().map_err(failed)?;
    let mut tables = Map::new();
    let mut total = 0;
    for name in names {
        let quoted = name.replace('"', "\"\"");
        let columns = column_names(path, connection, &name)?;
        let Ok(mut statement) = connection.prepare(&format!("SELECT * FROM \"{quoted}\"")) else { continue };
        let mut rows = Vec::new();
        let mut cursor = statement.query([]).map_err(failed)?;
        while let Some(row) = cursor.next().map_err(failed)? {
            let mut object = Map::new();
            for (i, column) in columns.iter().enumerate() {
                let value = match row.get_ref(i).map_err(failed)? {
                    ValueRef::Text(bytes) => {
                        Value::String(String::from_utf8(bytes.to_vec()).map_err(|_| {
                            Error::file(
                                path,
                                format!("table `{name}` is not UTF-8"),
                                "get the file from its publisher again",
                            )
                        })?)
                    }
                    ValueRef::Integer(n) => Value::from(n),
                    _ => continue,
                };
                object.insert(column.clone(), value);
            }
            rows.push(Value::Object(object));
            total += 1;
            if total > MAX_ROWS {
                return Err(Error::file(
                    path,
                    format!("more than {MAX_ROWS} rows in its tables"),
                    "describe the rows of this statute in its manifest: [source.fields] rows (a SELECT), number, text",
                ));
            }
        }
        tables.insert(name, Value::Array(rows));
    }
    Ok(Value::Object(tables))
}

fn document(
    path: &Path,
    sha256: String,
    format: Format,
    rows: Vec<Row>,
    said: Option<String>,
) -> Result<Document, Error> {
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
        files: Vec::new(),
        body: Body::Rows(rows),
        notes: said.map(|s| Diagnostic::new(Severity::Info, "field_map", s)).into_iter().collect(),
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
            let document = TableReader { format: Format::Json, fields }.read(&path).unwrap();
            let Body::Rows(rows) = document.body else { panic!() };
            assert_eq!(rows[0].number, "1");
            assert_eq!(
                (rows[1].number.as_str(), rows[1].heading.as_deref(), rows[1].text.as_str()),
                ("1A", None, "More.")
            );
        }
        let wrong = FieldMap { rows: "/nothing".into(), ..FieldMap::default() };
        assert!(
            TableReader { format: Format::Json, fields: Some(wrong) }
                .read(&path)
                .unwrap_err()
                .to_string()
                .contains("hint: ")
        );
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
