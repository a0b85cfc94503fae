/** Joins API, answers and buffer to the client. Nothing here starts before a method is called. */
import type {
  Consumed,
  Context,
  CountedUpdate,
  PropertyValue,
  Source,
  Subject,
  Tessera,
  TesseraError,
  TesseraOptions,
} from '../index.ts';
import { accessOf, isAllowed, readAnswer, readMeter, valueAt } from './answer.ts';
import { openAnswers, readAt } from './answers.ts';
import { openApi } from './api.ts';
import { openBuffer } from './count-buffer.ts';
import { countBody, updateOf } from './counted-update.ts';
import { asError, isPassing, notOurs } from './error.ts';
import { inTime, unlessAborted } from './in-time.ts';
import { subjectBody } from './subject-key.ts';

interface On {
  readonly on: Subject;
  readonly context?: Context | undefined;
  readonly signal?: AbortSignal | undefined;
}

export function openTessera(options: TesseraOptions): Tessera {
  const api = openApi(options);
  const answers = openAnswers(api, options.cache);
  const buffer = openBuffer(api, options, ({ on }, { allowed, meter }) => {
    // The cache would allow what the server does not any more.
    if (allowed === false || (meter as { allowed?: boolean } | undefined)?.allowed === false)
      answers.forget(on);
  });

  /** Without a promise, where there is nothing to wait for and nobody to tell. */
  function cached(path: string, { on, context }: On): PropertyValue | undefined {
    try {
      const found = !api.isListened && answers.peek(on, context);
      if (found) return readAt(found.answer, path);
    } catch {
      // The read below says so.
    }
    return undefined;
  }

  /** The value at a path; undefined for whatever keeps it from being read. Never rejects. */
  async function read(path: string, { on, context, signal }: On): Promise<PropertyValue | undefined> {
    const startedAt = Date.now();
    let error: TesseraError | undefined;
    try {
      const found = await answers.ask(on, context, signal);
      const value = readAt(found.answer, path);
      if (value !== undefined) {
        tell(found.source, startedAt, found.error, found.answer.requestId);
        return value;
      }
    } catch (thrown) {
      error = asError(thrown);
    }
    tell('fallback', startedAt, error);
    return undefined;
  }

  function tell(source: Source, startedAt: number, error?: TesseraError, requestId = error?.requestId): void {
    api.emit({
      type: 'answer',
      source,
      ms: Date.now() - startedAt,
      requestId: requestId ?? null,
      ...(error && { error }),
    });
  }

  function decided<Value>(
    path: string,
    asked: On,
    decide: (value: PropertyValue | undefined) => Value,
  ): Promise<Value> {
    const value = cached(path, asked);
    return value === undefined ? read(path, asked).then(decide) : Promise.resolve(decide(value));
  }

  return {
    async check(subject, { context, signal } = {}) {
      const startedAt = Date.now();
      const found = await answers.ask(subject, context, signal);
      tell(found.source, startedAt, found.error, found.answer.requestId);
      return accessOf(found.answer, found.source);
    },
    can: (gate, asked) =>
      decided(gate, asked, (value) => (value === undefined ? asked.fallback : isAllowed(value))),
    get: (path, asked) =>
      // Its type could have changed with a deployment.
      decided(
        path,
        asked,
        (value) => (typeof value === typeof asked.fallback ? value : asked.fallback) as never,
      ),
    peek(path, { on, context }) {
      const found = answers.peek(on, context);
      if (!found) return null;
      const { answer, source, now } = found;
      const value = readAt(answer, path);
      return value === undefined ? null : ({ value, source, ageMs: now - answer.at } as never);
    },
    async consume(meter, { on, context, signal, fallback, by, resource, idempotencyKey }): Promise<Consumed> {
      const startedAt = Date.now();
      let update: CountedUpdate | undefined;
      try {
        update = updateOf(meter, { on, by, resource, idempotencyKey }, startedAt);
        const taken = countBody(update);
        const { feature } = taken;
        const sent = { ...subjectBody(on), context, features: [feature], consume: taken };
        const received = await unlessAborted(inTime(api.check(sent, false), api.boundMs), signal);
        const answer = readAnswer(received);
        const { accepted, ...state } = Object(received.body.consumed);
        if (typeof accepted !== 'boolean') throw notOurs('no decision');
        tell('live', startedAt, undefined, answer.requestId);
        // What is used up may deny the feature to others who ask: that is asked again.
        const isOpen = accepted && state.allowed === true;
        answers.change(on, (known) =>
          isOpen
            ? { ...known, values: new Map(), features: { ...known.features, ...answer.features } }
            : null,
        );
        const allowed = accepted && valueAt(answer, feature) !== false;
        return { allowed, counted: accepted ? 'now' : 'no', meter: readMeter(state), source: 'live' };
      } catch (thrown) {
        const error = asError(thrown);
        tell('fallback', startedAt, error);
        const allowed = fallback === 'allow';
        const isLater = allowed && update && (isPassing(error) || error.type === 'aborted');
        if (isLater) buffer.add(update as CountedUpdate, true);
        return { allowed, counted: isLater ? 'later' : 'no', meter: null, source: 'fallback' };
      }
    },
    count(meter, counted) {
      const update = updateOf(meter, counted, Date.now());
      buffer.add(update);
      return update.idempotencyKey;
    },
    flush: buffer.flush,
    refresh: answers.forget,
    close: () => buffer.flush(),
  };
}
