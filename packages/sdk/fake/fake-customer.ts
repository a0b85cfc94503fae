/** One customer of the fake server: grants and overrides, and usage by the rules of the ledger. */
import type { CustomerFacts } from '#contracts/internal/customer-facts';
import type { CounterUpdate, KeyRecord, ResourceHold, UpdateOutcome } from '#contracts/internal/ledger';
import { NO_FACTS } from '#engine/entitlements/no-facts';
import { CustomerMeters } from '#engine/ledger/customer-meters';
import { decideUpdate } from '#engine/ledger/decide-update';
import { minuteOf } from '#engine/metering/bucket-widths';

const ORIGIN = 'fake';

export class FakeCustomer {
  facts: CustomerFacts = NO_FACTS;
  readonly #holds = new Map<string, ResourceHold>();
  readonly #keys = new Map<string, KeyRecord>();
  readonly meters: CustomerMeters;

  constructor(identifier: string) {
    this.meters = new CustomerMeters(identifier, [], (propertyId) => this.#heldCounts(propertyId));
  }

  count(update: CounterUpdate, now: number): UpdateOutcome {
    const placeOf = (propertyId: string, resourceId: string) => `${propertyId} ${resourceId}`;
    return decideUpdate(this.meters, update, now, {
      origin: ORIGIN,
      findHolds: (propertyId, resourceId) => {
        const hold = this.#holds.get(placeOf(propertyId, resourceId));
        return hold === undefined ? [] : [hold];
      },
      putHold: (hold) => {
        this.#holds.set(placeOf(hold.propertyId, hold.resourceId), { ...hold, version: 1 });
      },
      findKeys: (text) => {
        const key = this.#keys.get(text);
        return key === undefined ? [] : [key];
      },
      putKey: (record) => {
        this.#keys.set(record.text, { ...record, version: 1 });
      },
    });
  }

  #heldCounts(propertyId: string): { minute: number; count: number }[] {
    const counts = new Map<number, number>();
    for (const hold of this.#holds.values()) {
      if (hold.propertyId !== propertyId || !hold.isHeld) continue;
      const minute = minuteOf(hold.at);
      counts.set(minute, (counts.get(minute) ?? 0) + 1);
    }
    return [...counts]
      .map(([minute, count]) => ({ minute, count }))
      .sort((one, other) => one.minute - other.minute);
  }
}
