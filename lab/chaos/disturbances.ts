// What is done to a running server: one disturbance after the other, each undone before the next.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '#lab/fixtures/seeded-random';
import type { ApiSession } from '../../dev/workspace/api-session.ts';
import type { ChaosServer } from './chaos-server.ts';
import type { History } from './history.ts';
import { changeAtStripe } from './joins.ts';
import { changePayments } from './payments.ts';
import { revokeKey } from './revoke-key.ts';
import { changeSubscription, type StripeControl } from './stripe-control.ts';
import { NO_FAULTS, type Observed, type WorkerFaults } from './workers/worker-faults.ts';
import { type ChaosWorkspace, monthStart, PLACES } from './workspace.ts';

/** The runtime lets an object that nobody calls fall asleep after ten seconds. */
const ASLEEP_AFTER_MS = 13_000;

export interface Clock {
  /** How far the server's clock is ahead of the machine's. */
  aheadMs: number;
  /** How far that of the package is: it follows, since usage of the future is refused. */
  clientsAheadMs: number;
}

interface Target {
  readonly server: ChaosServer;
  readonly stripe: StripeControl;
  /** Customers who subscribe and cancel. */
  readonly changing: readonly string[];
  /** Customers who buy, and are never deleted. */
  readonly buying: readonly string[];
  readonly history: History;
  readonly session: ApiSession;
  readonly workspace: ChaosWorkspace;
  readonly clock: Clock;
}

export class Disturbances {
  readonly clientState = { isStopped: false, isPaused: false, inFlight: 0 };
  readonly #target: Target;
  #hasPassedMonth = false;

  constructor(target: Target) {
    this.#target = target;
  }

  /** @param only names of disturbances; undefined: all */
  async cause(minutes: number, choices: Random, only?: readonly string[]): Promise<void> {
    const { server, history } = this.#target;
    const until = Date.now() + minutes * 60_000;
    // A restart would end what an object in memory waits for in vain: the last third of the time has none.
    const killUntil = until - minutes * 20_000;
    const chosen = this.#all().filter(({ name }) => only?.includes(name) ?? true);
    let scheduledAt = Date.now();
    while (Date.now() < until) {
      for (const { name, disturb } of choices.shuffle(chosen)) {
        if (Date.now() >= until) break;
        if (name === 'kill' && Date.now() >= killUntil) continue;
        history.note({ disturbance: name, begins: true });
        await disturb(choices);
        history.note({ disturbance: name, begins: false });
        await this.observe();
        // Once a minute, as in production: what a disturbance has held up goes on without the schedule.
        if (Date.now() - scheduledAt < 60_000) continue;
        scheduledAt = Date.now();
        await server.runSchedule().catch(() => undefined);
      }
    }
  }

  async heal(seed: number): Promise<void> {
    const { server, stripe, clock } = this.#target;
    await stripe.clearFaults();
    await server.setFaults({ ...NO_FAULTS, seed, clockAheadMs: clock.aheadMs });
    await stripe.resendDropped();
  }

  async advance(ms: number): Promise<void> {
    const { server, clock } = this.#target;
    clock.aheadMs += ms;
    await server.setFaults({ clockAheadMs: clock.aheadMs });
    clock.clientsAheadMs = clock.aheadMs;
  }

  /** Calls that had no end are differences. */
  async observe(): Promise<Observed> {
    const { server, history } = this.#target;
    const observed = await server.observed();
    history.differences.push(...observed.late);
    return observed;
  }

