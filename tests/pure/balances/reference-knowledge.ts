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

  /** @param all also those that are not enabled */
  constructor(enabled: readonly [Location, ...Location[]], all: readonly Location[]) {
    this.#enabled = enabled;
    [this.here] = enabled;
    for (const each of all) this.#known.set(each, new Map());
  }

  get locations(): number {
    return this.#enabled.length;
  }

  /** Of what was done there: itself, or the home location while it is disabled. */
  placeOf(by: Location): Location {
    return this.#enabled.includes(by) ? by : this.#enabled[0]!;
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

  /** One that closes has told the others everything. @param copied who has asked whom for everything */
  setLocations(enabled: readonly Location[], copied: readonly (readonly [Location, Location])[]): void {
    for (const closed of this.#enabled.filter((each) => !enabled.includes(each)))
      for (const each of enabled) this.#learnAll(each, closed);
    for (const [each, peer] of copied) this.#learnAll(each, peer);
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
