// Bindings behind which something never answers, and a clock that only the test moves: a wait ends when the test says so.
import { env } from 'cloudflare:workers';
import { vi } from 'vitest';
import type { Location } from '#contracts/public/locations';
import type { Env } from '#worker/env';

type Namespace = 'LEDGER' | 'ENVIRONMENT_REPLICA';

interface Fault {
  /** Undefined: all. */
  readonly location?: Location;
  /** Undefined: all. */
  readonly method?: string;
  /** The call throws this. Undefined: it never answers. */
  readonly error?: Error;
  /** The call is late by so many milliseconds. */
  readonly lateMs?: number;
}

export class SilentBindings {
  readonly #faults = new Map<Namespace | 'DB', Fault[]>();
  readonly env: Env;
  /** Calls that never end. */
  pending = 0;
  /** Calls of objects, as `LEDGER oc readText`. */
  readonly calls: string[] = [];

  constructor() {
    this.env = {
      ...env,
      DB: this.#database(),
      LEDGER: this.#namespace('LEDGER'),
      ENVIRONMENT_REPLICA: this.#namespace('ENVIRONMENT_REPLICA'),
      // Takes the events of the calls at once: the test's clock would end a real append.
      EVENT_STREAM: { getByName: () => ({ appendGroups: async () => undefined }) } as never,
    };
  }

  /** From now on these never answer, or fail. */
  silence(what: Namespace | 'DB', where: Fault = {}): this {
    this.#faults.set(what, [...(this.#faults.get(what) ?? []), where]);
    return this;
  }

  heal(): void {
    this.#faults.clear();
  }

  /** Something waits for an answer that does not come. */
  async isWaiting(calls = 1): Promise<void> {
    while (this.pending < calls) await scheduler.wait(5);
  }

  #never(): Promise<never> {
    this.pending += 1;
    return new Promise(() => undefined);
  }

  #namespace<Name extends Namespace>(name: Name): Env[Name] {
    return new Proxy(env[name], {
      get: (namespace, member) => {
        if (member !== 'getByName') return Reflect.get(namespace, member) as unknown;
        return (id: string, options: { locationHint?: Location } = {}) => {
          const location = options.locationHint;
          return new Proxy(
            namespace.getByName(id, options as DurableObjectNamespaceGetDurableObjectOptions),
            {
              get: (stub, method) => {
                const own = Reflect.get(stub, method, stub) as unknown;
                if (typeof own !== 'function' || typeof method !== 'string') return own;
                return (...given: unknown[]) => {
                  this.calls.push(`${name} ${location} ${method}`);
                  const fault = (this.#faults.get(name) ?? []).find(
                    (each) => (each.location ?? location) === location && (each.method ?? method) === method,
                  );
                  if (fault?.error !== undefined) return Promise.reject(fault.error);
                  const answer = () => Reflect.apply(own, stub, given) as unknown;
                  if (fault?.lateMs !== undefined) return scheduler.wait(fault.lateMs).then(answer);
                  return fault === undefined ? answer() : this.#never();
                };
              },
            },
          );
        };
      },
    }) as Env[Name];
  }

  /** Statements can be prepared and bound; the database that runs them is what is silent. */
  #database(): D1Database {
    const silent = (target: object): object =>
      new Proxy(target, {
        get: (object, name) => {
          const member = Reflect.get(object, name, object) as unknown;
          if (typeof member !== 'function') return member;
          return (...given: unknown[]) => {
            const isSilent = this.#faults.has('DB');
            if (isSilent && ['all', 'raw', 'run', 'first', 'batch'].includes(String(name)))
              return this.#never();
            const result = Reflect.apply(member, object, given) as unknown;
            return isSilent && ['prepare', 'bind'].includes(String(name)) ? silent(result as object) : result;
          };
        },
      });
    return silent(env.DB) as D1Database;
  }
}

/** From now on time passes only by `pass`, until vi.useRealTimers. */
export function stopClock(): void {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'], now: Date.now() });
}

export async function pass(ms: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(ms);
}
