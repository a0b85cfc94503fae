/** A change in words: what its author did to which object, with names. */
import type {
  Activity,
  ActivityActor,
  ActivityKind,
  ActivityNames,
  AuditAction,
  ChangedField,
  FieldChange,
} from '#contracts/console/activity';
import type { StoredSubscription } from '#contracts/console/stripe';
import { SUDO_ACTIONS, type SudoAction } from '#contracts/console/sudo';
import type { Location } from '#contracts/public/locations';
import type { ConflictResolution, NumberBounds } from '#contracts/public/values';
import { locationName } from '#engine/regions/data-locations';
import { formatDay, formatNumber, sentence } from '#web/ui/format.ts';
import { signedText, valueText } from '#web/values/kinds/value-text.ts';
import { PROPERTY_TYPES, viewOf } from '#web/values/kinds/views.ts';
import { shownIdentifier } from '#web/values/shown-identifier.ts';
import { joinedWith, separatedFrom } from '#web/values/stripe-side.ts';
import { statusLabel } from '#web/values/subscription-status.ts';
import { boundsLabel } from '#web/values/value-labels.ts';

export const KIND_LABELS: Record<ActivityKind, string> = {
  feature: 'Features',
  plan: 'Plans',
  workflow: 'Workflows',
  environment: 'Environments',
  version: 'Versions and deployments',
  'api-key': 'API keys',
  customer: 'Customers',
  integration: 'Integrations',
  member: 'Members',
  organisation: 'Organisation',
  billing: 'Billing',
  support: 'Support',
};

/** Of the author of a change: 'Dana Demo', 'Dana Demo (support)', 'API key Server'. */
export function actorName({ kind, name }: ActivityActor): string {
  switch (kind) {
    case 'member':
      return name ?? 'A former member';
    case 'support':
      return sentence`${name ?? 'Someone'} (support)`;
    case 'key':
      return name === null || name === '' ? 'An API key' : sentence`API key ${name}`;
    case 'stripe':
      return 'Stripe';
    case 'service':
      return 'Tessera';
  }
}

export interface DescribedActivity {
  /** What follows the author's name: 'deployed v3 to Production'. */
  readonly what: string;
  /** The reason, environment and end; null: none. */
  readonly detail: string | null;
  /** What an edit changed, a line each. */
  readonly changes: readonly string[];
}

export function describeActivity(activity: Activity, names: ActivityNames): DescribedActivity {
  const change = read(activity, names);
  const words = (ACTION_WORDS as Readonly<Record<string, ((change: Change) => string) | undefined>>)[
    activity.action
  ];
  return {
    what: words?.(change) ?? activity.action.replace('.', ' ').replaceAll('-', ' '),
    detail: detailOf(activity, change),
    changes: changeLines(activity, names),
  };
}

interface Change {
  /** The object's name; of one that nobody named, its id. */
  readonly object: string;
  /** As others read it; empty without an object. */
  readonly id: string;
  /** The name of what a field of the detail refers to. @param noun what it is called once it is gone */
  readonly named: (field: string, noun: string) => string;
  /** A text or number of the detail; otherwise empty. */
  readonly text: (field: string) => string;
  readonly detail: Activity['detail'];
}

function read({ targetId, detail }: Activity, names: ActivityNames): Change {
  const text = (field: string) => {
    const value = detail[field];
    return typeof value === 'string' ? value : typeof value === 'number' ? formatNumber(value) : '';
  };
  const id = shownIdentifier(targetId ?? '');
  const nameOf = (of: string | null) => (of !== null && Object.hasOwn(names, of) ? names[of] : undefined);
  return {
    object: nameOf(targetId) ?? id,
    id,
    named: (field, noun) => nameOf(text(field)) ?? deleted(noun, text(field)),
    text,
    detail,
  };
}

/** 'a deleted plan (plan_01h…)': of what has no name in the log, only the id is left. */
const deleted = (noun: string, id: string) =>
  id === '' ? `a deleted ${noun}` : sentence`a deleted ${noun} (${id})`;

/** 'the secret key Server of Production'. A key without a name has its masked value. */
function keyOf({ object, named, text }: Change): string {
  const type = text('type') === '' ? '' : `${text('type')} `;
  return sentence`the ${type}key ${object} of ${named('environmentId', 'environment')}`;
}

/** 'Acme (acme-42)': a name or email alone can be another customer's too. */
const createdOf = ({ object, id }: Change) => (object === id ? id : sentence`${object} (${id})`);

