// Load generator, over raw sockets: every connection sends the next request when its response is complete. Several orders at once take
// turns. It parses only as much HTTP as workerd's responses need, so that it is never the bottleneck.
import { connect, type Socket } from 'node:net';
import { alternate, type Share } from './alternation.ts';
import { type BenchRequest, CUSTOMER_PLACE, type LoadOrder, type LoadResult } from './workers/messages.ts';

const headerEnd = Buffer.from('\r\n\r\n');
const lastChunk = Buffer.from('0\r\n\r\n');

process.on('message', async (order: LoadOrder | LoadOrder[]) => {
  try {
    process.send?.(Array.isArray(order) ? await putLoads(order) : await putLoad(order));
  } catch (error) {
    process.send?.({ error: String(error) });
  }
});

function putLoads(orders: readonly LoadOrder[]): Promise<LoadResult[]> {
  const shares = alternate(orders.map(({ connections }) => connections));
  return Promise.all(orders.map((order, index) => putLoad(order, shares[index])));
}

async function putLoad(
  { request, connections, seconds, customers, perSecond, isRandom = false, keys, status = 200 }: LoadOrder,
  share?: Share,
): Promise<LoadResult> {
  const counts = new Map<number, number>();
  const state = { answers: 0, bodyBytes: 0, isOver: false };
  const start = performance.now();
  const nextBytes =
    keys === undefined
      ? requestSource(request, customers, seconds === undefined)
      : keyedRequestSource(request, keys);
  const inTurn = share?.take ?? paced(perSecond, isRandom);
  const clients = Array.from({ length: connections }, () =>
    runClient({ port: request.port, nextBytes, inTurn, counts, state, statusLine: `HTTP/1.1 ${status}` }),
  );
  const end = () => {
    state.isOver = true;
    share?.end();
  };
  const timer = seconds === undefined ? undefined : setTimeout(end, seconds * 1000);
  await Promise.all(clients);
  clearTimeout(timer);
  return {
    answers: state.answers,
    seconds: share?.seconds() ?? (performance.now() - start) / 1000,
    latencies: [...counts].sort(([a], [b]) => a - b),
    bodyBytes: state.bodyBytes,
  };
}

/** @param perSecond absent: nobody waits */
function paced(perSecond: number | undefined, isRandom: boolean): Share['take'] {
  if (perSecond === undefined) return (send) => send();
  let dueAt = performance.now();
  return (send) => {
    const waitMs = dueAt - performance.now();
    dueAt += ((isRandom ? -Math.log(1 - Math.random()) : 1) / perSecond) * 1000;
    if (waitMs <= 0) send();
    else setTimeout(send, waitMs);
  };
}

/** Bytes of the next request; null if there is none. */
type RequestSource = () => Buffer | null;

function requestSource(request: BenchRequest, customers: number | undefined, isOnce: boolean): RequestSource {
  const bytes = requestBytes(request);
  const places = [...bytes.toString('latin1').matchAll(new RegExp(CUSTOMER_PLACE, 'g'))].map(
    ({ index }) => index,
  );
  if (customers === undefined) return () => bytes;
  let asked = 0;
  return () => {
    if (isOnce && asked >= customers) return null;
    const numbered = Buffer.from(bytes);
    const number = String(asked % customers).padStart(CUSTOMER_PLACE.length, '0');
    for (const place of places) numbered.write(number, place, 'latin1');
    asked += 1;
    return numbered;
  };
}

/** Cycles through API keys, without end. */
function keyedRequestSource(request: BenchRequest, keys: readonly string[]): RequestSource {
  const all = keys.map((key) =>
    requestBytes({ ...request, headers: [...request.headers, ['Authorization', `Bearer ${key}`]] }),
  );
  let asked = 0;
  return () => all[asked++ % all.length] ?? null;
}

function requestBytes({ method, path, headers, body }: BenchRequest): Buffer {
  const lines = [
    `${method} ${path} HTTP/1.1`,
    'Host: localhost',
    ...headers.map(([name, value]) => `${name}: ${value}`),
    ...(body === '' ? [] : [`Content-Length: ${Buffer.byteLength(body)}`]),
  ];
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body}`);
}

interface RunState {
  answers: number;
  bodyBytes: number;
  isOver: boolean;
}

interface Run {
  readonly port: number;
  readonly nextBytes: RequestSource;
  readonly inTurn: Share['take'];
  readonly counts: Map<number, number>;
  readonly state: RunState;
  readonly statusLine: string;
}

/**
 * Runs one connection until time or requests run out. Rejects if it breaks during a request or a response is not 200; the server may end
 * one that waits for its turn.
 */
function runClient({ port, nextBytes, inTurn, counts, state, statusLine }: Run): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let socket: Socket | null = null;
  let isAsking = false;
  let received: Buffer = Buffer.alloc(0);
  let sentAt = 0;

  const send = () => {
    const bytes = state.isOver ? null : nextBytes();
    if (bytes === null) {
      resolve();
      socket?.destroy();
      return;
    }
    sentAt = performance.now();
    isAsking = true;
    socket ??= open();
    socket.write(bytes);
  };
  const open = () => {
    const opened = connect({ port, host: '127.0.0.1', noDelay: true });
    opened.on('error', reject);
    opened.on('close', () => {
      if (isAsking) reject(new Error('The connection was closed by the server'));
      socket = null;
    });
    opened.on('data', read);
    return opened;
  };
  const read = (chunk: Buffer) => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
    const bodyBytes = completeBodyBytes(received);
    if (bodyBytes === null) return;
    if (!received.subarray(0, 15).toString().startsWith(statusLine)) {
      reject(new Error(`An answer was not ${statusLine}: ${received.toString().slice(0, 600)}`));
      socket?.destroy();
      return;
    }
    isAsking = false;
    const microseconds = Math.round((performance.now() - sentAt) * 1000);
    counts.set(microseconds, (counts.get(microseconds) ?? 0) + 1);
    state.answers += 1;
    state.bodyBytes = bodyBytes;
    received = Buffer.alloc(0);
    if (state.isOver) send();
    else inTurn(send);
  };
  inTurn(send);
  return promise;
}

/** Bytes of the body if the response is complete, otherwise null. */
function completeBodyBytes(received: Buffer): number | null {
  const end = received.indexOf(headerEnd);
  if (end === -1) return null;
  const bodyStart = end + headerEnd.length;
  const length = /\r\ncontent-length: (\d+)/i.exec(received.toString('latin1', 0, end))?.[1];
  if (length !== undefined) return received.length >= bodyStart + Number(length) ? Number(length) : null;
  const isComplete = received.length > bodyStart && received.subarray(-lastChunk.length).equals(lastChunk);
  return isComplete ? received.length - bodyStart : null;
}
