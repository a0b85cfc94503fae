// A batch is many calls in one request: each update is recorded, limited and billed by itself.

import { exports } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import type { CounterUpdatesAnswer } from '#contracts/public/metering';
import { eventOf, recordedEvent } from '#tests/support/call-events';
import { type DocumentedWorkspace, documentedWorkspace } from '#tests/support/documented-workspace';
import { publicRequest } from '#tests/support/public-requests';

const EXPORTS = { feature: 'data-exports', property: 'exports' };

let workspace: DocumentedWorkspace;
beforeAll(async () => {
  workspace = await documentedWorkspace();
});

async function batch(updates: readonly object[], key = workspace.keys.secret) {
  const response = await exports.default.fetch(publicRequest('counter-updates/batch', key, { updates }));
  return { response, body: await response.json<CounterUpdatesAnswer>() };
}

describe('a batch of counter updates', () => {
  it('records each update as a call of its own, with its own answer and without its token', async () => {
    const updates = [
      { ...EXPORTS, userIdentifier: 'batch-1@example.com', by: 3 },
      { ...EXPORTS, userJwt: workspace.token },
      { ...EXPORTS, userIdentifier: 'batch-1@example.com', by: 1.5 },
    ];
    const { body } = await batch(updates);
    for (const [index, { requestId, status }] of body.results.entries()) {
      const event = await recordedEvent(workspace.tenant, requestId);
      expect(event).toMatchObject({ type: 'cu', isError: status === 'error', response: { requestId } });
      if (index === 0) expect(event).toMatchObject({ request: updates[0] });
      if (index === 1) expect(event).toMatchObject({ request: { ...EXPORTS, userJwt: '[redacted]' } });
    }
    expect(await eventOf(workspace.tenant, body.requestId)).toBeNull();
  });

  it('takes a call of the key’s limit for each update, and refuses those beyond it without counting them', async () => {
    const { tenant } = workspace;
    const key = await tenant.key(await tenant.previewId());
    await tenant.make('PUT', `/api-keys/${key.id}`, { rateLimit: 60 });
    const one = { ...EXPORTS, userIdentifier: 'batch-2@example.com' };
    await expect
      .poll(async () => (await batch([one], key.value)).response.headers.get('ratelimit-limit'))
      .toBe('60');
    const { response, body } = await batch(
      new Array(100).fill({ ...one, userIdentifier: 'batch-3' }),
      key.value,
    );
    const refused = body.results.filter((each) => each.status === 'error');
    expect([...new Set(refused.map(({ errorType }) => errorType))]).toEqual(['rate-limited']);
    const counted = body.results.length - refused.length;
    expect(counted).toBeLessThan(61);
    expect(body.results.findIndex(({ status }) => status === 'error')).toBe(counted);
    expect(response.headers.get('ratelimit-remaining')).toBe('0');
    const { body: after } = await batch([{ ...one, userIdentifier: 'batch-3', by: 0 }]);
    expect(after.results[0]).toMatchObject({ meter: { used: counted } });
  });
});
