/** A change in words: what its author did to which object, with names. */
import type {
  Activity,
  ActivityActor,
  ActivityKind,
  ActivityNames,
  AuditAction,
  FieldChange,
} from '#contracts/console/activity';
import type { ConflictResolution, NumberBounds, PropertyType } from '#contracts/public/values';
import { formatDay, formatNumber, sentence } from '#web/ui/format.ts';
import { shownIdentifier } from '#web/values/shown-identifier.ts';
import { boundsLabel, resolutionLabel, TYPE_LABELS } from '#web/values/value-labels.ts';
import { signedText, valueText } from '#web/values/value-text.ts';

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
  const words = (WORDS as Readonly<Record<string, ((change: Change) => string) | undefined>>)[
    activity.action
  ];
  return {
    what: words?.(change) ?? activity.action.replace('.', ' ').replaceAll('-', ' '),
    detail: detailOf(activity, change),
    changes: changeLines(activity, names),
  };
}

interface Change {
  /** The object's name. @param fallback if it has none */
  readonly object: (fallback: string) => string;
  /** The name of what a field of the detail refers to. */
  readonly named: (field: string, fallback: string) => string;
  /** A text or number of the detail; otherwise empty. */
  readonly text: (field: string) => string;
  readonly detail: Activity['detail'];
}

function read({ targetId, kind, detail }: Activity, names: ActivityNames): Change {
  const text = (field: string) => {
    const value = detail[field];
    return typeof value === 'string' ? value : typeof value === 'number' ? formatNumber(value) : '';
  };
  const nameOf = (id: string | null) => (id !== null && Object.hasOwn(names, id) ? names[id] : undefined);
  return {
    object: (fallback) =>
      nameOf(targetId) ?? (kind === 'customer' && targetId !== null ? shownIdentifier(targetId) : fallback),
    named: (field, fallback) => nameOf(text(field)) ?? fallback,
    text,
    detail,
  };
}

/** 'the secret key Server', 'a public key'. Most keys have no name. */
function keyOf({ object, named, text }: Change): string {
  const type = text('type') === '' ? '' : `${text('type')} `;
  const name = object('');
  const which = name === '' ? `a ${type}key` : sentence`the ${type}key ${name}`;
  return sentence`${which} of ${named('environmentId', 'a deleted environment')}`;
}

const called = (noun: string, { object }: Change) => {
  const name = object('');
  return name === '' ? `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}` : sentence`the ${noun} ${name}`;
};
const customerOf = ({ object }: Change) => object('a customer');
const planOf = ({ named }: Change) => named('planId', 'a deleted plan');
const propertyOf = ({ named }: Change) => named('propertyId', 'a deleted property');
const workflowOf = ({ named }: Change) => named('workflowId', 'a deleted workflow');
const environmentOf = ({ named }: Change) => named('environmentId', 'a deleted environment');
const wasText = ({ detail }: Change) => ('from' in detail ? ` (was ${valueText(detail.from)})` : '');
const versionOf = ({ text }: Change) => (text('number') === '' ? 'a version' : `v${text('number')}`);

