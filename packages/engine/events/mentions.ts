/** What a call's event is found by beside its customer, its features and its plans: the hold that it is about, and the balances it drew from. */
import type { EventType } from '#contracts/console/events';
import { HOLD_PREFIX } from '../metering/hold-id.ts';
import type { EventLine } from './event-line.ts';

export interface Mentions {
  /** Whether the call is about a hold, and so no counter update. */
  readonly isHold: boolean;
  /** The hold's ID; null if the call made none, or its request is not recorded. */
  readonly hold: string | null;
  /** IDs of the balances that it took from, or gave back to. */
  readonly balances: readonly string[];
}

interface Said {
  readonly type: EventType;
  /** Absent in events recorded before this field existed. */
  readonly isHold?: boolean | undefined;
  /** The event's own part of the response. */
  readonly response: string;
  /** The request as JSON. Asked for if the response does not say enough. */
  readonly request: () => string;
}

const NONE: readonly never[] = [];
const NOTHING: Mentions = { isHold: false, hold: null, balances: NONE };
const HOLD_ID = `"hold":"${HOLD_PREFIX}`;
const ANSWERED_HOLD_ID = `"hold":{"id":"${HOLD_PREFIX}`;
/** No counter update has these fields. Quotes within a text are escaped. */
const IS_ABOUT_HOLD = /"(?:hold|amount)":/;
const DRAWS = '"draws":[{';
const DRAW = /"from":("(?:[^"\\]|\\.)*"),"amount":/g;

export function mentionsIn({ type, isHold, response, request }: Said): Mentions {
  if (type === 'se') return NOTHING;
  const balances = response.includes(DRAWS) ? drawnIn(response) : NONE;
  if (type === 'ac') return balances === NONE ? NOTHING : { isHold: false, hold: null, balances };
  const answered = textAfter(response, ANSWERED_HOLD_ID);
  const isAbout = isHold || answered !== null || IS_ABOUT_HOLD.test(request());
  return { isHold: isAbout, hold: answered ?? (isAbout ? textAfter(request(), HOLD_ID) : null), balances };
}

export const mentionsOf = (line: Pick<EventLine, 'shape' | 'response' | 'jsonOf'>): Mentions =>
  mentionsIn({
    type: line.shape.type,
    isHold: line.shape.isHold,
    response: line.response,
    request: () => line.jsonOf('request'),
  });

function drawnIn(response: string): readonly string[] {
  const drawn = response.slice(response.indexOf(DRAWS));
  return [...new Set([...drawn.matchAll(DRAW)].map(([, from = '""']) => JSON.parse(from) as string))];
}

/** The ID whose prefix ends `before`, up to its quote. */
function textAfter(text: string, before: string): string | null {
  const at = text.indexOf(before);
  if (at === -1) return null;
  const start = at + before.length - HOLD_PREFIX.length;
  const end = text.indexOf('"', start);
  return end === -1 ? null : text.slice(start, end);
}