const called = (noun: string, { object }: Change) => sentence`the ${noun} ${object}`;
const planOf = ({ named }: Change) => named('planId', 'plan');
const propertyOf = ({ named }: Change) => named('propertyId', 'property');
const memberOf = ({ text }: Change) => (text('entityId') === '' ? '' : ` for member ${text('entityId')}`);
const balanceNameOf = ({ text }: Change) => (text('name') === '' ? '' : ` (${text('name')})`);
const workflowOf = ({ named }: Change) => named('workflowId', 'workflow');
const environmentOf = ({ named }: Change) => named('environmentId', 'environment');
const wasText = ({ detail }: Change) => ('from' in detail ? ` (was ${valueText(detail.from)})` : '');
const versionOf = ({ text }: Change) => (text('number') === '' ? 'a version' : `v${text('number')}`);
const tierOf = (plan: string) => plan.replace(/^[a-z]/, (letter) => letter.toUpperCase());

/** The compiler asks for those of a new action. */
export const ACTION_WORDS: Record<AuditAction, (change: Change) => string> = {
  'api-key.created': (change) => sentence`created ${keyOf(change)}`,
  'api-key.limits-changed': (change) => sentence`changed the limits of ${keyOf(change)}`,
  'api-key.renamed': (change) => sentence`renamed ${keyOf(change)}`,
  'api-key.revealed': (change) => sentence`revealed ${keyOf(change)}`,
  'api-key.revoked': (change) => sentence`revoked ${keyOf(change)}`,
  'billing.checkout-opened': () => 'opened the checkout for the Grow plan',
  'billing.plan-changed': ({ text }) =>
    `changed the organisation’s plan from ${tierOf(text('from'))} to ${tierOf(text('to'))}`,
  'billing.portal-opened': () => 'opened the billing portal',
  'billing.subscription-changed': () => 'changed the organisation’s subscription',
  'billing.usage-blocked': () => 'blocked API calls: monthly limit reached',
  'billing.usage-unblocked': () => 'unblocked API calls',
  'customer.balance-changed': (change) =>
    sentence`changed a balance${balanceNameOf(change)} of ${propertyOf(change)} for ${change.object}`,
  'customer.balance-given': (change) =>
    sentence`gave ${change.object} a balance${balanceNameOf(change)} of ${change.text('amount')} ${propertyOf(change)}${memberOf(change)}`,
  'customer.balance-paid-overage': (change) =>
    sentence`paid ${change.text('applied')} of overage from a balance${balanceNameOf(change)} of ${propertyOf(change)} for ${change.object}`,
  'customer.balance-taken-back': (change) =>
    sentence`took back ${change.text('applied')} of a balance${balanceNameOf(change)} of ${propertyOf(change)} from ${change.object}`,
  'customer.changed': (change) => sentence`changed the customer ${createdOf(change)}`,
  'customer.created': (change) => sentence`created the customer ${createdOf(change)}`,
  'customer.email-linked': (change) =>
    sentence`linked the email ${change.object} to Stripe customer ${change.text('customerId')}`,
  'customer.entity-deleted': (change) =>
    sentence`deleted the member ${change.text('entity')} of ${change.object}`,
  'customer.joined': (change) => sentence`joined ${change.object} with ${joinedWith(change.detail)}`,
  'customer.meter-corrected': (change) =>
    sentence`adjusted the usage of ${propertyOf(change)} by ${signedText(change.detail.applied)} for ${change.object}`,
  'customer.moved': (change) =>
    sentence`moved grants, overrides and usage from “${shownIdentifier(change.text('from'))}” to ${change.object}`,
  'customer.override-removed': (change) =>
    sentence`removed the override of ${propertyOf(change)}${wasText(change)} for ${change.object}`,
  'customer.plan-ended': (change) => sentence`ended a grant of ${planOf(change)} to ${change.object}`,
  'customer.plan-granted': (change) => sentence`granted ${planOf(change)} to ${change.object}`,
  'customer.plan-withdrawn': (change) => sentence`revoked ${planOf(change)} from ${change.object}`,
  'customer.property-overridden': (change) =>
    'from' in change.detail
      ? sentence`changed ${propertyOf(change)} from ${valueText(change.detail.from)} to ${valueText(change.detail.value)} for ${change.object}`
      : sentence`set ${propertyOf(change)} to ${valueText(change.detail.value)} for ${change.object}`,
  'customer.separated': (change) => sentence`separated ${change.object} from ${separatedFrom(change.detail)}`,
  'environment.changed': (change) => sentence`changed ${called('environment', change)}`,
  'environment.created': (change) => sentence`created ${called('environment', change)}`,
  'environment.deleted': (change) => sentence`deleted ${called('environment', change)}`,
  'feature.changed': (change) => sentence`changed ${called('feature', change)}`,
  'feature.created': (change) => sentence`created ${called('feature', change)}`,
  'feature.deleted': (change) => sentence`deleted ${called('feature', change)}`,
  'integration.webhook-changed': (change) => sentence`changed ${called('webhook', change)}`,
  'integration.webhook-created': (change) => sentence`added ${called('webhook', change)}`,
  'integration.webhook-deleted': (change) => sentence`deleted ${called('webhook', change)}`,
  'integration.webhook-disabled': (change) =>
    change.text('because') === 'gone'
      ? sentence`disabled ${called('webhook', change)}, which answered that it is gone`
      : sentence`disabled ${called('webhook', change)}, which has failed for five days`,
  'integration.webhook-resent': (change) =>
    sentence`sent ${change.text('events')} events to ${called('webhook', change)} again`,
  'integration.webhook-secret-revealed': (change) =>
    sentence`viewed the secret of ${called('webhook', change)}`,
  'integration.webhook-secret-rotated': (change) =>
    sentence`replaced the secret of ${called('webhook', change)}`,
  'integration.webhook-tested': (change) => sentence`sent a test event to ${called('webhook', change)}`,
  'invitation.canceled': ({ object }) => sentence`canceled the invitation of ${object}`,
  'invitation.cleared': ({ object }) => sentence`removed the closed invitation of ${object}`,
  'invitation.created': ({ object, text }) => sentence`invited ${object} as ${text('role')}`,
  'invitation.rejected': ({ object }) => sentence`declined the invitation of ${object}`,
  'jwt-integration.created': (change) => sentence`created ${called('JWT integration', change)}`,
  'jwt-integration.deleted': (change) => sentence`deleted ${called('JWT integration', change)}`,
  'jwt-integration.keys-refreshed': (change) =>
    sentence`fetched new public keys for ${called('JWT integration', change)}`,
  'jwt-integration.updated': (change) => sentence`changed ${called('JWT integration', change)}`,
  'member.disabled': ({ object }) => sentence`disabled the account of ${object}`,
  'member.enabled': ({ object }) => sentence`enabled the account of ${object}`,
  'member.joined': ({ text }) => `joined as ${text('role')}`,
  'member.left': () => 'left the organisation',
  'member.removed': ({ object }) => sentence`removed ${object} from the organisation`,
  'member.role-changed': ({ object, text }) =>
    sentence`changed the role of ${object} from ${text('from')} to ${text('to')}`,
  'organisation.changed': () => 'changed the organisation’s settings',
  'organisation.created': () => 'created the organisation',
  'organisation.data-locations-changed': () => 'changed the data regions',
  'organisation.deleted': () => 'deleted the organisation',
  'organisation.deletion-cancelled': () => 'canceled the organisation’s deletion',
  'organisation.deletion-scheduled': () => 'scheduled the organisation’s deletion',
  'organisation.deletion-started': () => 'started the organisation’s deletion',
  'plan.changed': (change) => sentence`changed ${called('plan', change)}`,
  'plan.created': (change) => sentence`created ${called('plan', change)}`,
  'plan.deleted': (change) => sentence`deleted ${called('plan', change)}`,
  'plan.products-changed': (change) => sentence`changed the Stripe products of ${called('plan', change)}`,
  'plan.version-created': (change) => sentence`changed the values of ${called('plan', change)}`,
  'property.changed': (change) => sentence`changed ${called('property', change)}`,
  'property.created': (change) => sentence`added ${called('property', change)}`,
  'property.deleted': (change) => sentence`deleted ${called('property', change)}`,
  'stripe-integration.created': (change) => sentence`connected ${called('Stripe account', change)}`,
  'stripe-integration.deleted': (change) => sentence`disconnected ${called('Stripe account', change)}`,
  'stripe-integration.sync-started': (change) =>
    sentence`started a sync of ${change.text('type') === 'stripe-product' ? 'products' : 'customers'} of ${called('Stripe account', change)}`,
  'stripe-integration.top-up-removed': (change) =>
    sentence`ended what ${change.text('priceName')} (${change.text('priceId')}) of ${called('Stripe account', change)} gives`,
  'stripe-integration.top-up-set': (change) =>
    sentence`had ${change.text('priceName')} (${change.text('priceId')}) of ${called('Stripe account', change)} give ${change.text('amount')} ${propertyOf(change)}`,
  'stripe-integration.updated': (change) => sentence`changed ${called('Stripe account', change)}`,
  'stripe-integration.webhook-added': (change) =>
    sentence`added a webhook to ${called('Stripe account', change)}`,
  'sudo.acted': () => 'acted on behalf of the organisation',
  'sudo.database-followed': () => 'made every region follow the restored database',
  'sudo.dead-letter-discarded': (change) => sentence`discarded ${called('undelivered message', change)}`,
  'sudo.dead-letter-retried': (change) => sentence`retried ${called('undelivered message', change)}`,
  'sudo.organisation-change-refused': () => 'was refused a change of billing',
  'sudo.organisation-changed': () => 'changed the organisation’s billing',
  'sudo.user-changed': (change) => sentence`changed ${called('user', change)}`,
  'sudo.viewed': () => 'viewed the organisation',
  'support-access.ended': () => 'ended support access',
  'support-access.granted': ({ text }) =>
    text('hours') === '' ? 'granted support access' : `granted support access for ${text('hours')} hours`,
  'support-access.reading-changed': ({ detail }) =>
    detail.needsConsent === true
      ? 'made support ask before it reads customers and events'
      : 'let support read customers and events',
  'support-access.requested': () => 'requested support access',
  'version.created': ({ object }) => sentence`created ${object}`,
  'version.deleted': ({ object }) => sentence`deleted ${object}`,
  'version.deployed': (change) => sentence`deployed ${versionOf(change)} to ${change.object}`,
  'version.rolled-back': (change) => sentence`rolled ${change.object} back to ${versionOf(change)}`,
  'workflow-test.added': (change) => sentence`added the test ${change.text('name')} to ${workflowOf(change)}`,
  'workflow-test.changed': (change) =>
    sentence`changed the test ${change.text('name')} of ${workflowOf(change)}`,
  'workflow-test.deleted': (change) => sentence`deleted the test ${change.object} from ${workflowOf(change)}`,
  'workflow.changed': (change) => sentence`changed ${called('workflow', change)}`,
  'workflow.created': (change) => sentence`created ${called('workflow', change)}`,
  'workflow.deleted': (change) => sentence`deleted ${called('workflow', change)}`,
  'workflow.switched-off': (change) =>
    sentence`disabled ${called('workflow', change)} in ${environmentOf(change)} after repeated failures`,
  'workflow.switched-on': (change) =>
    sentence`enabled ${called('workflow', change)} in ${environmentOf(change)}`,
};

