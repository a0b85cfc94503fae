// Servers of customers that receive webhooks, in place of the network.
import { vi } from 'vitest';

export interface ReceivedCall {
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly body: string;
}

export type Answer = (call: ReceivedCall) => Response | Promise<Response>;

export interface Receiver {
  /** Of this receiver alone. */
  readonly host: string;
  readonly calls: readonly ReceivedCall[];
  answer: Answer;
}

/** Until `vi.restoreAllMocks`. @param name of the host */
export function receiveWebhooks(name: string): Receiver {
  const calls: ReceivedCall[] = [];
  const host = `${name.replaceAll('_', '-')}.receiver.example`;
  const receiver = { host, calls, answer: (() => new Response('Thanks')) as Answer };
  const real = globalThis.fetch;
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    if (!url.includes('receiver.example')) return real(input as never, init as never);
    const call = { url, headers: Object.fromEntries(new Headers(init?.headers)), body: String(init?.body) };
    // Webhooks of earlier tests may still be tried.
    if (!url.includes(host)) return new Response(null, { status: 204 });
    calls.push(call);
    return receiver.answer(call);
  });
  return receiver;
}
