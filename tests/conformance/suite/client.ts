// The client of the conformance suite: sends requests to the server under test, and checks every answer of a documented
// operation against the server's own OpenAPI document.
import { Validator } from '@cfworker/json-schema';
import { expect } from 'vitest';
import type { AccessCheckAnswer, AccessChecksAnswer } from '#contracts/public/access';
import type { CustomerChangeAnswer } from '#contracts/public/customers';
import type { PublicError } from '#contracts/public/errors';
import type { SettleHoldAnswer } from '#contracts/public/holds';
import type { CounterUpdateAnswer, CounterUpdatesAnswer } from '#contracts/public/metering';
import type { OpenApiDocument, PathItem } from '#contracts/public/openapi';
import type { PlansAnswer } from '#contracts/public/sales';

/** The server under test, with the documented workspace (README.md of this folder) in it. */
export interface Target {
  /** Sends a request; `path` begins with /api/v1. */
  readonly fetch: (path: string, init?: RequestInit) => Promise<Response>;
  readonly secretKey: string;
  readonly publicKey: string;
  /** A key of an organisation that has used up its allowance; null: the tests of blocked calls are skipped. */
  readonly blockedKey: string | null;
  /** A secret key that manages customers, of an environment with the workspace with credits; null: the tests of it are skipped. */
  readonly creditsKey: string | null;
  /** Moves the server's clock to an instant, epoch milliseconds; null: back to the present. Absent: it cannot be moved. */
  readonly moveClock?: (to: number | null) => void;
  /** Signs a token that the workspace's JWT integration accepts, as far as its claims allow. */
  readonly sign: (claims: Readonly<Record<string, unknown>>) => Promise<string>;
}

export interface SendOptions {
  /** Null: no Authorization header. Default: the secret key. */
  readonly key?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: string;
  /** Sent as the body in place of the JSON. */
  readonly text?: string | Uint8Array;
}

export interface Received<Body> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
}

export interface Client {
  readonly target: Target;
  readonly document: OpenApiDocument;
  check(body?: object, options?: SendOptions): Promise<Received<AccessCheckAnswer>>;
  /** A batch of checks. @param only slugs of features */
  checks(
    checks: readonly unknown[],
    only?: readonly string[],
    options?: SendOptions,
  ): Promise<Received<AccessChecksAnswer>>;
  update(body: object, options?: SendOptions): Promise<Received<CounterUpdateAnswer>>;
  /** A batch of counter updates. */
  updates(updates: readonly unknown[], options?: SendOptions): Promise<Received<CounterUpdatesAnswer>>;
  /** A call about customers. @param path below /api/v1/customers, with its parameters @param template the same, written {name} */
  customers<Body = CustomerChangeAnswer>(
    method: string,
    path: string,
    template: string,
    body?: object,
    options?: SendOptions,
  ): Promise<Received<Body>>;
  /** The public plans. */
  plans(options?: SendOptions): Promise<Received<PlansAnswer>>;
  /** A call about holds. @param path below /api/v1/holds, with its parameters @param template the same, written {name} */
  holds(
    path: string,
    template: string,
    body: object,
    options?: SendOptions,
  ): Promise<Received<AnyHoldAnswer>>;
  /** A call of OpenFeature's protocol. @param key of one flag; null: all flags */
  evaluate<Body = unknown>(key: string | null, body: object, options?: SendOptions): Promise<Received<Body>>;
  /** For calls that must be refused. */
  refused(path: string, body: object, options?: SendOptions): Promise<Received<PublicError>>;
}

/** Each answer has some of these fields. */
export type AnyHoldAnswer = Omit<SettleHoldAnswer, 'hold'> & {
  readonly hold: SettleHoldAnswer['hold'] | null;
};

const PLANS = '/api/v1/plans';
const HOLDS = '/api/v1/holds';
export const CUSTOMERS = '/api/v1/customers';
const FLAGS = '/ofrep/v1/evaluate/flags';
export const CHECKS = '/api/v1/access-checks';
export const CHECKS_BATCH = `${CHECKS}/batch`;
export const UPDATES = '/api/v1/counter-updates';
export const BATCH = `${UPDATES}/batch`;

