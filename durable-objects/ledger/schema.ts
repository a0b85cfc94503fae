/**
 * Tables of a ledger, and what their columns mean. `npm run docs` copies this into docs/data.md. Repeated texts (property ids,
 * origins, customers) are interned to keep rows small. A counter update writes one row, of `outbox`, which all updates of a
 * transaction share.
 *
 *   self      replication state
 *     id: always 1
 *     origin: the current incarnation; null after a retirement
 *     sequence: versions up to here are in use; higher ones are in the journal or in a `relay`
 *     site: JSON: environment, own location, the enabled ones and those that are leaving
 *     ended: JSON: retired incarnations, of which this ledger has everything
 *     peers: JSON: what each of the other locations has acknowledged, and whether it is disabled or has retired
 *   name      interned property ids and origins, and values against which keys were decided
 *     id: the number that other tables use
 *     text: the id, the origin, or JSON of the value
 *   customer  interned identifiers
 *     id: the number that other tables use
 *     identifier: canonical
 *     copied_from: JSON: locations from which the customer was copied
 *     since: when the first record was stored; null for rows of earlier versions
 *   cell      usage buckets: one origin's total in one period
 *     customer: number of the customer
 *     property: number of the property id
 *     origin: number of the origin, the only one that writes the bucket
 *     start: start of the period, in minutes since the epoch
 *     width: index of the period's width (engine/metering/bucket-widths.ts)
 *     amount: the total
 *     version: higher with every write of its origin; a merge keeps the highest
 *     relay: version under which the row replicates to peers; null once all have it, and for what other locations replicate themselves
 *   mark      resources in use: one row per origin
 *     customer: number of the customer
 *     property: number of the property id
 *     resource: the resource id, as sent
 *     origin: number of the origin
 *     stamp: orders the uses of a resource, the origin breaks ties
 *     at: when the resource was taken
 *     is_held: 0: a release
 *     key: idempotency key of the decision; null without one
 *     counts: 1 on the winning use of a resource in use, 2 on a release that is kept, since an alias has a use of the resource
 *     version: as in cell
 *     relay: as in cell
 *   key       decisions under idempotency keys
 *     customer: number of the customer
 *     text: the key, as sent
 *     origin: number of the origin that decided
 *     at: when it decided
 *     body: JSON of the decision and its answer, by position (key-body.ts); whole records in rows of earlier versions
 *     version: as in cell
 *     relay: as in cell
 *   link      aliases
 *     customer: number of the alias
 *     target: identifier of its customer
 *     changed: increases with every change of the alias's records
 *     carried: `changed` when all of them had last been merged into the customer
 *   copied    customers without records that were copied, the last ones (copied-rows.ts)
 *     id: in the order of the first copies
 *     customer: the identifier
 *     locations: as copied_from of `customer`
 *   register  what changes and is no usage: one row per origin
 *     customer: number of the customer
 *     kind: what it is: `hold`, `period`, or `erased`: what was counted for an entity of the customer
 *     name: which one
 *     origin: number of the origin, the only one that writes the row
 *     stamp: orders the rows of a register, the origin breaks ties
 *     is_open: whether it must stay, whatever `until`: of a hold, until it is settled, or booked as ended
 *     until: earliest instant at which it may be deleted, once it is not open
 *     body: JSON, as the kind says
 *     version: as in cell
 *     relay: as in cell
 *   outbox    the journal (journal.ts), one row for each few transactions
 *     number: rows are in this order
 *     org_id: organisation of the events; empty if the row has none
 *     home: data location of its event stream
 *     ids: JSON: ids of events that the event stream may lack
 *     body: these events
 *     cells: the buckets that the transactions changed, which take precedence over the table `cell`
 *
 * The indexes by `relay` select what replicates to peers: a bucket that all peers have when it is folded, and what they replicated
 * themselves, are in none. The others find resources in use, releases, expired keys and
 * registers.
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
  `CREATE TABLE copied (id INTEGER PRIMARY KEY, customer TEXT NOT NULL UNIQUE, locations TEXT NOT NULL) STRICT;
   UPDATE mark SET counts = 2 WHERE is_held = 0 AND EXISTS
     (SELECT 1 FROM mark AS other JOIN name ON name.id = other.origin
      WHERE other.customer = mark.customer AND other.property = mark.property AND other.resource = mark.resource
        AND instr(name.text, '~') > 0);
   DROP INDEX name_carried;
   DROP INDEX mark_released;
   CREATE INDEX mark_released ON mark (stamp) WHERE is_held = 0 AND counts = 0;`,
  `DROP INDEX cell_version;
   DROP INDEX mark_version;
   DROP INDEX key_version;
   UPDATE cell SET relay = version WHERE relay IS NULL AND version > (SELECT min(body ->> 'cursor') FROM peer)
     AND origin = (SELECT name.id FROM name JOIN self ON self.origin = name.text);
   UPDATE mark SET relay = version WHERE relay IS NULL AND version > (SELECT min(body ->> 'cursor') FROM peer)
     AND origin = (SELECT name.id FROM name JOIN self ON self.origin = name.text);
   UPDATE key SET relay = version WHERE relay IS NULL AND version > (SELECT min(body ->> 'cursor') FROM peer)
     AND origin = (SELECT name.id FROM name JOIN self ON self.origin = name.text);`,
  `ALTER TABLE self ADD COLUMN peers TEXT NOT NULL DEFAULT '[]';
   UPDATE self SET peers = (SELECT json_group_array(json(body)) FROM peer);
   DROP TABLE peer;`,
  `-- additive
CREATE TABLE register (
     customer INTEGER NOT NULL,
     kind TEXT NOT NULL,
     name TEXT NOT NULL,
     origin INTEGER NOT NULL,
     stamp INTEGER NOT NULL,
     is_open INTEGER NOT NULL,
     until INTEGER NOT NULL,
     body TEXT NOT NULL,
     version INTEGER NOT NULL,
     relay INTEGER,
     PRIMARY KEY (customer, kind, name, origin)
   ) STRICT, WITHOUT ROWID;
   CREATE INDEX register_open ON register (customer) WHERE is_open = 1;
   CREATE INDEX register_until ON register (until) WHERE is_open = 0;
   CREATE INDEX register_relay ON register (relay) WHERE relay IS NOT NULL;`,
  `-- additive
CREATE INDEX register_hold ON register (name) WHERE kind = 'hold';`,
  `-- additive
CREATE INDEX customer_entity ON customer (id) WHERE instr(identifier, char(0)) > 0;
   CREATE INDEX register_erased ON register (until) WHERE kind = 'erased';`,
];
