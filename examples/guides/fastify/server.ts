import Fastify, { type FastifyReply, type FastifyRequest } from 'fastify';
import { createTessera, type Gate } from 'tessera-sdk';
import { createHandler, toNode } from 'tessera-sdk/handler';

const tessera = createTessera();

/** Who pays: a Stripe customer ID, an email or your own ID. Replace the header with your session. */
function customerOf({ headers }: FastifyRequest): string | null {
  return typeof headers['x-customer'] === 'string' ? headers['x-customer'] : null;
}

/** A hook for routes that need a feature: 403 for everyone whose plans do not have it. */
const requires = (gate: Gate) => async (request: FastifyRequest, reply: FastifyReply) => {
  const user = customerOf(request);
  const on = user === null ? ({ anonymous: true } as const) : { user };
  const isAllowed = await tessera.can(gate, { on, fallback: false });
  if (!isAllowed) return reply.code(403).send({ error: 'Upgrade to use this' });
};

export const app = Fastify();

app.get('/public-links', { preHandler: requires('dashboards.publicSharing') }, async () => ({ links: [] }));

app.post('/exports', async (request, reply) => {
  const user = customerOf(request);
  if (user === null) return reply.code(401).send({ error: 'Sign in first' });
  const { allowed } = await tessera.consume('data-exports.exports', { on: { user }, fallback: 'allow' });
  if (!allowed) return reply.code(402).send({ error: 'No exports left this month' });
  return { rows: ['2026-01,42'] };
});

/** What your own pages may show: `from: { handler: '/entitlements' }` in the browser. */
const entitlements = toNode(
  createHandler(tessera, {
    identify: ({ headers }) => {
      const user = headers.get('x-customer');
      return user === null ? null : { user };
    },
  }),
);
app.get('/entitlements', (request, reply) => {
  reply.hijack();
  void entitlements(request.raw, reply.raw);
});

// Usage that waits in the buffer is sent before the process ends.
app.addHook('onClose', () => tessera.close());
process.once('SIGTERM', () => void app.close());

await app.listen({ port: Number(process.env.PORT ?? 3000) });
