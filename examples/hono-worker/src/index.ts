/** A Worker that asks Tessera before it exports, counts each export, and answers its own pages what their user can do. */
import { waitUntil } from 'cloudflare:workers';
import { Hono } from 'hono';
import { createTessera } from 'tessera-sdk';
import { createHandler } from 'tessera-sdk/handler';

/** TESSERA_URL and TESSERA_KEY are variables of the Worker. Usage is sent after the response. */
const tessera = createTessera({ waitUntil });

/** Who asks. Replace it by your sign-in: whoever pays, by Stripe customer ID, email or your own ID. */
function customerOf(request: Request): string | null {
  return request.headers.get('x-customer');
}

const app = new Hono();

app.get('/', (context) =>
  context.text('GET /export, GET /reports and GET /entitlements, with x-customer: an email'),
);

/** Takes one export from the monthly limit, if there is one left. In an outage it is allowed, and counted later. */
app.get('/export', async (context) => {
  const user = customerOf(context.req.raw);
  if (user === null) return context.text('Sign in first', 401);
  const { allowed, meter } = await tessera.consume('data-exports.exports', {
    on: { user },
    fallback: 'allow',
  });
  if (!allowed) return context.text('No exports are left. Upgrade to get more.', 402);
  const left = meter?.state === 'metered' ? meter.remaining : null;
  return context.json({ rows: ['2026-01-01,42'], left });
});

/** Whatever the limit, usage is counted: it waits in a buffer, and the response does not. */
app.get('/reports', async (context) => {
  const user = customerOf(context.req.raw);
  if (user === null) return context.text('Sign in first', 401);
  if (!(await tessera.can('api-access', { on: { user }, fallback: true })))
    return context.text('Your plan has no API access.', 402);
  tessera.count('api-access.requests', { on: { user } });
  return context.json({ reports: ['Growth', 'Retention'] });
});

/** For tessera-sdk/browser and tessera-sdk/react in your pages: `from: { handler: '/entitlements' }`. */
const entitlements = createHandler(tessera, {
  identify: (request) => {
    const user = customerOf(request);
    return user === null ? null : { user };
  },
});
app.get('/entitlements', (context) => entitlements(context.req.raw));

export default app;
