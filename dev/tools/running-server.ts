// The running server that a tool works with.
import { StartError } from './start-error.ts';

/**
 * @param address TESSERA_URL or an argument; the default of `npm start` if empty
 * @returns its origin
 * @throws {StartError} if it is no address, or nothing answers there
 */
export async function findServer(address = process.env.TESSERA_URL): Promise<string> {
  const url = URL.parse(address || 'http://localhost:4001');
  const nextStep = 'Start one with npm start, or name another: TESSERA_URL=http://localhost:4001';
  if (url === null || !url.protocol.startsWith('http'))
    throw new StartError(`${JSON.stringify(address)} is not a valid URL. ${nextStep}`);
  try {
    await fetch(`${url.origin}/api/health`, { signal: AbortSignal.timeout(10_000) });
  } catch {
    throw new StartError(`No server answers at ${url.origin}. ${nextStep}`);
  }
  return url.origin;
}
