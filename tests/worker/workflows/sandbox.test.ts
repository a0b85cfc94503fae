// What a workflow's code can do and what a run gets, in the loader of the Worker, as in production.
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import type { RunOutcome } from '#contracts/internal/workflow-run';
import { withSourceLines } from '#engine/workflows/source-lines';
import { ANONYMOUS_INPUT, runCode, runRequest } from '#tests/support/workflow-runs';
import { plainCode } from '#worker/domains/workflow-code/make-loadable-code';
import { LIMITS, runInLoader } from '#worker/domains/workflow-code/sandbox/run-in-loader';

async function run(code: string, overrides?: Parameters<typeof runCode>[1]): Promise<RunOutcome> {
  const [outcome] = await runCode([code], overrides);
  if (outcome === undefined) throw new Error('No outcome');
  return outcome;
}

describe('a run can be repeated', () => {
  const code = `export default ({ random }) => [Date.now(), new Date().toISOString(), Date(), Math.random(), random()]`;

  it('instant and random numbers come from the check', async () => {
    const first = await run(code);
    expect(first.result).toEqual([
      ...[
        ANONYMOUS_INPUT.now,
        '2026-11-22T00:00:00.000Z',
        expect.stringMatching(/^Sun Nov 22 2026 00:00:00/),
      ],
      ...[expect.any(Number), expect.any(Number)],
    ]);
    expect((await run(code)).result).toEqual(first.result);
    const other = await run(code, { seed: 'other', input: { ...ANONYMOUS_INPUT, now: 1 } });
    expect(other.result).toEqual([1, '1970-01-01T00:00:00.001Z', ...Array(3).fill(expect.anything())]);
    expect((other.result as unknown[])[3]).not.toEqual((first.result as unknown[])[3]);
  });

  it('dates are dates, also of classes and of their constructors', async () => {
    const { result } = await run(`
      class Day extends Date { get isDay() { return true; } }
      export default () => {
        const now = new Date();
        return [
          now instanceof Date, new Day() instanceof Date, new Day().isDay, new Day().getTime() === now.getTime(),
          new now.constructor().getTime() === now.getTime(), new Date(2020, 1).getFullYear(), Date.UTC(2020, 0) > 0,
        ];
      }`);
    expect(result).toEqual([true, true, true, true, true, 2020, true]);
  });

  it('runs side by side have instants, numbers, logs and results of their own', async () => {
    const chatty = `export default async (input) => {
      console.log(input.now, Math.random());
      for (let turn = 0; turn < 20; turn++) { await null; console.log(Date.now(), Math.random()); }
      return [input.now, Date.now()];
    }`;
    const inputOf = (now: number) => ({ input: { ...ANONYMOUS_INPUT, now }, seed: `seed ${now}` });
    const alone = await Promise.all(
      [1, 2, 3].map((now) => run(chatty, { ...inputOf(now), owner: `alone ${now}` })),
    );
    const beside = await Promise.all(
      Array.from({ length: 30 }, (_, index) => run(chatty, inputOf((index % 3) + 1))),
    );
    const shown = ({ result, logs }: RunOutcome) => ({ result, logs: logs.map(({ m }) => m) });
    for (const [index, outcome] of beside.entries()) {
      expect(shown(outcome)).toEqual(shown(alone[index % 3] as RunOutcome));
    }
  });

  it('what a run leaves behind reaches no other run', async () => {
    const [left, other] = await runCode([
      `export default () => {
        (async () => { for (let a = 0; a < 99; a++) { await null; console.log('late', Math.random()); } })();
        return [];
      }`,
      'export default async () => { await null; console.log(Math.random()); return [Date.now()]; }',
    ]);
    const [alone] = await runCode(
      [
        'export default () => []',
        'export default async () => { await null; console.log(Math.random()); return [Date.now()]; }',
      ],
      { owner: 'without' },
    ).then((outcomes) => outcomes.slice(1));
    expect(left).toMatchObject({ status: 'done', result: [] });
    expect({ ...other, wallTime: 0, logs: other?.logs.map(({ m }) => m) }).toEqual({
      ...alone,
      wallTime: 0,
      logs: alone?.logs.map(({ m }) => m),
    });
  });
});

