/**
 * Executes workflows inside the dynamic worker. Its text becomes part of the worker's main module, so the function refers to
 * nothing outside itself. It is called before guardNatives, and uses the natives that it captures here.
 */
import type { Meter, MeteredRun } from './create-meter.ts';

/** What the runner sends, as JSON. */
export interface GuestRequest {
  readonly runs: readonly { readonly workflowId: string; readonly feature?: unknown }[];
  readonly input: Readonly<Record<string, unknown>> & { readonly now: number };
  readonly seed: string;
  /** Wall time for all runs. */
  readonly budgetMs: number;
  /** Wall time of each run. */
  readonly runMs: number;
}

/** What the runner gets, as JSON. */
export interface GuestReply {
  readonly outcomes: readonly GuestOutcome[];
  /** Steps of all runs. */
  readonly steps: number;
  /** Time of all runs together, milliseconds. Where the clock stops while code runs, as in production, 0. */
  readonly wallTime: number;
}

/** As RunOutcome, with the result as text. */
export interface GuestOutcome {
  readonly workflowId: string;
  readonly status: 'done' | 'failed' | 'killed' | 'skipped';
  readonly resultText: string | null;
  readonly reason: string | null;
  readonly logs: GuestLog[];
  readonly wallTime: number;
}

interface GuestLog {
  readonly m: string;
  readonly l: 'log' | 'warn' | 'error';
  readonly t: number;
}

export interface Runs {
  run(requestText: string): Promise<string>;
  /** Why the only workflow cannot run; null if its module exports a function. */
  evaluate(): string | null;
}

/** The default export of an instrumented workflow. */
export type Factory = (...given: readonly unknown[]) => unknown;

