// Setup file of the worker project: empties all storage, which the previous test file has used, and applies all migrations to the
// D1 database as one batch.
import { reset } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { settleConsole } from './expect-console.ts';

// Work that the previous file left in the background can keep the database from being deleted.
do await reset();
while ((await env.DB.prepare(`SELECT name FROM sqlite_master WHERE name = 'organization'`).first()) !== null);

await env.DB.batch(
  env.TEST_MIGRATIONS.flatMap(({ queries }) => queries.map((query) => env.DB.prepare(query))),
);

// What that work logged when its storage was gone says nothing about this file.
settleConsole();
