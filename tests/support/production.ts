// The Worker as it is deployed: production settings, strict limits, no development door.
import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import type { Env } from '#worker/env';
import worker from '#worker/index';

export const PRODUCTION_ORIGIN = 'https://console.tessera.example';

const secrets = {
  BASE_URL: PRODUCTION_ORIGIN,
  BETTER_AUTH_SECRET: 'a secret of thirty-two characters',
  ENCRYPTION_KEY: `first:${'A'.repeat(43)}=`,
  MAIL_FROM: 'Tessera <no-reply@tessera.example>',
  TURNSTILE_SITE_KEY: 'site-key',
  TURNSTILE_SECRET_KEY: 'turnstile-secret',
} satisfies Partial<Env>;

const DEPLOYED_BINDINGS = [
  'DB',
  'ARTIFACTS',
  'EVENT_ARCHIVE',
  'EMAIL',
  'LOADER',
  'ASSETS',
  'CHECKOUT_RETURN_LIMIT',
  'WEBHOOK_FAILURE_LIMIT',
  'API_RATE_LIMIT',
  'TRIAL_RUN_LIMIT',
  'ENVIRONMENT_REPLICA',
  'EVENT_STREAM',
  'LEDGER',
  'PASSWORD_HASHER',
  'PUBLISH_QUEUE',
  'EVENTS_QUEUE',
  'SYNC_QUEUE',
  'SIGHTINGS_QUEUE',
  'SCHEDULE_QUEUE',
  'FACTS_QUEUE',
  'WEBHOOK_QUEUE',
  'STRIPE_QUEUE',
  'STRIPE_CATCH_UP_QUEUE',
  'BILLING_QUEUE',
] as const satisfies readonly (keyof Env)[];

/** @param changes settings that differ; undefined leaves one out */
export function productionEnv(changes: Partial<Env> = {}): Env {
  const bindings = Object.fromEntries(DEPLOYED_BINDINGS.map((name) => [name, env[name]])) as Pick<
    Env,
    (typeof DEPLOYED_BINDINGS)[number]
  >;
  return { ...bindings, ENVIRONMENT: 'production', ...secrets, ...changes };
}

/** One call of the deployed Worker; work after the answer is waited for. */
export async function inProduction(
  path: string,
  init: RequestInit = {},
  deployed: Env = productionEnv(),
): Promise<Response> {
  const context = createExecutionContext();
  const response = await worker.fetch(
    new Request(`${PRODUCTION_ORIGIN}${path}`, init) as never,
    deployed,
    context,
  );
  await waitOnExecutionContext(context);
  return response;
}
