/**
 * Structured logs, one JSON line per entry, in which everything that a terminal would act on is escaped. Text that looks like a key, token or
 * credential is redacted.
 */
import { escapeText } from '#contracts/public/characters';

export interface Log {
  info(message: string, fields?: Fields): void;
  warn(message: string, fields?: Fields): void;
  error(message: string, fields?: Fields): void;
}

/** Of the deployed Worker; errors name it. */
let version: string | undefined;

export function nameVersion(id: string | undefined): void {
  version = id;
}

type Fields = Readonly<Record<string, unknown>>;

const SECRET = /\b(?:tsr_(?:sec|pub)_|sk_|rk_|whsec_)[A-Za-z0-9_*]{6,}|\beyJ[\w-]{5,}\.[\w-]+\.[\w-]*/g;
const SECRET_FIELD = /^(?:authorization|cookie|password|token|secret|value|userJwt|x-captcha-response)$/i;

export const log: Log = {
  info: (message, fields) => console.info(line('info', message, fields)),
  warn: (message, fields) => console.warn(line('warn', message, fields)),
  error: (message, fields) => console.error(line('error', message, { ...fields, version })),
};

export function line(level: string, message: string, fields: Fields = {}): string {
  const text = JSON.stringify({ level, message, ...fields }, (key, value: unknown) => {
    if (SECRET_FIELD.test(key)) return '[redacted]';
    if (value instanceof Error) return { name: value.name, message: value.message, stack: value.stack };
    return value;
  });
  return escapeText(text.replace(SECRET, '[redacted]'));
}
