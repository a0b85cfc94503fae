/** Makes one change of a customer, once for each idempotency key. */
import type { ChangeMade, CustomerChange } from '#contracts/public/customers';
import { Refusal } from '#worker/http/api-error';
import type { CustomerScope } from '#worker/http/request-context';
import { change as commitChange } from '#worker/queue/change';
import { decideChange, makeCorrection } from './decide-change.ts';
import { findSaved, getTarget, type Target } from './find-target.ts';
import { inCallTime } from './in-call-time.ts';
import { takeChange } from './limit-changes.ts';
import type { Provisioning } from './open-provisioning.ts';
import { readLeft } from './read-left.ts';
import {
  findReceipt,
  isReceiptTaken,
  type KeyedRequest,
  keyedRequest,
  receiptStatements,
} from './receipts.ts';
import { ChangedByAnother } from './save-customer.ts';

const MAX_TRIES = 5;

/**
 * @param serial distinguishes the changes of one call
 * @throws {ApiError} naming the change's fields
 */
export async function makeChange(
  provisioning: Provisioning,
  change: CustomerChange,
  serial = 0,
): Promise<ChangeMade> {
  const { ctx, scope, endsAt } = provisioning;
  takeChange(scope.orgId, ctx.now);
  try {
    return await inCallTime(endsAt, () => makeAsRead(provisioning, change, `${ctx.requestId}.${serial}`));
  } catch (error) {
    throw inPublicTerms(error);
  }
}

/** Another call may change the customer between reading it and the commit. */
async function makeAsRead(...given: Parameters<typeof makeOnce>): Promise<ChangeMade> {
  for (let tries = 1; ; tries++) {
    try {
      return await makeOnce(...given);
    } catch (error) {
      if (!(error instanceof ChangedByAnother) || tries === MAX_TRIES) throw error;
    }
  }
}

async function makeOnce(
  provisioning: Provisioning,
  change: CustomerChange,
  ownKey: string,
): Promise<ChangeMade> {
  const { ctx, scope, environmentId } = provisioning;
  const find = change.change === 'save-customer' ? findSaved : getTarget;
  const target = await find(ctx, scope, environmentId, change.customer);
  const keyed = await keyedRequest(change, target.customer);
  return change.change === 'correct-meter'
    ? correct(provisioning, target, change, keyed, ownKey)
    : decideAndCommit(provisioning, target, change, keyed);
}

async function decideAndCommit(
  provisioning: Provisioning,
  target: Target,
  change: Exclude<CustomerChange, { readonly change: 'correct-meter' }>,
  keyed: KeyedRequest | null,
): Promise<ChangeMade> {
  const { ctx, scope } = provisioning;
  const { customer } = target;
  const first = keyed === null ? undefined : await findReceipt(provisioning, keyed);
  if (first) return { ...first, replayed: true };
  const { commit, answer: said } = await decideChange(provisioning, target, change);
  const isTakenBack = change.change === 'save-customer' && change.stripe === null && commit !== null;
  const separated = isTakenBack ? { separated: await readLeft(provisioning, customer) } : {};
  const answer = { customer, changed: commit !== null, ...separated, ...said };
  const receipt = keyed === null ? undefined : receiptStatements(provisioning, keyed, answer);
  const receipted: CustomerScope = { ...scope, receipt };
  try {
    if (commit !== null) await commit(receipted);
    else if (receipt !== undefined)
      await commitChange(ctx, receipted, { write: [], audit: null, publish: [] });
  } catch (error) {
    if (keyed === null || !isReceiptTaken(error)) throw error;
    const faster = await findReceipt(provisioning, keyed);
    if (!faster) throw error;
    return { ...faster, replayed: true };
  }
  return { ...answer, replayed: false };
}

/** The ledger counts a key once and says again what it counted, so the receipt only knows the request. */
async function correct(
  provisioning: Provisioning,
  target: Target,
  change: Extract<CustomerChange, { readonly change: 'correct-meter' }>,
  keyed: KeyedRequest | null,
  ownKey: string,
): Promise<ChangeMade> {
  const { customer } = target;
  const first = keyed === null ? undefined : await findReceipt(provisioning, keyed);
  const receipt =
    keyed === null || first !== undefined ? undefined : receiptStatements(provisioning, keyed, null);
  const make = (scope: CustomerScope) =>
    makeCorrection(provisioning, scope, target, change, keyed?.key ?? ownKey);
  try {
    const { applied, meter } = await make({ ...provisioning.scope, receipt });
    return { customer, changed: applied !== 0, replayed: first !== undefined, applied, meter };
  } catch (error) {
    if (keyed === null || !isReceiptTaken(error)) throw error;
    await findReceipt(provisioning, keyed);
    const { applied, meter } = await make(provisioning.scope);
    return { customer, changed: applied !== 0, replayed: true, applied, meter };
  }
}

/** The use cases name the fields of the console's calls. */
const FIELDS: Readonly<Record<string, string>> = {
  planId: 'plan',
  propertyId: 'property',
  customerId: 'stripe.customerId',
};

function inPublicTerms(error: unknown): unknown {
  if (!(error instanceof Refusal) || error.detail.issues === undefined) return error;
  const issues = error.detail.issues.map(({ path, message }) => ({ path: FIELDS[path] ?? path, message }));
  const [[before], [first]] = [error.detail.issues, issues];
  const isNamed = error.message === `${before?.path}: ${before?.message}`;
  const message = isNamed ? `${first?.path}: ${first?.message}` : error.message;
  return new Refusal(error.errorType, error.code, message, { ...error.detail, issues });
}
