// An Express server whose pages learn what their user can do.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import express from 'express';
import { createTessera } from 'tessera-sdk';
import { createHandler, toNode } from 'tessera-sdk/handler';

const tessera = createTessera();
const app = express();
app.get(
  '/entitlements',
  toNode(createHandler(tessera, { identify: () => ({ user: process.env.CUSTOMER }) })),
);

const server = app.listen(0, '127.0.0.1');
await once(server, 'listening');
const response = await fetch(`http://127.0.0.1:${server.address().port}/entitlements`);
const { features } = await response.json();
assert.deepEqual([response.status, features.dashboards.properties.maxDashboards], [200, 25]);
server.close();
