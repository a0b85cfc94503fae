/** The one error of the package: what the API refused, or why it could not be asked. */
import type { TesseraError } from '../index.ts';

export type Type = TesseraError['type'];

interface Detail {
  readonly status?: number | null;
  readonly requestId?: string | null;
  readonly retryAfterMs?: number | null;
  readonly issues?: TesseraError['issues'];
  readonly cause?: unknown;
}

export class RaisedError extends Error implements TesseraError {
  declare readonly name: 'TesseraError';
  declare readonly type: Type;
  declare readonly status: number | null;
  declare readonly requestId: string | null;
  declare readonly retryAfterMs: number | null;
  declare readonly issues: TesseraError['issues'];

  /** @param detail of what it tells again, it may be the error itself */
  constructor(type: Type, message: string, detail?: Detail) {
    super(message, detail);
    Object.assign(
      this,
      { name: 'TesseraError', type, status: null, requestId: null, retryAfterMs: null, issues: [] },
      detail,
    );
  }
}

const PASSING = /^(rate-limited|usage-blocked|unavailable|server-error|network|timeout)$/;

/** Whether the same call may succeed later. Others are refusals, which another try would repeat. */
export function isPassing({ type, status }: TesseraError): boolean {
  return PASSING.test(type) || (status as number) >= 500;
}

export function asError(thrown: unknown): TesseraError {
  return thrown instanceof RaisedError
    ? thrown
    : new RaisedError('network', `Not reached: ${thrown}`, { cause: thrown });
}

/** Whatever answers with success in the API's place. */
export function notOurs(what: string): RaisedError {
  return new RaisedError('server-error', `Not Tessera's: ${what}`);
}
