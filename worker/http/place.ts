/** Reads where a request comes from, of Cloudflare's `request.cf`. */
import { NOWHERE, type Place } from '#engine/access/place';

/** @param canOverride in development the header `x-dev-cf` (JSON) replaces `request.cf` */
export function placeOf(request: Request, canOverride: boolean): Place {
  const override = canOverride ? request.headers.get('x-dev-cf') : null;
  if (override === null) return request.cf === undefined ? NOWHERE : readPlace(request.cf);
  try {
    return readPlace(JSON.parse(override) as Record<string, unknown>);
  } catch {
    return NOWHERE;
  }
}

function readPlace(cf: Readonly<Record<string, unknown>>): Place {
  return {
    country: text(cf.country),
    city: text(cf.city),
    continent: text(cf.continent),
    latitude: degrees(cf.latitude),
    longitude: degrees(cf.longitude),
    colo: text(cf.colo),
  };
}

function text(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

/** Cloudflare sends degrees as text. */
function degrees(value: unknown): number | null {
  const number = typeof value === 'string' ? Number.parseFloat(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : null;
}