/** What the sentence does not say. */
function detailOf({ kind, action, detail }: Activity, change: Change): string | null {
  const { text } = change;
  const isScoped = kind === 'customer' && 'environmentId' in detail;
  const version = text('version');
  const type = knownType(detail.type);
  const parts = [
    action === 'workflow.switched-off' ? stoppedRuns(change) : text('reason'),
    text('note'),
    action === 'property.created' && type !== null && viewOf(type).label,
    action === 'plan.version-created' && version !== '' && `plan version ${version}`,
    action === 'sudo.acted' && staffAction(change),
    action === 'billing.subscription-changed' && subscriptionState(detail),
    detail.managesCustomers === true && 'can manage customers',
    typeof detail.fromArtifactId === 'string' && `in place of ${change.named('fromArtifactId', 'version')}`,
    isScoped && (detail.environmentId === null ? 'all environments' : environmentOf(change)),
    typeof detail.until === 'number' && `until ${formatDay(detail.until)}`,
  ].filter((part) => typeof part === 'string' && part !== '');
  return parts.length === 0 ? null : parts.join(' · ');
}

/** The counts are absent in rows of earlier releases. */
function stoppedRuns({ text }: Change): string {
  return text('runs') === '' ? '' : `${text('kills')} of ${text('runs')} runs stopped`;
}

