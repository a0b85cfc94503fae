// Ledgers that only record how they are called, for organisations with more of them than one process can run.
import { env } from 'cloudflare:workers';
import type { Location } from '#contracts/public/locations';
import type { QueueMessage } from '#runtime/messages';
import type { Env } from '#worker/env';

export interface RecordedLedgers {
  /** The Worker's bindings, with these ledgers, and with a queue of customer facts that delivers nothing. */
  readonly env: Env;
  /** Calls since the last `forgetCalls`. */
  calls(): number;
  forgetCalls(): void;
  /** Customers that were pushed, with the number of ledgers that got them. */
  readonly pushed: ReadonlyMap<string, number>;
  /** The messages that the queue has got since the last call. */
  takeSent(): QueueMessage[];
  /** Every call of a ledger there fails; null: no longer. */
  cutOff(location: Location | null): void;
}

/** @param isKnown whether the ledgers know a customer */
export function recordedLedgers(isKnown: (customer: string) => boolean): RecordedLedgers {
  let calls = 0;
  let unreachable: Location | null = null;
  let sent: QueueMessage[] = [];
  const pushed = new Map<string, number>();
  const getByName = (_name: string, { locationHint }: { locationHint: Location }) => {
    const called = async <T>(work: () => T): Promise<T> => {
      calls += 1;
      if (locationHint === unreachable) throw new Error(`Cut off: ${locationHint}`);
      return work();
    };
    return {
      knownCustomers: (customers: readonly string[]) => called(() => customers.filter(isKnown)),
      usageSince: () => called(() => ({})),
      pushFacts: (customer: string) =>
        called(() => {
          pushed.set(customer, (pushed.get(customer) ?? 0) + 1);
          return false;
        }),
    };
  };
  return {
    env: {
      ...env,
      LEDGER: { getByName } as unknown as Env['LEDGER'],
      FACTS_QUEUE: {
        send: async (message: QueueMessage) => void sent.push(message),
      } as unknown as Env['FACTS_QUEUE'],
    },
    calls: () => calls,
    forgetCalls() {
      calls = 0;
    },
    pushed,
    takeSent() {
      const taken = sent;
      sent = [];
      return taken;
    },
    cutOff(location) {
      unreachable = location;
    },
  };
}