  #all(): { readonly name: string; readonly disturb: (choices: Random) => Promise<void> }[] {
    const { server } = this.#target;
    const kill = async (choices: Random) => {
      await sleep(choices.upTo(3_000));
      await this.observe();
      await server.killAndRestart();
      await sleep(2_000);
    };
    return [
      { name: 'kill', disturb: kill },
      { name: 'kill', disturb: kill },
      { name: 'kill-runner', disturb: (choices) => this.#killRunner(choices) },
      { name: 'lose-calls', disturb: (choices) => this.#loseCalls(choices) },
      { name: 'queues', disturb: (choices) => this.#disturbQueues(choices) },
      { name: 'cut-location', disturb: (choices) => this.#cutLocation(choices) },
      { name: 'silence', disturb: (choices) => this.#silence(choices) },
      { name: 'database', disturb: (choices) => this.#disturbDatabase(choices) },
      { name: 'stripe', disturb: (choices) => this.#disturbStripe(choices) },
      { name: 'webhooks', disturb: (choices) => this.#disturbWebhooks(choices) },
      { name: 'sleep', disturb: () => this.#letObjectsSleep() },
      { name: 'revoke', disturb: (choices) => this.#revokeKey(choices) },
      { name: 'minutes', disturb: (choices) => this.#advanceMinutes(choices) },
      { name: 'month', disturb: () => this.#passMonth() },
    ];
  }

  async #killRunner(choices: Random): Promise<void> {
    for (let count = 1 + choices.upTo(2); count > 0; count -= 1) {
      await sleep(choices.upTo(1_500));
      await this.#target.server.killRunner();
    }
  }

  async #loseCalls(choices: Random): Promise<void> {
    const rate = 0.02 + choices.next() * 0.08;
    const faults = { callFails: rate, answerLost: rate, callDoubled: rate, callDelayed: rate * 2 };
    await this.#during(faults, choices, 6_000);
  }

  async #disturbQueues(choices: Random): Promise<void> {
    const faults = { messageDropped: 0.2, messageDoubled: 0.3, messageDelayed: 0.3, batchReordered: 0.5 };
    await this.#during(faults, choices, 6_000);
  }

  /** One-sided: what is in the location reaches all others. */
  async #cutLocation(choices: Random): Promise<void> {
    const { server } = this.#target;
    const cut = choices.pick(PLACES).location;
    const isCutSilent = choices.next() < 0.5;
    await server.setFaults({ cutLocations: [cut], isCutFromWorker: choices.next() < 0.3, isCutSilent });
    await sleep(4_000 + choices.upTo(6_000));
    await server.setFaults({ cutLocations: [], isCutFromWorker: false, isCutSilent: false });
  }

  /** Objects that never answer, or have too many calls. */
  async #silence(choices: Random): Promise<void> {
    await this.#during({ callSilent: 0.05, callOverloaded: 0.02 }, choices, 6_000);
  }

  async #disturbDatabase(choices: Random): Promise<void> {
    const faults = choices.pick([
      { databaseSilent: 0.3 },
      { databaseOverloaded: 0.3 },
      { databaseSilent: 1 },
    ]);
    await this.#during(faults, choices, 6_000);
  }

  async #disturbStripe(choices: Random): Promise<void> {
    const { stripe } = this.#target;
    await stripe.setFaults(
      choices.pick([
        { failNext: 20 },
        { refuseNext: 20 },
        { loseAnswers: 10 },
        { slowByMs: 1_500 },
        { isDown: true },
      ]),
    );
    await this.#changeSubscriptions(choices, 5_000);
    await stripe.clearFaults();
  }

  async #disturbWebhooks(choices: Random): Promise<void> {
    const { stripe } = this.#target;
    await stripe.setFaults({
      webhooks: {
        dropNext: choices.upTo(4),
        duplicateNext: choices.upTo(4),
        reverseNext: choices.upTo(4),
        delayMs: choices.upTo(2_000),
      },
    });
    await this.#changeSubscriptions(choices, 5_000);
    await stripe.clearFaults();
  }

  /** Every object falls asleep, and is built again when it is called. */
  async #letObjectsSleep(): Promise<void> {
    const { server, history } = this.#target;
    await this.#whilePaused(async () => {
      const { ledgersWoken } = await server.observed();
      await server.setFaults({ areObjectsIdle: true });
      await sleep(ASLEEP_AFTER_MS);
      this.clientState.isPaused = false;
      await sleep(2_000);
      await server.setFaults({ areObjectsIdle: false });
      if ((await server.observed()).ledgersWoken === ledgersWoken)
        history.differences.push('No ledger fell asleep');
    });
  }

  async #revokeKey(choices: Random): Promise<void> {
    const [, ...others] = PLACES;
    const letTimePass = (ms: number) => this.advance(ms);
    await this.#whilePaused(async () => {
      const differences = await revokeKey({ ...this.#target, letTimePass }, choices.pick(others));
      this.#target.history.differences.push(...differences);
    });
  }

  async #advanceMinutes(choices: Random): Promise<void> {
    await this.advance(60_000 * (1 + choices.upTo(90)));
    await sleep(2_000);
  }

  /** Once in a run: with nothing in flight, since a key is remembered for a day and the history counts by month. */
  async #passMonth(): Promise<void> {
    if (this.#hasPassedMonth) return;
    this.#hasPassedMonth = true;
    await this.#whilePaused(async () => {
      const now = Date.now() + this.#target.clock.aheadMs;
      await this.advance(monthStart(now, 1) - now + 5_000);
      this.#target.history.startMonth();
    });
  }

  async #whilePaused(work: () => Promise<void>): Promise<void> {
    this.clientState.isPaused = true;
    while (this.clientState.inFlight > 0) await sleep(50);
    try {
      await work();
    } finally {
      this.clientState.isPaused = false;
    }
  }

  /** Customers subscribe and cancel while the faults last. */
  async #during(faults: Partial<WorkerFaults>, choices: Random, ms: number): Promise<void> {
    const { server } = this.#target;
    await server.setFaults(faults);
    await this.#changeSubscriptions(choices, ms);
    const ended = Object.keys(faults).map((name) => [name, NO_FAULTS[name as keyof WorkerFaults]]);
    await server.setFaults(Object.fromEntries(ended));
  }

  async #changeSubscriptions(choices: Random, ms: number): Promise<void> {
    const { stripe, changing, buying, history } = this.#target;
    const until = Date.now() + ms;
    while (Date.now() < until) {
      // The same faults may meet this call; what became of it is read from Stripe at the end.
      const isJoin = history.pairs.length > 0 && choices.next() < 0.3;
      const changed = isJoin
        ? changeAtStripe(stripe, choices.pick(history.pairs), choices)
        : choices.next() < 0.5
          ? changePayments(stripe, choices.pick(buying), choices)
          : changeSubscription(stripe, choices.pick(changing), choices);
      await changed.catch(() => undefined);
      await sleep(200 + choices.upTo(600));
    }
  }
}
