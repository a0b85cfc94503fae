// Vitest's global setup of the project `worker`: one Stripe emulator in memory for all of its tests, which keeps webhook
// deliveries until a test fetches them.

import { startStripeEmulator } from '@tessera/stripe-emulator/start-stripe-emulator';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  export interface ProvidedContext {
    stripeEmulatorUrl: string;
  }
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const emulator = await startStripeEmulator({ sendsWebhooks: false, platform: { webhook: null } });
  project.provide('stripeEmulatorUrl', emulator.url);
  return () => emulator.stop();
}
