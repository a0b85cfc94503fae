// The emulator's SQLite database, in a file or in memory. It has everything that must survive a restart.
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Increment on schema changes. A file with another version is emptied, because it has demo data only. */
const schemaVersion = 1;

const tables = `
  CREATE TABLE accounts (id TEXT PRIMARY KEY, record TEXT NOT NULL);
  CREATE TABLE api_keys (
    key TEXT PRIMARY KEY, account_id TEXT NOT NULL, livemode INTEGER NOT NULL, permissions TEXT, expired_at INTEGER);

  CREATE TABLE objects (
    seq INTEGER PRIMARY KEY, scope TEXT NOT NULL, kind TEXT NOT NULL, id TEXT NOT NULL, created INTEGER NOT NULL,
    parent TEXT, key TEXT, status TEXT, due INTEGER, record TEXT NOT NULL);
  CREATE UNIQUE INDEX objects_by_id ON objects (scope, kind, id);
  CREATE INDEX objects_by_age ON objects (scope, kind, created, seq);
  CREATE INDEX objects_by_parent ON objects (scope, kind, parent, created, seq) WHERE parent IS NOT NULL;
  CREATE INDEX objects_by_key ON objects (scope, kind, key, created, seq) WHERE key IS NOT NULL;
  CREATE INDEX objects_by_due ON objects (due) WHERE due IS NOT NULL;

  CREATE TABLE deliveries (
    seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, account_id TEXT NOT NULL, livemode INTEGER NOT NULL,
    event_id TEXT NOT NULL, event_type TEXT NOT NULL, endpoint_id TEXT NOT NULL, status TEXT NOT NULL,
    attempts TEXT NOT NULL, due_at INTEGER);
  CREATE INDEX deliveries_by_event ON deliveries (event_id);
  CREATE INDEX deliveries_by_account ON deliveries (account_id, status, seq);
  CREATE INDEX deliveries_by_due ON deliveries (due_at) WHERE due_at IS NOT NULL;

  CREATE TABLE idempotent_answers (
    scope TEXT NOT NULL, key TEXT NOT NULL, request TEXT NOT NULL, status INTEGER NOT NULL, body TEXT NOT NULL,
    at INTEGER NOT NULL, PRIMARY KEY (scope, key)) WITHOUT ROWID;
`;

/** @param path database file; null for memory only */
export function openDatabase(path: string | null): DatabaseSync {
  if (path !== null) mkdirSync(dirname(path), { recursive: true });
  const database = new DatabaseSync(path ?? ':memory:');
  if (path !== null) database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;');
  const { user_version: version } = database.prepare('PRAGMA user_version').get() as { user_version: number };
  if (version === schemaVersion) return database;
  dropTables(database);
  database.exec(`${tables} PRAGMA user_version = ${schemaVersion};`);
  return database;
}

function dropTables(database: DatabaseSync): void {
  const found = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
  for (const { name } of found as { name: string }[]) {
    if (!name.startsWith('sqlite_')) database.exec(`DROP TABLE "${name}"`);
  }
}

/** A nested transaction joins the outer one. */
export function inTransaction<Result>(database: DatabaseSync, work: () => Result): Result {
  if (database.isTransaction) return work();
  database.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    database.exec('COMMIT');
    return result;
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK'); // A full disk has rolled it back already.
    throw error;
  }
}