export function createRuns(
  meter: Meter,
  factories: Readonly<Record<string, Factory>>,
  globals: readonly string[],
  /** By workflow: the source's line of each line of its module. */
  sourceLines: Readonly<Record<string, readonly number[]>>,
): Runs {
  const MAX_STEPS = 1_000_000;
  /** To evaluate a module when it is checked. */
  const EVALUATION_MS = 1_000;
  const MAX_LOGS = 50;
  const MAX_LOG_LENGTH = 1000;
  const MAX_RESULT_LENGTH = 64 * 1024;
  const { parse, stringify } = JSON;
  const { apply, construct, ownKeys } = Reflect;
  const match = RegExp.prototype.exec;
  /** A place in the module of a workflow, in the text of a stack. */
  const PLACE = /\bw\d+\.js:(\d+):\d+/;
  const { create, defineProperty, freeze } = Object;
  const { now } = Date;
  const { imul } = Math;
  const RealDate = Date;
  const RealMath = Math;
  const asText = String;
  const schedule = setTimeout;
  const unschedule = clearTimeout;
  const given = globalThis as unknown as Record<string, unknown>;

  interface State {
    readonly workflowId: string;
    readonly run: MeteredRun;
    readonly startedAt: number;
    readonly logs: GuestLog[];
    status: GuestOutcome['status'];
    resultText: string | null;
    reason: string | null;
    endedAt: number;
  }

  const freezeDeep = <Value>(value: Value): Value => {
    if (typeof value !== 'object' || value === null) return value;
    for (const name of ownKeys(value)) freezeDeep((value as Record<PropertyKey, unknown>)[name]);
    return freeze(value);
  };
  /** Text of anything that customers' code throws or logs; may execute code of theirs. */
  const textOf = (value: unknown): string => {
    if (typeof value === 'string') return value;
    if (typeof value !== 'object' || value === null) return asText(value);
    const { name, message } = value as { name?: unknown; message?: unknown };
    if (typeof message === 'string' && typeof name === 'string') return `${name}: ${message}`;
    return asText((given.JSON as JSON).stringify(value) ?? value);
  };
  /** The source's line that an error comes from; null if it is unknown. May execute code of theirs. */
  const lineOf = (error: unknown, workflowId: string): number | null => {
    try {
      const stack = (error as { stack?: unknown } | null | undefined)?.stack;
      if (typeof stack !== 'string') return null;
      const place = apply(match, PLACE, [stack]) as RegExpExecArray | null;
      const line = place === null ? 0 : +(place[1] as string);
      return line === 0 ? null : (sourceLines[workflowId]?.[line - 1] ?? line);
    } catch {
      return null;
    }
  };
  const atLine = (text: string, error: unknown, workflowId: string) => {
    const line = lineOf(error, workflowId);
    return line === null ? text : `Line ${line}: ${text}`;
  };
  const shorten = (text: string) =>
    text.length > MAX_LOG_LENGTH ? `${text.slice(0, MAX_LOG_LENGTH - 1)}…` : text;

  /** sfc32, seeded with xmur3. */
  const createRandom = (seed: string) => {
    let hash = 1779033703 ^ seed.length;
    for (let index = 0; index < seed.length; index++) {
      hash = imul(hash ^ seed.charCodeAt(index), 3432918353);
      hash = (hash << 13) | (hash >>> 19);
    }
    const next = () => {
      hash = imul(hash ^ (hash >>> 16), 2246822507);
      hash = imul(hash ^ (hash >>> 13), 3266489909);
      hash ^= hash >>> 16;
      return hash >>> 0;
    };
    let [a, b, c, d] = [next(), next(), next(), next()];
    return () => {
      const sum = (((a + b) | 0) + d) | 0;
      d = (d + 1) | 0;
      a = b ^ (b >>> 9);
      b = (c + (c << 3)) | 0;
      c = (c << 21) | (c >>> 11);
      c = (c + sum) | 0;
      return (sum >>> 0) / 4294967296;
    };
  };
  const mathWith = (random: () => number) => {
    const math = create(null) as Record<PropertyKey, unknown>;
    for (const name of ownKeys(RealMath))
      math[name] = (RealMath as unknown as Record<PropertyKey, unknown>)[name];
    math.random = random;
    return freeze(math);
  };
  /** Dates as usual; the present is the instant of the check. */
  const dateAt = (instant: number) => {
    const WorkflowDate = function (this: unknown, ...args: unknown[]) {
      if (new.target === undefined) return asText(construct(RealDate, [instant]));
      return construct(RealDate, args.length === 0 ? [instant] : args, new.target);
    };
    defineProperty(WorkflowDate, 'name', { value: 'Date' });
    defineProperty(WorkflowDate, 'prototype', { value: RealDate.prototype, writable: false });
    defineProperty(WorkflowDate, 'now', { value: () => instant });
    defineProperty(WorkflowDate, 'parse', { value: RealDate.parse });
    defineProperty(WorkflowDate, 'UTC', { value: RealDate.UTC });
    return freeze(WorkflowDate);
  };
  const consoleFor = (state: State) => {
    const { workflowId } = state;
    const write =
      (level: GuestLog['l']) =>
      (...values: unknown[]) => {
        meter.charge(10);
        if (state.logs.length >= MAX_LOGS) return;
        let text = '';
        for (const value of values) {
          if (text.length > MAX_LOG_LENGTH) break;
          text += `${text === '' ? '' : ' '}${atLine(textOf(value), value, workflowId)}`;
        }
        if (state.logs.length < MAX_LOGS) {
          state.logs[state.logs.length] = { m: shorten(text), l: level, t: now() };
        }
      };
    const log = write('log');
    return freeze({ log, info: log, debug: log, warn: write('warn'), error: write('error') });
  };

  const fail = (state: State, error: unknown) => {
    state.status = 'failed';
    try {
      state.reason = shorten(atLine(textOf(error), error, state.workflowId));
    } catch {
      state.reason = 'The workflow threw a value that has no description';
    }
  };
  const settle = (state: State, value: unknown, step: () => void) => {
    step();
    const text = (given.JSON as JSON).stringify(value) as string | undefined;
    if (text === undefined) throw new TypeError('The workflow returned nothing');
    if (text.length > MAX_RESULT_LENGTH) throw new RangeError('The result is larger than 64 KB');
    state.status = 'done';
    state.resultText = text;
  };
  const newState = (workflowId: string, startedAt: number, until: number, instant: number): State => {
    const reason = 'The promise returned by the workflow never settles';
    const run = meter.start(MAX_STEPS, until, instant);
    return {
      ...{ workflowId, run, startedAt, endedAt: startedAt, logs: [] },
      ...{ status: 'failed', resultText: null, reason },
    };
  };
  /** Evaluates the workflow's module with globals of its own. @throws whatever its code throws */
  const evaluateModule = (state: State, seed: string) => {
    const { workflowId, run } = state;
    const functions = meter.functionsOf(run);
    const own = create(null) as Record<string, unknown>;
    own.Math = mathWith(createRandom(`${seed}:${workflowId}`));
    own.Date = dateAt(run.instant);
    own.console = consoleFor(state);
    const endowments: unknown[] = [];
    for (const each of functions) endowments[endowments.length] = each;
    for (const name of globals) endowments[endowments.length] = own[name] ?? given[name];
    const factory = factories[workflowId];
    if (factory === undefined) throw new TypeError('The workflow has no code');
    const workflow = factory(...endowments);
    if (typeof workflow !== 'function') throw new TypeError('The default export is not a function');
    return { workflow: workflow as (input: unknown) => unknown, step: functions[0] as () => void };
  };
  const execute = async (
    state: State,
    { feature }: GuestRequest['runs'][number],
    { input, seed }: GuestRequest,
    onEnd: () => void,
  ): Promise<void> => {
    try {
      const { workflow, step } = evaluateModule(state, seed);
      const argument = feature === undefined ? input : freezeDeep({ ...input, feature });
      settle(state, await workflow(argument), step);
    } catch (error) {
      fail(state, error);
    } finally {
      state.endedAt = now();
      onEnd();
    }
  };

  const run: Runs['run'] = async (requestText) => {
    const request = parse(requestText) as GuestRequest;
    freezeDeep(request.input);
    const beganAt = now();
    const deadline = beganAt + request.budgetMs;
    const states: State[] = [];
    let pending = request.runs.length;
    let proceed = () => {};
    const settled = new Promise<void>((resolve) => {
      proceed = resolve;
    });
    const endOne = () => {
      pending -= 1;
      if (pending === 0) proceed();
    };
    for (const planned of request.runs) {
      const startedAt = now();
      const until = RealMath.min(startedAt + request.runMs, deadline);
      const state = newState(planned.workflowId, startedAt, until, request.input.now);
      states[states.length] = state;
      if (startedAt > deadline) {
        state.status = 'skipped';
        state.reason = 'The workflow did not start in time';
        endOne();
      } else void execute(state, planned, request, endOne);
    }
    // Code has no timers and no I/O, so what is pending after one turn stays pending.
    const turn = schedule(proceed, 0);
    await settled;
    unschedule(turn);
    const outcomes: GuestOutcome[] = [];
    let steps = 0;
    for (let index = 0; index < states.length; index++) {
      const state = states[index] as State;
      const { workflowId, run, logs } = state;
      const isKilled = run.reason !== null;
      const killed = isKilled ? atLine(run.reason ?? '', run.error, workflowId) : null;
      meter.end(run);
      steps += run.steps;
      outcomes[index] = {
        workflowId,
        status: isKilled ? 'killed' : state.status,
        resultText: isKilled || state.status !== 'done' ? null : state.resultText,
        reason: killed ?? (state.status === 'done' ? null : state.reason),
        logs,
        wallTime: state.endedAt - state.startedAt,
      };
    }
    return stringify({ outcomes, steps, wallTime: now() - beganAt } satisfies GuestReply);
  };
  const evaluate: Runs['evaluate'] = () => {
    const [workflowId] = ownKeys(factories) as [string];
    const startedAt = now();
    const state = newState(workflowId, startedAt, startedAt + EVALUATION_MS, startedAt);
    try {
      evaluateModule(state, '');
      return null;
    } catch (error) {
      fail(state, error);
      const { reason } = state.run;
      return reason === null ? state.reason : atLine(reason, state.run.error, workflowId);
    } finally {
      meter.end(state.run);
    }
  };
  return { run, evaluate };
}
