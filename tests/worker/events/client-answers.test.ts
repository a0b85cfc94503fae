// Answers that clients give from their caches are shown beside the calls, and cost nothing.
import { beforeAll, expect, it } from 'vitest';
import type { EventMetrics } from '#contracts/console/event-metrics';
import type { Event } from '#contracts/console/events';
import { check } from '#tests/support/access-checks';
import { update } from '#tests/support/counter-updates';
import { type DocumentedWorkspace, documentedWorkspace } from '#tests/support/documented-workspace';
import { eventually } from '#tests/support/eventually';

let workspace: DocumentedWorkspace;
beforeAll(async () => {
  workspace = await documentedWorkspace();
});

it('metrics show what clients have answered, whatever a hostile one says, and count calls only', async () => {
  const { keys, tenant } = workspace;
  const said = ['40', '1000000', '1000001', '-5', '0x10', '9'.repeat(400), 'NaN'];
  const ids: string[] = [];
  for (const answered of said) {
    const { requestId } = await check(keys.secret, {}, { headers: { 'tessera-answered': answered } });
    ids.push(requestId.replace('req', 'evt'));
  }
  const count = { userIdentifier: 'ada@example.com', feature: 'data-exports', property: 'exports' };
  await update(keys.secret, count, { 'tessera-answered': '2' });
  const criteria = encodeURIComponent(JSON.stringify({ range: '1h' }));
  const metrics = await eventually(async () => {
    const found = await tenant.make<EventMetrics>('GET', `/event-metrics?criteria=${criteria}`);
    expect(found.totals.total).toBe(said.length + 1);
    return found;
  });
  expect(metrics.answered).toBe(1_000_042);
  expect(metrics.latency?.p99).toBeLessThan(60_000);
  const events = await Promise.all(ids.map((id) => tenant.make<Event>('GET', `/events/${id}`)));
  expect(events.map(({ answered }) => answered)).toEqual([40, 1_000_000, 0, 0, 0, 0, 0]);
});