describe('code has the whole language, and nothing that takes time or is outside', () => {
  it('BigInt, Proxy, typed arrays, lookbehind, formats, iterators and top-level await work', async () => {
    const { reason, result } = await run(`
      const plan = await Promise.resolve('pro');
      export default async function () {
        const later = await new Promise((resolve) => queueMicrotask(() => resolve('later')));
        return [
          plan, later, String(2n ** 70n), new Proxy({}, { get: () => 1 }).a, new Uint8Array([1, 2]).at(-1), arguments.length,
          /(?<=a)b(\\w)\\1/.test('abcc'), new Intl.NumberFormat('en-GB', { style: 'currency', currency: 'GBP' }).format(1234.5),
          [...new Set([1, 2]).union(new Set([3]))], structuredClone({ a: [1] }), new URL('https://a.example/b?c=1').searchParams.get('c'),
          btoa('a'), new TextEncoder().encode('é').length, [1, 2, 3].values().map((x) => x * 2).toArray(),
        ];
      }`);
    expect(reason).toBeNull();
    expect(result).toEqual([
      ...['pro', 'later', '1180591620717411303424', 1, 2, 1, true, '£1,234.50', [1, 2, 3], { a: [1] }, '1'],
      ...['YQ==', 2, [2, 4, 6]],
    ]);
  });

  it('there is no network, no timer, no clock, no thread, no randomness that cannot be repeated', async () => {
    const { result } = await run(`export default () => {
      const names = new Set();
      for (let home = globalThis; home; home = Object.getPrototypeOf(home))
        for (const name of Reflect.ownKeys(home)) names.add(String(name));
      const absent = ['fetch', 'setTimeout', 'setInterval', 'setImmediate', 'scheduler', 'performance', 'crypto', 'caches', 'WebSocket',
        'Atomics', 'SharedArrayBuffer', 'WebAssembly', 'process', 'Buffer', 'navigator', 'Response', 'MessageChannel', 'addEventListener'];
      return absent.filter((name) => names.has(name) || name in globalThis);
    }`);
    expect(result).toEqual([]);
  });

  it.each([
    ['eval', 'export default () => eval("1")', /Code generation from strings disallowed/],
    ['Function', 'export default () => (() => {}).constructor("return 1")()', /Code generation from strings/],
    [
      'a global that is absent',
      'export default () => fetch("http://127.0.0.1")',
      /^Line 1: ReferenceError: fetch is not/,
    ],
  ])('%s fails with its line', async (_what, code, reason) => {
    expect(await run(code)).toMatchObject({ status: 'failed', reason: expect.stringMatching(reason) });
  });

  it('the input is frozen, and its random function is no part of it', async () => {
    const { result } = await run(`export default (input) => {
      const keys = Object.keys(input).toSorted();
      try { input.customer.plans.push('pro'); return 'changed'; } catch (error) { return [keys, error.name, Object.isFrozen(input)]; }
    }`);
    expect(result).toEqual([
      ['context', 'customer', 'identity', 'now', 'place', 'random'],
      'TypeError',
      true,
    ]);
  });
});