const WORDS: Record<AuditAction, (change: Change) => string> = {
  'api-key.created': (change) => sentence`created ${keyOf(change)}`,
  'api-key.limits-changed': (change) => sentence`changed the limits of ${keyOf(change)}`,
  'api-key.renamed': (change) => sentence`renamed ${keyOf(change)}`,
  'api-key.revealed': (change) => sentence`revealed ${keyOf(change)}`,
  'api-key.revoked': (change) => sentence`revoked ${keyOf(change)}`,
  'billing.checkout-opened': () => 'opened the checkout for the Grow plan',
  'billing.plan-changed': ({ text }) =>
    `changed the organisation’s plan from ${text('from')} to ${text('to')}`,
  'billing.portal-opened': () => 'opened the billing portal',
  'billing.subscription-changed': () => 'changed the organisation’s subscription',
  'billing.usage-blocked': () => 'blocked API calls: monthly limit reached',
  'billing.usage-unblocked': () => 'unblocked API calls',
  'customer.changed': (change) => sentence`changed the customer ${customerOf(change)}`,
  'customer.created': (change) => sentence`created the customer ${customerOf(change)}`,
  'customer.email-linked': (change) =>
    sentence`linked the email ${customerOf(change)} to Stripe customer ${change.text('customerId')}`,
  'customer.meter-corrected': (change) =>
    sentence`adjusted the usage of ${propertyOf(change)} by ${signedText(change.detail.applied)} for ${customerOf(change)}`,
  'customer.moved': (change) =>
    sentence`moved grants, overrides and usage from “${shownIdentifier(change.text('from'))}” to ${customerOf(change)}`,
  'customer.override-removed': (change) =>
    sentence`removed the override of ${propertyOf(change)}${wasText(change)} for ${customerOf(change)}`,
  'customer.plan-ended': (change) => sentence`ended a grant of ${planOf(change)} to ${customerOf(change)}`,
  'customer.plan-granted': (change) => sentence`granted ${planOf(change)} to ${customerOf(change)}`,
  'customer.plan-withdrawn': (change) => sentence`revoked ${planOf(change)} from ${customerOf(change)}`,
  'customer.property-overridden': (change) =>
    'from' in change.detail
      ? sentence`changed ${propertyOf(change)} from ${valueText(change.detail.from)} to ${valueText(change.detail.value)} for ${customerOf(change)}`
      : sentence`set ${propertyOf(change)} to ${valueText(change.detail.value)} for ${customerOf(change)}`,
  'environment.changed': (change) => sentence`changed ${called('environment', change)}`,
  'environment.created': (change) => sentence`created ${called('environment', change)}`,
  'environment.deleted': (change) => sentence`deleted ${called('environment', change)}`,
  'feature.changed': (change) => sentence`changed ${called('feature', change)}`,
  'feature.created': (change) => sentence`created ${called('feature', change)}`,
  'feature.deleted': (change) => sentence`deleted ${called('feature', change)}`,
  'invitation.canceled': ({ object }) => sentence`canceled the invitation of ${object('somebody')}`,
  'invitation.cleared': ({ object }) => sentence`removed the closed invitation of ${object('somebody')}`,
  'invitation.created': ({ object, text }) => sentence`invited ${object('somebody')} as ${text('role')}`,
  'invitation.rejected': () => 'declined the invitation',
  'jwt-integration.created': (change) => sentence`created ${called('JWT integration', change)}`,
  'jwt-integration.deleted': (change) => sentence`deleted ${called('JWT integration', change)}`,
  'jwt-integration.keys-refreshed': (change) =>
    sentence`fetched new public keys for ${called('JWT integration', change)}`,
  'jwt-integration.updated': (change) => sentence`changed ${called('JWT integration', change)}`,
  'member.disabled': ({ object }) => sentence`disabled the account of ${object('a former member')}`,
  'member.enabled': ({ object }) => sentence`enabled the account of ${object('a former member')}`,
  'member.joined': ({ text }) => `joined as ${text('role')}`,
  'member.left': () => 'left the organisation',
  'member.removed': ({ object }) => sentence`removed ${object('a member')} from the organisation`,
  'member.role-changed': ({ object, text }) =>
    sentence`changed the role of ${object('a former member')} from ${text('from')} to ${text('to')}`,
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
  'stripe-integration.updated': (change) => sentence`changed ${called('Stripe account', change)}`,
  'stripe-integration.webhook-added': (change) =>
    sentence`added a webhook to ${called('Stripe account', change)}`,
  'sudo.acted': () => 'acted on behalf of the organisation',
  'sudo.dead-letter-discarded': () => 'discarded an undelivered message',
  'sudo.dead-letter-retried': () => 'retried an undelivered message',
  'sudo.organisation-change-refused': () => 'was refused a change of billing',
  'sudo.organisation-changed': () => 'changed the organisation’s billing',
  'sudo.user-changed': () => 'changed a user',
  'sudo.viewed': () => 'viewed the organisation',
  'support-access.ended': () => 'ended support access',
  'support-access.granted': ({ text }) =>
    text('hours') === '' ? 'granted support access' : `granted support access for ${text('hours')} hours`,
  'support-access.reading-changed': ({ detail }) =>
    detail.needsConsent === true
      ? 'made support ask before it reads customers and events'
      : 'let support read customers and events',
  'support-access.requested': () => 'requested support access',
  'version.created': ({ object }) => `created ${object('a version')}`,
  'version.deleted': ({ object }) => `deleted ${object('a version')}`,
  'version.deployed': (change) =>
    sentence`deployed ${versionOf(change)} to ${change.object('a deleted environment')}`,
  'version.rolled-back': (change) =>
    sentence`rolled ${change.object('a deleted environment')} back to ${versionOf(change)}`,
  'workflow-test.added': (change) => sentence`added the test ${change.text('name')} to ${workflowOf(change)}`,
  'workflow-test.changed': (change) =>
    sentence`changed the test ${change.text('name')} of ${workflowOf(change)}`,
  'workflow-test.deleted': (change) =>
    sentence`deleted ${change.object('a test')} from ${workflowOf(change)}`,
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
  const parts = [
    text('reason'),
    text('note'),
    action === 'property.created' && typeLabel(detail.type),
    action === 'plan.version-created' && version !== '' && `plan version ${version}`,
    action === 'sudo.acted' && [text('method'), text('path'), text('sudoAction')].filter(Boolean).join(' '),
    typeof detail.fromArtifactId === 'string' &&
      `in place of ${change.named('fromArtifactId', 'a deleted version')}`,
    isScoped && (detail.environmentId === null ? 'all environments' : environmentOf(change)),
    typeof detail.until === 'number' && `until ${formatDay(detail.until)}`,
  ].filter((part) => typeof part === 'string' && part !== '');
  return parts.length === 0 ? null : parts.join(' · ');
}

