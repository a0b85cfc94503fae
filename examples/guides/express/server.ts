import express, { type Request } from 'express';
import { createTessera } from 'tessera-sdk';
import { createHandler, toNode } from 'tessera-sdk/handler';

const tessera = createTessera();

/** Who pays: a Stripe customer ID, an email or your own ID. Replace the header with your session. */
const customerOf = (request: Request) => request.get('x-customer');

export const app = express();

app.post('/exports', async (request, response) => {
  const user = customerOf(request);
  if (user === undefined) {
    response.status(401).send('Sign in first');
    return;
  }
  const { allowed } = await tessera.consume('data-exports.exports', { on: { user }, fallback: 'allow' });
  if (allowed) response.send('month,total\n2026-01,42');
  else response.status(402).send('No exports left this month');
});

app.get('/public-links', async (request, response) => {
  const user = customerOf(request);
  const on = user === undefined ? ({ anonymous: true } as const) : { user };
  const canShare = await tessera.can('dashboards.publicSharing', { on, fallback: false });
  response.status(canShare ? 200 : 403).send(canShare ? 'Shared' : 'Upgrade to share dashboards');
});

/** What your own pages may show: `from: { handler: '/entitlements' }` in the browser. */
const entitlements = createHandler(tessera, {
  identify: ({ headers }) => {
    const user = headers.get('x-customer');
    return user === null ? null : { user };
  },
});
app.get('/entitlements', toNode(entitlements));

export const server = app.listen(Number(process.env.PORT ?? 3000));

// Usage that waits in the buffer is sent before the process ends.
process.once('SIGTERM', () => {
  server.close();
  void tessera.close();
});
