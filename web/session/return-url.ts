/**
 * Where to go after sign-in. A return address comes from the URL, so anyone may have written it: only a path of this
 * very origin is ever followed.
 */

const hasControlCharacter = (text: string) => /\p{Cc}/u.test(text);

/** The path with query and fragment that `value` names on `origin`, or null when it may lead anywhere else. */
export function safeReturnPath(value: string | null, origin: string): string | null {
  if (value === null || !value.startsWith('/') || value.startsWith('//')) return null;
  if (value.includes('\\') || hasControlCharacter(value)) return null;
  try {
    const url = new URL(value, origin);
    if (url.origin !== origin || url.pathname.startsWith('//')) return null;
    return `${url.pathname}${url.search}${url.hash}`;
  } catch {
    return null;
  }
}

/** /signin, told to come back to `path` (with its query). */
export function signInPath(path: string): string {
  return `/signin?${new URLSearchParams({ returnUrl: path })}`;
}
