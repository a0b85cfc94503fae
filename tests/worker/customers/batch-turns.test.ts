// A batch of changes leaves the isolate's loop to others: on a local server, D1 and everybody's checks share its thread.
import { expect, it } from 'vitest';
import type { CustomerChange } from '#contracts/public/customers';
import { log } from '#runtime/log';
import { makeChanges } from '#worker/domains/customers/provisioning/make-changes';

it('makes no more than one change between two turns of the loop, and answers in order', async () => {
  let turns = 0;
  let isOver = false;
  const count = async () => {
    while (!isOver) {
      await scheduler.wait(0);
      turns += 1;
    }
  };
  const counting = count();
  // No time is left: each change ends at once.
  const ctx = { now: Date.now(), requestId: 'req_1', log };
  const provisioning = { ctx, scope: { orgId: 'org_turns' }, environmentId: 'env_1', endsAt: 0 };
  const changes = Array.from({ length: 60 }, (_, index): CustomerChange => {
    return { change: 'save-customer', customer: `customer-${index}`, name: 'Ada' };
  });
  const results = await makeChanges(provisioning as never, changes);
  isOver = true;
  await counting;
  expect(turns).toBeGreaterThanOrEqual(changes.length);
  expect(results).toHaveLength(changes.length);
  expect(new Set(results.map((each) => ('errorType' in each ? each.errorType : each)))).toEqual(
    new Set(['unavailable']),
  );
});
