// Benchmark candidates (g) and (h): a minimal Worker that calls one Durable Object per request, and the same with one SQLite
// upsert in the object.
import { DurableObject } from 'cloudflare:workers';

interface BareEnv {
  readonly COUNTERS: DurableObjectNamespace<Counters>;
}

export class Counters extends DurableObject<BareEnv> {
  constructor(state: DurableObjectState, env: BareEnv) {
    super(state, env);
    state.storage.sql.exec(
      'CREATE TABLE IF NOT EXISTS counter (customer TEXT PRIMARY KEY, total INTEGER NOT NULL) STRICT, WITHOUT ROWID',
    );
  }

  echo(customer: string): string {
    return customer;
  }

  count(customer: string): number {
    const { total } = this.ctx.storage.sql
      .exec<{ total: number }>(
        `INSERT INTO counter (customer, total) VALUES (?, 1)
         ON CONFLICT (customer) DO UPDATE SET total = total + 1 RETURNING total`,
        customer,
      )
      .one();
    return total;
  }
}

export default {
  async fetch(request, env) {
    const { userIdentifier } = await request.json<{ userIdentifier: string }>();
    const counters = env.COUNTERS.getByName('all');
    if (request.url.endsWith('/count')) return Response.json({ total: await counters.count(userIdentifier) });
    return Response.json({ customer: await counters.echo(userIdentifier) });
  },
} satisfies ExportedHandler<BareEnv>;
