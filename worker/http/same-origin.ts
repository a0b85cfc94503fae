/**
 * Protects the console's API against cross-site request forgery: a write with a cookie must come from one of our own
 * origins, as JSON. A write without a cookie carries no authority and may have no origin (curl); a foreign origin is
 * refused in any case.
 */
import type { MiddlewareHandler } from 'hono';
import { ensureJsonType } from '#engine/access/json-type';
import type { Settings } from '#worker/settings';
import { ApiError } from './api-error.ts';
import type { AppEnv } from './mount.ts';

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);
/** Names of a developer's machine, and the port where `npm run dev` serves the console. */
const LOCAL_HOSTS = ['localhost', '127.0.0.1', '[::1]'];
const HOT_CONSOLE_PORT = ':4000';

/** The console's own origin; in development also this machine, at the port that was called, whatever BASE_URL is. */
export function allowedOrigins({ baseUrl, isDevelopment }: Settings, request: Request): readonly string[] {
  if (!isDevelopment) return [baseUrl];
  const { port } = new URL(request.url);
  const ports = [port === '' ? '' : `:${port}`, HOT_CONSOLE_PORT];
  return [baseUrl, ...ports.flatMap((each) => LOCAL_HOSTS.map((host) => `http://${host}${each}`))];
}

/** @throws {ApiError} forbidden; unsupported-media-type for a body that is not JSON */
export const ensureSameOrigin: MiddlewareHandler<AppEnv> = async (c, next) => {
  const request = c.req.raw;
  if (!SAFE_METHODS.has(request.method)) {
    ensureOwnOrigin(request, c.get('ctx').settings);
    ensureJsonType(request, true);
  }
  await next();
};

/** @throws {ApiError} forbidden for a request with a cookie that does not come from one of our own origins */
export function ensureOwnOrigin(request: Request, settings: Settings): void {
  const origin = request.headers.get('origin');
  const isOurs = origin !== null && allowedOrigins(settings, request).includes(origin);
  const isAnonymous = origin === null && !request.headers.has('cookie');
  const isCrossSite = request.headers.get('sec-fetch-site') === 'cross-site';
  if ((isOurs || isAnonymous) && !isCrossSite) return;
  const nextStep = settings.isDevelopment ? '. Open that address, or set BASE_URL to the one you use' : '';
  throw new ApiError(
    'forbidden',
    `The request does not come from the console at ${settings.baseUrl}${nextStep}`,
  );
}
