/**
 * Protects the console's API against cross-site request forgery: a write with a cookie must come from one of our own
 * origins, as JSON. A write without a cookie carries no authority and may have no origin (curl); a foreign origin is
 * refused in any case.
 */
import type { MiddlewareHandler } from 'hono';
import type { Settings } from '#worker/settings';
import { ApiError } from './api-error.ts';
import { ensureJsonType } from './json-type.ts';
import type { AppEnv } from './mount.ts';

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);
const LOCAL_ORIGINS = [
  'http://localhost:4000',
  'http://localhost:4001',
  'http://127.0.0.1:4000',
  'http://127.0.0.1:4001',
];

const originsOf = new WeakMap<Settings, ReadonlySet<string>>();

/** The console's own origin, and in development the two ports that it is served on. */
export function allowedOrigins(settings: Settings): ReadonlySet<string> {
  let origins = originsOf.get(settings);
  if (origins === undefined) {
    origins = new Set([settings.baseUrl, ...(settings.isDevelopment ? LOCAL_ORIGINS : [])]);
    originsOf.set(settings, origins);
  }
  return origins;
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
  const isOurs = origin !== null && allowedOrigins(settings).has(origin);
  const isAnonymous = origin === null && !request.headers.has('cookie');
  const isCrossSite = request.headers.get('sec-fetch-site') === 'cross-site';
  if ((isOurs || isAnonymous) && !isCrossSite) return;
  throw new ApiError('forbidden', 'The request does not come from the console');
}
