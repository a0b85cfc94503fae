/**
 * Verifies a human verification token with Cloudflare Turnstile. Fails closed: no verdict within ten seconds is an error.
 * See developers.cloudflare.com/turnstile/get-started/server-side-validation.
 */
const SITEVERIFY_URL = 'https://challenges.cloudflare.com/turnstile/v0/siteverify';
const TIMEOUT_MS = 10_000;
const MAX_TOKEN_LENGTH = 2048;

export interface TurnstileCheck {
  readonly secretKey: string;
  readonly token: string;
  readonly remoteIp: string | null;
  /** The host on which the verification must have been solved. */
  readonly hostname: string;
}

/** @throws if Turnstile returns no verdict */
export async function isHuman({ secretKey, token, remoteIp, hostname }: TurnstileCheck): Promise<boolean> {
  if (token.length > MAX_TOKEN_LENGTH) return false;
  const response = await fetch(SITEVERIFY_URL, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ secret: secretKey, response: token, ...(remoteIp && { remoteip: remoteIp }) }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  if (!response.ok) throw new Error(`Turnstile answered ${response.status}`);
  const verdict = await response.json<{ success?: boolean; hostname?: string }>();
  return verdict.success === true && verdict.hostname === hostname;
}
