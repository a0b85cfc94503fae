/**
 * Decides whether a URL from a request is a page of the console. Schemas, the server's redirects and the console's
 * return URL all use this function, so that no caller accepts what another rejects.
 */

/** Resolving against an origin that no request can name shows whether the value can leave its origin. */
const PROBE_ORIGIN = 'https://own-page.invalid';

/**
 * The path, query and fragment of `value`, resolved and percent-encoded; null if the value is not a root-relative path or
 * could lead to another site. Browsers remove tabs and line breaks, read a backslash as a slash, and resolve `/.//host`
 * to `//host`. Some servers decode the path before they resolve it, so both forms must be safe.
 */
export function ownPageOf(value: string): string | null {
  if (!value.startsWith('/') || value.includes('\\') || /[\p{Cc}\p{Surrogate}]/u.test(value)) return null;
  const url = resolve(value);
  if (url === null) return null;
  const decoded = decode(url.pathname);
  if (decoded === null || resolve(decoded) === null) return null;
  return `${url.pathname}${url.search}${url.hash}`;
}

function resolve(value: string): URL | null {
  if (/^[/\\]{2}/.test(value)) return null;
  const url = URL.parse(value, PROBE_ORIGIN);
  return url === null || url.origin !== PROBE_ORIGIN || url.pathname.startsWith('//') ? null : url;
}

function decode(path: string): string | null {
  try {
    const decoded = decodeURIComponent(path);
    return /[\p{Cc}\\]/u.test(decoded) ? null : decoded;
  } catch {
    return null;
  }
}
