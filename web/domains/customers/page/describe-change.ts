/** A change of a customer in words. */
import type { CustomerChange } from '#contracts/console/customer-changes';
import type { Environment } from '#contracts/console/environments';
import type { Feature } from '#contracts/console/features';
import type { Plan } from '#contracts/console/plans';
import type { StoredSubscription } from '#contracts/console/stripe';
import { itemsOf } from '#engine/entitlements/active-products';
import { formatDay, formatNumber, sentence } from '#web/ui/format.ts';
import { signedText, valueText } from '#web/values/kinds/value-text.ts';
import { shownIdentifier } from '#web/values/shown-identifier.ts';
import { joinedWith, separatedFrom } from '#web/values/stripe-side.ts';
import { statusLabel } from '#web/values/subscription-status.ts';

/** Names of what a change refers to; undefined: it does not exist any more, or is not loaded yet. */
export interface ChangeNames {
  readonly plan: (id: string) => string | undefined;
  /** `feature.property`. */
  readonly property: (id: string) => string | undefined;
  readonly environment: (id: string) => string | undefined;
}

/** Properties are named by feature and key. */
export function changeNames(
  plans: readonly Plan[] | undefined,
  features: readonly Feature[] | undefined,
  environments: readonly Environment[],
): ChangeNames {
  const properties = new Map(
    features?.flatMap(({ slug, properties: own, systemFeatureProperties }) =>
      [...systemFeatureProperties, ...own].map(({ id, propertyKey }) => [id, `${slug}.${propertyKey}`]),
    ),
  );
  return {
    plan: (id) => plans?.find(({ planId }) => planId === id)?.name,
    property: (id) => properties.get(id),
    environment: (id) => environments.find((each) => each.id === id)?.name,
  };
}

export interface DescribedChange {
  readonly what: string;
  /** The reason, environment and end. */
  readonly detail: string | null;
}

export function describeChange(change: CustomerChange, names: ChangeNames): DescribedChange {
  return change.kind === 'subscription' ? describeSubscription(change) : describeManual(change, names);
}

type Manual = Extract<CustomerChange, { kind: 'manual' }>;
type Subscription = Extract<CustomerChange, { kind: 'subscription' }>;

function describeManual({ action, detail }: Manual, names: ChangeNames): DescribedChange {
  const text = (field: string) => (typeof detail[field] === 'string' ? detail[field] : '');
  const plan = names.plan(text('planId')) ?? 'A deleted plan';
  const property = names.property(text('propertyId')) ?? 'a deleted property';
  const userId = text('userId') === '' ? '' : `user ID ${text('userId')}`;
  const details = [text('name'), text('email'), userId].filter((part) => part !== '').join(', ');
  const was = 'from' in detail ? ` (was ${valueText(detail.from)})` : '';
  const amountOf = (field: string) =>
    typeof detail[field] === 'number' ? formatNumber(detail[field]) : 'an unknown amount';
  const balance = text('name') === '' ? '' : ` (${text('name')})`;
  const member = text('entityId') === '' ? '' : ` for member ${text('entityId')}`;
  const named = details === '' ? '' : ` as ${details}`;
  const what = {
    'customer.created': sentence`Created${named}`,
    'customer.changed': sentence`Saved${named}`,
    'customer.balance-given': sentence`Given ${amountOf('amount')} ${property}${balance}${member}`,
    'customer.balance-ended': sentence`Balance${balance} of ${property} ended`,
    'customer.balance-changed': sentence`Balance${balance} of ${property} changed: ${balanceChanges(detail)}`,
    'customer.balance-paid-overage': sentence`Balance${balance} of ${property} paid ${amountOf('applied')} of overage`,
    'customer.balance-taken-back': sentence`${amountOf('applied')} of ${amountOf('amount')} ${property}${balance} taken back: ${amountOf('used')} were used`,
    'customer.plan-granted': `${plan} granted`,
    'customer.plan-withdrawn': `${plan} revoked`,
    'customer.plan-ended': 'Grant of a deleted plan ended',
    'customer.property-overridden': `${property} overridden: ${valueText(detail.value)}${was}`,
    'customer.override-removed': `Override of ${property} removed${was}`,
    'customer.meter-corrected': `${property} usage adjusted by ${signedText(detail.applied)}`,
    'customer.email-linked': `Email linked to Stripe customer ${text('customerId')}`,
    'customer.entity-deleted': `Member ${text('entity')} deleted`,
    'customer.joined': sentence`Joined with ${joinedWith(detail)}`,
    'customer.separated': sentence`Separated from ${separatedFrom(detail)}`,
    'customer.moved': `Grants, overrides and usage moved here from “${shownIdentifier(String(detail.from))}”`,
  }[action];
  const { environmentId } = detail;
  const until = detail.until ?? (action === 'customer.balance-given' ? detail.endsAt : undefined);
  const parts = [
    text('reason'),
    typeof environmentId === 'string' && (names.environment(environmentId) ?? 'a deleted environment'),
    typeof until === 'number' && `until ${formatDay(until)}`,
  ].filter((part) => part);
  return {
    what: what ?? action.replace('customer.', '').replaceAll('-', ' '),
    detail: parts.length === 0 ? null : parts.join(' · '),
  };
}

