/** Lists a customer's balances for the public API. */
import type { z } from 'zod';
import {
  BALANCES_PER_PAGE,
  type BalancesAnswer,
  type provisioningEndpoints,
} from '#contracts/public/customers';
import { describeBalance } from '#engine/access/balance-record';
import type { PublicCall } from '#worker/domains/access/calls/public-call';
import { readBalanceRows, readUsedBalances } from '#worker/domains/customers/balances/balance-rows';
import { namesOf } from '#worker/domains/customers/entries/resolve-alias';
import { invalidField } from '#worker/http/api-error';
import { readSlugs } from './find-slugs.ts';
import { getTarget } from './find-target.ts';
import { contextOf } from './open-provisioning.ts';

type Query = z.output<typeof provisioningEndpoints.listBalances.query>;

/** @throws {ApiError} invalid-request naming customer, feature, property or cursor; not-found */
export async function listCustomerBalances(
  call: PublicCall,
  text: string,
  { feature, property, ended, cursor }: Query,
): Promise<BalancesAnswer> {
  const { loaded } = call.authenticated;
  const { orgId, environmentId } = loaded.snapshot;
  const ctx = contextOf(call);
  const scope = { orgId };
  const target = await getTarget(ctx, scope, environmentId, text);
  const wanted = {
    names: namesOf(target),
    environmentId,
    withClosed: ended === '1',
    propertyIds: propertiesOf(loaded.prepared, feature, property),
    after: cursor === undefined ? undefined : readCursor(cursor),
    limit: BALANCES_PER_PAGE + 1,
  };
  const rows = await readBalanceRows(ctx, scope, wanted);
  const page = rows.slice(0, BALANCES_PER_PAGE);
  const last = page.at(-1);
  const [used, slugs] = await Promise.all([
    readUsedBalances(ctx, scope, environmentId, target),
    readSlugs({ ctx, scope, loaded }, [], page),
  ]);
  const described = page.map((row) =>
    describeBalance(row, used(row), slugs.propertyOf(row.propertyId), ctx.now),
  );
  return {
    status: 'success',
    requestId: call.requestId,
    balances: ended === '1' ? described : described.filter(({ state }) => state !== 'used-up'),
    nextCursor:
      last === undefined || rows.length <= BALANCES_PER_PAGE ? null : `${last.createdAt}_${last.id}`,
  };
}

/** Null: all. */
function propertiesOf(
  prepared: PublicCall['authenticated']['loaded']['prepared'],
  feature: string | undefined,
  property: string | undefined,
): string[] | null {
  if (feature === undefined && property === undefined) return null;
  const named = (prepared?.properties ?? []).filter(
    (entry) =>
      (feature === undefined || entry.feature.slug === feature) &&
      (property === undefined || entry.property.key === property),
  );
  return named.map((entry) => entry.property.id);
}

function readCursor(text: string): { readonly createdAt: number; readonly id: string } {
  const [, createdAt, id] = /^(\d{1,16})_(\w{1,60})$/.exec(text) ?? [];
  if (createdAt === undefined || id === undefined)
    throw invalidField('cursor', 'Is no nextCursor of this call');
  return { createdAt: Number(createdAt), id };
}
