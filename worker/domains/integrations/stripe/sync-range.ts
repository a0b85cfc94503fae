/**
 * What one page of a list of Stripe's covers. Lists come newest first; the objects of one second may be spread over
 * several pages, and the ids of that second that were listed so far come along. So each page says for sure which objects of its
 * stretch of time there are, and what is stored besides them is no more. Pure.
 */

/** Where a list stands; instants are epoch seconds, as Stripe counts. */
export interface ListPosition {
  /** Only objects made before it are listed. */
  readonly createdBefore: number;
  /** The last object that was listed; null at the beginning. */
  readonly cursor: string | null;
  readonly cursorCreated: number | null;
  /** Ids of all objects of that second that were listed before; null: too many to be kept. */
  readonly cursorPeers: readonly string[] | null;
}

export interface Listed {
  readonly id: string;
  readonly created: number;
}

export interface PageRange {
  /** The stretch that the page covers wholly, both ends exclusive. */
  readonly after: number;
  readonly before: number;
  /** Whether all objects of the second `before`, which it shares with the page before, are known by now. */
  readonly isSharedKnown: boolean;
  /** What there is in all of that. */
  readonly seen: ReadonlySet<string>;
  /** Where the list goes on; null: it is at its end. */
  readonly next: ListPosition | null;
  /** Objects that no page before has listed. */
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

/** The object that the list was to go on from is no more: its second is listed from the start. */
export function withoutCursor(position: ListPosition): ListPosition {
  return {
    createdBefore: (position.cursorCreated ?? position.createdBefore - 1) + 1,
    ...{ cursor: null, cursorCreated: null },
    // What was listed of that second is not counted again.
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