/** 'frozen', 'ends on 3 Dec 2026, priority 10'. */
function balanceChanges({ from, to }: Manual['detail']): string {
  const [before, after] = [from, to] as Partial<Record<string, unknown>>[];
  const endsAt = after?.endsAt;
  const changes = [
    before?.isFrozen !== after?.isFrozen && (after?.isFrozen === true ? 'frozen' : 'no longer frozen'),
    before?.endsAt !== endsAt &&
      (typeof endsAt === 'number' ? `ends on ${formatDay(endsAt)}` : 'does not end'),
    before?.priority !== after?.priority && `priority ${String(after?.priority)}`,
    before?.needsPlan !== after?.needsPlan && (after?.needsPlan === true ? 'needs a plan' : 'needs no plan'),
  ].filter((part) => part !== false);
  return changes.length === 0 ? 'its reason' : changes.join(', ');
}

function describeSubscription({
  before,
  after,
  productNames,
  subscriptionId,
}: Subscription): DescribedChange {
  const nameOf = (subscription: StoredSubscription) =>
    itemsOf(subscription)
      .map(
        ({ productId, quantity }) =>
          `${productNames[productId] ?? productId}${(quantity ?? 1) === 1 ? '' : ` × ${formatNumber(quantity ?? 1)}`}`,
      )
      .join(', ') || 'a product';
  const detail = subscriptionId;
  if (after === null)
    return { what: sentence`Subscription to ${before ? nameOf(before) : ''} ended`, detail };
  if (before === null)
    return { what: sentence`Subscribed to ${nameOf(after)}${statusSuffix(after)}`, detail };
  const changes = [
    nameOf(before) !== nameOf(after) && sentence`changed from ${nameOf(before)} to ${nameOf(after)}`,
    before.status !== after.status &&
      `${statusLabel(before.status).toLowerCase()} → ${statusLabel(after.status).toLowerCase()}`,
    (before.cancelAt ?? null) !== (after.cancelAt ?? null) &&
      (after.cancelAt ? `ends on ${formatDay(after.cancelAt)}` : 'no longer ends'),
    (before.trialEndAt ?? null) !== (after.trialEndAt ?? null) &&
      (after.trialEndAt ? `trial ends on ${formatDay(after.trialEndAt)}` : 'trial over'),
    !before.pauseCollection !== !after.pauseCollection &&
      (after.pauseCollection ? 'payment collection paused' : 'payment collection resumed'),
  ].filter((part) => part !== false);
  return { what: sentence`Subscription to ${nameOf(after)}: ${changes.join(', ')}`, detail };
}

const statusSuffix = ({ status }: StoredSubscription) =>
  status === 'active' ? '' : ` (${statusLabel(status).toLowerCase()})`;
