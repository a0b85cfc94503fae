// The ports of local servers: which numbers can be used, and whether another program listens on one.
import { lookup } from 'node:dns/promises';
import { createServer, type Server } from 'node:net';
import { StartError } from '../tools/start-error.ts';

/** Browsers and fetch refuse to open them. @see https://fetch.spec.whatwg.org/#port-blocking */
const REFUSED_BY_BROWSERS: ReadonlySet<number> = new Set([
  ...[1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103],
  ...[104, 109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513],
  ...[514, 515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720],
  ...[1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080],
]);

const MAX_PORT = 65_535;

export const isOpenable = (port: number) =>
  Number.isInteger(port) && port > 0 && port <= MAX_PORT && !REFUSED_BY_BROWSERS.has(port);

/**
 * @param name of the environment variable
 * @returns null if it is not set, or empty
 * @throws {StartError} unless it is a port that browsers open
 */
export function readPort(name: string, text: string | undefined): number | null {
  if (text === undefined || text.trim() === '') return null;
  const port = Number(text);
  if (isOpenable(port)) return port;
  throw new StartError(
    REFUSED_BY_BROWSERS.has(port)
      ? `Browsers refuse to open port ${port}. Choose another: ${name}=${portAfter(port)} npm start`
      : `${name} must be a whole number from 1 to ${MAX_PORT}, not ${JSON.stringify(text)}`,
  );
}

function portAfter(port: number): number {
  let next = port + 1;
  while (!isOpenable(next) && next <= MAX_PORT) next += 1;
  return next <= MAX_PORT ? next : 4001;
}

/** Keeps a port until it is released, so that whoever else wants it learns at once. */
export interface Reservation {
  release(): Promise<void>;
}

/**
 * For IPv4 and for IPv6, since browsers try both for localhost.
 *
 * @param name of the environment variable that chooses the port
 * @throws {StartError} if the port cannot be listened on
 */
export async function reservePort(name: string, port: number): Promise<Reservation> {
  const found = await listenOnBoth(port);
  if (typeof found !== 'string') return found;
  const nextStep = `another port: ${name}=${portAfter(found === 'EACCES' ? Math.max(port, 4000) : port)} npm start`;
  if (found === 'EACCES') {
    const reason = port < 1024 ? ', because ports below 1024 are reserved for administrators' : '';
    throw new StartError(`The system does not allow listening on port ${port}${reason}. Choose ${nextStep}`);
  }
  const isTessera = await fetch(`http://127.0.0.1:${port}/api/health`, { signal: AbortSignal.timeout(2000) })
    .then(({ ok }) => ok)
    .catch(() => false);
  const holder = isTessera ? 'Tessera is already running on' : 'Another program is using';
  throw new StartError(`${holder} port ${port}. Stop it, or choose ${nextStep}`);
}

export async function isFree(port: number): Promise<boolean> {
  const found = await listenOnBoth(port);
  if (typeof found !== 'string') await found.release();
  return typeof found !== 'string';
}

/** @returns the code of the system's error where the port is not free, such as EADDRINUSE */
async function listenOnBoth(port: number): Promise<Reservation | string> {
  const listening: Server[] = [];
  const release = async () => {
    await Promise.all(listening.map((server) => new Promise((closed) => server.close(closed))));
  };
  for (const host of ['127.0.0.1', '::1']) {
    const { promise, resolve } = Promise.withResolvers<string | null>();
    const server = createServer((socket) => socket.destroy());
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen(port, host, () => resolve(null));
    const code = await promise;
    if (code === null) {
      listening.push(server);
    } else if (host === '127.0.0.1' || !NO_IPV6.has(code)) {
      await release();
      return code;
    }
  }
  return { release };
}

/** The machine has no IPv6. */
const NO_IPV6: ReadonlySet<string> = new Set(['EADDRNOTAVAIL', 'EAFNOSUPPORT']);

/** Servers listen on 127.0.0.1. Where the machine has localhost for IPv6 only, its name does not lead there. */
export async function localHost(find = () => lookup('localhost', { all: true })): Promise<string> {
  const found = await find().catch(() => []);
  return found.some(({ address }) => address === '127.0.0.1') ? 'localhost' : '127.0.0.1';
}
