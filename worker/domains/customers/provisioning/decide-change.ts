/**
 * Decides what a requested change comes to: nothing, if everything is as requested, or one of the use cases that the console
 * calls. Changes apply to the key's environment. What was granted or overridden in all environments is the console's.
 */
import type { CustomerGrant, CustomerOverride } from '#contracts/console/customers';
import type { ChangeMade, CustomerChange } from '#contracts/public/customers';
import { savedDetails } from '#engine/access/saved-details';
import { canonicalJson } from '#engine/artifacts/canonical-json';
import { normaliseValue } from '#engine/values/kinds/normalise-value';
import { correctMeter } from '#worker/domains/customers/entries/correct-meter';
import { readEntries } from '#worker/domains/customers/entries/customer-store';
import { deletionOfEntity } from '#worker/domains/customers/entries/delete-entity';
import { grantPlan } from '#worker/domains/customers/entries/grant-plan';
import { overrideProperty } from '#worker/domains/customers/entries/override-property';
import { removeOverride } from '#worker/domains/customers/entries/remove-override';
import { namesOf } from '#worker/domains/customers/entries/resolve-alias';
import { revokePlan } from '#worker/domains/customers/entries/revoke-plan';
import { joining, say, separating } from '#worker/domains/customers/names/join-customer';
import { conflicting } from '#worker/http/api-error';
import type { CustomerScope } from '#worker/http/request-context';
import { decideBalance, decideTakeBack } from './decide-balance.ts';
import type { Commit, Decided } from './decided.ts';
import { findPlanId, findPropertyId } from './find-slugs.ts';
import { durableNameOf, type Target } from './find-target.ts';
import { isStripesEmail } from './is-stripes-email.ts';
import type { Provisioning } from './open-provisioning.ts';
import { saveCustomer } from './save-customer.ts';

export type Corrected = Required<Pick<ChangeMade, 'applied' | 'meter'>>;

type Of<Kind extends CustomerChange['change']> = Extract<CustomerChange, { readonly change: Kind }>;

/** @throws {ApiError} invalid-request and conflict, naming the change's fields */
export async function decideChange(
  provisioning: Provisioning,
  target: Target,
  change: Exclude<CustomerChange, { readonly change: 'correct-meter' }>,
): Promise<Decided> {
  switch (change.change) {
    case 'save-customer':
      return decideSave(provisioning, target, change);
    case 'grant-plan':
      return { commit: await decideGrant(provisioning, target, change) };
    case 'revoke-plan':
      return { commit: await decideRevoke(provisioning, target, change) };
    case 'set-override':
      return { commit: await decideOverride(provisioning, target, change) };
    case 'remove-override':
      return { commit: await decideRemoval(provisioning, target, change) };
    case 'set-balance':
      return decideBalance(provisioning, target, change);
    case 'take-back':
      return decideTakeBack(provisioning, target, change);
    case 'delete-entity': {
      const { ctx, scope, environmentId } = provisioning;
      return { commit: await deletionOfEntity(ctx, scope, target, { environmentId, entity: change.entity }) };
    }
  }
}

async function decideSave(
  provisioning: Provisioning,
  target: Target,
  change: Of<'save-customer'>,
): Promise<Decided> {
  const { ctx, environmentId } = provisioning;
  const { customer, created, facts } = target;
  const isAtStripe = created === null && facts.stripe?.customerId === customer;
  const asked = savedDetails(customer, isAtStripe, created, change);
  const { stripe } = change;
  const { orgId } = provisioning.scope;
  const saying =
    stripe === undefined
      ? null
      : stripe === null
        ? await separating(ctx, orgId, environmentId, customer)
        : await joining(ctx, orgId, environmentId, customer, stripe);
  const isIgnored = await isStripesEmail(provisioning, target, asked.email, saying);
  const details = isIgnored ? { ...asked, email: created?.email ?? null } : asked;
  const { name, email, userId } = details;
  const isSaved =
    created !== null && created.name === name && created.email === email && created.userId === userId;
  const commit: Commit = isSaved
    ? saying && ((scope) => say(ctx, scope, environmentId, customer, saying))
    : (scope) => saveCustomer(provisioning, scope, target, details, saying);
  return isIgnored ? { commit, answer: { ignored: ['email'] } } : { commit };
}

