// How the clients of a run call: from a place, with a key, until they get an answer or give up.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '#lab/fixtures/seeded-random';
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
}

type Answered<Body> = { readonly kind: 'answered'; readonly body: Body } | { readonly kind: 'unknown' };

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
}

/** Sends until it is answered, with the same key; 4xx other than 429 is a broken promise. */
export async function send<Body>(
  { baseUrl, workspace, history }: ClientOptions,
  random: Random,
  { path, body, place = () => random.pick(PLACES), how = {} }: Sent,
): Promise<Answered<Body>> {
  const givesUpAt = Date.now() + GIVE_UP_AFTER_MS;
  for (let attempt = 0; Date.now() < givesUpAt; attempt += 1) {
    const from = place();
    const { location } = from;
    try {
      const signal = AbortSignal.timeout(TIMEOUT_MS);
      const { secretKey } = workspace;
      const response = await callAt({ baseUrl, secretKey, place: from, signal }, path, body, how);
      const text = await response.text();
      history.note({ path, body, location, status: response.status, text: text.slice(0, NOTED_LENGTH) });
      if (response.ok) return { kind: 'answered', body: JSON.parse(text) as Body };
      if (response.status < 500 && response.status !== 429) {
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
