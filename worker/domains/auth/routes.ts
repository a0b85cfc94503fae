/** The console's settings before sign-in, and the health check. handle-auth.ts serves /api/auth. */
import { frontendEndpoints } from '#contracts/console/frontend';
import { type Route, route } from '#worker/http/route';

export const authRoutes: readonly Route[] = [
  route(frontendEndpoints.config, async ({ ctx: { settings } }) => ({
    turnstileSiteKey: settings.turnstile === null ? null : { key: settings.turnstile.siteKey },
    socialProviders: { google: settings.google !== null, github: settings.github !== null },
    stripeEmulatorKey: settings.stripeEmulatorKey,
    stripeEmulatorUrl: settings.stripeApiBase,
    environment: settings.isDevelopment ? ('development' as const) : ('production' as const),
  })),
  route(frontendEndpoints.health, async () => ({ status: 'ok' as const })),
];
