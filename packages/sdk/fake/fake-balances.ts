/** Balances of the fake server's customers: given, changed, taken back and listed as the API does. */
import type { ChangeMade, CustomerChange } from '#contracts/public/customers';
import { invalidField, Refusal } from '#engine/access/api-error';
import {
  type BalanceRecord,
  balancePrefix,
  changedBalance,
  describeBalance,
  ensureSameBalance,
  newBalance,
  type Taken,
  takeableOf,
  takenOfBalance,
} from '#engine/access/balance-record';
import type { PreparedProperty } from '#engine/entitlements/prepared-artifact';
import { resolvedValue } from '#engine/entitlements/resolve';
import { usageMeter } from '#engine/entitlements/usage-reads';
import type { FakeAnswer, FakeApi, FakeCall } from './fake-api.ts';
import type { FakeCustomer } from './fake-customer.ts';

const PER_PAGE = 100;
const MAX_OPEN = 200;

type Of<Kind extends CustomerChange['change']> = Extract<CustomerChange, { readonly change: Kind }>;

export interface DecidedBalance {
  /** Null: everything is as requested. */
  readonly commit: (() => void) | null;
  readonly answer: Pick<ChangeMade, 'applied' | 'balance'>;
}

/** @throws {ApiError} naming the change's fields */
export function decideBalance(
  api: FakeApi,
  customer: FakeCustomer,
  entry: PreparedProperty,
  { balance: name, feature: _, property: __, ...terms }: Of<'set-balance'>,
): DecidedBalance {
  if (entry.type !== 'meterable')
    throw invalidField('property', 'The property is not meterable', 'property-not-meterable');
  const now = api.now();
  const given = { ...terms, propertyId: entry.property.id };
  const existing = find(customer, name);
  if (existing !== undefined) ensureSameBalance(existing, given);
  else if (customer.balances.filter((each) => isOpen(api, customer, each)).length >= MAX_OPEN)
    throw new Refusal(
      'conflict',
      'balance-limit-reached',
      `A customer can have at most ${MAX_OPEN} balances that are neither used up nor ended`,
    );
  const id = `${balancePrefix(given)}_fake${customer.balances.length + 1}`;
  const record = existing ?? newBalance(given, { id, name, kind: 'api' }, now);
  const after = existing === undefined ? record : changedBalance(existing, terms, now);
  const give = () => {
    customer.putBalance(after);
    if (existing === undefined && after.paysOverage) payOverage(api, customer, entry, after);
  };
  return {
    commit: after === existing ? null : give,
    answer: { balance: described(api, customer, after) },
  };
}

/** The service does so a moment later. */
function payOverage(
  api: FakeApi,
  customer: FakeCustomer,
  entry: PreparedProperty,
  { id, name, amount, propertyId }: BalanceRecord,
): void {
  const resolution = api.resolutionOf(customer.identifier);
  const value = resolvedValue(resolution, entry);
  const isTheirs = resolution.balances?.get(entry.index)?.some((each) => each.id === id);
  if (typeof value !== 'object' || value.state !== 'metered' || !isTheirs) return;
  const { anchorAt, trialEndAt } = usageMeter(resolution, entry);
  const paysOverage = { grant: id, amount };
  const update = { propertyId, value, enforce: false, anchorAt, trialEndAt, paysOverage };
  const outcome = customer.count(update, api.now());
  if (outcome.kind !== 'decided' || outcome.applied === 0) return;
  const line = { at: api.now(), amount: outcome.applied, balance: name ?? id };
  customer.note(propertyId, { ...line, kind: 'paid-overage' });
}

/** @throws {ApiError} not-found */
export function decideTakeBack(
  api: FakeApi,
  customer: FakeCustomer,
  { balance, amount, reason }: Of<'take-back'>,
): DecidedBalance {
  const record = find(customer, balance);
  if (record === undefined)
    throw new Refusal('not-found', 'balance-unknown', 'The customer has no such balance');
  const applied = takeableOf(record, takenOf(api, customer, record), amount);
  const after = { ...record, takenBack: record.takenBack + applied };
  const takeBack = () => {
    customer.putBalance(after);
    const line = { at: api.now(), amount: applied, balance: record.name ?? record.id, reason };
    customer.note(record.propertyId, { ...line, kind: 'taken-back' });
  };
  return {
    commit: applied === 0 ? null : takeBack,
    answer: { applied, balance: described(api, customer, after) },
  };
}

/** GET /api/v1/customers/:customer/balances. @throws {ApiError} invalid-request naming cursor */
export function listBalances(
  api: FakeApi,
  customer: FakeCustomer,
  { requestId, search }: FakeCall,
): FakeAnswer {
  const [feature, property] = [search.get('feature'), search.get('property')];
  const cursor = search.get('cursor');
  const from = cursor === null ? 0 : customer.balances.findIndex(({ id }) => cursor.endsWith(`_${id}`));
  if (from === -1) throw invalidField('cursor', 'Is no nextCursor of this call');
  const found = customer.balances
    .slice(0, cursor === null ? undefined : from)
    .toReversed()
    .filter((each) => search.get('ended') === '1' || isOpen(api, customer, each))
    .map((each) => ({ each, balance: described(api, customer, each) }))
    .filter(
      ({ balance }) =>
        (feature === null || balance.feature === feature) &&
        (property === null || balance.property === property),
    );
  const last = found.length > PER_PAGE ? found[PER_PAGE - 1]?.each : undefined;
  const nextCursor = last === undefined ? null : `${last.createdAt}_${last.id}`;
  const balances = found.slice(0, PER_PAGE).map(({ balance }) => balance);
  return { text: JSON.stringify({ status: 'success', requestId, balances, nextCursor }) };
}

function isOpen(api: FakeApi, customer: FakeCustomer, record: BalanceRecord): boolean {
  const { state } = described(api, customer, record);
  return state !== 'ended' && state !== 'used-up';
}

function find({ balances }: FakeCustomer, id: string): BalanceRecord | undefined {
  return balances.find((each) => each.name === id || each.id === id);
}

function described(api: FakeApi, customer: FakeCustomer, record: BalanceRecord) {
  const { feature, property, index } = api.prepared.propertyById.get(record.propertyId) as PreparedProperty;
  const { balances } = api.resolutionOf(customer.identifier, record.entityId ?? undefined);
  const used = {
    ...takenOf(api, customer, record),
    lacksPlan: record.needsPlan && balances?.get(index)?.some(({ id }) => id === record.id) !== true,
  };
  return describeBalance(record, used, { feature: feature.slug, property: property.key }, api.now());
}

export function takenOf(api: FakeApi, { identifier, meters }: FakeCustomer, record: BalanceRecord): Taken {
  const entry = api.prepared.propertyById.get(record.propertyId) as PreparedProperty;
  const window = usageMeter(api.resolutionOf(identifier), entry);
  return takenOfBalance(record, meters.read(record.propertyId, window, api.now()));
}

/** @throws {ApiError} invalid-request naming property */
export function propertyOf(
  { prepared }: FakeApi,
  named: { readonly feature: string; readonly property: string },
): PreparedProperty {
  const found = prepared.featureBySlug.get(named.feature)?.propertyByKey.get(named.property);
  if (found === undefined)
    throw invalidField('property', 'There is no such feature or property', 'property-unknown');
  return found;
}
