// The Stripe emulator in a process of its own, so that its processor time is not the server's.
import type { AccountDescription } from '@tessera/stripe-emulator/control/create-account';
import { type StripeEmulator, startStripeEmulator } from '@tessera/stripe-emulator/start-stripe-emulator';

export type StripeOrder = { readonly kind: 'start' } | { readonly kind: 'account'; readonly name: string };

export interface StripeStarted {
  readonly url: string;
}

export type StripeAccountCreated = AccountDescription;

let emulator: StripeEmulator | null = null;

process.on('message', async (order: StripeOrder) => {
  try {
    emulator ??= await startStripeEmulator();
    const answer: StripeStarted | StripeAccountCreated =
      order.kind === 'start' ? { url: emulator.url } : emulator.control.createAccount({ name: order.name });
    process.send?.(answer);
  } catch (error) {
    process.send?.({ error: error instanceof Error ? error.stack : String(error) });
  }
});