/** An action of its own, or a call that a change of its own follows. */
function staffAction({ text }: Change): string {
  const action = text('sudoAction');
  return Object.hasOwn(SUDO_ACTIONS, action)
    ? SUDO_ACTIONS[action as SudoAction]
    : [text('method'), text('path'), action].filter(Boolean).join(' ');
}

function subscriptionState({ status, cancelAtPeriodEnd }: Activity['detail']): string {
  const label = statusLabel(status as StoredSubscription['status'])?.toLowerCase();
  return [label, cancelAtPeriodEnd === true && 'ends with the current period'].filter(Boolean).join(', ');
}

const knownType = (type: unknown) => PROPERTY_TYPES.find((each) => each === type) ?? null;

/** Further ones are counted. */
const MAX_CHANGES = 6;

/** 'linked Acme Team', 'name from “Team” to “Squad”', 'seats.max set to 5', 'description, code', 'and 3 more'. */
function changeLines({ action, detail }: Activity, names: ActivityNames): string[] {
  const changes = shownChanges(action, detail);
  const texts = (some: readonly FieldChange[]) =>
    some.map((change) => changeText(withRule(change, detail.type), names));
  const named = texts(changes.filter((change) => !hasValue(change)));
  const lines = [
    ...(action === 'plan.products-changed' ? productLines(detail, names) : []),
    ...(action === 'organisation.data-locations-changed' ? regionLines(detail) : []),
    ...texts(changes.filter(hasValue)),
    ...(named.length > 0 ? [named.join(', ')] : []),
  ];
  const unrecorded = typeof detail.moreChanges === 'number' ? detail.moreChanges : 0;
  const more = Math.max(0, lines.length - MAX_CHANGES) + unrecorded;
  return [...lines.slice(0, MAX_CHANGES), ...(more > 0 ? [`and ${formatNumber(more)} more`] : [])];
}

