/** Answers by subject and context: asked once for any number of callers, used while they are valid, and longer in an outage. */
import type { Context, Subject, TesseraError, TesseraOptions } from '../index.ts';
import { type Answer, readAnswer } from './answer.ts';
import type { Api } from './api.ts';
import type { Checks } from './checks.ts';
import { elapsedMs } from './clock.ts';
import { isPassing } from './error.ts';
import { inTime } from './in-time.ts';
import { contextKey, subjectBody, subjectKey } from './subject-key.ts';

export interface Found {
  readonly answer: Answer;
  readonly source: 'live' | 'cache' | 'stale';
  /** Why it is stale. */
  readonly error?: TesseraError;
}

interface Slot {
  answer: Answer | null;
  asking: Promise<Answer> | null;
  /** About. 0: it was dropped. */
  bytes: number;
}

export interface Answers {
  /** What may be used without asking. @throws {TesseraError} invalid-request */
  peek(subject: Subject, context: Context | undefined): (Found & { readonly now: number }) | null;
  /** The same, for a caller who would ask: an answer that ends soon is renewed behind it. @throws {TesseraError} invalid-request */
  use(subject: Subject, context: Context | undefined): Found | null;
  /** @throws {TesseraError} */
  ask(subject: Subject, context: Context | undefined, signal: AbortSignal | undefined): Promise<Found>;
  /** Of what is cached, replaces features: after usage was taken. */
  merge(subject: Subject, newer: Answer): void;
  forget(subject?: Subject): void;
}

/** Of its validity, after which an answer that is used is renewed, so that no caller waits for it. */
const RENEWED_AFTER = 0.8;
/** Of one subject. Contexts are chosen by callers, so there may be many. */
const MAX_CONTEXTS = 20;
/** Measured in V8: an answer takes 0.8 to 1.3 bytes for each character of its text, whatever is read of it. */
const SLOT_BYTES = 1_000;
const BYTES_OF_CHARACTER = 2;

export function openAnswers(api: Api, checks: Checks, { cache = {} }: TesseraOptions): Answers {
  const { maxSubjects = 10_000, maxBytes = 32_000_000, staleMs = 3_600_000 } = cache || {};
  /** The one that was asked last is the last. */
  const subjects = new Map<string, Map<string, Slot>>();
  let bytes = 0;

  const isUsable = ({ validUntil }: Answer) => elapsedMs() < validUntil + staleMs;

  function peek(subject: Subject, context: Context | undefined) {
    const now = elapsedMs();
    const answer = subjects.get(subjectKey(subject))?.get(contextKey(context))?.answer;
    if (!answer) return null;
    const isValid = now < answer.validUntil;
    if (!isValid && !(checks.isDown() && isUsable(answer))) return null;
    api.served();
    return { answer, source: isValid ? 'cache' : 'stale', now } as const;
  }

  function use(subject: Subject, context: Context | undefined) {
    const found = peek(subject, context);
    if (!found) return null;
    const { at, validUntil } = found.answer;
    if (found.now > at + RENEWED_AFTER * (validUntil - at) && !checks.isPaused()) {
      const slot = slotOf(subject, context);
      if (!slot.asking) {
        const renewing = begin(slot, subject, context).catch(() => {});
        api.waitUntil?.(renewing);
      }
    }
    return found;
  }

  async function ask(subject: Subject, context: Context | undefined, signal: AbortSignal | undefined) {
    const found = use(subject, context);
    if (found) return found;
    const slot = slotOf(subject, context);
    const asking = slot.asking ?? begin(slot, subject, context);
    try {
      const answer = await inTime(asking, api.boundMs, signal);
      return { answer, source: 'live' } as const;
    } catch (thrown) {
      // Whoever began may be gone, and in a Worker its request with it: then the next caller asks again.
      if (!signal?.aborted) end(slot, asking);
      const error = thrown as TesseraError;
      const { answer } = slot;
      if (!answer || !isPassing(error) || !isUsable(answer)) throw error;
      api.served();
      return { answer, source: 'stale', error } as const;
    }
  }

  function begin(slot: Slot, subject: Subject, context: Context | undefined): Promise<Answer> {
    const asking = checks.ask({ ...subjectBody(subject), context }, !!slot.answer).then((received) => {
      const answer = readAnswer(received);
      if (cache && slot.bytes) {
        slot.answer = answer;
        weigh(slot, SLOT_BYTES + BYTES_OF_CHARACTER * received.length);
      }
      return answer;
    });
    slot.asking = asking;
    asking.finally(() => end(slot, asking)).catch(() => {});
    return asking;
  }

  function slotOf(subject: Subject, context: Context | undefined): Slot {
    const key = subjectKey(subject);
    const name = contextKey(context);
    const contexts = subjects.get(key) ?? new Map<string, Slot>();
    const slot = contexts.get(name) ?? { answer: null, asking: null, bytes: 0 };
    if (!slot.bytes) weigh(slot, SLOT_BYTES);
    putLast(subjects, key, contexts);
    putLast(contexts, name, slot);
    for (const [oldest, dropped] of contexts) {
      if (contexts.size <= MAX_CONTEXTS) break;
      contexts.delete(oldest);
      weigh(dropped, 0);
    }
    for (const oldest of subjects.keys()) {
      if ((bytes <= maxBytes && subjects.size <= maxSubjects) || oldest === key) break;
      drop(oldest);
    }
    return slot;
  }

  function drop(key: string): void {
    for (const slot of subjects.get(key)?.values() ?? []) weigh(slot, 0);
    subjects.delete(key);
  }

  function weigh(slot: Slot, next: number): void {
    bytes += next - slot.bytes;
    slot.bytes = next;
  }

  return {
    peek,
    use,
    ask,
    merge(subject, { features }) {
      for (const slot of subjects.get(subjectKey(subject))?.values() ?? []) {
        const { answer } = slot;
        slot.answer = answer && { ...answer, features: { ...answer.features, ...features } };
      }
    },
    forget(subject) {
      for (const key of subject ? [subjectKey(subject)] : subjects.keys()) drop(key);
    },
  };
}

function putLast<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.delete(key);
  map.set(key, value);
}

function end(slot: Slot, asking: Promise<Answer>): void {
  if (slot.asking === asking) slot.asking = null;
}