describe('how a run ends', () => {
  it.each([
    ['it throws', 'export default () => {\n  throw new TypeError("no"); }', 'Line 2: TypeError: no'],
    ['it throws a text', 'export default () => { throw "no"; }', 'no'],
    [
      'its module throws',
      '\nnull.x; export default () => [];',
      "Line 2: TypeError: Cannot read properties of null (reading 'x')",
    ],
    [
      'its export is no function',
      'const a = 1; export default a;',
      'TypeError: The default export is not a function',
    ],
    ['it returns nothing', 'export default () => {}', 'TypeError: The workflow returned nothing'],
    ['it returns a function', 'export default () => () => {}', 'TypeError: The workflow returned nothing'],
    [
      'its result is too large',
      'export default () => "x".repeat(70000)',
      'RangeError: The result is larger than 64 KB',
    ],
    [
      'its result is nested too deep to be written as JSON by what reads it',
      'export default () => { let deep = []; for (let i = 0; i < 5000; i++) deep = [deep]; return deep; }',
      'The result is nested deeper than 30 levels',
    ],
    [
      'its promise never settles',
      'export default () => new Promise(() => {})',
      'The promise returned by the workflow never settles',
    ],
    [
      'its module never finishes',
      'await new Promise(() => {}); export default () => [];',
      'Top-level await in module is unsettled',
    ],
    [
      'its code was saved by an older version and is none',
      'export default (x => 1',
      'Line 1: Unexpected token',
    ],
  ])('failed if %s, beside one that works', async (_what, code, reason) => {
    const [outcome, other] = await runCode([code, 'export default ({ place }) => [place.country]']);
    expect(outcome).toMatchObject({
      status: 'failed',
      result: null,
      reason: expect.stringContaining(reason),
    });
    expect(other).toMatchObject({ status: 'done', result: ['GB'], reason: null });
  });

  it.each([
    ['a loop', 'export default () => {\n  for (;;); }', 2],
    ['a loop in a module', 'for (;;);\nexport default () => [];', 1],
    [
      'a recursion that catches',
      'function f() { try { f(); } catch { f(); } }\nexport default () => f();',
      1,
    ],
    ['a loop that swallows the end', 'export default () => { for (;;) { try { for (;;); } catch {} } }', 1],
    ['a loop of promises', 'export default async () => { for (;;) await null; }', 1],
    ['an answer after the end', 'export default () => { try { for (;;); } catch { return []; } }', 1],
  ])('killed with its line at a million steps: %s', async (_what, code, line) => {
    const [outcome, other] = await runCode([code, 'export default () => [1]']);
    expect(outcome).toMatchObject({
      status: 'killed',
      result: null,
      reason: `Line ${line}: The workflow exceeded its step limit`,
    });
    expect(other).toMatchObject({ status: 'done', result: [1] });
  });

  it('logs and errors name the lines of the source, if the code names them', async () => {
    const program = `const decide = (input) => {
  if (input.place.country === 'GB')
    throw new TypeError('not here');
};
export default (input) => {
  try {
    decide(input);
  }
  catch (error) {
    console.warn(error, 'seen');
    for (;;) {
    }
  }
};
`;
    const lines = [7, 8, 8, 9, 11, 12, 13, 14, 14, 15, 16, 16, 17, 18];
    for (const [code, thrown, looped] of [
      [withSourceLines(program, lines), 8, 16],
      [program, 3, 11],
    ] as const) {
      expect(await run(code)).toMatchObject({
        status: 'killed',
        reason: `Line ${looped}: The workflow exceeded its step limit`,
        logs: [{ m: `Line ${thrown}: TypeError: not here seen`, l: 'warn' }],
      });
    }
  });

  it('a legal run of many steps is done', async () => {
    const { status } = await run(
      'export default () => { let n = 0; for (let a = 0; a < 990000; a++) n += a; return [n]; }',
    );
    expect(status).toBe('done');
  });
});

