/** What each known customer of an environment has by two versions. Exact for all: see group-customers.ts. Workflows do not run. */
import type { EnvironmentSnapshot } from '#contracts/internal/snapshot';
import type { ArtifactContent } from '#engine/artifacts/artifact-content';
import { activeFacts } from '#engine/entitlements/active-facts';
import { applyFacts } from '#engine/entitlements/apply-facts';
import { compareResolutions, type ValueChange } from '#engine/entitlements/compare-resolutions';
import { factsForIdentifier } from '#engine/entitlements/namesakes';
import { prepare } from '#engine/entitlements/prepare';
import type { PreparedArtifact } from '#engine/entitlements/prepared-artifact';
import type { Resolution } from '#engine/entitlements/resolution';
import { loadFactsOfMany } from '#worker/domains/customer-facts/load-customer-facts';
import type { RequestContext, Scope } from '#worker/http/request-context';
import { type CustomerGroup, groupCustomers } from './group-customers.ts';

/** Groups whose facts are loaded; most organisations have a few dozen, and one for each customer with an override. */
const MAX_GROUPS = 10_000;

export interface JudgedChange extends ValueChange {
  /** Where balances of the customer open the feature, by one version or both. */
  readonly opened?: OpenedSides;
  /** Of a meter, if it was read. */
  readonly used?: number;
  /** Beside it; absent if nothing is held. */
  readonly held?: number;
}

export interface OpenedSides {
  readonly before: boolean;
  readonly after: boolean;
}

export interface ComparedGroup extends CustomerGroup {
  /** Names, by the newer version. */
  readonly plans: readonly string[];
  readonly changes: readonly JudgedChange[];
}

export interface ComparedCustomers {
  readonly groups: readonly ComparedGroup[];
  /** Customers in groups beyond MAX_GROUPS. */
  readonly notCompared: number;
}

/** @param rules the environment's snapshot */
export async function compareCustomers(
  { db, now }: Pick<RequestContext, 'db' | 'now'>,
  scope: Scope,
  rules: EnvironmentSnapshot,
  from: ArtifactContent,
  to: ArtifactContent,
): Promise<ComparedCustomers> {
  const [before, after] = [prepare(from), prepare(to)];
  const opening = [...new Set([before, after].flatMap(openingMeters))];
  const all = await groupCustomers(db, scope, { environmentId: rules.environmentId, opening, now });
  const groups = all.toSorted((one, other) => other.size - one.size).slice(0, MAX_GROUPS);
  const firsts = groups.flatMap(({ customers: [first] }) => (first === undefined ? [] : [first.identifier]));
  const facts = await loadFactsOfMany(db, scope, rules.environmentId, firsts);
  const compared = groups.flatMap((group): ComparedGroup[] => {
    const identifier = group.customers[0]?.identifier ?? '';
    const known = facts.get(identifier);
    // An alias is no customer of its own here.
    if (known === undefined || known.aliasOf) return [];
    const theirs = factsForIdentifier(activeFacts(known, rules.stripeIntegrationIds), identifier);
    const [old, next] = [before, after].map(
      (prepared) => applyFacts(prepared, { isAuthenticated: true }, theirs, rules, now).resolution,
    );
    if (old === undefined || next === undefined) return [];
    const plans = next.planIndexes.flatMap((index) => after.plans[index]?.plan.name ?? []);
    return [
      {
        ...group,
        plans,
        changes: compareResolutions(old, next).map((change) => withOpened(change, old, next)),
      },
    ];
  });
  const total = (some: readonly CustomerGroup[]) => some.reduce((sum, { size }) => sum + size, 0);
  return { groups: compared, notCompared: total(all) - total(groups) };
}

function openingMeters({ properties }: PreparedArtifact): readonly string[] {
  return properties.flatMap(({ property }) => (property.balanceOpens ? [property.id] : []));
}

function withOpened(change: ValueChange, old: Resolution, next: Resolution): JudgedChange {
  const isOpenIn = ({ prepared, opened }: Resolution) => {
    const entry = prepared.propertyById.get(change.property.property.id);
    return entry !== undefined && opened?.has(entry.index) === true;
  };
  const opened = { before: isOpenIn(old), after: isOpenIn(next) };
  return opened.before || opened.after ? { ...change, opened } : change;
}
