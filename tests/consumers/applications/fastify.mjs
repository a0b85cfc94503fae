// A Fastify server whose pages learn what their user can do.
import assert from 'node:assert/strict';
import fastify from 'fastify';
import { createTessera } from 'tessera-sdk';
import { createHandler, toNode } from 'tessera-sdk/handler';

const handle = toNode(createHandler(createTessera(), { identify: () => ({ user: process.env.CUSTOMER }) }));
const app = fastify();
app.get('/entitlements', (request, reply) => {
  reply.hijack();
  return handle(request.raw, reply.raw);
});

const url = await app.listen({ port: 0, host: '127.0.0.1' });
const response = await fetch(`${url}/entitlements`);
const { features } = await response.json();
assert.deepEqual([response.status, features.dashboards.properties.maxDashboards], [200, 25]);
await app.close();
