/** Decides and makes changes of the fake server's customers, with the API's refusals. */
import type { ChangeMade, CustomerAnswer, CustomerChange } from '#contracts/public/customers';
import { IDENTIFIER_PROBLEMS, readIdentifier } from '#contracts/public/identifiers';
import { conflicting, invalidField, invalidRequest, Refusal } from '#engine/access/api-error';
import { keyReused } from '#engine/access/idempotency-key';
import { savedDetails } from '#engine/access/saved-details';
import { canonicalJson } from '#engine/artifacts/canonical-json';
import { DAY_MS } from '#engine/durations';
import { NO_INTEGRATION } from '#engine/entitlements/active-facts';
import type { PreparedProperty } from '#engine/entitlements/prepared-artifact';
import { configuredValue } from '#engine/entitlements/resolve';
import { checkValue } from '#engine/values/kinds/check-value';
import { normaliseValue } from '#engine/values/kinds/normalise-value';
import type { FakeAnswer, FakeApi, FakeCall } from './fake-api.ts';
import { type DecidedBalance, decideBalance, decideTakeBack, propertyOf } from './fake-balances.ts';
import type { FakeCustomer } from './fake-customer.ts';

const MAX_GRANTS = 50;
const MAX_OVERRIDES = 200;

type Of<Kind extends CustomerChange['change']> = Extract<CustomerChange, { readonly change: Kind }>;
/** Makes the change; null: everything is as requested. */
type Decided = (() => void) | null;

/** GET /api/v1/customers/:customer. */
export async function readCustomer(
  api: FakeApi,
  customer: FakeCustomer,
  call: FakeCall,
): Promise<FakeAnswer> {
  const { identifier: id, created, facts } = customer;
  const now = api.now();
  const body = { userIdentifier: id };
  const access = JSON.parse((await api.check({ ...call, body, keyType: 'secret' }, true)).text);
  const entries = <Entry extends { readonly createdAt: number }>(list: readonly Entry[]) => list.toReversed();
  const answer: CustomerAnswer = {
    status: 'success',
    requestId: call.requestId,
    customer: {
      id,
      name: created?.name ?? null,
      email: created?.email ?? null,
      userId: created?.userId ?? null,
      createdAt: created?.createdAt ?? null,
    },
    grants: entries(facts.grants).map(({ planId, reason, until, createdAt }) => {
      const plan = api.prepared.content.plans.find((each) => each.id === planId)?.slug ?? planId;
      const hasEnded = until !== null && until <= now;
      return { plan, reason, until, createdAt, isActive: !hasEnded && access.customer.plans.includes(plan) };
    }),
    overrides: entries(facts.overrides).map(({ propertyId, value, reason, until, createdAt }) => {
      const { feature, property } = api.prepared.propertyById.get(propertyId) as PreparedProperty;
      return { feature: feature.slug, property: property.key, value, reason, until, createdAt };
    }),
    subscriptions: [],
    access,
  };
  return { text: JSON.stringify(answer) };
}

/**
 * Once for each idempotency key of the customer.
 * @param serial names the change if it has no key
 * @throws {ApiError} naming the change's fields
 */
