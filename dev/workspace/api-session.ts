// A session of a running server's API: sends its cookies and an Origin as the console does, and repeats what a busy server refuses.
import { CAPTCHA_HEADER, DEVELOPMENT_CAPTCHA_TOKEN } from '#contracts/console/auth';
import { type Caller, callerOf } from './endpoint-caller.ts';
import { patientFetch } from './patient-fetch.ts';

export interface ApiSession extends Caller {
  /** For paths without an endpoint record, such as Better Auth's. Redirects are not followed. */
  send(method: string, path: string, body?: unknown): Promise<Response>;
  /** The Cookie header, for a WebSocket. */
  cookie(): string;
}

export function openApiSession(baseUrl: string): ApiSession {
  const cookies = new Map<string, string>();
  const cookie = () => [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');

  async function send(method: string, path: string, body?: unknown): Promise<Response> {
    const response = await patientFetch(`${baseUrl}${path}`, {
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

  return { send, cookie, ...callerOf(send) };
}
