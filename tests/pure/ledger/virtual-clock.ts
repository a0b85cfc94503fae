/** A clock whose time passes only when a test lets it, and which runs what is due in order. */

type Work = () => unknown;

const { setImmediate } = globalThis as unknown as { setImmediate(work: Work): void };

export class VirtualClock {
  now: number;
  readonly #due: { readonly at: number; readonly order: number; readonly work: Work }[] = [];
  #order = 0;

  constructor(now: number) {
    this.now = now;
  }

  after(ms: number, work: Work): void {
    this.at(this.now + ms, work);
  }

  at(at: number, work: Work): void {
    this.#order += 1;
    const entry = { at: Math.max(at, this.now), order: this.#order, work };
    let [low, high] = [0, this.#due.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const other = this.#due[middle]!;
      if (other.at > entry.at || (other.at === entry.at && other.order > entry.order)) low = middle + 1;
      else high = middle;
    }
    this.#due.splice(low, 0, entry);
  }

  wait(ms: number): Promise<void> {
    return new Promise((resolve) => this.after(ms, resolve));
  }

  /** Runs everything that is due until then. */
  async advance(ms: number): Promise<void> {
    const until = this.now + ms;
    for (let next = this.#due.at(-1); next !== undefined && next.at <= until; next = this.#due.at(-1)) {
      this.#due.pop();
      this.now = next.at;
      next.work();
      await new Promise<void>((settled) => setImmediate(settled));
    }
    this.now = until;
  }
}
