/** Resource holds: each resource is a last-writer-wins register, ordered by (stamp, origin). */
import type { ResourceHold } from '#contracts/internal/ledger';

type Hold = Omit<ResourceHold, 'version'>;

/** The hold that wins; null when no origin has written one. */
export function currentHold<Given extends Hold>(holds: readonly Given[]): Given | null {
  let winner: Given | null = null;
  for (const hold of holds) {
    if (hold.stamp === 0) continue;
    if (winner === null || isLater(hold, winner)) winner = hold;
  }
  return winner;
}

/** When the resource was last used; null when it is not in use. */
export function heldAt(hold: Hold | null): number | null {
  return hold?.isHeld === true ? hold.at : null;
}

/** The holds, with one origin's hold replaced. */
export function withHold(holds: readonly ResourceHold[], hold: ResourceHold): ResourceHold[] {
  return [...holds.filter((each) => each.origin !== hold.origin), hold];
}

function isLater(one: Hold, other: Hold): boolean {
  return one.stamp === other.stamp ? one.origin > other.origin : one.stamp > other.stamp;
}
