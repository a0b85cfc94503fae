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
import { type Answer, accessOf, isAllowed, readAnswer, readMeter, valueAt } from './answer.ts';
import { openAnswers } from './answers.ts';
import { type Api, openApi } from './api.ts';
import { openChecks } from './checks.ts';
import { elapsedMs } from './clock.ts';
import { openBuffer } from './count-buffer.ts';
import { countBody, updateOf } from './counted-update.ts';
import { asError, isPassing, notOurs } from './error.ts';
import { inTime } from './in-time.ts';
import { subjectBody } from './subject-key.ts';

interface On {
  readonly on: Subject;
  readonly context?: Context | undefined;
  readonly signal?: AbortSignal | undefined;
}

interface Told {
  readonly source: Source;
  readonly answer?: Answer | undefined;
  readonly error?: TesseraError | undefined;
}

/** Every client has it, for entries that extend the client. It is not declared. */
export interface WithApi extends Tessera {
  readonly api: Api;
}

/** Of a value; undefined: it cannot be used. */
type Take<Result> = (value: PropertyValue | undefined) => Result | undefined;

export function openTessera(options: TesseraOptions): WithApi {
  const api = openApi(options);
  const checks = openChecks(api);
  const answers = openAnswers(api, checks, options);
  const buffer = openBuffer(api, options, ({ on }, { allowed, meter }) => {
    // The cache would allow what the server does not any more.
    if (allowed === false || (meter as { allowed?: boolean } | undefined)?.allowed === false)
      answers.forget(on);
  });

  /** Without a promise, where there is nothing to wait for and nobody to tell. */
  function cached<Result>(path: string, { on, context }: On, take: Take<Result>): Result | undefined {
    try {
      const found = options.onEvent ? null : answers.use(on, context);
      const value = found ? valueAt(found.answer, path) : undefined;
      return value === undefined ? undefined : take(value);
    } catch {
      // The read below says so.
      return undefined;
    }
  }

  /** What is taken of the value at a path, or the fallback for whatever keeps it from being read. Never rejects. */
  async function read<Result>(
    path: string,
    { on, context, signal, fallback }: On & { readonly fallback: Result },
    take: Take<Result>,
  ): Promise<Result> {
    const startedAt = elapsedMs();
    let error: TesseraError | undefined;
    try {
      const found = await answers.ask(on, context, signal);
      const { answer } = found;
      const value = valueAt(answer, path);
      const taken = take(value);
      if (value === undefined) sayUnknown(path, answer);
      else if (taken === undefined) {
        api.say(`${path} is a ${typeof value}, its fallback a ${typeof fallback}`, path);
      }
      if (taken !== undefined) {
        tell(startedAt, found);
        return taken;
      }
    } catch (thrown) {
      error = asError(thrown);
    }
    fallBack(path, startedAt, error);
    return fallback;
  }

  /** Says what is the caller's mistake. @param error undefined: there was an answer */
  function fallBack(name: string, startedAt: number, error?: TesseraError): void {
    if (error?.type === 'invalid-request' && error.status === null)
      api.say(`${name}: ${error.message}`, error.message);
    tell(startedAt, { source: 'fallback', error });
  }

  function sayUnknown(path: string, { version }: Answer): void {
    api.say(`The deployed version ${version?.number ?? ''} has no ${path}`, path);
  }

  function tell(startedAt: number, { source, error, answer }: Told): void {
    const { requestId = null } = answer ?? error ?? {};
    api.emit({ type: 'answer', source, ms: elapsedMs() - startedAt, requestId, error });
  }

  function decided<Result>(
    path: string,
    asked: On & { readonly fallback: Result },
    take: Take<Result>,
  ): Promise<Result> {
    const value = cached(path, asked, take);
    return value === undefined ? read(path, asked, take) : Promise.resolve(value);
  }

  const check: Tessera['check'] = async (subject, { context, signal } = {}) => {
    const startedAt = elapsedMs();
    const found = await answers.ask(subject, context, signal);
    tell(startedAt, found);
    return accessOf(found.answer, found.source);
  };

  return {
    api,
    check,
    checkMany(subjects, options) {
      const startedAt = elapsedMs();
      const checkOne = (subject: Subject) =>
        check(subject, options).catch((thrown) => {
          fallBack('checkMany', startedAt, asError(thrown));
          return null;
        });
      return Promise.all(subjects.map(checkOne));
    },
    // What the deployed version does not have is not allowed, as in `access.can`: a fallback is for outages.
    can: (gate, asked) => decided(gate, asked, isAllowed),
    get: (path, asked) =>
      // Its type could have changed with a deployment.
      decided(
        path,
        asked,
        (value) => (typeof value === typeof asked.fallback ? value : undefined) as never,
      ) as never,
    peek(path, { on, context }) {
      const found = answers.peek(on, context);
      if (!found) return null;
      const { answer, source, now } = found;
      const value = valueAt(answer, path);
      if (value !== undefined) return { value, source, ageMs: now - answer.at } as never;
      sayUnknown(path, answer);
      return null;
    },
    async consume(meter, asked): Promise<Consumed> {
      const { on, context, signal, fallback } = asked;
      const startedAt = elapsedMs();
      let update: CountedUpdate | undefined;
      try {
        update = updateOf(meter, asked);
        const taken = countBody(update);
        const { feature } = taken;
        const sent = { ...subjectBody(on), context, features: [feature], consume: taken };
        const received = await inTime(checks.ask(sent, false), api.boundMs, signal);
        const answer = readAnswer(received);
        const { accepted, ...state } = Object(received.body.consumed);
        if (typeof accepted !== 'boolean') throw notOurs('no decision');
        tell(startedAt, { source: 'live', answer });
        // What is used up may deny the feature to others who ask: that is asked again.
        if (accepted && state.allowed === true) answers.merge(on, answer);
        else answers.forget(on);
        const allowed = accepted && valueAt(answer, feature) !== false;
        return { allowed, counted: accepted ? 'now' : 'no', meter: readMeter(state), source: 'live' };
      } catch (thrown) {
        const error = asError(thrown);
        fallBack(meter, startedAt, error);
        const allowed = fallback === 'allow';
        const isLater = allowed && update && isPassing(error);
        if (isLater) buffer.add(update as CountedUpdate, true);
        return { allowed, counted: isLater ? 'later' : 'no', meter: null, source: 'fallback' };
      }
    },
    count(meter, counted) {
      const update = updateOf(meter, counted);
      buffer.add(update);
      return update.idempotencyKey;
    },
    flush: buffer.flush,
    refresh: answers.forget,
    close: () => buffer.flush(),
  };
}
