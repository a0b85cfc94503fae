/** The one error of the package: what the API refused, or why it could not be asked. */
import type { TesseraError } from '../index.ts';

export type Type = TesseraError['type'];

interface Detail {
  readonly code?: TesseraError['code'];
  readonly status?: number | null;
  readonly requestId?: string | null;
  readonly retryAfterMs?: number | null;
  readonly issues?: TesseraError['issues'];
  readonly cause?: unknown;
}

export class RaisedError extends Error implements TesseraError {
  declare readonly name: 'TesseraError';
  declare readonly type: Type;
  declare readonly code: TesseraError['code'];
  declare readonly status: number | null;
  declare readonly requestId: string | null;
  declare readonly retryAfterMs: number | null;
  declare readonly issues: TesseraError['issues'];

  /** Also of the package's other module format, where an application loads both. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return Object(value).name === 'TesseraError';
  }

  /** @param detail of what it tells again, it may be the error itself */
  constructor(type: Type, message: string, detail?: Detail) {
    super(message, detail);
    Object.assign(
      this,
      {
        name: 'TesseraError',
        type,
        code: null,
        status: null,
        requestId: null,
        retryAfterMs: null,
        issues: [],
      },
      detail,
    );
  }
}

/** Rate-limited, usage-blocked, unavailable, server-error, network, timeout, aborted: no other type begins so. */
const PASSING = /^(ra|us|unav|se|ne|ti|ab)/;

/** Whether the same call may succeed later. Others are refusals, which another try would repeat. */
export function isPassing({ type, status }: TesseraError): boolean {
  return PASSING.test(type) || (status as number) >= 500;
}

/** Another try with the same key is refused as well, until the key is changed in the console. */
export function isKeyRefused({ status }: TesseraError): boolean {
  return status === 401 || status === 403;
}

/** @param name of the call, for people */
export function asError(thrown: unknown, name = ''): TesseraError {
  if (thrown instanceof RaisedError) {
    if (thrown.type === 'timeout' && name) thrown.message += ` from ${name}`;
    return thrown;
  }
  const { code, message = thrown } = Object(Object(thrown).cause);
  const why = code ?? message;
  return new RaisedError('network', `${name} was not reached: ${why}`, { cause: thrown });
}

/** Whatever answers with success in the API's place. */
export function notOurs(what: string): RaisedError {
  return new RaisedError('server-error', `Not Tessera's: ${what}`);
}
