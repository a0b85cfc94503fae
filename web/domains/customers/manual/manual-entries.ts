/** The manual entries that apply to a customer: its own, and those of the email and user ids that belong to it. */
import type {
  Customer,
  CustomerEntitlements,
  CustomerGrant,
  CustomerOverride,
} from '#contracts/console/customers';
import { now } from '#web/clock.ts';

/** An entry with the identifier that it was made for. */
export type EntryFor<Entry> = Entry & { readonly of: string };

export interface ManualEntries {
  readonly grants: readonly EntryFor<CustomerGrant>[];
  readonly overrides: readonly EntryFor<CustomerOverride>[];
}

/** @param entitled in the shown environment; undefined while it is loaded, or if it could not be */
export function manualEntries(
  { identifier, grants, overrides }: Customer,
  entitled: CustomerEntitlements | undefined,
): ManualEntries {
  const { viaEmail = null, viaUserIds = [] } = entitled ?? {};
  const made = <Entry>(of: string, entries: readonly Entry[]) => entries.map((each) => ({ ...each, of }));
  const all = [
    { of: identifier, grants, overrides },
    ...(viaEmail === null ? [] : [{ of: viaEmail.email, ...viaEmail }]),
    ...viaUserIds.map((each) => ({ of: each.userId, ...each })),
  ];
  return {
    grants: all.flatMap((each) => made(each.of, each.grants)),
    overrides: all.flatMap((each) => made(each.of, each.overrides)),
  };
}

/**
 * The overrides that apply in an environment, by property: its own comes before the one for all environments, and of two the
 * later entry wins.
 */
export function appliedOverrides(
  overrides: readonly EntryFor<CustomerOverride>[],
  environmentId: string,
): ReadonlyMap<string, EntryFor<CustomerOverride>> {
  const at = now();
  const here = overrides
    .filter(
      (each) =>
        (each.environmentId === null || each.environmentId === environmentId) &&
        (each.until === null || each.until > at),
    )
    .toSorted((one, other) => (one.id < other.id ? -1 : 1));
  const general = here.filter((each) => each.environmentId === null);
  const own = here.filter((each) => each.environmentId !== null);
  return new Map([...general, ...own].map((each) => [each.propertyId, each]));
}
