// Calls the console's API by endpoint records, over anything that sends requests: a session (api-session.ts), a browser test's page, or
// the Worker in the same process.
import type { AnswerOf, BodyInputOf, Endpoint, ParamsOf } from '#contracts/public/endpoint';

type CallInput<E extends Endpoint> = { params: ParamsOf<E> } & (E['body'] extends object
  ? undefined extends BodyInputOf<E>
    ? { body?: BodyInputOf<E> }
    : { body: BodyInputOf<E> }
  : object);

export interface Caller {
  /** @throws {ApiCallError} unless the status is 2xx */
  call<E extends Endpoint>(endpoint: E, input: CallInput<E>): Promise<AnswerOf<E>>;
}

type Send = (method: string, path: string, body?: unknown) => Promise<Response>;

export class ApiCallError extends Error {
  readonly status: number;

  constructor(method: string, path: string, status: number, body: string) {
    super(`${method} ${path} answered ${status}: ${body}`);
    this.status = status;
  }
}

/** @param send with the session's cookie and the console's Origin */
export function callerOf(send: Send): Caller {
  return {
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
