// Setup file of the worker project: empties all storage, which the previous test file has used, and makes the D1 database what the
// migrations make it.
import { reset } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { settleConsole } from './expect-console.ts';

// Work that the previous file left in the background can keep the database from being deleted.
do await reset();
while ((await env.DB.prepare(`SELECT name FROM sqlite_master WHERE name = 'organization'`).first()) !== null);

await env.DB.batch(env.MIGRATED_DATABASE.map((statement) => env.DB.prepare(statement)));

// What that work logged when its storage was gone says nothing about this file.
settleConsole();
