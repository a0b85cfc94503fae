// API client for a running server, for the demo seed and the benchmark. Sends a session cookie and an Origin like the
// console, and takes paths and types from the endpoint records in packages/contracts.
import { CAPTCHA_HEADER, DEVELOPMENT_CAPTCHA_TOKEN } from '#contracts/console/auth';
import type { AnswerOf, BodyInputOf, Endpoint, ParamsOf } from '#contracts/public/endpoint';

type CallInput<E extends Endpoint> = { params: ParamsOf<E> } & (E['body'] extends object
  ? undefined extends BodyInputOf<E>
    ? { body?: BodyInputOf<E> }
    : { body: BodyInputOf<E> }
  : object);

export interface ApiSession {
  /** @throws {ApiCallError} unless the status is 2xx */
  call<E extends Endpoint>(endpoint: E, input: CallInput<E>): Promise<AnswerOf<E>>;
  /** For paths without an endpoint record, such as Better Auth's. Redirects are not followed. */
  send(method: string, path: string, body?: unknown): Promise<Response>;
  /** The Cookie header, for a WebSocket. */
  cookie(): string;
}

export class ApiCallError extends Error {
  readonly status: number;

  constructor(method: string, path: string, status: number, body: string) {
    super(`${method} ${path} answered ${status}: ${body}`);
    this.status = status;
  }
}

export function openApiSession(baseUrl: string): ApiSession {
  const cookies = new Map<string, string>();
  const cookie = () => [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');

  async function send(method: string, path: string, body?: unknown): Promise<Response> {
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      redirect: 'manual',
      headers: {
        accept: 'application/json',
        origin: baseUrl,
        cookie: cookie(),
        [CAPTCHA_HEADER]: DEVELOPMENT_CAPTCHA_TOKEN,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      body: body === undefined ? null : JSON.stringify(body),
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (/max-age=0\b/i.test(line)) cookies.delete(name);
      else cookies.set(name, value);
    }
    return response;
  }

  return {
    send,
    cookie,
    async call(endpoint, input) {
      const { params, body } = input as { params: { [name: string]: string }; body?: unknown };
      const path = endpoint.path.replace(/:([a-zA-Z]+)/g, (_, name) =>
        encodeURIComponent(params[name] ?? ''),
      );
      const response = await send(endpoint.method, path, body);
      const text = await response.text();
      if (!response.ok) throw new ApiCallError(endpoint.method, path, response.status, text);
      return (text === '' ? undefined : JSON.parse(text)) as AnswerOf<typeof endpoint>;
    },
  };
}

/** @throws {ApiCallError} unless the status is 2xx */
export async function readAnswer<T>(response: Response, call: string): Promise<T> {
  const text = await response.text();
  if (!response.ok) throw new ApiCallError(call, response.url, response.status, text);
  return JSON.parse(text) as T;
}
