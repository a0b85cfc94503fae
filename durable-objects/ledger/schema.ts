/**
 * Tables of a ledger. Rows are small: long texts that repeat (property ids, origins, customers) stand once and are
 * numbered. A counter update writes one cell, and one row of `self` for all that is committed with it.
 *
 *   self      this life of the ledger, the highest version given, where the environment's ledgers are, and as JSON
 *             which of their lives are known to have ended
 *   peer      what is known of each other location, as JSON
 *   name      property ids and origins
 *   cell      one origin's total in one stretch of time (minutes since the epoch; the width is an index of the grid)
 *   mark      what one origin last said of a resource; counts = 1 on the one mark by which it is in use
 *   key       decisions under idempotency keys
 *   link      whose other name a customer is, and whether all that is stored of it was carried over
 *   outbox    events of counted updates that the event stream may not have: one row for all of a transaction
 *
 * The indexes by version, and by `relay` for what was carried over to a customer here, are what is sent to peers; the others find what is in use, released or outdated.
 */
export const migrations: readonly string[] = [
  `CREATE TABLE self (
     id INTEGER PRIMARY KEY CHECK (id = 1),
     origin TEXT,
     sequence INTEGER NOT NULL,
     site TEXT NOT NULL
   ) STRICT;
   CREATE TABLE peer (location TEXT PRIMARY KEY, body TEXT NOT NULL) STRICT, WITHOUT ROWID;
   CREATE TABLE name (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE) STRICT;
   CREATE TABLE customer (
     id INTEGER PRIMARY KEY,
     identifier TEXT NOT NULL UNIQUE,
     copied_from TEXT NOT NULL DEFAULT '[]'
   ) STRICT;
   CREATE TABLE cell (
     customer INTEGER NOT NULL,
     property INTEGER NOT NULL,
     origin INTEGER NOT NULL,
     start INTEGER NOT NULL,
     width INTEGER NOT NULL,
     amount INTEGER NOT NULL,
     version INTEGER NOT NULL,
     PRIMARY KEY (customer, property, origin, start)
   ) STRICT, WITHOUT ROWID;
   CREATE INDEX cell_version ON cell (origin, version);
   CREATE TABLE mark (
     customer INTEGER NOT NULL,
     property INTEGER NOT NULL,
     resource TEXT NOT NULL,
     origin INTEGER NOT NULL,
     stamp INTEGER NOT NULL,
     at INTEGER NOT NULL,
     is_held INTEGER NOT NULL,
     key TEXT,
     counts INTEGER NOT NULL,
     version INTEGER NOT NULL,
     PRIMARY KEY (customer, property, resource, origin)
   ) STRICT, WITHOUT ROWID;
   CREATE INDEX mark_version ON mark (origin, version);
   CREATE INDEX mark_in_use ON mark (customer, property, at) WHERE counts = 1;
   CREATE INDEX mark_released ON mark (customer, stamp) WHERE is_held = 0;
   CREATE TABLE key (
     customer INTEGER NOT NULL,
     text TEXT NOT NULL,
     origin INTEGER NOT NULL,
     at INTEGER NOT NULL,
     body TEXT NOT NULL,
     version INTEGER NOT NULL,
     PRIMARY KEY (customer, text, origin, at)
   ) STRICT, WITHOUT ROWID;
   CREATE INDEX key_version ON key (origin, version);
   CREATE INDEX key_at ON key (at);`,
  `CREATE TABLE outbox (
     number INTEGER PRIMARY KEY,
     org_id TEXT NOT NULL,
     home TEXT,
     ids TEXT NOT NULL,
     body TEXT NOT NULL
   ) STRICT;`,
  `ALTER TABLE self ADD COLUMN ended TEXT NOT NULL DEFAULT '[]'`,
  `CREATE TABLE link (
     customer INTEGER PRIMARY KEY,
     target TEXT NOT NULL,
     changed INTEGER NOT NULL,
     carried INTEGER NOT NULL
   ) STRICT;
   CREATE INDEX link_uncarried ON link (customer) WHERE changed > carried;
   CREATE INDEX name_carried ON name (id) WHERE instr(text, '~') > 0;
   ALTER TABLE cell ADD COLUMN relay INTEGER;
   ALTER TABLE mark ADD COLUMN relay INTEGER;
   ALTER TABLE key ADD COLUMN relay INTEGER;
   CREATE INDEX cell_relay ON cell (relay) WHERE relay IS NOT NULL;
   CREATE INDEX mark_relay ON mark (relay) WHERE relay IS NOT NULL;
   CREATE INDEX key_relay ON key (relay) WHERE relay IS NOT NULL;`,
];
