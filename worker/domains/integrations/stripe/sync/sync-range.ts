/**
 * The time range that one page of a Stripe list covers. Lists are newest first, and objects of one second may span
 * pages, so the ids listed for that second are carried along. Each page therefore covers its range completely: a
 * stored object of that range that is not listed was deleted. Pure.
 */

/** A position in a list. Instants are epoch seconds. */
export interface ListPosition {
  /** Only objects created before this instant are listed. */
  readonly createdBefore: number;
  /** The last listed object; null at the start. */
  readonly cursor: string | null;
  readonly cursorCreated: number | null;
  /** Ids listed so far for that second; null: too many to store. */
  readonly cursorPeers: readonly string[] | null;
}

export interface Listed {
  readonly id: string;
  readonly created: number;
}

export interface PageRange {
  /** The range that the page covers completely, both ends exclusive. */
  readonly after: number;
  readonly before: number;
  /** Whether all objects of the second `before`, which is shared with the previous page, are known. */
  readonly isSharedKnown: boolean;
  /** Ids listed in the range. */
  readonly seen: ReadonlySet<string>;
  /** The next position; null at the end. */
  readonly next: ListPosition | null;
  /** Objects that no earlier page listed. */
  readonly count: number;
}

const MAX_PEERS = 2_000;
const NEVER = -1;

export function rangeOf(position: ListPosition, page: readonly Listed[], hasMore: boolean): PageRange {
  const { createdBefore, cursorCreated } = position;
  const known = new Set(position.cursorPeers ?? []);
  const last = page.at(-1);
  const isAtEnd = !hasMore || last === undefined;
  const isSharedLeft = isAtEnd || last.created !== cursorCreated;
  return {
    after: isAtEnd ? NEVER : last.created,
    before: cursorCreated ?? createdBefore,
    isSharedKnown: isSharedLeft && cursorCreated !== null && position.cursorPeers !== null,
    seen: new Set([...(cursorCreated === null ? [] : known), ...page.map(({ id }) => id)]),
    next: isAtEnd
      ? null
      : {
          createdBefore,
          cursor: last.id,
          cursorCreated: last.created,
          cursorPeers: peersOf(position, page, last),
        },
    count: page.filter(({ id }) => !known.has(id)).length,
  };
}

/** The cursor object was deleted: lists its second again from the start. */
export function withoutCursor(position: ListPosition): ListPosition {
  return {
    createdBefore: (position.cursorCreated ?? position.createdBefore - 1) + 1,
    cursor: null,
    cursorCreated: null,
    // Objects already listed for that second are not counted again.
    cursorPeers: position.cursorPeers,
  };
}

function peersOf(
  position: ListPosition,
  page: readonly Listed[],
  { created }: Listed,
): readonly string[] | null {
  const isSameSecond = created === position.cursorCreated;
  if (isSameSecond && position.cursorPeers === null) return null;
  const peers = isSameSecond ? [...(position.cursorPeers ?? [])] : [];
  for (const each of page) if (each.created === created) peers.push(each.id);
  return peers.length > MAX_PEERS ? null : peers;
}
