/** What a call's event is found by beside its customer, its features and its plans: the hold that it is about, the balances it drew from, and the entity it counted for. */
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
  /** The entity of the customer whose limit applied to what was counted. */
  readonly entity: string | null;
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
const NOTHING: Mentions = { isHold: false, hold: null, balances: NONE, entity: null };
const HOLD_ID = `"hold":"${HOLD_PREFIX}`;
const ANSWERED_HOLD_ID = `"hold":{"id":"${HOLD_PREFIX}`;
/** No counter update has these fields. Quotes within a text are escaped. */
const IS_ABOUT_HOLD = /"(?:hold|amount)":/;
const DRAWS = '"draws":[{';
const ENTITY = '"entity":{"id":"';
const ENTITY_ID = /"entity":\{"id":("(?:[^"\\]|\\.)*")/;
const DRAW = /"from":("(?:[^"\\]|\\.)*"),"amount":/g;

export function mentionsIn({ type, isHold, response, request }: Said): Mentions {
  if (type === 'se') return NOTHING;
  const balances = response.includes(DRAWS) ? drawnIn(response) : NONE;
  const entity = response.includes(ENTITY) ? entityIn(response) : null;
  if (type === 'ac')
    return balances === NONE && entity === null ? NOTHING : { isHold: false, hold: null, balances, entity };
  const answered = textAfter(response, ANSWERED_HOLD_ID);
  const isAbout = isHold || answered !== null || IS_ABOUT_HOLD.test(request());
  const hold = answered ?? (isAbout ? textAfter(request(), HOLD_ID) : null);
  return { isHold: isAbout, hold, balances, entity };
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

function entityIn(response: string): string | null {
  const [, id] = ENTITY_ID.exec(response) ?? [];
  return id === undefined ? null : (JSON.parse(id) as string);
}

/** The ID whose prefix ends `before`, up to its quote. */
function textAfter(text: string, before: string): string | null {
  const at = text.indexOf(before);
  if (at === -1) return null;
  const start = at + before.length - HOLD_PREFIX.length;
  const end = text.indexOf('"', start);
  return end === -1 ? null : text.slice(start, end);
}
