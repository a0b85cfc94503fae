/** What the page asks before anybody is signed in. The calls of /api/auth itself are in handle-auth.ts. */
import { frontendEndpoints } from '#contracts/organisations';
import { type Route, route } from '#worker/http/route';

export const authRoutes: readonly Route[] = [
  route(frontendEndpoints.config, async ({ ctx: { settings } }) => ({
    turnstileSiteKey: settings.turnstile === null ? null : { key: settings.turnstile.siteKey },
    socialProviders: { google: settings.google !== null, github: settings.github !== null },
    environment: settings.isDevelopment ? ('development' as const) : ('production' as const),
  })),
  route(frontendEndpoints.health, async () => ({ status: 'ok' as const })),
];
