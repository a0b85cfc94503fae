/** What members are told about their organisation's subscription: derived from its stored state, for the console and for mails. */
import type { SubscriptionStatus } from '#contracts/console/billing';
import type { BillingNotice } from '#contracts/console/organisations';
import { DAY_MS } from '#engine/durations';
import { currentGrace, GRACE_DAYS, type StoredFall } from './grace-period.ts';
import { pastDueUntil } from './granting-period.ts';
import type { OrganisationPlan } from './usage-level.ts';

/** The last days of a plan are announced. */
const ENDS_WITHIN_DAYS = 3;

/** Grow is back once the open invoice is paid. */
export const ON_HOLD: ReadonlySet<SubscriptionStatus> = new Set(['past_due', 'unpaid', 'paused']);

/** The stored state. Instants are epoch milliseconds. */
interface NoticedRow extends StoredFall {
  readonly plan: OrganisationPlan;
  readonly subscriptionId: string | null;
  readonly subscriptionStatus: SubscriptionStatus | null;
  readonly pastDueSince: number | null;
  readonly currentPeriodEndAt: number | null;
  readonly cancelAtPeriodEnd: boolean;
}

/** @returns null if nothing needs attention */
export function billingNoticeOf(row: NoticedRow, now: number): BillingNotice | null {
  const found = row.plan === 'grow' ? ofGrow(row, now) : ofBuild(row, now);
  return found && { ...found, graceUntil: row.plan === 'grow' ? null : currentGrace(row, now) };
}

/** Names a state and when it began or ends, so that each is mailed about once, however often it is read. */
export function noticeKeyOf(row: NoticedRow, now: number): string | null {
  const notice = billingNoticeOf(row, now);
  return notice && `${notice.kind}:${notice.until ?? row.fellAt ?? 0}`;
}

type Found = Pick<BillingNotice, 'kind' | 'until'> | null;

function ofGrow(row: NoticedRow, now: number): Found {
  const { subscriptionId, subscriptionStatus, pastDueSince, currentPeriodEndAt, cancelAtPeriodEnd } = row;
  if (subscriptionId === null) return null;
  const isSoon = (at: number) => now >= at - ENDS_WITHIN_DAYS * DAY_MS;
  const due = pastDueUntil(pastDueSince);
  const isCanceled = cancelAtPeriodEnd && currentPeriodEndAt !== null && isSoon(currentPeriodEndAt);
  const isDue = subscriptionStatus === 'past_due' && due !== null;
  // What ends first is said.
  if (isCanceled && !(isDue && due < currentPeriodEndAt)) {
    return { kind: 'cancelled-ends', until: currentPeriodEndAt };
  }
  return isDue ? { kind: isSoon(due) ? 'past-due-ends' : 'past-due', until: due } : null;
}

function ofBuild({ subscriptionId, subscriptionStatus: status, fellAt }: NoticedRow, now: number): Found {
  if (subscriptionId !== null && status !== null && ON_HOLD.has(status)) {
    return { kind: status === 'paused' ? 'paused' : 'on-hold', until: null };
  }
  const isRecent = fellAt !== null && now < fellAt + GRACE_DAYS * DAY_MS;
  return isRecent ? { kind: 'on-build', until: null } : null;
}
