/**
 * Runs workflows inside a dynamic worker. Its text becomes a module there, so the function refers to nothing outside itself. It is
 * called before any customer's code is evaluated, and keeps the natives that it uses: code may replace them, for the runs after it.
 * So nothing here that a run executes iterates, destructures or spreads an array, or calls a method of a text.
 *
 * A run is its call and the microtasks after it: there are no timers and no input or output, so what has not settled then never does.
 * The platform delivers no other call before they are done. So instant, random numbers, steps and log belong to one run at a time. Only
 * the evaluation of a module takes longer: the first run that needs it waits for it, and others wait for that run. A promise that the
 * code of a later run settles settles nothing: its run has failed.
 */

/** One run, as JSON. */
export interface GuestRequest {
  readonly workflowId: string;
  readonly input: Readonly<Record<string, unknown>> & { readonly now: number };
  readonly seed: string;
}

/** How a run ended, as JSON. */
export interface GuestReply {
  readonly status: 'done' | 'failed' | 'killed';
  /** The result as JSON; null unless done. */
  readonly resultText: string | null;
  readonly reason: string | null;
  readonly logs: GuestLog[];
  /** Milliseconds; 0 where the clock stops while code runs, as in production. */
  readonly wallTime: number;
}

interface GuestLog {
  readonly m: string;
  readonly l: 'log' | 'warn' | 'error';
  readonly t: number;
}

export interface Guest {
  /** Called by workflows: counts. @throws {RangeError} at the end of the budget, and outside a run */
  step(): void;
  /**
   * @param load evaluates the workflow's module, once
   * @param lines the source's line of each line of the module
   */
  run(
    load: () => Promise<{ readonly default?: unknown }>,
    lines: readonly number[],
    text: string,
  ): Promise<string>;
}

