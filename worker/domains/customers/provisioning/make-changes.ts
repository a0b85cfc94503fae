/**
 * Makes the changes of a batch: those of one customer in order, those of two at once. One that is refused stops no other. A batch is in no
 * hurry, and on a local server D1 and everybody's checks share its thread: so few changes wait there, and each begins in a turn of the
 * loop of its own.
 */
import type { ChangeError, ChangeResult, CustomerChange } from '#contracts/public/customers';
import { errorBody } from '#engine/access/api-error';
import type { Refusal } from '#worker/http/api-error';
import { asRefusal } from '#worker/http/as-refusal';
import { CHANGES_PER_SECOND } from './limit-changes.ts';
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
  return paced(results);
}

/** Changes beyond the pace are told one after the other when there is room for them, with those before them. */
function paced(results: readonly ChangeResult[]): ChangeResult[] {
  let limited = 0;
  return results.map((result) => {
    if (result.status !== 'error' || result.retryAfterMs === undefined) return result;
    limited += 1;
    const ownMs = Math.ceil(limited / CHANGES_PER_SECOND) * 1000;
    return { ...result, retryAfterMs: Math.max(result.retryAfterMs, ownMs) };
  });
}

/** When all changes that were beyond a limit can be sent again, in seconds; undefined if there are none. */
export function retryAfterOf(results: readonly ChangeResult[]): number | undefined {
  const waits = results.flatMap((each) => (each.status === 'error' ? (each.retryAfterMs ?? []) : []));
  return waits.length === 0 ? undefined : Math.ceil(Math.max(...waits) / 1000);
}

async function resultOf(batch: Provisioning, change: CustomerChange, index: number): Promise<ChangeResult> {
  const { requestId, log } = batch.ctx;
  try {
    return { status: 'success', requestId, ...(await makeChange(batch, change, index)) };
  } catch (thrown) {
    const refusal = asRefusal(thrown, requestId, log);
    const { issues, ...error } = { ...errorBody(refusal, requestId), ...waitOf(refusal) };
    if (issues === undefined) return error;
    return { ...error, issues: issues.map((each) => ({ ...each, path: `changes.${index}.${each.path}` })) };
  }
}

function waitOf({ errorType, detail }: Refusal): Pick<ChangeError, 'retryAfterMs'> {
  const seconds = detail.headers?.['retry-after'];
  return errorType === 'rate-limited' && seconds !== undefined
    ? { retryAfterMs: Number(seconds) * 1000 }
    : {};
}
