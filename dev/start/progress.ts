// Says what a start still waits for, so that nobody takes a slow computer for a program that hangs.

/** On a fast computer a start says no more than its first and last lines. */
const SILENT_MS = 15_000;

export class Progress {
  readonly #waiting = new Set<string>();
  readonly #say: (line: string) => void;

  constructor(say: (line: string) => void = console.log) {
    this.#say = say;
    setInterval(() => this.tell(), SILENT_MS).unref();
  }

  /** @param what in the sentence `Still waiting for …` */
  readonly on = async <Result>(what: string, work: Promise<Result>): Promise<Result> => {
    this.#waiting.add(what);
    try {
      return await work;
    } finally {
      this.#waiting.delete(what);
    }
  };

  tell(): void {
    if (this.#waiting.size > 0) this.#say(`Still waiting for ${[...this.#waiting].join(', ')} ...`);
  }
}
