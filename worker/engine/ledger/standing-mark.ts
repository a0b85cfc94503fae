/** Which of the marks of a resource holds: a last-writer-wins register by (stamp, origin). */
import type { MarkRecord } from '#contracts/ledger';

type Mark = Omit<MarkRecord, 'version'>;

/** Null where nobody says anything of the resource. */
export function standingMark<Given extends Mark>(marks: readonly Given[]): Given | null {
  let standing: Given | null = null;
  for (const mark of marks) {
    if (mark.stamp === 0) continue;
    if (standing === null || isLater(mark, standing)) standing = mark;
  }
  return standing;
}

/** When the resource was last used; null where it is not in use. */
export function heldAt(mark: Mark | null): number | null {
  return mark?.isHeld === true ? mark.at : null;
}

/** The marks with one of them replaced by its origin. */
export function withMark(marks: readonly MarkRecord[], mark: MarkRecord): MarkRecord[] {
  return [...marks.filter((each) => each.origin !== mark.origin), mark];
}

function isLater(one: Mark, other: Mark): boolean {
  return one.stamp === other.stamp ? one.origin > other.origin : one.stamp > other.stamp;
}
