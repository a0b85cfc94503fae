/**
 * For tests and development: redirects the calls of Better Auth's GitHub and Google providers, which have fixed URLs, to
 * servers on this machine. Production has no stand-ins.
 */
import type { Settings, SocialClient } from '#worker/settings';

type ProviderId = 'github' | 'google';

/** Where the browser is sent. */
const authorizationPaths = { github: '/login/oauth/authorize', google: '/o/oauth2/v2/auth' };

/** The URLs that the providers call, and the path of each at its stand-in. */
const calls: Readonly<Record<ProviderId, readonly (readonly [address: string, path: string])[]>> = {
  github: [
    ['https://github.com/login/oauth/access_token', '/login/oauth/access_token'],
    ['https://api.github.com/user', '/user'],
    ['https://api.github.com/user/emails', '/user/emails'],
  ],
  google: [['https://oauth2.googleapis.com/token', '/oauth2/token']],
};

/** Undefined: the provider's own. */
export function authorizationEndpointOf(id: ProviderId, { standIn }: SocialClient): string | undefined {
  return standIn === null ? undefined : standIn + authorizationPaths[id];
}

/** Replaces `fetch` so that the providers' calls go to the stand-ins named in the settings, if any. */
export function redirectToStandIns(settings: Settings): void {
  const addresses = new Map(
    (['github', 'google'] as const).flatMap((id) => {
      const standIn = settings[id]?.standIn ?? null;
      return standIn === null ? [] : calls[id].map(([address, path]) => [address, standIn + path] as const);
    }),
  );
  if (addresses.size === 0) return;
  const send = globalThis.fetch;
  globalThis.fetch = (input: RequestInfo | URL, init?: RequestInit) =>
    send(input instanceof Request ? input : (addresses.get(String(input)) ?? input), init);
}
