// A setup file of the worker project: brings the test's own D1 database to the newest migration before any test runs.
import { applyD1Migrations } from 'cloudflare:test';
import { env } from 'cloudflare:workers';

await applyD1Migrations(env.DB, env.TEST_MIGRATIONS);
