/**
 * Erases what was counted for a customer's entity. One location of each name's ledgers is enough: the others erase it by replication. All are
 * called, so that reads in any of them have it at once.
 */
import type { EnvironmentSnapshot } from '#contracts/internal/snapshot';
import { ledgerAt, ledgerSite } from '#objects/stubs';
import type { Env } from '#worker/env';
import { LedgerUnavailable, ledgerPlace } from './call-ledger.ts';

export interface NamedEntity {
  /** The customer and its aliases, canonical: what was counted under each is in a ledger of its own. */
  readonly names: readonly string[];
  readonly entity: string;
}

/** Whether anything is stored of the entity. @throws {LedgerUnavailable} if no location says so, and one does not answer */
export async function knowsEntity(
  env: Env,
  snapshot: EnvironmentSnapshot,
  { names, entity }: NamedEntity,
): Promise<boolean> {
  const asked = sitesOf(snapshot, names).map(async ({ site, name }) =>
    (await ledgerAt(env, site)).hasEntity(name, entity),
  );
  const answers = await Promise.allSettled(asked);
  if (answers.some((each) => each.status === 'fulfilled' && each.value)) return true;
  if (answers.some(({ status }) => status === 'rejected')) throw new LedgerUnavailable({ updates: [] });
  return false;
}

/** @param before what was counted until then, epoch milliseconds @throws if no location of a name has erased it; a repetition erases no more */
export async function eraseEntity(
  env: Env,
  snapshot: EnvironmentSnapshot,
  { names, entity }: NamedEntity,
  before: number,
): Promise<void> {
  const work = sitesOf(snapshot, names).map(async ({ site, name }) => {
    const isErased = await (await ledgerAt(env, site)).eraseEntity(site, name, entity, before);
    if (!isErased) throw new Error(`The data location ${site.location} is disabled`);
    return name;
  });
  const results = await Promise.allSettled(work);
  const done = new Set(results.flatMap((each) => (each.status === 'fulfilled' ? each.value : [])));
  if (names.every((each) => done.has(each))) return;
  const failures = results.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
  throw new AggregateError(failures, 'No ledger has erased the entity');
}

function sitesOf(snapshot: EnvironmentSnapshot, names: readonly string[]) {
  return names.flatMap((name) =>
    snapshot.locations.map((location) => ({
      name,
      site: ledgerSite(ledgerPlace(snapshot, { customer: name }, location)),
    })),
  );
}
