/**
 * Tables of a ledger. Repeated texts (property ids, origins, customers) are interned to keep rows small. A counter update writes
 * one row, of `outbox`, which all updates of a transaction share.
 *
 *   self      replication state: current origin, reserved version, site, retired incarnations (column `ended`, JSON)
 *   peer      one row per other location, as JSON
 *   name      interned property ids and origins
 *   customer  interned identifiers; `since`: when the first record was stored, null for rows of earlier versions
 *   cell      usage buckets: one origin's total in one period (start in minutes since the epoch, width index)
 *   mark      resource holds: one row per origin; counts = 1 on the winning hold of a resource in use
 *   key       decisions under idempotency keys
 *   link      aliases: the customer, and whether all records were merged into it (`changed` = `carried`)
 *   outbox    the journal (journal.ts), one row for each few transactions: events of counted updates that the event stream may
 *             lack, and in `cells` the buckets that these changed, which take precedence over the table `cell`
 *
 * The indexes by `version`, and by `relay` for merged alias records, select what replicates to peers. The others find
 * resources in use, releases and expired keys.
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
  'ALTER TABLE customer ADD COLUMN since INTEGER',
  `ALTER TABLE outbox ADD COLUMN cells TEXT NOT NULL DEFAULT ''`,
  `DROP INDEX mark_released;
   CREATE INDEX mark_released ON mark (stamp) WHERE is_held = 0;`,
];