/** A link is a list of the integration, the product, the price, and the price's name. */
function productLines({ added, removed }: Activity['detail'], names: ActivityNames): string[] {
  const lines = (verb: string, links: unknown) =>
    (Array.isArray(links) ? links : []).map(([, product, , price]: readonly string[]) => {
      const name = product !== undefined && Object.hasOwn(names, product) ? names[product] : undefined;
      return sentence`${verb} ${name ?? deleted('product', product ?? '')}${price ? ` (${price})` : ''}`;
    });
  return [...lines('linked', added), ...lines('unlinked', removed)];
}

/** Rows of earlier releases have the enabled ones only. */
function regionLines({ dataLocations, from }: Activity['detail']): string[] {
  const [after, before] = [dataLocations, from].map((list) =>
    Array.isArray(list) ? (list as Location[]) : [],
  );
  const namesOf = (locations: readonly Location[] = []) => locations.map(locationName).join(', ');
  if (from === undefined) return [`enabled: ${namesOf(after)}`];
  const enabled = after?.filter((location) => !before?.includes(location));
  const disabled = before?.filter((location) => !after?.includes(location));
  return [
    ...(enabled?.length ? [`enabled ${namesOf(enabled)}`] : []),
    ...(disabled?.length ? [`disabled ${namesOf(disabled)}`] : []),
  ];
}

/** The rule between plans as the console calls it. Rows of earlier releases lack the property's type. */
function withRule({ field, from, to }: FieldChange, type: unknown): FieldChange {
  if (field !== 'conflictResolution') return { field, from, to };
  const { ruleLabel } = viewOf(knownType(type) ?? 'number');
  const label = (rule: unknown) =>
    RULES.includes(rule as ConflictResolution) ? ruleLabel(rule as ConflictResolution, undefined) : rule;
  return { field, from: label(from), to: label(to) };
}

const RULES: readonly ConflictResolution[] = ['higher', 'lower', 'sum'];

const hasValue = ({ from = null, to = null }: FieldChange) => from !== null || to !== null;

/** Compiled code follows from the code. */
function shownChanges(action: string, detail: Activity['detail']): FieldChange[] {
  const changes =
    action === 'sudo.organisation-changed'
      ? Object.entries(detail).map(([field, to]) => ({ field, to }))
      : changesOf(detail);
  const hasSource = changes.some(({ field }) => field === 'source');
  return changes.filter(({ field }) => !hasSource || field !== 'compiled');
}

/** Rows of earlier releases have the names of fields only. */
function changesOf({ changes, fields, changed }: Activity['detail']): FieldChange[] {
  if (Array.isArray(changes)) return changes;
  const names = fields ?? changed;
  if (!Array.isArray(names)) return [];
  return names.flatMap((field: unknown) =>
    typeof field === 'string' && field !== 'updatedAt' ? { field } : [],
  );
}

