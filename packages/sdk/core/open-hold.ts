/**
 * One hold from its first call to its settlement. Opening and extending have keys, and a settlement that is repeated gets the same answer, so
 * that each is tried again where its answer may be lost. What was used must not be: a settlement goes on behind its caller.
 */
import type { Hold, HoldOptions, RefusedHold, Settled } from '../holds.ts';
import type { CountedUpdate, Tessera, TesseraError } from '../index.ts';
import { readMeter } from './answer.ts';
import type { WithApi } from './client.ts';
import { countBody, newKey, updateOf } from './counted-update.ts';
import { notOurs, RaisedError } from './error.ts';
import { inTime } from './in-time.ts';
import { subjectBody } from './subject-key.ts';
import { answeredBehind, untilAnswered } from './until-answered.ts';

type Body = Readonly<Record<string, unknown>>;

/** What a call about a hold answers. */
interface Told {
  readonly accepted: boolean;
  readonly meter: Hold['meter'];
  readonly hold: { readonly id: string; readonly amount: number; readonly expiresAt: number } | null;
}

const NOTHING = { applied: 0, released: 0, overage: 0 };
const HOLDS = '/api/v1/holds';
const MAX_AMOUNT = 1e12;

function refusedOf({ reason, limitOf = null, costs }: Body, meter: Hold['meter']): RefusedHold {
  const { feature, property, remaining = 0 } = Object(costs);
  return {
    ...{ accepted: false, reason, limitOf, meter },
    costs: feature ? { path: `${feature}.${property}`, remaining } : null,
    [Symbol.asyncDispose]: async () => {},
  } as RefusedHold;
}

/** @throws {TesseraError} */
export async function openHoldOf(
  tessera: Tessera,
  meterPath: string,
  { on, amount, orLess, lastsMs, idempotencyKey, signal }: HoldOptions,
): Promise<Hold | RefusedHold> {
  const { api } = tessera as WithApi;
  if (!api) throw new RaisedError('invalid-request', 'tessera is no client of createTessera');
  ensureAmount(amount, 1);
  const update = updateOf(meterPath, { on, by: amount, idempotencyKey });
  const { feature, property, idempotencyKey: key } = countBody(update);
  const opened = {
    ...subjectBody(on),
    ...{ feature, property, amount, orLess, lastsMs, idempotencyKey: key },
  };
  const called = (path: string, body: object) =>
    untilAnswered(api, { path, body, forMs: api.boundMs, isAwaited: true, signal });

  function read({ accepted, meter, hold = null }: Body): Told {
    if (typeof accepted !== 'boolean') throw notOurs('no decision');
    const told = { accepted, meter: readMeter(Object(meter)), hold: hold as Told['hold'] };
    // The cache would allow what the server does not any more.
    if (!told.meter.allowed) tessera.refresh(on);
    return told;
  }

  const answer: Body = (await called(HOLDS, opened)).body;
  const first = read(answer);
  if (!first.accepted) return refusedOf(answer, first.meter);
  if (typeof first.hold?.id !== 'string') throw notOurs('no hold');
  let { meter, hold } = { ...first, hold: first.hold };
  const { id } = hold;
  const path = `${HOLDS}/${id}`;
  let used = 0;
  /** The settlement that counts so far. */
  let last: { readonly amount: number; readonly work: Promise<Settled> } | null = null;

  /** @returns whether the call was accepted */
  function follow(answer: Body): boolean {
    const told = read(answer);
    // Nor would it allow again what is given back.
    if (!meter.allowed) tessera.refresh(on);
    meter = told.meter;
    hold = told.hold ?? hold;
    return told.accepted;
  }

  function begin(settled: number, onExcess: string | undefined): Promise<Settled> {
    const before = last;
    const undo = () => {
      if (last?.work === work) last = before;
    };
    const work = answeredBehind(api, `${path}/settle`, { amount: settled, onExcess }).then(
      ({ body }): Settled => {
        const accepted = follow(body);
        if (!accepted) undo();
        const { applied, released, overage } = accepted ? (body as unknown as Settled) : NOTHING;
        return { accepted, applied, released, overage, meter };
      },
    );
    last = { amount: settled, work };
    work.catch((thrown) => {
      undo();
      lose(settled, thrown as TesseraError);
    });
    return work;
  }

  /** Hands over usage that cannot be settled any more. */
  function lose(settled: number, error: TesseraError): void {
    const lost: CountedUpdate = { ...update, by: settled, idempotencyKey: id };
    if (settled > 0 && error.code !== 'hold-settled')
      api.emit({ type: 'undelivered', error, updates: [lost] });
  }

  const settle: Hold['settle'] = async (settled = used, { onExcess } = {}) => {
    ensureAmount(settled, 0);
    const work = last?.amount === settled ? last.work : begin(settled, onExcess);
    return inTime(work, api.boundMs);
  };

  return {
    accepted: true,
    id,
    get amount() {
      return hold.amount;
    },
    get expiresAt() {
      return new Date(hold.expiresAt);
    },
    get meter() {
      return meter;
    },
    get used() {
      return used;
    },
    use(more) {
      ensureAmount(more, 0);
      if (last) throw new RaisedError('invalid-request', 'The hold is settled');
      used += more;
    },
    async extend({ amount: more = 0, lastsMs: forMs, idempotencyKey: givenKey } = {}) {
      ensureAmount(more, 0);
      // A repetition that adds nothing needs no key, of which a hold keeps a hundred.
      const ownKey = givenKey ?? (more > 0 ? newKey() : undefined);
      const { body } = await called(`${path}/extend`, {
        amount: more,
        lastsMs: forMs,
        idempotencyKey: ownKey,
      });
      return follow(body);
    },
    settle,
    release: () => settle(0),
    async [Symbol.asyncDispose]() {
      try {
        await (last ? inTime(last.work, api.boundMs) : settle());
      } catch {
        // What made the block end is the caller's to know. The client has said what was refused, and tries what may succeed later.
      }
    },
  };
}

function ensureAmount(amount: number, least: number): void {
  if (Number.isInteger(amount) && amount >= least && amount <= MAX_AMOUNT) return;
  throw new RaisedError(
    'invalid-request',
    `amount must be a whole number of ${least} to ${MAX_AMOUNT.toLocaleString('en')}, not ${amount}`,
  );
}
