/** Resources in use: each is a last-writer-wins register, ordered by (stamp, origin). */
import type { ResourceUse } from '#contracts/internal/ledger';

type Use = Omit<ResourceUse, 'version'>;

/** The use that wins; null when no origin has written one. */
export function currentUse<Given extends Use>(uses: readonly Given[]): Given | null {
  let winner: Given | null = null;
  for (const use of uses) {
    if (use.stamp === 0) continue;
    if (winner === null || isLater(use, winner)) winner = use;
  }
  return winner;
}

/** When the resource was last used; null when it is not in use. */
export function lastUsedAt(use: Use | null): number | null {
  return use?.isHeld === true ? use.at : null;
}

export function isInUse(uses: readonly Use[]): boolean {
  return currentUse(uses)?.isHeld === true;
}

/** The uses, with one origin's use replaced. */
export function withUse(uses: readonly ResourceUse[], use: ResourceUse): ResourceUse[] {
  return [...uses.filter((each) => each.origin !== use.origin), use];
}

function isLater(one: Use, other: Use): boolean {
  return one.stamp === other.stamp ? one.origin > other.origin : one.stamp > other.stamp;
}
