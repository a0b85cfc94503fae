// Setup file of the worker project: applies all migrations to the test file's D1 database, as one batch.
import { env } from 'cloudflare:workers';

await env.DB.batch(
  env.TEST_MIGRATIONS.flatMap(({ queries }) => queries.map((query) => env.DB.prepare(query))),
);