function changeText({ field, from = null, to = null }: FieldChange, names: ActivityNames): string {
  const name = (Object.hasOwn(names, field) ? names[field] : undefined) ?? fieldName(field);
  if (!hasValue({ field, from, to })) return sentence`${name}`;
  const [before, after] = [from, to].map((value) => wordOf(field, value) ?? changedText(value));
  if (isEmpty(from) && wordOf(field, from) === undefined) return sentence`${name} set to ${after ?? ''}`;
  if (isEmpty(to) && wordOf(field, to) === undefined) return sentence`${name} removed (was ${before ?? ''})`;
  return sentence`${name} from ${before ?? ''} to ${after ?? ''}`;
}

/** As forms call them. The compiler asks for those of a new field. */
export const FIELD_WORDS: Record<ChangedField, string> = {
  acceptsUnverifiedEmails: 'accept unverified emails',
  activeStripeCustomerId: 'Stripe customer ID',
  activeStripeSubscriptionId: 'Stripe subscription ID',
  allowanceShare: 'share of the monthly allowance',
  audience: 'audience',
  balanceOpens: 'whether a balance opens the feature',
  bounds: 'bounds',
  claimIndex: 'what the claim contains',
  claimKey: 'claim key',
  entityClaimKey: 'member claim',
  compiled: 'compiled code',
  conflictResolution: 'rule when plans differ',
  costs: 'costs of each one',
  description: 'description',
  disabledBecause: 'disabled',
  enabled: 'enabled',
  environmentIds: 'environments',
  grantToAnonymousSessions: 'assigned to anonymous users',
  grantToAuthenticatedUsers: 'assigned to registered users',
  grantsCardlessTrials: 'access by trials without a payment method',
  initialSyncSkipped: 'quick start step “Sync your Stripe account”',
  isAddOn: 'add-on',
  isPublic: 'shown publicly',
  issuer: 'issuer',
  keepsPaused: 'access while payment collection is paused',
  keepsUnpaid: 'access while unpaid',
  keyAddress: 'address of the public keys',
  minDaysBetweenResets: 'minimum days between resets',
  name: 'name',
  onPlanChange: 'billing periods when a plan changes',
  pastDueDays: 'days of access while past due',
  plan: 'plan',
  publicKeys: 'public keys',
  quickstartIdIntegrationSkipped: 'quick start step “Configure JWT”',
  quickstartStatus: 'quick start',
  quickstartWaitForEventSkipped: 'quick start step “Trigger an event in Stripe”',
  rateLimit: 'calls per minute',
  secretKey: 'secret key',
  slug: 'slug',
  source: 'code',
  types: 'events',
  url: 'URL',
  userIdKey: 'metadata key of user IDs',
  value: 'default value',
  zone: 'time zone',
};

const PLAN_CHANGES = new Map<unknown, string>([
  ['restart', 'begin anew'],
  ['proportional', 'have each limit for its share'],
]);
const isSkipped = (value: unknown) => (value === true ? 'skipped' : 'open');

/** Of fields whose values are no words themselves. Undefined: as property values are written. */
const VALUE_WORDS: Partial<Record<ChangedField, (value: unknown) => string | undefined>> = {
  allowanceShare: (value) => (typeof value === 'number' ? `${value}%` : undefined),
  claimIndex: (value) => (value === 'email' ? 'an email' : 'a Stripe customer ID'),
  disabledBecause: (value) => (value === null ? 'no' : 'yes'),
  initialSyncSkipped: isSkipped,
  onPlanChange: (value) => PLAN_CHANGES.get(value) ?? 'go on',
  pastDueDays: (value) => (value === null ? 'no limit' : undefined),
  plan: (value) => (typeof value === 'string' ? tierOf(value) : undefined),
  quickstartIdIntegrationSkipped: isSkipped,
  quickstartStatus: (value) => (value === null ? 'open' : String(value)),
  quickstartWaitForEventSkipped: isSkipped,
};

function wordOf(field: string, value: unknown): string | undefined {
  return Object.hasOwn(VALUE_WORDS, field) ? VALUE_WORDS[field as ChangedField]?.(value) : undefined;
}

/** An id of a property without a name is one that was deleted. Rows of earlier releases may have further fields. */
function fieldName(field: string): string {
  if (field.startsWith('prop_')) return deleted('property', field);
  return Object.hasOwn(FIELD_WORDS, field)
    ? FIELD_WORDS[field as ChangedField]
    : field.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

const isEmpty = (value: unknown) => value === null || value === '';

/** As property values are written, or bounds of a number. */
function changedText(value: unknown): string {
  const isBounds = typeof value === 'object' && value !== null && 'allowDecimal' in value;
  return isBounds ? (boundsLabel(value as NumberBounds) ?? 'any number') : valueText(value);
}
