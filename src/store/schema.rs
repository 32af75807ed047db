//! The tables, as a ladder of migrations.
//!
//! `PRAGMA user_version` tells how many rungs a file has climbed. A rung that was ever
//! shipped is never edited; a change is a new rung at the end.

use rusqlite::{Connection, Result, Transaction, TransactionBehavior};

/// The rungs, the first makes version 1.
pub const LADDER: &[&str] = &[RUNG_1, RUNG_2, RUNG_3, RUNG_4, RUNG_5, RUNG_6];

/// The version that this program writes.
pub fn newest() -> i64 {
    LADDER.len() as i64
}

/// The version of an open file. 0 is an empty one.
pub fn version(conn: &Connection) -> Result<i64> {
    conn.query_row("PRAGMA user_version", [], |row| row.get(0))
}

/// Climbs the rungs that are missing, all in one transaction.
pub fn climb(conn: &Connection) -> Result<()> {
    let tx = Transaction::new_unchecked(conn, TransactionBehavior::Immediate)?;
    let from = usize::try_from(version(&tx)?).unwrap_or(0);
    for rung in LADDER.iter().skip(from) {
        tx.execute_batch(rung)?;
    }
    tx.pragma_update(None, "user_version", newest())?;
    tx.commit()
}

// Times are milliseconds since 1970-01-01T00:00Z. Ids are the author's, below the pack's id.
const RUNG_1: &str = "
-- what was done, kept for ever

CREATE TABLE attempt (
    seq       INTEGER PRIMARY KEY,
    id        TEXT NOT NULL UNIQUE,
    pack      TEXT NOT NULL,
    drill     TEXT NOT NULL,
    lesson    TEXT NOT NULL,
    at        INTEGER NOT NULL,
    mode      TEXT NOT NULL CHECK (mode IN ('practice', 'strict', 'part', 'follow-up')),
    part      TEXT,
    rehearsal TEXT,
    seconds   INTEGER NOT NULL,
    answer    TEXT NOT NULL,
    words     INTEGER NOT NULL,
    total     REAL NOT NULL,
    limiting  TEXT,
    score     TEXT NOT NULL
) STRICT;
CREATE INDEX attempt_by_at ON attempt (at, id);
CREATE INDEX attempt_by_time ON attempt (pack, at, id);
CREATE INDEX attempt_by_drill ON attempt (pack, drill, at, id);
CREATE INDEX attempt_by_lesson ON attempt (pack, lesson, at, id);
CREATE INDEX attempt_by_rehearsal ON attempt (rehearsal) WHERE rehearsal IS NOT NULL;

CREATE TABLE part_score (
    attempt INTEGER NOT NULL REFERENCES attempt (seq) ON DELETE CASCADE,
    part    TEXT NOT NULL,
    verdict TEXT NOT NULL CHECK (verdict IN ('covered', 'partial', 'missing')),
    score   REAL NOT NULL,
    PRIMARY KEY (attempt, part)
) STRICT, WITHOUT ROWID;

