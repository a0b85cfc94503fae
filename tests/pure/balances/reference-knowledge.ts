/** Which location knows what of all that was done: others learn of a deed later, and in order. */
import type { Location } from '#contracts/public/locations';

/** What a location did, and which of all that was done. */
export interface Deed {
  readonly by: Location;
  readonly number: number;
}

export class Knowledge {
  /** Where things happen, and are looked at. */
  here: Location;
  /** How many of all there were. */
  deeds = 0;
  /** Those that count. */
  #enabled: readonly Location[];
  /** How many of all each location knows of each. */
  readonly #known = new Map<Location, Map<Location, number>>();

  constructor(locations: readonly [Location, ...Location[]]) {
    this.#enabled = locations;
    [this.here] = locations;
    for (const each of locations) this.#known.set(each, new Map());
  }

  get locations(): number {
    return this.#enabled.length;
  }

  newDeed(): Deed {
    this.deeds += 1;
    return { by: this.here, number: this.deeds };
  }

  isKnown({ by, number }: Deed): boolean {
    return by === this.here || number <= this.#numberOf(this.here, by);
  }

  /** Here. @param deeds how many of all there were when the other one sent them */
  learn(of: Location, deeds: number): void {
    this.#know(this.here, of, deeds);
  }

  /** One that closes has told the others everything; one that opens has asked them for everything. */
  setLocations(enabled: readonly Location[]): void {
    const closed = this.#enabled.filter((each) => !enabled.includes(each));
    const opened = enabled.filter((each) => !this.#enabled.includes(each));
    for (const each of closed) for (const other of enabled) this.#learnAll(other, each);
    for (const each of opened)
      for (const other of enabled) if (!opened.includes(other)) this.#learnAll(each, other);
    this.#enabled = enabled;
  }

  #learnAll(who: Location, of: Location): void {
    for (const [by, number] of this.#known.get(of)!) this.#know(who, by, number);
    this.#know(who, of, this.deeds);
  }

  #know(who: Location, by: Location, number: number): void {
    this.#known.get(who)!.set(by, Math.max(this.#numberOf(who, by), number));
  }

  #numberOf(who: Location, by: Location): number {
    return this.#known.get(who)!.get(by) ?? 0;
  }
}
