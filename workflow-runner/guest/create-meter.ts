/**
 * Counts what a run does, inside the dynamic worker. Its text becomes part of the worker's main module, so the function
 * refers to nothing outside itself.
 */

/** A run's budget. */
export interface MeteredRun {
  steps: number;
  /** When to look at the clock again. */
  checkAt: number;
  /** Steps until the look after that. */
  stepsPerLook: number;
  /** Epoch milliseconds. */
  lookedAt: number;
  readonly maxSteps: number;
  /** Epoch milliseconds. */
  readonly until: number;
  /** The present as the run sees it, epoch milliseconds. */
  readonly instant: number;
  /** Why the run was ended; null while it may continue. */
  reason: string | null;
  /** Thrown at every further step. One object, because an error for each frame of a deep recursion would take long. */
  error: RangeError | null;
}

export interface Meter {
  /** Counts on the run whose code was the last to reach a step. @throws {RangeError} if it is over its budget */
  charge(amount: number): void;
  /** Steps for enumerating a value: the length of arrays and of text, as an object too. Executes no code of theirs. */
  sizeOf(value: unknown): number;
  /** Instant of the run whose code was the last to reach a step. */
  instant(): number;
  start(maxSteps: number, until: number, instant: number): MeteredRun;
  /** @returns the value. @throws {RangeError} for text that workflows may not have, and ends the run */
  limitText<Value>(value: Value): Value;
  /** The functions that the run's instrumented code calls: step, look, resume, spread, copy, text. */
  functionsOf(run: MeteredRun): readonly ((value?: unknown) => unknown)[];
  /** Whatever the run left behind ends at its next step. */
  end(run: MeteredRun): void;
}

export function createMeter(): Meter {
  /** Steps between two looks at the clock, which cost about a microsecond: fewer while steps take long. */
  const MIN_STEPS_PER_LOOK = 64;
  const MAX_STEPS_PER_LOOK = 512;
  const STEPS_BETWEEN_RUNS = 100_000;
  /** Characters. Operators that read a text, such as `+text`, count no steps. */
  const MAX_TEXT = 256 * 1024;
  const { now } = Date;
  const { isArray } = Array;
  const { keys, getOwnPropertyDescriptor } = Object;
  // Errors of a recursion that runs out of stack are many.
  Error.stackTraceLimit = 8;
  const start = (maxSteps: number, until: number, instant: number): MeteredRun => ({
    ...{ steps: 0, checkAt: 0, stepsPerLook: MIN_STEPS_PER_LOOK, lookedAt: 0 },
    ...{ maxSteps, until, instant, reason: null, error: null },
  });
  const sizeOf = (value: unknown) => {
    if (value === null || value === undefined) return 1;
    // Arrays and text have a length of this kind; what code defines usually has not.
    const found = getOwnPropertyDescriptor(value, 'length');
    const isNative = found !== undefined && !found.configurable && !found.enumerable;
    return isNative && typeof found.value === 'number' ? 1 + found.value : 1;
  };
  /** Between runs: for what is left behind, and for the platform's own use of guarded natives. */
  const idle = () => start(STEPS_BETWEEN_RUNS, Number.POSITIVE_INFINITY, 0);
  let current = idle();

  const look = (run: MeteredRun) => {
    if (run.reason === null && run.steps > run.maxSteps) run.reason = 'The workflow exceeded its step limit';
    const time = now();
    if (run.reason === null && time > run.until) run.reason = 'The workflow exceeded its time limit';
    if (run.reason !== null) {
      run.checkAt = 0;
      run.error ??= new RangeError(run.reason);
      throw run.error;
    }
    const isFast = time - run.lookedAt < 1;
    run.lookedAt = time;
    if (!isFast) run.stepsPerLook = MIN_STEPS_PER_LOOK;
    else if (run.stepsPerLook < MAX_STEPS_PER_LOOK) run.stepsPerLook *= 2;
    run.checkAt = run.steps + run.stepsPerLook;
  };
  const charge = (amount: number) => {
    const run = current;
    // Not Math.max: a cost that is not a number counts as one step, and never as NaN.
    if (amount > 1) run.steps += amount;
    else run.steps += 1;
    if (run.steps >= run.checkAt) look(run);
  };
  const limitText = <Value>(value: Value): Value => {
    if (typeof value === 'string' && value.length > MAX_TEXT) {
      current.reason ??= 'The workflow created a string larger than 256 KB';
      look(current);
    }
    return value;
  };
  function* counted(values: Iterable<unknown>) {
    for (const value of values) {
      charge(1);
      yield value;
    }
  }

  return {
    ...{ charge, sizeOf, start, limitText },
    instant: () => current.instant,
    end(run) {
      run.reason ??= 'The workflow has ended';
      run.checkAt = 0;
      if (current === run) current = idle();
    },
    functionsOf(run) {
      const step = () => {
        current = run;
        run.steps += 1;
        if (run.steps >= run.checkAt) look(run);
      };
      const resume = (value: unknown) => {
        step();
        return value;
      };
      const spread = (values: unknown) => {
        step();
        if (!isArray(values)) return counted(values as Iterable<unknown>);
        charge(values.length);
        return values;
      };
      const copy = (value: unknown) => {
        step();
        charge(sizeOf(value));
        if (typeof value === 'object' && value !== null) charge(keys(value).length);
        return value;
      };
      const stepAndLook = () => {
        step();
        look(run);
      };
      return [step, stepAndLook, resume, spread, copy, limitText];
    },
  };
}
