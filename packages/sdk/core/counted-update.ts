/** Usage on its way: validated when it is counted, and written as the API takes it. */
import type { CountedUpdate, Identified, TesseraError } from '../index.ts';
import { refusal } from './call-api.ts';
import { RaisedError } from './error.ts';
import { subjectKey } from './subject-key.ts';

/** A key is kept by the server for 24 hours, and usage is taken for as long. Not to the last second: the call itself takes time. */
export const MAX_AGE_MS = 24 * 3_600_000 - 60_000;
const MAX_AHEAD_MS = 30_000;
const MAX_BY = 1e12;

export interface CountInput {
  readonly on: Identified;
  readonly by?: number | undefined;
  readonly resource?: string | undefined;
  readonly release?: boolean | undefined;
  readonly at?: Date | undefined;
  readonly idempotencyKey?: string | undefined;
  readonly givesBack?: string | undefined;
}

/** `randomUUID` is there in secure contexts only, and not in every runtime. */
export const newKey = () => globalThis.crypto?.randomUUID?.() ?? `${Math.random()}${Math.random()}`;

/** @throws {TesseraError} invalid-request, for what no server would count */
export function updateOf(meter: string, input: CountInput): CountedUpdate {
  const { on, by, resource, release, givesBack, idempotencyKey = newKey() } = input;
  const now = Date.now();
  const at = input.at?.getTime() ?? now;
  const wrong =
    (subjectKey(on) === '' && 'on') ||
    (!/^[^.]+\../.test(meter) && 'meter') ||
    (!(Number.isInteger(by ?? 0) && Math.abs(by ?? 0) <= MAX_BY) && 'by') ||
    (!(resource ?? !release) && 'resource') ||
    (!/^.{1,200}$/.test(idempotencyKey) && 'idempotencyKey') ||
    (!(at > now - MAX_AGE_MS && at < now + MAX_AHEAD_MS) && 'at');
  if (wrong) throw new RaisedError('invalid-request', `${wrong} cannot be counted`);
  return { at, on, meter, by, resource, release: release || undefined, givesBack, idempotencyKey };
}

/** The members of a counter update, or of `consume`, that say what is counted. */
export function countBody({ meter, by, resource, release, givesBack, idempotencyKey }: CountedUpdate) {
  const dot = meter.indexOf('.');
  return {
    feature: meter.slice(0, dot),
    property: meter.slice(dot + 1),
    by,
    resourceId: resource,
    release,
    givesBack,
    idempotencyKey,
  };
}

/** Why one update of a batch failed; null if it did not. */
export function failureOf(result: unknown): TesseraError | null {
  const body = (result ?? { errorType: 'server-error' }) as Record<string, unknown>;
  return body.status === 'success' ? null : refusal(null, body, new Headers());
}
