// Benchmark candidate (b): a minimal JSON API with Hono and zod. Parses a body and returns 2 KB of JSON without any lookup.
import { Hono } from 'hono';
import { z } from 'zod';

const bodySchema = z.strictObject({ userIdentifier: z.string().min(1).max(200).optional() });
const features = Array.from({ length: 20 }, (_, index) => ({
  slug: `feature-${String(index + 1).padStart(2, '0')}`,
  properties: { enabled: true, limit: 100 + index, exportFormats: 'csv,xlsx', sharing: index % 2 === 0 },
}));

const app = new Hono();

app.post('/', async (c) => {
  const body = bodySchema.parse(await c.req.json());
  return c.json({ status: 'success', user: body.userIdentifier ?? null, features });
});

export default app;
