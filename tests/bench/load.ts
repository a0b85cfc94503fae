// Load generator for one candidate, over raw sockets: every connection sends the next request when its response is complete.
// It parses only as much HTTP as workerd's responses need, so that it is never the bottleneck.
import { connect, type Socket } from 'node:net';
import { type BenchRequest, CUSTOMER_PLACE, type LoadOrder, type LoadResult } from './workers/messages.ts';

const headerEnd = Buffer.from('\r\n\r\n');
const lastChunk = Buffer.from('0\r\n\r\n');

process.on('message', async (order: LoadOrder) => {
  try {
    process.send?.(await putLoad(order));
  } catch (error) {
    process.send?.({ error: String(error) });
  }
});

async function putLoad({
  request,
  connections,
  seconds,
  customers,
  perSecond,
  isRandom = false,
  keys,
  status = 200,
}: LoadOrder): Promise<LoadResult> {
  const counts = new Map<number, number>();
  const state = { answers: 0, bodyBytes: 0, isOver: false };
  const start = performance.now();
  const nextBytes =
    keys === undefined
      ? requestSource(request, customers, seconds === undefined)
      : keyedRequestSource(request, keys);
  const pauseMs = perSecond === undefined ? () => 0 : paced(perSecond, isRandom);
  const clients = Array.from({ length: connections }, () =>
    runClient(request.port, nextBytes, pauseMs, counts, state, `HTTP/1.1 ${status}`),
  );
  const end = () => {
    state.isOver = true;
  };
  const timer = seconds === undefined ? undefined : setTimeout(end, seconds * 1000);
  await Promise.all(clients);
  clearTimeout(timer);
  return {
    answers: state.answers,
    seconds: (performance.now() - start) / 1000,
    latencies: [...counts].sort(([a], [b]) => a - b),
    bodyBytes: state.bodyBytes,
  };
}

/** How long the next request waits for its turn. */
function paced(perSecond: number, isRandom: boolean): () => number {
  let dueAt = performance.now();
  return () => {
    const waitMs = dueAt - performance.now();
    dueAt += ((isRandom ? -Math.log(1 - Math.random()) : 1) / perSecond) * 1000;
    return waitMs;
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

/**
 * Runs one connection until time or requests run out. Rejects if it breaks during a request or a response is not 200; the server may end
 * one that waits for its turn.
 */
function runClient(
  port: number,
  nextBytes: RequestSource,
  pauseMs: () => number,
  counts: Map<number, number>,
  state: RunState,
  statusLine: string,
): Promise<void> {
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
  const sendInTurn = () => {
    const pause = pauseMs();
    if (pause <= 0) send();
    else setTimeout(send, pause);
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
    sendInTurn();
  };
  sendInTurn();
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