CREATE TABLE rating (
    attempt TEXT PRIMARY KEY,
    rated   REAL NOT NULL,
    at      INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE dispute (
    id      TEXT PRIMARY KEY,
    attempt TEXT NOT NULL,
    pack    TEXT NOT NULL,
    drill   TEXT NOT NULL,
    target  TEXT NOT NULL CHECK (target IN ('part', 'point', 'misconception')),
    item    TEXT NOT NULL,
    note    TEXT NOT NULL,
    at      INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX dispute_by_drill ON dispute (pack, drill);

CREATE TABLE check_attempt (
    id      TEXT PRIMARY KEY,
    pack    TEXT NOT NULL,
    item    TEXT NOT NULL,
    lesson  TEXT NOT NULL,
    at      INTEGER NOT NULL,
    correct INTEGER NOT NULL CHECK (correct IN (0, 1)),
    given   TEXT NOT NULL,
    hints   INTEGER NOT NULL,
    seed    INTEGER NOT NULL,
    seconds INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX check_attempt_by_item ON check_attempt (pack, item, at);

CREATE TABLE review (
    pack       TEXT NOT NULL,
    kind       TEXT NOT NULL CHECK (kind IN ('drill', 'check', 'note')),
    item       TEXT NOT NULL,
    at         INTEGER NOT NULL,
    grade      TEXT NOT NULL CHECK (grade IN ('again', 'hard', 'good', 'easy')),
    overruled  TEXT CHECK (overruled IN ('again', 'hard', 'good', 'easy')),
    stability  REAL NOT NULL,
    difficulty REAL NOT NULL,
    due        INTEGER NOT NULL,
    PRIMARY KEY (pack, kind, item, at)
) STRICT, WITHOUT ROWID;

-- what stands now; the newer wins

CREATE TABLE draft (
    id       TEXT PRIMARY KEY,
    pack     TEXT NOT NULL,
    drill    TEXT NOT NULL,
    mode     TEXT NOT NULL,
    part     TEXT,
    text     TEXT NOT NULL,
    seconds  INTEGER NOT NULL,
    dropped  INTEGER NOT NULL DEFAULT 0 CHECK (dropped IN (0, 1)),
    holder   TEXT,
    at       INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX draft_by_pack ON draft (pack, dropped, at);

CREATE TABLE rehearsal (
    id       TEXT PRIMARY KEY,
    pack     TEXT NOT NULL,
    started  INTEGER NOT NULL,
    state    TEXT NOT NULL,
    report   TEXT,
    total    REAL,
    limiting TEXT,
    dropped  INTEGER NOT NULL DEFAULT 0 CHECK (dropped IN (0, 1)),
    holder   TEXT,
    at       INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX rehearsal_by_pack ON rehearsal (pack, at);

CREATE TABLE position (
    pack   TEXT NOT NULL,
    lesson TEXT NOT NULL,
    lab    TEXT NOT NULL,
    line   INTEGER NOT NULL,
    scroll INTEGER NOT NULL,
    pane   TEXT NOT NULL,
    at     INTEGER NOT NULL,
    PRIMARY KEY (pack, lesson, lab)
) STRICT, WITHOUT ROWID;
CREATE INDEX position_by_time ON position (pack, at);

CREATE TABLE done (
    pack   TEXT NOT NULL,
    kind   TEXT NOT NULL CHECK (kind IN ('section', 'lab', 'note')),
    item   TEXT NOT NULL,
    lesson TEXT NOT NULL,
    done   INTEGER NOT NULL CHECK (done IN (0, 1)),
    at     INTEGER NOT NULL,
    PRIMARY KEY (pack, kind, item)
) STRICT, WITHOUT ROWID;

CREATE TABLE card (
    pack       TEXT NOT NULL,
    kind       TEXT NOT NULL CHECK (kind IN ('drill', 'check', 'note')),
    item       TEXT NOT NULL,
    stability  REAL NOT NULL,
    difficulty REAL NOT NULL,
    due        INTEGER NOT NULL,
    at         INTEGER NOT NULL,
    reps       INTEGER NOT NULL,
    lapses     INTEGER NOT NULL,
    retired    INTEGER NOT NULL DEFAULT 0 CHECK (retired IN (0, 1)),
    PRIMARY KEY (pack, kind, item)
) STRICT, WITHOUT ROWID;
CREATE INDEX card_by_due ON card (pack, retired, due, kind);

CREATE TABLE worksheet (
    pack TEXT NOT NULL,
    item TEXT NOT NULL,
    cell TEXT NOT NULL,
    text TEXT NOT NULL,
    at   INTEGER NOT NULL,
    PRIMARY KEY (pack, item, cell)
) STRICT, WITHOUT ROWID;

CREATE TABLE puzzle (
    pack  TEXT NOT NULL,
    item  TEXT NOT NULL,
    best  REAL NOT NULL,
    knobs TEXT NOT NULL,
    at    INTEGER NOT NULL,
    PRIMARY KEY (pack, item)
) STRICT, WITHOUT ROWID;

CREATE TABLE setting (
    key   TEXT PRIMARY KEY,
    value TEXT NOT NULL,
    at    INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE edition (
    pack    TEXT PRIMARY KEY,
    version TEXT NOT NULL,
    content TEXT NOT NULL,
    at      INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- never carried along: whom this machine trusts

CREATE TABLE trust (
    pack        TEXT NOT NULL,
    origin      TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    at          INTEGER NOT NULL,
    PRIMARY KEY (pack, origin, fingerprint)
) STRICT, WITHOUT ROWID;

-- sums, kept in the transaction that changes what they sum, so that Home reads few rows

CREATE TABLE strength (
    pack    TEXT NOT NULL,
    lesson  TEXT NOT NULL,
    part    TEXT NOT NULL,
    answers INTEGER NOT NULL,
    weight  REAL NOT NULL,
    marks   REAL NOT NULL,
    recent  TEXT NOT NULL,
    newest  INTEGER NOT NULL,
    PRIMARY KEY (pack, lesson, part)
) STRICT, WITHOUT ROWID;

CREATE TABLE drill_sum (
    pack     TEXT NOT NULL,
    drill    TEXT NOT NULL,
    lesson   TEXT NOT NULL,
    attempts INTEGER NOT NULL,
    whole    INTEGER NOT NULL,
    seconds  INTEGER NOT NULL,
    best     REAL,
    last     REAL,
    last_id  TEXT,
    last_at  INTEGER,
    PRIMARY KEY (pack, drill)
) STRICT, WITHOUT ROWID;

CREATE TABLE check_sum (
    pack     TEXT NOT NULL,
    item     TEXT NOT NULL,
    lesson   TEXT NOT NULL,
    tries    INTEGER NOT NULL,
    rights   INTEGER NOT NULL,
    last     INTEGER NOT NULL,
    last_at  INTEGER NOT NULL,
    PRIMARY KEY (pack, item)
) STRICT, WITHOUT ROWID;

-- attempts by quarter of an hour since 1970, so that any time zone's days can be added up
CREATE TABLE activity (
    pack     TEXT NOT NULL,
    quarter  INTEGER NOT NULL,
    attempts INTEGER NOT NULL,
    seconds  INTEGER NOT NULL,
    totals   REAL NOT NULL,
    PRIMARY KEY (pack, quarter)
) STRICT, WITHOUT ROWID;
";

// Ratings part by part, as JSON; answers to one part alone that were no follow-up questions.
const RUNG_2: &str = "
ALTER TABLE rating ADD COLUMN parts TEXT;
ALTER TABLE drill_sum ADD COLUMN alone INTEGER NOT NULL DEFAULT 0;
UPDATE drill_sum SET alone = (
    SELECT count(*) FROM attempt a
    WHERE a.pack = drill_sum.pack AND a.drill = drill_sum.drill AND a.mode = 'part'
);
";

// What learners claim where the rules are not sure: the replies, and the verdicts of the parts, as JSON. Cells
// count marks that have such a claim; disputes name a sentence, and can be taken back.
const RUNG_3: &str = "
CREATE TABLE claim (
    attempt  TEXT PRIMARY KEY,
    pack     TEXT NOT NULL,
    claimed  TEXT NOT NULL,
    verdicts TEXT NOT NULL,
    at       INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
ALTER TABLE dispute ADD COLUMN sentence TEXT;
ALTER TABLE dispute ADD COLUMN undone INTEGER NOT NULL DEFAULT 0 CHECK (undone IN (0, 1));
ALTER TABLE strength ADD COLUMN claimed INTEGER NOT NULL DEFAULT 0;
";

// What an instructor gives; an empty part is the whole answer.
const RUNG_4: &str = "
CREATE TABLE given (
    attempt TEXT NOT NULL,
    part    TEXT NOT NULL,
    verdict TEXT CHECK (verdict IN ('covered', 'partial', 'missing')),
    remark  TEXT NOT NULL,
    by      TEXT NOT NULL,
    at      INTEGER NOT NULL,
    PRIMARY KEY (attempt, part)
) STRICT, WITHOUT ROWID;
";

// What a judge of one's own said of an attempt: its reply as JSON.
const RUNG_5: &str = "
CREATE TABLE opinion (
    attempt TEXT PRIMARY KEY,
    reply   TEXT NOT NULL,
    at      INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
";

// The checks of the tables that grow with each answer, in words that SQLite tests one by one: for a list it fills a table
// at every row, which takes more than a third of an import. What is stored stays the same, so the schema alone is
// rewritten; a new index tells other connections to read it anew. Then: the newest ratings, and the runs that were broken
// off, without reading all that were finished.
const RUNG_6: &str = "
PRAGMA writable_schema = ON;
UPDATE sqlite_schema SET sql = replace(sql,
    'mode IN (''practice'', ''strict'', ''part'', ''follow-up'')',
    'mode = ''practice'' OR mode = ''strict'' OR mode = ''part'' OR mode = ''follow-up''')
WHERE type = 'table' AND name = 'attempt';
UPDATE sqlite_schema SET sql = replace(sql,
    'verdict IN (''covered'', ''partial'', ''missing'')',
    'verdict = ''covered'' OR verdict = ''partial'' OR verdict = ''missing''')
WHERE type = 'table' AND name = 'part_score';
PRAGMA writable_schema = RESET;
CREATE INDEX rating_by_time ON rating (at, attempt);
CREATE INDEX rehearsal_unfinished ON rehearsal (pack, at) WHERE report IS NULL AND dropped = 0;
";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_added_with_each_answer_is_checked_without_a_table_of_its_own() {
        let conn = Connection::open_in_memory().expect("a database");
        climb(&conn).expect("the rungs hold");
        let put = "INSERT INTO part_score VALUES (1, 'problem', ?1, 0.5)";
        let attempt = "INSERT INTO attempt VALUES (1, 'a', 'p', 'd', 'l', 0, ?1, NULL, NULL, 1, '', 0, 0.5, NULL, '{}')";
        for sql in [attempt, put] {
            let mut query = conn.prepare(&format!("EXPLAIN {sql}")).expect("it explains");
            let steps = query.query_map(["covered"], |row| row.get::<_, String>(1)).expect("it explains");
            assert!(steps.map(|step| step.expect("a step")).all(|step| step != "OpenEphemeral"), "{sql}");
        }
        for (sql, wrong, right) in [(attempt, "gladly", "follow-up"), (put, "so-so", "partial")] {
            let refused = conn.execute(sql, [wrong]).expect_err("it is no such word");
            assert!(refused.to_string().contains("CHECK"), "{refused}");
            conn.execute(sql, [right]).expect("it is such a word");
        }
        let word: String = conn.query_row("PRAGMA integrity_check", [], |row| row.get(0)).expect("it looks");
        assert_eq!(word, "ok");
    }
}
