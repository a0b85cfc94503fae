/**
 * Tables of an event stream. Events are stored as they come, a group to a row (a chunk), because a row per event would
 * cost several times as much of the processor on every access check. What is looked up by itself has small tables beside.
 *
 *   chunk     up to 100 events of one environment as lines of text
 *             key: at least 2048 × the time of its newest event, unique, so that chunks are read newest first by it
 *             arrival: rises with every chunk; settles the order of events of the same millisecond
 *   event_id  every event's id, once, and the chunk that holds it
 *   search    the words of a chunk's events, by its key; where a chunk is found its events are looked at one by one
 *   text      answers' features, each once, by the SHA-256 of the text, in pieces below the limit of a row
 *   leaving   chunks on their way to the archive, and the archive's object that they go to
 *   usage     how many events were counted, by day, environment and type; never deleted, so that the sum only rises
 *   passed_level   which levels of usage a month has passed, and when that is to be told (again); null: acknowledged
 */
export const migrations: readonly string[] = [
  `CREATE TABLE chunk (
     key INTEGER PRIMARY KEY,
     arrival INTEGER NOT NULL UNIQUE,
     env_id TEXT NOT NULL,
     from_at INTEGER NOT NULL,
     to_at INTEGER NOT NULL,
     texts TEXT NOT NULL,
     shapes TEXT NOT NULL,
     lines TEXT NOT NULL
   ) STRICT;
   CREATE INDEX chunk_env ON chunk (env_id, key);
   CREATE TABLE event_id (id TEXT PRIMARY KEY, chunk INTEGER NOT NULL) STRICT, WITHOUT ROWID;
   CREATE VIRTUAL TABLE search USING fts5(terms, content='', contentless_delete=1, detail=none, tokenize='ascii');
   CREATE TABLE text (
     hash TEXT NOT NULL,
     piece INTEGER NOT NULL,
     body TEXT NOT NULL,
     kept_until INTEGER NOT NULL,
     PRIMARY KEY (hash, piece)
   ) STRICT;
   CREATE TABLE usage (
     day_at INTEGER NOT NULL,
     env_id TEXT NOT NULL,
     type TEXT NOT NULL,
     total INTEGER NOT NULL,
     PRIMARY KEY (day_at, env_id, type)
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE leaving (chunk INTEGER PRIMARY KEY, object TEXT NOT NULL) STRICT;
   CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;`,
  `CREATE TABLE passed_level (
     month_at INTEGER NOT NULL,
     level TEXT NOT NULL,
     total INTEGER NOT NULL,
     due_at INTEGER,
     tries INTEGER NOT NULL,
     PRIMARY KEY (month_at, level)
   ) STRICT, WITHOUT ROWID;`,
];
