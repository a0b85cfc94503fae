/**
 * What remains of an erased stream for a while: the instant of the erasure, so that events which arrive late are dropped instead
 * of starting a new stream.
 */
import { DAY_MS } from '#engine/durations';
import { setAlarm } from '../lib/set-alarm.ts';
import { migrate } from '../storage.ts';
import { migrations } from './schema.ts';
import type { Settings } from './settings.ts';

/** Longer than a queue keeps a message, so that nothing arrives after the tombstone is gone. */
const TOMBSTONE_MS = 15 * DAY_MS;

export class Tombstone {
  readonly #storage: DurableObjectStorage;
  readonly #settings: Settings;

  constructor(storage: DurableObjectStorage, settings: Settings) {
    this.#storage = storage;
    this.#settings = settings;
  }

  get isErased(): boolean {
    return this.#settings.get('erased_at') !== undefined;
  }

  /** Deletes the storage and stores the tombstone. Nothing else may run meanwhile. @param now epoch milliseconds */
  async replaceStorage(now: number): Promise<void> {
    await this.#storage.deleteAlarm();
    await this.#storage.deleteAll();
    migrate(this.#storage, migrations);
    this.#settings.invalidate();
    this.#settings.set('erased_at', String(now));
    await setAlarm(this.#storage, now + TOMBSTONE_MS);
  }

  /** Called by the alarm. Deletes the tombstone too, once nothing can arrive any more. */
  async deleteWhenDue(now: number): Promise<void> {
    const dueAt = Number(this.#settings.get('erased_at')) + TOMBSTONE_MS;
    if (now < dueAt) await setAlarm(this.#storage, dueAt);
    else await this.#storage.deleteAll();
  }
}
