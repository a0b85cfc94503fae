/**
 * Memory that the objects of one isolate share. The platform decides how many there are, and ends the isolate when all of them together
 * take too much. An object that was evicted leaves with the garbage.
 */
export interface Holder {
  /** What it holds, in any unit. */
  readonly weight: number;
}

export class SharedMemory {
  readonly #limit: number;
  readonly #holders = new Set<WeakRef<Holder>>();

  /** @param limit weight of all holders, of which a moment may see twice as much */
  constructor(limit: number) {
    this.#limit = limit;
  }

  join(holder: Holder): void {
    this.#holders.add(new WeakRef(holder));
  }

  /** What the holder may hold now: all that the others leave, and at least an equal share, since others may not need theirs any more. */
  roomFor(holder: Holder): number {
    const share = this.#limit / Math.max(1, this.#holders.size);
    if (holder.weight <= share) return share;
    let left = this.#limit;
    for (const reference of this.#holders) {
      const each = reference.deref();
      if (each === undefined) this.#holders.delete(reference);
      else if (each !== holder) left -= each.weight;
    }
    return Math.max(left, share);
  }
}
