// A script: it asks, and takes usage.
import assert from 'node:assert/strict';
import { createTessera } from 'tessera-sdk';

const tessera = createTessera();
const on = { user: process.env.CUSTOMER };
assert.equal(await tessera.can('dashboards', { on, fallback: false }), true);
assert.equal(await tessera.get('dashboards.maxDashboards', { on, fallback: 1 }), 25);
const { allowed, counted } = await tessera.consume('data-exports.exports', { on, fallback: 'deny' });
assert.deepEqual([allowed, counted], [true, 'now']);
