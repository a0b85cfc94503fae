/**
 * Verifies that a human makes the calls that hash passwords or send mail; runs after the rate limit. Uses Turnstile. Local
 * development without keys requires a token but accepts any. A missing token is a 400, an invalid one a 403.
 */
import type { BetterAuthPlugin } from 'better-auth';
import { authCalls, CAPTCHA_HEADER } from '#contracts/console/auth';
import { log } from '#runtime/log';
import { isHuman } from '#worker/platform/turnstile';
import type { Settings } from '#worker/settings';

/** The development replacement refuses this token, so that refusals can be tested locally. */
const DEVELOPMENT_REFUSED_TOKEN = 'development-fail';

const guardedPaths = authCalls.filter((call) => call.needsCaptcha).map((call) => call.path);

export function humanVerification(settings: Settings): BetterAuthPlugin {
  return {
    id: 'human-verification',
    async onRequest(request, context) {
      const path = new URL(request.url).pathname.slice(new URL(context.baseURL).pathname.length);
      if (!guardedPaths.includes(path)) return;
      const token = request.headers.get(CAPTCHA_HEADER);
      if (!token)
        return { response: refusal(400, 'MISSING_RESPONSE', 'Please complete the captcha to continue.') };
      if (await isAccepted(settings, token, request.headers.get('cf-connecting-ip'))) return;
      const message = 'Human verification failed, please try again later.';
      return { response: refusal(403, 'VERIFICATION_FAILED', message) };
    },
  };
}

async function isAccepted(settings: Settings, token: string, remoteIp: string | null): Promise<boolean> {
  if (settings.turnstile === null) return settings.isDevelopment && token !== DEVELOPMENT_REFUSED_TOKEN;
  const { hostname } = new URL(settings.baseUrl);
  try {
    return await isHuman({ secretKey: settings.turnstile.secretKey, token, remoteIp, hostname });
  } catch (error) {
    log.error('human verification gave no verdict', { error });
    return false;
  }
}

function refusal(status: number, code: string, message: string): Response {
  return Response.json({ code, message }, { status });
}
