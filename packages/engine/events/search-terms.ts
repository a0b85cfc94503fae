/**
 * Normalises text for event search. The same function runs when an event is indexed, when a search is parsed and when a
 * match is verified: it removes case and accents and replaces punctuation and whitespace with single spaces. The result
 * contains no character that the full-text query language interprets.
 */
import type { EventOutcome, EventType } from '#contracts/console/events';

/** `Zürich-2 (Nord)` → `zurich 2 nord`. Empty if nothing searchable is left. */
export function normaliseText(text: string): string {
  if (isAscii(text)) {
    return text
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, ' ')
      .trim();
  }
  return text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/(?:[\p{P}\p{Z}\p{C}]|[^a-z0-9\u0080-\u{10ffff}])+/gu, ' ')
    .trim();
}

/** An environment id as one search term; the tokenizer would split the id at its underscore. */
export function environmentTerm(envId: string): string {
  return `env${envId.toLowerCase().replace(/[^a-z0-9]/g, '')}`;
}

/** An outcome as one search term, like `environmentTerm`. */
export function outcomeTerm(outcome: EventOutcome): string {
  return `outcome0${outcome}`;
}

/** An event type as one search term. */
export function typeTerm(type: EventType): string {
  return `type0${type}`;
}

/** A workflow that ran as one search term; another one if a run of it failed. */
export function runTerm(workflowId: string, isFailed: boolean): string {
  return `${isFailed ? 'failed0' : 'run0'}${workflowId.toLowerCase().replace(/[^a-z0-9]/g, '')}`;
}

/**
 * The term of groups whose terms include those of all subjects. Isolates of earlier versions sent groups without: they are found by the
 * words of the identifier.
 */
export const HAS_SUBJECTS = 'subjects0';

/** The term of groups whose terms include the next two, where there are any. */
export const HAS_MENTIONS = 'mentions0';
/** Of calls about a hold. */
export const HOLD_TERM = 'type0hold';
/** A balance that something was taken from, or given back to. */
export const drawTerm = (balance: string) => `drew0${hashed(balance)}`;

/** An exact identifier as one search term. Few others share it: matches are verified. */
export const subjectTerm = (identifier: string) => `subject0${hashed(identifier)}`;

function hashed(identifier: string): string {
  // Two hashes of 32 bits, FNV-1a and its variant with another prime.
  let [one, other] = [0x811c9dc5, 0x9dc5811c];
  for (let index = 0; index < identifier.length; index++) {
    const code = identifier.charCodeAt(index);
    one = Math.imul(one ^ code, 0x01000193);
    other = Math.imul(other ^ code, 0x85ebca6b);
  }
  return `${(one >>> 0).toString(36)}0${(other >>> 0).toString(36)}`;
}

function isAscii(text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    if (text.charCodeAt(index) > 127) return false;
  }
  return true;
}
