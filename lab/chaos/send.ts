// How the clients of a run call: from a place, with a key, until they get an answer or give up.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '#lab/fixtures/seeded-random';
import type { ApiSession } from '../../dev/workspace/api-session.ts';
import { type CallPath, callAt } from './call-at.ts';
import type { History } from './history.ts';
import { type ChaosWorkspace, PLACES, type Place } from './workspace.ts';

/** Longer than a killed server takes to come back on a busy machine. */
export const GIVE_UP_AFTER_MS = 90_000;
const TIMEOUT_MS = 15_000;
/** Of an answer, in the history. */
const NOTED_LENGTH = 500;

export interface ClientOptions {
  readonly baseUrl: string;
  readonly workspace: ChaosWorkspace;
  readonly history: History;
  /** Of a person who may change customers. */
  readonly session: ApiSession;
}

/** `isRefused`: with one of the codes that the caller expects. */
type Answered<Body> =
  | { readonly kind: 'answered'; readonly body: Body }
  | { readonly kind: 'unknown'; readonly isRefused?: true };

let lastKey = 0;

export function newKey(): string {
  lastKey += 1;
  return `chaos-${lastKey}`;
}

interface Sent {
  readonly path: CallPath;
  readonly body: object;
  /** Where the call, and each that repeats it, comes from. Anywhere by default. */
  readonly place?: (() => Place) | undefined;
  readonly how?: Parameters<typeof callAt>[3];
  /** Of what is no broken promise: a code, or words of the message where the console gives none. */
  readonly refusals?: readonly string[];
}

/** Sends until it is answered, with the same key. */
export function send<Body>(
  options: ClientOptions,
  random: Random,
  { path, body, place = () => random.pick(PLACES), how = {}, refusals }: Sent,
): Promise<Answered<Body>> {
  const { baseUrl, workspace } = options;
  return untilAnswered(options, random, {
    ...{ path, body, refusals },
    call(signal) {
      const from = place();
      const { location } = from;
      const { secretKey } = workspace;
      return {
        location,
        response: callAt({ baseUrl, secretKey, place: from, signal }, path, body, how),
      };
    },
  });
}

/** As a person in the console does: no key makes it count once, so repeating it must change nothing. */
export function sendByPerson(
  options: ClientOptions,
  random: Random,
  { method, path, body, refusals }: PersonSent,
): Promise<Answered<unknown>> {
  return untilAnswered(options, random, {
    ...{ path, body, refusals },
    call: (signal) => ({
      response: Promise.race([options.session.send(method, path, body), rejected(signal)]),
    }),
  });
}

interface PersonSent {
  readonly method: string;
  readonly path: string;
  readonly body?: object;
  readonly refusals?: readonly string[];
}

function rejected(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason));
  });
}

interface Repeated {
  readonly path: string;
  readonly body: object | undefined;
  readonly refusals: readonly string[] | undefined;
  readonly call: (signal: AbortSignal) => {
    readonly location?: string;
    readonly response: Promise<Response>;
  };
}

/** A 4xx other than 429 and what is expected is a broken promise. */
async function untilAnswered<Body>(
  { history }: ClientOptions,
  random: Random,
  { path, body, refusals = [], call }: Repeated,
): Promise<Answered<Body>> {
  const givesUpAt = Date.now() + GIVE_UP_AFTER_MS;
  for (let attempt = 0; Date.now() < givesUpAt; attempt += 1) {
    const { location, response: sent } = call(AbortSignal.timeout(TIMEOUT_MS));
    try {
      const response = await sent;
      const text = await response.text();
      history.note({ path, body, location, status: response.status, text: text.slice(0, NOTED_LENGTH) });
      if (response.ok) return { kind: 'answered', body: text === '' ? undefined : JSON.parse(text) };
      if (response.status < 500 && response.status !== 429) {
        if (refusals.some((each) => text.includes(each))) return { kind: 'unknown', isRefused: true };
        history.differences.push(`${path} answered ${response.status}: ${text.slice(0, 300)}`);
        return { kind: 'unknown' };
      }
    } catch (error) {
      // The server is down, or the answer was lost.
      history.note({ path, body, location, error: String(error) });
    }
    await sleep(Math.min(100 + random.upTo(400) + attempt * 150, 3_000));
  }
  return { kind: 'unknown' };
}
