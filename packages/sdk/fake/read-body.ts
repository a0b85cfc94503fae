/** Reads a request's JSON as the API does: its type, encoding, size, depth, and names that mean something to JavaScript. */
import { invalidField, Refusal } from './refusal.ts';

const MAX_DEPTH = 32;

export interface BodyLimits {
  readonly bytes: number;
  readonly values: number;
}

/** @returns an empty object where there is no body @throws {Refusal} */
export async function readBody(request: Request, limits: BodyLimits): Promise<Record<string, unknown>> {
  const bytes = await request.arrayBuffer();
  if (bytes.byteLength === 0) return {};
  ensureType(request.headers);
  if (bytes.byteLength > limits.bytes) {
    throw new Refusal(413, 'payload-too-large', `The body is larger than ${limits.bytes / 1024} KiB`);
  }
  let text: string;
  let value: unknown;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw invalidField('', 'The body is not valid UTF-8');
  }
  ensureBounded(text, limits.values);
  try {
    value = JSON.parse(text);
  } catch {
    throw invalidField('', 'The body is not valid JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalidField('', 'Must be an object');
  }
  return value as Record<string, unknown>;
}

function ensureType(headers: Headers): void {
  const unsupported = (header: string, message: string) =>
    new Refusal(415, 'unsupported-media-type', `${header}: ${message}`, {
      issues: [{ path: header, message }],
    });
  const encoding = headers.get('content-encoding') ?? 'identity';
  if (encoding !== 'identity')
    throw unsupported('Content-Encoding', `Must be sent uncompressed, not as ${encoding}`);
  const [type = '', charset = 'utf-8'] = (headers.get('content-type') ?? 'application/json')
    .toLowerCase()
    .split(/;\s*charset=/);
  if (type !== 'application/json') throw unsupported('Content-Type', `Must be application/json, not ${type}`);
  if (!/^"?utf-?8"?$/.test(charset)) throw unsupported('Content-Type', `Must be in UTF-8, not ${charset}`);
}

/** Counts brackets and commas outside of strings. */
function ensureBounded(text: string, maxValues: number): void {
  const structure = text.replace(/"(?:[^"\\]|\\.)*"/g, '');
  let depth = 0;
  let values = 0;
  for (const character of structure) {
    if (character === '[' || character === '{') depth += 1;
    if (character === ']' || character === '}') depth -= 1;
    if (/[[{,]/.test(character)) values += 1;
    if (depth > MAX_DEPTH) throw invalidField('', `The body is nested deeper than ${MAX_DEPTH} levels`);
    if (values > maxValues) throw invalidField('', `The body has more than ${maxValues} values`);
  }
}