export async function makeChange(api: FakeApi, change: CustomerChange, serial: string): Promise<ChangeMade> {
  const customer =
    change.change === 'save-customer'
      ? savedCustomer(api, change.customer)
      : getCustomer(api, change.customer);
  const { idempotencyKey: key, ...request } = change;
  const { identifier } = customer;
  const text = canonicalJson({ ...request, customer: identifier });
  const now = api.now();
  const receipt = key === undefined ? undefined : customer.receipts.get(key);
  const first = receipt !== undefined && receipt.at > now - DAY_MS ? receipt : undefined;
  if (first !== undefined && first.text !== text) throw keyReused('idempotencyKey');
  if (change.change === 'correct-meter') {
    const { applied, meter } = await correct(api, customer, change, key ?? serial);
    if (first === undefined && applied !== 0) {
      const propertyId = propertyOf(api, change).property.id;
      customer.note(propertyId, { at: now, kind: 'corrected', amount: applied, reason: change.reason });
    }
    if (key !== undefined && first === undefined)
      customer.receipts.set(key, { at: now, text, made: { changed: applied !== 0 } });
    return { customer: identifier, changed: applied !== 0, replayed: first !== undefined, applied, meter };
  }
  if (first !== undefined) return { customer: identifier, ...first.made, replayed: true };
  const { commit, answer } = decide(api, customer, change);
  commit?.();
  const made = { changed: commit !== null, ...answer };
  if (key !== undefined) customer.receipts.set(key, { at: now, text, made });
  return { customer: identifier, ...made, replayed: false };
}

function decide(
  api: FakeApi,
  customer: FakeCustomer,
  change: Exclude<CustomerChange, Of<'correct-meter'>>,
): { readonly commit: Decided; readonly answer?: DecidedBalance['answer'] } {
  switch (change.change) {
    case 'save-customer':
      return { commit: decideSave(api, customer, change) };
    case 'grant-plan':
      return { commit: decideGrant(api, customer, change) };
    case 'revoke-plan': {
      const planId = planIdOf(api, change.plan);
      const isGranted = customer.facts.grants.some((each) => each.planId === planId);
      return { commit: isGranted ? () => customer.removeGrant(planId) : null };
    }
    case 'set-override':
      return { commit: decideOverride(api, customer, change) };
    case 'remove-override': {
      const { id } = propertyOf(api, change).property;
      const isSet = customer.facts.overrides.some((each) => each.propertyId === id);
      return { commit: isSet ? () => customer.removeOverride(id) : null };
    }
    case 'set-balance':
      return decideBalance(api, customer, propertyOf(api, change), change);
    case 'take-back':
      return decideTakeBack(api, customer, change);
    case 'delete-entity': {
      const isKnown = customer.entityIds().includes(change.entity);
      return { commit: isKnown ? () => customer.deleteEntity(change.entity) : null };
    }
  }
}

function decideSave(api: FakeApi, customer: FakeCustomer, change: Of<'save-customer'>): Decided {
  const { identifier, created } = customer;
  const { name, email, userId } = savedDetails(identifier, false, created, change);
  if (change.stripe)
    throw invalidField(
      'stripe.customerId',
      'The fake server has no Stripe customers',
      'stripe-customer-unknown',
    );
  if (created !== null && created.name === name && created.email === email && created.userId === userId)
    return null;
  const emailOwner = email === null ? undefined : api.customers.find(email);
  if (emailOwner !== undefined && emailOwner !== customer) {
    if (emailOwner.identifier !== email)
      throw conflicting('email-taken', 'email', 'Belongs to another customer');
    if (emailOwner.created !== null)
      throw conflicting('email-taken', 'email', 'Is the ID of another customer');
    if (emailOwner.hasData)
      throw conflicting(
        'email-has-data',
        'email',
        'This email has grants, overrides or usage of its own. Use it as the customer’s ID instead',
      );
  }
  const userIdOwner = userId === null ? undefined : api.customers.find(userId);
  if (userIdOwner !== undefined && userIdOwner !== customer) {
    if (userIdOwner.identifier !== userId)
      throw conflicting('user-id-taken', 'userId', 'Belongs to another customer');
    if (userIdOwner.created !== null)
      throw conflicting('user-id-taken', 'userId', 'Is the ID of another customer');
  }
  return () => {
    customer.facts = {
      ...customer.facts,
      provisioned: { id: identifier, email },
      userIds: userId === null ? [] : [{ id: userId, integrationId: NO_INTEGRATION }],
    };
    customer.created = { name, email, userId, createdAt: created?.createdAt ?? api.now() };
    api.customers.add(customer, [created?.email, created?.userId], [email, userId]);
  };
}