export function createGuest(): Guest {
  const MAX_STEPS = 1_000_000;
  /** Turns of the event loop for another run to evaluate a module. */
  const MAX_WAITS = 100;
  const MAX_LOGS = 50;
  const MAX_LOG_LENGTH = 1000;
  const MAX_RESULT_LENGTH = 64 * 1024;
  /** The language without threads, and pure functions of the platform. Nothing that takes time, and nothing that is outside. */
  const ALLOWED = new Set([
    ...['globalThis', 'Infinity', 'NaN', 'undefined', 'eval', 'isFinite', 'isNaN', 'parseFloat', 'parseInt'],
    ...['decodeURI', 'decodeURIComponent', 'encodeURI', 'encodeURIComponent', 'escape', 'unescape'],
    ...['Object', 'Function', 'Boolean', 'Symbol', 'Number', 'BigInt', 'Math', 'Date', 'String', 'RegExp'],
    ...['Error', 'AggregateError', 'EvalError', 'RangeError', 'ReferenceError', 'SyntaxError', 'TypeError'],
    ...['URIError', 'SuppressedError', 'DisposableStack', 'AsyncDisposableStack', 'FinalizationRegistry'],
    ...['Array', 'Int8Array', 'Uint8Array', 'Uint8ClampedArray', 'Int16Array', 'Uint16Array', 'Int32Array'],
    ...['Uint32Array', 'BigInt64Array', 'BigUint64Array', 'Float16Array', 'Float32Array', 'Float64Array'],
    ...['Map', 'Set', 'WeakMap', 'WeakSet', 'WeakRef', 'ArrayBuffer', 'DataView', 'JSON'],
    ...['Iterator', 'Promise', 'Reflect', 'Proxy', 'Intl', 'constructor'],
    ...['console', 'structuredClone', 'queueMicrotask', 'atob', 'btoa', 'DOMException'],
    ...['URL', 'URLSearchParams', 'URLPattern', 'TextEncoder', 'TextDecoder'],
  ]);
  /** As V8 writes a place in a workflow's module. */
  const PLACE = /\bw\d+\.js:(\d+):\d+/;
  const NOTHING = /^/;
  const { parse, stringify } = JSON;
  const { apply, construct, ownKeys } = Reflect;
  const { freeze } = Object;
  const { imul } = Math;
  const match = RegExp.prototype.exec;
  const { charCodeAt, slice } = String.prototype;
  const RealDate = Date;
  const { now } = RealDate;
  const dateText = RealDate.prototype.toString;
  const asText = String;
  const RealPromise = Promise;
  // Not setTimeout, which is made of JavaScript, whose natives code may replace.
  const timers = scheduler;
  const { wait } = timers;

  interface Run {
    readonly instant: number;
    readonly random: () => number;
    readonly lines: readonly number[];
    /** JSON, without the brackets. */
    logs: string;
    logCount: number;
    /** Why the run was ended; null while it may continue. */
    error: RangeError | null;
  }
  let current: Run | null = null;
  let stepsLeft = 0;

  const step = () => {
    stepsLeft -= 1;
    if (stepsLeft >= 0) return;
    stepsLeft = 0;
    if (current === null) throw new RangeError('The workflow has ended');
    // One object, because an error for each frame of a deep recursion would take long; frozen, because they can catch it.
    current.error ??= freeze(new RangeError('The workflow exceeded its step limit'));
    throw current.error;
  };
  /** sfc32, seeded with xmur3. */
  const createRandom = (seed: string) => {
    let hash = 1779033703 ^ seed.length;
    for (let index = 0; index < seed.length; index++) {
      hash = imul(hash ^ (apply(charCodeAt, seed, [index]) as number), 3432918353);
      hash = (hash << 13) | (hash >>> 19);
    }
    const next = () => {
      hash = imul(hash ^ (hash >>> 16), 2246822507);
      hash = imul(hash ^ (hash >>> 13), 3266489909);
      hash ^= hash >>> 16;
      return hash >>> 0;
    };
    let a = next();
    let b = next();
    let c = next();
    let d = next();
    return () => {
      const sum = (a + b + d) | 0;
      d = (d + 1) | 0;
      a = b ^ (b >>> 9);
      b = (c + (c << 3)) | 0;
      c = (c << 21) | (c >>> 11);
      c = (c + sum) | 0;
      return (sum >>> 0) / 4294967296;
    };
  };
  const freezeDeep = <Value>(value: Value): Value => {
    if (typeof value !== 'object' || value === null) return value;
    const names = ownKeys(value);
    for (let index = 0; index < names.length; index++) {
      freezeDeep((value as Record<PropertyKey, unknown>)[names[index] as string]);
    }
    return freeze(value);
  };
  /** Text of anything that is thrown or logged; may execute code of theirs, and throw. */
  const textOf = (value: unknown): string => {
    if (typeof value === 'string') return value;
    if (typeof value !== 'object' || value === null) return asText(value);
    const { name, message } = value as { name?: unknown; message?: unknown };
    if (typeof message === 'string' && typeof name === 'string') return `${name}: ${message}`;
    return asText(stringify(value) ?? value);
  };
  /** The source's line that an error comes from; null if it is unknown. May execute code of theirs, which may write any stack. */
  const lineOf = (error: unknown, lines: readonly number[]): number | null => {
    try {
      const stack = (error as { stack?: unknown } | null | undefined)?.stack;
      if (typeof stack !== 'string') return null;
      const place = apply(match, PLACE, [stack]) as RegExpExecArray | null;
      // RegExp.$_ would show the stack to other runs.
      apply(match, NOTHING, ['']);
      const line = place === null ? 0 : +(place[1] as string);
      return lines[line - 1] ?? null;
    } catch {
      return null;
    }
  };
  const explain = (text: string, error: unknown, lines: readonly number[]) => {
    const line = lineOf(error, lines);
    const full = line === null ? text : `Line ${line}: ${text}`;
    if (full.length <= MAX_LOG_LENGTH) return full;
    return `${apply(slice, full, [0, MAX_LOG_LENGTH - 1]) as string}…`;
  };
  const write =
    (l: GuestLog['l']) =>
    (...values: unknown[]) => {
      const run = current;
      if (run === null || run.logCount >= MAX_LOGS) return;
      let m = '';
      for (let index = 0; index < values.length && m.length <= MAX_LOG_LENGTH; index++) {
        const value = values[index];
        m += `${index === 0 ? '' : ' '}${explain(textOf(value), value, run.lines)}`;
      }
      run.logs += `${run.logs && ','}{"m":${stringify(explain(m, null, []))},"l":"${l}","t":${now()}}`;
      run.logCount += 1;
    };
  const log = write('log');

  for (let home: object = globalThis; home !== Object.prototype; home = Object.getPrototypeOf(home)) {
    for (const name of ownKeys(home)) {
      if (typeof name === 'string' && !ALLOWED.has(name)) Reflect.deleteProperty(home, name);
    }
  }
  // Without Object.prototype, whose traps would get the real Date.
  const traps: ProxyHandler<DateConstructor> = Object.create(null);
  traps.apply = () => apply(dateText, new RealDate(current?.instant ?? 0), []) as string;
  traps.construct = (target, args, newTarget) =>
    construct(target, args.length === 0 ? [current?.instant ?? 0] : args, newTarget) as object;
  Object.assign(globalThis, {
    console: { log, info: log, debug: log, trace: log, dir: log, warn: write('warn'), error: write('error') },
    Date: new Proxy(RealDate, traps),
  });
  RealDate.now = () => current?.instant ?? 0;
  RealDate.prototype.constructor = Date;
  Math.random = () => current?.random() ?? 0;
  // What `await`, import() and the platform look up of a promise: others would be handed what only one run may see.
  for (const name of ['constructor', 'then']) {
    Object.defineProperty(Promise.prototype, name, { writable: false, configurable: false });
  }
  Object.defineProperty(Promise, Symbol.species, { configurable: false });
  // V8 would hand it every error.
  Object.defineProperty(Error, 'prepareStackTrace', { value: undefined });

  /** Modules that were evaluated: the workflow, or why there is none. */
  const evaluated: Record<string, { readonly isThrown: boolean; readonly value: unknown }> =
    Object.create(null);
  let isEvaluating = false;
  const pause = () => apply(wait, timers, [0]) as Promise<void>;
  const evaluate = async (workflowId: string, load: Parameters<Guest['run']>[0]) => {
    isEvaluating = true;
    try {
      evaluated[workflowId] = { isThrown: false, value: (await load()).default };
    } catch (error) {
      evaluated[workflowId] = { isThrown: true, value: error };
    }
    isEvaluating = false;
  };

  return {
    step,
    async run(load, lines, text) {
      const { workflowId, input, seed } = parse(text) as GuestRequest;
      const run: Run = {
        instant: input.now,
        lines,
        logs: '',
        logCount: 0,
        error: null,
        random: createRandom(`${seed}:${workflowId}`),
      };
      for (let waits = 0; isEvaluating; waits++) {
        await pause();
        // The run was cancelled, and cannot say so.
        if (waits === MAX_WAITS) isEvaluating = false;
      }
      const startedAt = now();
      current = run;
      stepsLeft = MAX_STEPS;
      if (evaluated[workflowId] === undefined) await evaluate(workflowId, load);
      let status: GuestReply['status'] = 'failed';
      let resultText: string | null = null;
      let reason: string | null = 'The promise returned by the workflow never settles';
      const execute = async () => {
        try {
          const { isThrown, value: workflow } = evaluated[workflowId] as (typeof evaluated)[string];
          if (isThrown) throw workflow;
          if (typeof workflow !== 'function') throw new TypeError('The default export is not a function');
          const argument = freeze({ ...freezeDeep(input), random: run.random });
          const returned: unknown = await workflow(argument);
          if (current !== run) return;
          const result = stringify(returned);
          if (result === undefined) throw new TypeError('The workflow returned nothing');
          if (result.length > MAX_RESULT_LENGTH) throw new RangeError('The result is larger than 64 KB');
          status = 'done';
          resultText = result;
          reason = null;
        } catch (error) {
          if (current !== run) return;
          try {
            reason = explain(textOf(error), error, lines);
          } catch {
            reason = 'The workflow threw a value that has no description';
          }
        }
      };
      await new RealPromise<void>((resolve) => {
        const settle = async (end: Promise<void>) => {
          await end;
          resolve();
        };
        void settle(pause());
        void settle(execute());
      });
      if (current === run) {
        current = null;
        stepsLeft = 0;
      }
      if (run.error !== null) {
        status = 'killed';
        resultText = null;
        reason = explain(run.error.message, run.error, lines);
      }
      // Text by text: code may have given objects a toJSON of its own.
      const texts = `"status":"${status}","resultText":${stringify(resultText)},"reason":${stringify(reason)}`;
      return `{${texts},"logs":[${run.logs}],"wallTime":${now() - startedAt}}`;
    },
  };
}
