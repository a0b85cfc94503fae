/** Refuses bodies that are sent as anything but JSON in UTF-8: in another format, another charset, or compressed. */
import type { CodeOf } from '#contracts/public/refusals';
import { Refusal } from './api-error.ts';
import type { SentHeaders } from './sent-headers.ts';

interface SentBody {
  readonly headers: SentHeaders;
  /** Null: there is none. */
  readonly body: unknown;
}

const JSON_TYPE = 'application/json';
/** Content types are short; a longer one is cut in the message. */
const MAX_NAME = 100;
const UTF_8: ReadonlySet<string> = new Set(['utf-8', 'utf8']);

/**
 * @param isRequired whether a body without a Content-Type is refused, too
 * @throws {ApiError} unsupported-media-type, naming the header
 */
export function ensureJsonType(request: SentBody, isRequired: boolean): void {
  const { headers } = request;
  const type = headers.get('content-type');
  const encoding = headers.get('content-encoding');
  if (encoding === null && (type === JSON_TYPE || (type === null && !isRequired))) return;
  // The runtime makes a stream of the body when it is first read, so it is read last.
  if (request.body === null || headers.get('content-length') === '0') return;
  if (encoding !== null && nameIn(encoding) !== 'identity') {
    throw unsupported(
      'content-encoding-unsupported',
      'Content-Encoding',
      `Must be sent uncompressed, not as ${short(encoding)}`,
    );
  }
  const name = nameIn(type ?? '');
  if (name !== JSON_TYPE && (type !== null || isRequired)) {
    throw unsupported(
      'content-type-unsupported',
      'Content-Type',
      `Must be ${JSON_TYPE}${name === '' ? '' : `, not ${short(name)}`}`,
    );
  }
  const charset = charsetIn(type ?? '');
  if (charset !== null && !UTF_8.has(charset)) {
    throw unsupported('content-type-unsupported', 'Content-Type', `Must be in UTF-8, not ${short(charset)}`);
  }
}

function nameIn(header: string): string {
  const [name = ''] = header.split(';');
  return name.trim().toLowerCase();
}

/** Null if the type has none, which means UTF-8 (RFC 8259 section 8.1). */
function charsetIn(type: string): string | null {
  const [, quoted, plain] = /;\s*charset\s*=\s*(?:"([^"]*)"|([^;\s]*))/i.exec(type) ?? [];
  return (quoted ?? plain)?.trim().toLowerCase() ?? null;
}

const short = (name: string) => name.slice(0, MAX_NAME);

function unsupported(code: CodeOf<'unsupported-media-type'>, header: string, message: string): Refusal {
  return new Refusal('unsupported-media-type', code, `${header}: ${message}`, {
    issues: [{ path: header, message }],
  });
}
