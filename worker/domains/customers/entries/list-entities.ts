/** Lists a customer's entities with what they have used: for the public API, and for a customer's page. */
import type { Entity } from '#contracts/public/entities';
import { entityRead, readEntityMeter } from '#engine/entitlements/entity-meters';
import type { PreparedProperty } from '#engine/entitlements/prepared-artifact';
import { inspectCustomer } from '#worker/domains/access/inspect-customer';
import { type EntityPage, readEntityPage } from '#worker/domains/metering/read-entities';

type Inspecting = Parameters<typeof inspectCustomer>;

export interface ListedEntities extends Pick<EntityPage, 'hasMore' | 'isWhole'> {
  readonly entities: readonly Entity[];
  /** Of each entity's meters, in their order. */
  readonly properties: readonly PreparedProperty[];
}

/**
 * @param after the last one of the page before; null: the first page
 * @throws {ApiError} not-found without such an environment; unavailable
 */
export async function listEntities(
  ctx: Inspecting[0],
  scope: Inspecting[1],
  customer: Inspecting[2],
  { after, limit }: { readonly after: string | null; readonly limit: number },
): Promise<ListedEntities> {
  const { snapshot, resolution } = await inspectCustomer(ctx, scope, customer);
  const limited = resolution?.prepared.perEntity ?? [];
  if (resolution === null || limited.length === 0)
    return { entities: [], properties: [], hasMore: false, isWhole: true };
  const { env, now } = ctx;
  const reads = limited.map((each) => entityRead(resolution, each));
  const page = await readEntityPage(env, snapshot, { customer: customer.customer, reads, after, limit, now });
  return {
    ...page,
    properties: limited,
    entities: page.entities.map(({ entity, readings }) => ({
      id: entity,
      meters: limited.map((each, index) => readEntityMeter(resolution, each, readings[index], now)),
    })),
  };
}
