/** What anyone may read before sign-in: the console's settings and the health check. */
import { z } from 'zod';
import { open } from '../public/endpoint.ts';

export const frontendEndpoints = {
  config: open.get('/api/frontend-config', {
    summary: 'Read the console’s public configuration',
    answer: z.object({
      /** Null if the development replacement of Turnstile is used. */
      turnstileSiteKey: z.object({ key: z.string() }).nullable(),
      socialProviders: z.object({ google: z.boolean(), github: z.boolean() }),
      /** A secret key that the Stripe emulator accepts. Null where Stripe itself is called. */
      stripeEmulatorKey: z.string().nullable(),
      /** Its page, on which customers and products are changed. Null where Stripe itself is called. */
      stripeEmulatorUrl: z.string().nullable(),
      environment: z.enum(['development', 'production']),
    }),
  }),
  health: open.get('/api/health', {
    summary: 'Health check',
    answer: z.object({ status: z.literal('ok') }),
  }),
} as const;