export async function openClient(target: Target): Promise<Client> {
  const response = await target.fetch('/api/v1/openapi.json');
  const document = withParts((await response.json()) as OpenApiDocument);

  async function send(
    path: string,
    body: object | undefined,
    options: SendOptions,
    method = 'POST',
    template = path,
  ): Promise<Received<never>> {
    const { key = target.secretKey, headers, query = '', text } = options;
    const answer = await target.fetch(`${path}${query}`, {
      method,
      headers: {
        'content-type': 'application/json',
        ...(key === null ? {} : { authorization: `Bearer ${key}` }),
        ...headers,
      },
      ...(text === undefined && body === undefined ? {} : { body: text ?? JSON.stringify(body) }),
    });
    const json: unknown = answer.status === 304 ? null : await answer.json();
    const received = { status: answer.status, headers: answer.headers, body: json as never };
    expectDocumented(document, method, template, received);
    return received;
  }

  async function succeed(path: string, body: object | undefined, options: SendOptions = {}) {
    const received = await send(path, body, options);
    expect(received.status, JSON.stringify(received.body)).toBe(200);
    return received;
  }

  return {
    target,
    document,
    check: (body, options) => succeed(CHECKS, body, options),
    checks: (checks, features, options) => succeed(CHECKS_BATCH, { features, checks }, options),
    update: (body, options) => succeed(UPDATES, body, options),
    updates: (updates, options) => succeed(BATCH, { updates }, options),
    customers: (method, path, template, body, options = {}) =>
      send(`${CUSTOMERS}${path}`, body, options, method, `${CUSTOMERS}${template}`),
    plans: (options = {}) => send(PLANS, undefined, options, 'GET'),
    holds: (path, template, body, options = {}) =>
      send(`${HOLDS}${path}`, body, options, 'POST', `${HOLDS}${template}`),
    evaluate: (key, body, options = {}) =>
      key === null
        ? send(FLAGS, body, options)
        : send(`${FLAGS}/${encodeURIComponent(key)}`, body, options, 'POST', `${FLAGS}/{key}`),
    refused: (path, body, options = {}) => send(path, body, options),
  };
}

/** With the parts that operations refer to in their places. References to schemas stay. */
function withParts(document: OpenApiDocument): OpenApiDocument {
  const resolve = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map(resolve);
    const [, , kind, name] = '$ref' in value ? String(value.$ref).split('/') : [];
    const parts = document.components as Record<string, Record<string, unknown>>;
    if (kind !== undefined && name !== undefined && kind !== 'schemas') return resolve(parts[kind]?.[name]);
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, resolve(each)]));
  };
  return { ...document, paths: resolve(document.paths) as OpenApiDocument['paths'] };
}

/** Body and headers have the documented form; the body has no undocumented field. */
function expectDocumented(
  document: OpenApiDocument,
  method: string,
  path: string,
  answer: Received<unknown>,
): void {
  const operation = document.paths[path]?.[method.toLowerCase() as keyof PathItem];
  const response = operation?.responses[answer.status];
  if (response === undefined)
    throw new Error(`${method} ${path} answered ${answer.status}, which is not documented`);
  const schema = response.content?.['application/json'].schema;
  if (schema !== undefined) {
    const root = { allOf: [schema], unevaluatedProperties: false, components: document.components };
    const { valid, errors } = new Validator(root as object, '2020-12', false).validate(answer.body);
    expect(valid, JSON.stringify([errors, answer.body], null, 1)).toBe(true);
  }
  for (const [name, { required, schema: form }] of Object.entries(response.headers)) {
    const value = answer.headers.get(name);
    if (value === null) expect(required, `${name} is missing`).not.toBe(true);
    else expect(new Validator(form as object).validate(value).valid, `${name}: ${value}`).toBe(true);
  }
}

/** An identifier that no other run of the suite uses. */
export function newUser(): string {
  return `user-${crypto.randomUUID()}@conformance.example`;
}

export const codesOf = ({ warnings }: { warnings: readonly { code: string }[] }) =>
  warnings.map(({ code }) => code);

export const inSeconds = (seconds: number) => Math.floor(Date.now() / 1000) + seconds;