function decideGrant(
  api: FakeApi,
  customer: FakeCustomer,
  { plan, until = null, reason }: Of<'grant-plan'>,
): Decided {
  const planId = planIdOf(api, plan);
  const now = api.now();
  const { grants } = customer.facts;
  const isOpen = until === null || until > now;
  const same = grants.find((each) => each.planId === planId);
  if (same?.until === until && same.reason === reason && isOpen) return null;
  ensureFuture(isOpen);
  if (grants.length - (same === undefined ? 0 : 1) >= MAX_GRANTS)
    throw new Refusal('conflict', 'grant-limit-reached', `A customer can have at most ${MAX_GRANTS} grants`);
  return () => customer.putGrant({ planId, until, reason, createdAt: now });
}

function decideOverride(
  api: FakeApi,
  customer: FakeCustomer,
  { value, until = null, reason, ...named }: Of<'set-override'>,
): Decided {
  const { property } = propertyOf(api, named);
  const propertyId = property.id;
  const now = api.now();
  const { overrides } = customer.facts;
  const isOpen = until === null || until > now;
  const same = overrides.find((each) => each.propertyId === propertyId);
  const isSame = same !== undefined && canonicalJson(same.value) === canonicalJson(normaliseValue(value));
  if (isSame && same.until === until && same.reason === reason && isOpen) return null;
  ensureFuture(isOpen);
  const issues = checkValue(property, value).map(({ path, message }) => ({
    path: path === '' ? 'value' : `value.${path}`,
    message,
  }));
  if (issues.length > 0) throw invalidRequest(issues, 'value-invalid');
  if (overrides.length - (same === undefined ? 0 : 1) >= MAX_OVERRIDES)
    throw new Refusal(
      'conflict',
      'override-limit-reached',
      `A customer can have at most ${MAX_OVERRIDES} overrides`,
    );
  return () =>
    customer.putOverride({ propertyId, value: normaliseValue(value), until, reason, createdAt: now });
}

/** @param key the ledger counts once for it */
async function correct(
  api: FakeApi,
  { identifier }: FakeCustomer,
  { feature, property, by }: Of<'correct-meter'>,
  key: string,
) {
  const found = propertyOf(api, { feature, property });
  if (found.type !== 'meterable')
    throw invalidField('property', 'The environment’s version has no such meter', 'meter-unknown');
  const value = configuredValue(api.resolutionOf(identifier), found);
  if (typeof value === 'object' && value.state === 'metered' && value.meter.uniqueResourceIds) {
    throw invalidField(
      'property',
      'This meter counts unique resources. Release them one by one.',
      'meter-counts-resources',
    );
  }
  return api.correct(identifier, { feature, property, by, idempotencyKey: `api:${key}` });
}

/** A typing error in an identifier is no new customer. */
export function getCustomer(api: FakeApi, name: string): FakeCustomer {
  const customer = api.customers.find(identifierOf(name));
  if (customer === undefined)
    throw new Refusal('not-found', 'customer-unknown', 'The customer could not be found');
  return customer;
}

/** One that is not known yet is added once its change is decided. */
function savedCustomer(api: FakeApi, name: string): FakeCustomer {
  const identifier = identifierOf(name);
  return api.customers.find(identifier) ?? api.customers.create(identifier);
}

function identifierOf(name: string): string {
  const read = readIdentifier(name);
  if (!read.ok) throw invalidField('customer', IDENTIFIER_PROBLEMS[read.reason]);
  return read.canonical;
}

function planIdOf({ prepared }: FakeApi, slug: string): string {
  const plan = prepared.content.plans.find((each) => each.slug === slug);
  if (plan === undefined) throw invalidField('plan', 'There is no such plan', 'plan-unknown');
  return plan.id;
}

function ensureFuture(isOpen: boolean): void {
  if (!isOpen) throw invalidField('until', 'Must be in the future', 'until-in-past');
}
