/**
 * Tables of an event stream, and what their columns mean. `npm run docs` copies this into docs/data.md. A group of events is
 * stored as one row (a chunk) of text, because a row per event would cost several times the CPU on every access check. Small
 * tables index what is looked up separately.
 *
 *   chunk     what one commit stores of an environment: up to 1,000 events as lines of text (engine/events/chunk-text.ts)
 *     key: unique, at least 2048 × the time of its newest event; reading by descending key is newest first
 *     arrival: increases with every chunk; orders events of the same millisecond
 *     env_id: the environment; empty for payment events
 *     from_at: time of the oldest event
 *     to_at: time of the newest event
 *     texts: JSON: the hashes of the features texts, and deltas to them
 *     shapes: what several events share; empty if it is packed
 *     lines: one line per event; empty if it is packed
 *     packed: shapes and lines, compressed (chunk-rows.ts); null if they are plain
 *   inbox     groups that are in no chunk and in no figure yet (inbox.ts)
 *     id: always 1
 *     body: a line of JSON per group
 *   stored_group   what makes appends idempotent
 *     chunk: its key
 *     ids: JSON: the ids of its groups, and of events that several groups may contain (counter updates)
 *   event_id  events that several groups may contain, if their id does not tell their time (payment events; of earlier versions all)
 *     id: evt_…
 *     chunk: key of the chunk that has the event
 *   search    full-text index of a chunk's terms, by chunk key; matches are verified event by event
 *     terms: indexed only, not stored
 *   text      features of responses, content-addressed
 *     hash: SHA-256 of the whole text
 *     piece: number of the piece, from 0: a row stays below its limit
 *     body: the piece
 *     kept_until: no event that is later than this refers to the text
 *   leaving   the archive queue
 *     chunk: key of a chunk to be archived
 *     object: name of the R2 object that will contain it
 *   usage     counts of events; never deleted, so that the total only increases
 *     day_at: start of the day, UTC
 *     env_id: the environment; empty for payment events
 *     type: ac, cu or se
 *     total: number of events
 *   counted_day  API calls without an event that are in `usage` already, so that a report counts once (event-store.ts)
 *     day_at: start of the day, UTC
 *     env_id: the environment
 *     total: as last reported
 *   rollup    figures of an environment's minute, hour or day (engine/events/rollup.ts)
 *     width: the period's length in milliseconds
 *     at: start of the period
 *     env_id: the environment; empty for payment events
 *     body: JSON of the figures
 *     lists: JSON of features, routes, runs and names; null in rows of earlier versions, whose body has them
 *   near_limit     customers near a limit (near-limits.ts)
 *     env_id: the environment
 *     body: JSON: the newest reading of each customer and feature
 *   setting   see settings.ts
 *     name: the setting's name
 *     value: the setting's value, as text
 *   kill_rate  runs and kills of a workflow since a kill (kill-rates.ts); without a row, none was killed lately
 *     env_id: the environment
 *     workflow_id: the workflow
 *     from_at: when the first killed run began
 *     runs: how many have run since then
 *     kills: how many of these were killed
 *     reason: why the last run was killed
 *   key_use   when each API key was last used, at most an hour late (key-uses.ts)
 *     key_id: the key
 *     env_id: its environment
 *     at: the last use
 *   passed_level   usage levels that a month has reached
 *     month_at: start of the month, UTC
 *     level: near, reached, or a share of public keys
 *     total: API calls of the month at that time
 *     due_at: when to notify (again); null once acknowledged
 *     tries: notifications so far
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
  `CREATE TABLE rollup (
     width INTEGER NOT NULL,
     at INTEGER NOT NULL,
     env_id TEXT NOT NULL,
     body TEXT NOT NULL,
     PRIMARY KEY (width, at, env_id)
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE near_limit (env_id TEXT PRIMARY KEY, body TEXT NOT NULL) STRICT, WITHOUT ROWID;`,
  'CREATE TABLE stored_group (chunk INTEGER PRIMARY KEY, ids TEXT NOT NULL) STRICT;',
  `CREATE TABLE kill_streak (
     env_id TEXT NOT NULL,
     workflow_id TEXT NOT NULL,
     kills INTEGER NOT NULL,
     last_at INTEGER NOT NULL,
     reason TEXT NOT NULL,
     PRIMARY KEY (env_id, workflow_id)
   ) STRICT, WITHOUT ROWID;`,
  'ALTER TABLE rollup ADD COLUMN lists TEXT;',
  'ALTER TABLE chunk ADD COLUMN packed BLOB;',
  `CREATE TABLE key_use (key_id TEXT PRIMARY KEY, env_id TEXT NOT NULL, at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
   CREATE INDEX key_use_env ON key_use (env_id);`,
  `CREATE TABLE kill_rate (
     env_id TEXT NOT NULL,
     workflow_id TEXT NOT NULL,
     from_at INTEGER NOT NULL,
     runs INTEGER NOT NULL,
     kills INTEGER NOT NULL,
     reason TEXT NOT NULL,
     PRIMARY KEY (env_id, workflow_id)
   ) STRICT, WITHOUT ROWID;
   DROP TABLE kill_streak;`,
  'CREATE TABLE inbox (id INTEGER PRIMARY KEY CHECK (id = 1), body TEXT NOT NULL) STRICT;',
  `CREATE TABLE counted_day (
     day_at INTEGER NOT NULL,
     env_id TEXT NOT NULL,
     total INTEGER NOT NULL,
     PRIMARY KEY (day_at, env_id)
   ) STRICT, WITHOUT ROWID;`,
];