describe('what is loaded', () => {
  interface Loaded {
    readonly name: string;
    readonly code: WorkerLoaderWorkerCode;
  }

  /** A loader whose dynamic workers answer as they are told. */
  function recordingLoader(answer: () => Promise<string>) {
    const loaded: Loaded[] = [];
    const get = (name: string, codeOf: () => WorkerLoaderWorkerCode) => {
      loaded.push({ name, code: codeOf() });
      return { getEntrypoint: () => ({ run: answer }) };
    };
    return { loaded, loader: { get } as unknown as WorkerLoader };
  }
  const DONE = '{"status":"done","resultText":"[]","reason":null,"logs":[],"wallTime":0}';

  it('has the limits of the platform, no network, no binding and no Node', async () => {
    const { loaded, loader } = recordingLoader(() => Promise.resolve(DONE));
    await runInLoader(loader, await runRequest(['export default () => []']));
    expect(LIMITS).toEqual({ cpuMs: 50, subRequests: 0 });
    expect(loaded[0]?.code).toEqual({
      compatibilityDate: expect.any(String),
      mainModule: 'main.js',
      modules: expect.any(Object),
      env: {},
      globalOutbound: null,
      limits: LIMITS,
    });
  });

  it('is named by its owner and its code: equal names load equal code', async () => {
    const { loaded, loader } = recordingLoader(() => Promise.resolve(DONE));
    const [one, other] = ['export default () => []', 'export default () => [1]'];
    for (const [owner, code] of [
      ['a', one],
      ['a', one],
      ['b', one],
      ['a', other],
    ] as const) {
      await runInLoader(loader, await runRequest([code], { owner }));
    }
    const [first, again, ofAnother, changed] = loaded.map(({ name }) => name);
    expect(again).toBe(first);
    expect(new Set([first, ofAnother, changed]).size).toBe(3);
  });

  it('is replaced after it broke; a kill has a culprit only if it was alone', async () => {
    const { loaded, loader } = recordingLoader(() =>
      Promise.reject(new Error('Worker exceeded CPU time limit.')),
    );
    const request = await runRequest(['export default () => []'], { owner: 'breaks' });
    expect(await runInLoader(loader, request)).toMatchObject([
      { status: 'killed', reason: 'Worker exceeded CPU time limit.' },
    ]);
    await runInLoader(loader, request);
    expect(loaded[1]?.name).not.toBe(loaded[0]?.name);
    const two = await runRequest(['export default () => []', 'export default () => [1]'], {
      owner: 'breaks',
    });
    expect((await runInLoader(loader, two)).map(({ status }) => status)).toEqual(['lost', 'lost']);
  });

  it('that does not answer in time is skipped while it is new, and killed and replaced when it has answered before', async () => {
    let isSilent = true;
    const answer = () => (isSilent ? new Promise<string>(() => {}) : Promise.resolve(DONE));
    const { loaded, loader } = recordingLoader(answer);
    const request = await runRequest(['export default () => []'], { owner: 'silent', timeoutMs: 30 });
    expect(await runInLoader(loader, request)).toMatchObject([{ status: 'skipped' }]);
    isSilent = false;
    expect(await runInLoader(loader, request)).toMatchObject([{ status: 'done' }]);
    isSilent = true;
    expect(await runInLoader(loader, request)).toMatchObject([
      { status: 'killed', reason: 'The workflow did not finish within 30 ms' },
    ]);
    await runInLoader(loader, request);
    const names = loaded.map(({ name }) => name);
    expect([names[1] === names[0], names[2] === names[0], names[3] === names[0]]).toEqual([
      true,
      true,
      false,
    ]);
  });

  it('that answers after it broke does not make its successor loaded', async () => {
    const answers = [
      () => Promise.reject(new Error('Worker exceeded CPU time limit.')),
      () => scheduler.wait(5).then(() => DONE),
      () => new Promise<string>(() => {}),
    ];
    const { loader } = recordingLoader(() => answers.shift()?.() ?? Promise.resolve(DONE));
    const request = await runRequest(['export default () => []'], { owner: 'broke', timeoutMs: 50 });
    await Promise.all([runInLoader(loader, request), runInLoader(loader, request)]);
    expect(await runInLoader(loader, request)).toMatchObject([{ status: 'skipped' }]);
  });

  it.each([
    'nonsense',
    '{}',
    '{"status":"done","resultText":"[","reason":null,"logs":[],"wallTime":0}',
    '[]',
  ])('an answer that is none breaks it: %s', async (text) => {
    const { loader } = recordingLoader(() => Promise.resolve(text));
    const request = await runRequest(['export default () => []'], { owner: text });
    expect(await runInLoader(loader, request)).toMatchObject([{ status: 'killed', result: null }]);
  });

  it('of a snapshot of an earlier release is the compiled code as it is, which runs', async () => {
    const compiled =
      'export default ({ now }) => { let n = 0; for (let a = 0; a < 2e6; a++) n += a; return [now, n > 0]; }';
    const code = plainCode('hash', [{ id: 'wf_0', compiled }]);
    expect(code.workflows).toEqual([{ workflowId: 'wf_0', module: compiled, lines: [] }]);
    const [outcome] = await runCode([], { code, runs: [{ workflowId: 'wf_0' }], owner: 'plain' });
    expect(outcome).toMatchObject({ status: 'done', result: [ANONYMOUS_INPUT.now, true] });
  });

  it('sees nothing that code of another environment left in its globals', async () => {
    const code =
      'export default () => { const found = Object.prototype.mark ?? null; Object.prototype.mark = 1; return [found]; }';
    const results = [];
    for (const owner of ['one', 'other']) results.push((await run(code, { owner })).result);
    expect(results).toEqual([[null], [null]]);
    expect(env.LOADER).toBeDefined();
  });
});