async function decideGrant(
  provisioning: Provisioning,
  target: Target,
  { plan, until = null, reason }: Of<'grant-plan'>,
): Promise<Commit> {
  const { ctx, environmentId } = provisioning;
  const planId = await findPlanId(provisioning, plan);
  const own = await entriesOf(provisioning, target);
  const name = durableNameOf(target);
  const isAsRequested = own.grants.some(
    (grant) =>
      grant.of === name &&
      grant.planId === planId &&
      grant.environmentId !== null &&
      grant.until === until &&
      grant.reason === reason &&
      (until === null || until > ctx.now),
  );
  if (isAsRequested) return null;
  return (scope) => grantPlan(ctx, scope, name, { environmentId, planId, reason, until }, { replaces: true });
}

async function decideRevoke(
  provisioning: Provisioning,
  target: Target,
  { plan }: Of<'revoke-plan'>,
): Promise<Commit> {
  const planId = await findPlanId(provisioning, plan);
  const { grants } = await entriesOf(provisioning, target);
  const grant = ownEntry(
    grants.filter((each) => each.planId === planId),
    'plan',
  );
  return grant && ((scope) => revokePlan(provisioning.ctx, scope, grant.of, grant.id));
}

async function decideOverride(
  provisioning: Provisioning,
  target: Target,
  { value, until = null, reason, ...named }: Of<'set-override'>,
): Promise<Commit> {
  const { ctx, environmentId } = provisioning;
  const propertyId = await findPropertyId(provisioning, named);
  const { overrides } = await entriesOf(provisioning, target);
  const name = durableNameOf(target);
  const isAsRequested = overrides.some(
    (override) =>
      override.of === name &&
      override.propertyId === propertyId &&
      override.environmentId !== null &&
      override.until === until &&
      override.reason === reason &&
      (until === null || until > ctx.now) &&
      canonicalJson(override.value) === canonicalJson(normaliseValue(value)),
  );
  if (isAsRequested) return null;
  const body = { environmentId, propertyId, value, reason, until };
  return (scope) => overrideProperty(ctx, scope, name, body);
}

async function decideRemoval(
  provisioning: Provisioning,
  target: Target,
  named: Of<'remove-override'>,
): Promise<Commit> {
  const propertyId = await findPropertyId(provisioning, named);
  const { overrides } = await entriesOf(provisioning, target);
  const override = ownEntry(
    overrides.filter((each) => each.propertyId === propertyId),
    'property',
  );
  return override && ((scope) => removeOverride(provisioning.ctx, scope, override.of, override.id));
}

/** @param key of the ledger, which counts once under it @throws {ApiError} naming the change's fields */
export async function makeCorrection(
  provisioning: Provisioning,
  scope: CustomerScope,
  { customer }: Target,
  { by, reason, ...named }: Of<'correct-meter'>,
  key: string,
): Promise<Corrected> {
  const { ctx, environmentId } = provisioning;
  const propertyId = await findPropertyId(provisioning, named);
  const body = { environmentId, propertyId, by, reason, idempotencyKey: key };
  return correctMeter(ctx, scope, customer, body);
}

type Entry<Kind extends CustomerGrant | CustomerOverride> = Kind & {
  /** What it is stored under: the customer, or an alias of it. */
  readonly of: string;
};

async function entriesOf({ ctx, scope, environmentId }: Provisioning, target: Target) {
  const found = await Promise.all(
    namesOf(target).map(async (of) => {
      const { grants, overrides } = await readEntries(ctx.db, scope, of, environmentId);
      return {
        grants: grants.map((each) => ({ ...each, of })),
        overrides: overrides.map((each) => ({ ...each, of })),
      };
    }),
  );
  return {
    grants: found.flatMap(({ grants }): Entry<CustomerGrant>[] => grants),
    overrides: found.flatMap(({ overrides }): Entry<CustomerOverride>[] => overrides),
  };
}

/** The environment's entry; null: there is none. @throws {ApiError} conflict if only one of all environments is left */
function ownEntry<Kind extends CustomerGrant | CustomerOverride>(
  entries: readonly Entry<Kind>[],
  field: string,
): Entry<Kind> | null {
  const own = entries.find(({ environmentId }) => environmentId !== null);
  if (own !== undefined) return own;
  if (entries.length === 0) return null;
  throw conflicting(
    'set-for-all-environments',
    field,
    'Was set for all environments. Change it in the console',
  );
}