const typeLabel = (type: unknown) => TYPE_LABELS[type as PropertyType] ?? null;

/** Further ones are counted. */
const MAX_CHANGES = 6;

/** 'linked Acme Team', 'name from “Team” to “Squad”', 'seats.max set to 5', 'description, code', 'and 3 more'. */
function changeLines({ action, detail }: Activity, names: ActivityNames): string[] {
  const changes = shownChanges(detail);
  const texts = (some: readonly FieldChange[]) =>
    some.map((change) => changeText(withRule(change, detail.type), names));
  const named = texts(changes.filter((change) => !hasValue(change)));
  const lines = [
    ...(action === 'plan.products-changed' ? productLines(detail, names) : []),
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
      return sentence`${verb} ${name ?? 'a deleted product'}${price ? ` (${price})` : ''}`;
    });
  return [...lines('linked', added), ...lines('unlinked', removed)];
}

/** The rule between plans as the console calls it. Rows of earlier releases lack the property's type. */
function withRule({ field, from, to }: FieldChange, type: unknown): FieldChange {
  if (field !== 'conflictResolution') return { field, from, to };
  const known = typeLabel(type) === null ? 'number' : (type as PropertyType);
  const label = (rule: unknown) =>
    RULES.includes(rule as ConflictResolution) ? resolutionLabel(rule as ConflictResolution, known) : rule;
  return { field, from: label(from), to: label(to) };
}

const RULES: readonly ConflictResolution[] = ['higher', 'lower', 'sum'];

const hasValue = ({ from = null, to = null }: FieldChange) => from !== null || to !== null;

/** Compiled code follows from the code. */
function shownChanges(detail: Activity['detail']): FieldChange[] {
  const changes = changesOf(detail);
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
  if (isEmpty(from)) return sentence`${name} set to ${changedText(to)}`;
  if (isEmpty(to)) return sentence`${name} removed (was ${changedText(from)})`;
  return sentence`${name} from ${changedText(from)} to ${changedText(to)}`;
}

/** As forms call them. */
const FIELD_NAMES: Readonly<Record<string, string | undefined>> = {
  grantToAnonymousSessions: 'assigned to anonymous users',
  grantToAuthenticatedUsers: 'assigned to registered users',
  value: 'default value',
  url: 'URL',
  rateLimit: 'calls per minute',
  allowanceShare: 'share of the monthly allowance',
  quickstartStatus: 'quick start',
  isAddOn: 'add-on',
  source: 'code',
  compiled: 'compiled code',
  conflictResolution: 'rule when plans differ',
  publicKeys: 'public keys',
};

/** An id of a property without a name is one that was deleted. */
function fieldName(field: string): string {
  if (field.startsWith('prop_')) return 'a deleted property';
  return FIELD_NAMES[field] ?? field.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

const isEmpty = (value: unknown) => value === null || value === '';

/** As property values are written, or bounds of a number. */
function changedText(value: unknown): string {
  const isBounds = typeof value === 'object' && value !== null && 'allowDecimal' in value;
  return isBounds ? (boundsLabel(value as NumberBounds) ?? 'any number') : valueText(value);
}
