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
  override readonly name = 'TesseraError';
  readonly type: Type;
  readonly status: number | null;
  readonly requestId: string | null;
  readonly retryAfterMs: number | null;
  readonly issues: TesseraError['issues'];

  constructor(type: Type, message: string, detail: Detail = {}) {
    super(message, detail);
    const { status = null, requestId = null, retryAfterMs = null, issues = [] } = detail;
    this.type = type;
    this.status = status;
    this.requestId = requestId;
    this.retryAfterMs = retryAfterMs;
    this.issues = issues;
  }
}

const PASSING = /^(rate-limited|usage-blocked|unavailable|server-error|network|timeout)$/;

/** Whether the same call may succeed later. Others are refusals, which another try would repeat. */
export function isPassing({ type, status }: TesseraError): boolean {
  return PASSING.test(type) || Number(status) >= 500;
}

export function asError(thrown: unknown): TesseraError {
  return thrown instanceof RaisedError
    ? thrown
    : new RaisedError('network', `Not reached: ${thrown}`, { cause: thrown });
}

/** Whatever answers with success in the API's place. */
export function notOurs(what: string): RaisedError {
  return new RaisedError('server-error', `An answer with ${what} is not Tessera's`);
}
