/**
 * Makes the changes of a batch: those of one customer in order, those of two at once. One that is refused stops no other. A batch is in no
 * hurry, and on a local server D1 and everybody's checks share its thread: so few changes wait there, and each begins in a turn of the
 * loop of its own.
 */
import type { ChangeResult, CustomerChange } from '#contracts/public/customers';
import { errorBody } from '#worker/domains/access/public-call';
import { asApiError } from '#worker/http/respond';
import { makeChange } from './make-change.ts';
import type { Provisioning } from './open-provisioning.ts';

const CUSTOMERS_AT_ONCE = 2;

/** @returns in the order of the changes */
export async function makeChanges(
  provisioning: Provisioning,
  changes: readonly CustomerChange[],
): Promise<ChangeResult[]> {
  const batch: Provisioning = { ...provisioning, scope: { ...provisioning.scope, isPushedLater: true } };
  const results: ChangeResult[] = [];
  const numbered = changes.map((change, index) => ({ change, index }));
  const waiting = [...Map.groupBy(numbered, ({ change }) => change.customer).values()].values();
  let lastTurn = Promise.resolve();
  const nextTurn = () => {
    lastTurn = lastTurn.then(() => scheduler.wait(0));
    return lastTurn;
  };
  const work = async () => {
    for (const theirs of waiting) {
      for (const { change, index } of theirs) {
        await nextTurn();
        results[index] = await resultOf(batch, change, index);
      }
    }
  };
  await Promise.all(Array.from({ length: CUSTOMERS_AT_ONCE }, work));
  return results;
}

async function resultOf(batch: Provisioning, change: CustomerChange, index: number): Promise<ChangeResult> {
  const { requestId, log } = batch.ctx;
  try {
    return { status: 'success', requestId, ...(await makeChange(batch, change, index)) };
  } catch (thrown) {
    const { issues, ...error } = errorBody(asApiError(thrown, requestId, log), requestId);
    if (issues === undefined) return error;
    return { ...error, issues: issues.map((each) => ({ ...each, path: `changes.${index}.${each.path}` })) };
  }
}
