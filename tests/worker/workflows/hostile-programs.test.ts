// Hostile workflows in the real runner: each ends by itself, and leaves nothing to a later run. The runner is a process of its
// own, and its watchdog would restart it, which these tests would see as a lost run.
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import type { RunOutcome, RunReply, RunRequest, WorkflowInput } from '#contracts/internal/workflow-run';
import { withSourceLines } from '#engine/workflows/source-lines';
import { callRunner } from '#worker/domains/workflows/call-runner';
import { HOSTILE_PROGRAMS, LEAKING_PROGRAMS } from './hostile-programs.ts';

/** A busy machine is slow. */
const PATIENT_MS = 5_000;
/** As in an access check. */
const CHECK_MS = 220;

const INPUT: WorkflowInput = {
  identity: { isAuthenticated: false, method: 'anonymous', identifier: null },
  customer: {
    ...{ isCustomer: false, id: null, email: null, plans: [], productIds: [] },
    ...{ metadata: {}, createdAt: null, subscriptions: [] },
  },
  place: { country: 'GB', city: null, continent: 'EU', location: null },
  now: Date.UTC(2026, 10, 22),
};

function send(body: RunRequest): Promise<RunReply> {
  return callRunner<RunReply>(env, { runner: 'long', path: '/run', body, timeoutMs: 10_000 });
}

/** Runs these workflows side by side, in a sandbox of their own unless it is named. */
async function run(
  codes: readonly string[],
  { orgId = 'org_hostile', sandboxId = null, seed = 'seed', budgetMs = PATIENT_MS }: Partial<RunRequest> = {},
): Promise<readonly RunOutcome[]> {
  const code = codes.map((compiled, index) => ({ workflowId: `wf_${index}`, compiled }));
  const runs = code.map(({ workflowId }) => ({ workflowId }));
  const request: RunRequest = { orgId, sandboxId, code, runs, input: INPUT, seed, budgetMs };
  const reply = await send(request);
  if (reply.kind !== 'done') throw new Error('The runner asked for code that it was sent');
  return reply.outcomes;
}

const HARMLESS = 'export default ({ place }) => [place.country]';

describe('a hostile workflow ends by itself, beside one that works', () => {
  it.each(Object.entries(HOSTILE_PROGRAMS))('%s', async (_name, program) => {
    const [hostile, other] = await run([program, HARMLESS], { budgetMs: CHECK_MS });
    expect(['done', 'failed', 'killed']).toContain(hostile?.status);
    // Time that one has used up is lost to the others of the same organisation, never the answer of the runner.
    expect(['done', 'skipped', 'killed']).toContain(other?.status);
    if (hostile?.status === 'done')
      expect(JSON.stringify(hostile.result)).not.toMatch(/fetch|object global/i);
  });
});

describe('a run finds nothing of the one before', () => {
  it.each(Object.entries(LEAKING_PROGRAMS))('%s', async (name, program) => {
    const sandbox = { sandboxId: `leak ${name}` };
    for (const [outcome] of [await run([program], sandbox), await run([program], sandbox)]) {
      expect(outcome).toMatchObject({ status: 'done', result: {} });
      expect(outcome?.result).not.toHaveProperty('found');
    }
  });

  it('nor do workflows of one check find anything of each other', async () => {
    for (const [name, program] of Object.entries(LEAKING_PROGRAMS)) {
      for (const outcome of await run([program, program])) {
        expect({ name, found: outcome.result }).toEqual({ name, found: {} });
      }
    }
  });
});

it('the instant and the random numbers come from the check, so that a run can be repeated', async () => {
  const code = 'export default () => [Date.now(), new Date().toISOString(), Math.random(), Math.random()]';
  const [first] = await run([code]);
  const [second] = await run([code]);
  const [other] = await run([code], { seed: 'other' });
  expect(first?.result).toEqual(second?.result);
  expect(first?.result).toEqual([
    INPUT.now,
    '2026-11-22T00:00:00.000Z',
    expect.any(Number),
    expect.any(Number),
  ]);
  expect(other?.result).not.toEqual(first?.result);
});

it('formats of numbers, dates and plurals are available, with the instant of the check as the present', async () => {
  const [outcome] = await run([
    `export default ({ now }) => {
      const dates = new Intl.DateTimeFormat(['de-DE'], { dateStyle: 'long', timeZone: 'Europe/Berlin' });
      return [
        new Intl.NumberFormat('en-GB', { style: 'currency', currency: 'GBP' }).format(1234.5),
        dates.format(), dates.format(now) === dates.format(),
        dates.formatToParts().map(({ value }) => value).join('') === dates.format(now),
        new Intl.PluralRules('en', { type: 'ordinal' }).select(2),
        [dates instanceof Intl.DateTimeFormat, dates.constructor === Intl.DateTimeFormat],
        (1234.5).toLocaleString('en-GB'), new Date(now).toLocaleDateString('en-GB', { timeZone: 'UTC' }),
        Intl.NumberFormat.supportedLocalesOf(['en', 'de']), 'a'.localeCompare('b', 'en'),
      ];
    }`,
  ]);
  expect(outcome?.reason).toBeNull();
  expect(outcome?.result).toEqual([
    ...['£1,234.50', '22. November 2026', true, true, 'two', [true, true]],
    ...['1,234.5', '22/11/2026', ['en', 'de'], -1],
  ]);
});

it('Reflect and enumeration work as usual', async () => {
  const [outcome] = await run([
    `export default () => {
      const keys = [];
      for (const key in { a: 1, b: 2 }) keys.push(key);
      for (const key in null) keys.push(key);
      return [
        keys, Reflect.ownKeys({ c: 1 }), Reflect.apply(Math.max, null, [1, 3, 2]),
        Reflect.construct(Map, [[['k', 1]]]).get('k'), Reflect.has({ d: 1 }, 'd'),
        { ...'xy' }, Object.entries('z'), parseInt('12px'), encodeURIComponent('a b'),
      ];
    }`,
  ]);
  expect(outcome?.reason).toBeNull();
  expect(outcome?.result).toEqual([
    ...[['a', 'b'], ['c'], 3, 1, true],
    ...[{ 0: 'x', 1: 'y' }, [['0', 'z']], 12, 'a%20b'],
  ]);
});

it('searching, joining and replacing work as usual', async () => {
  const [outcome] = await run([
    `export default () => {
      const loop = [1]; loop.push(loop);
      return [
        [1, [2, null], undefined, 'x'].join(), ['a', 'b'].join(''), String(loop), [3, 10, 'b', 1].sort(),
        'abcb'.indexOf('b', 2), 'abcb'.lastIndexOf('b'), [1, 2].includes(2), ['a', 'b'].indexOf('b'), 'undefined'.includes(),
        'a1b2'.split(/\\d/), 'a,b,c'.split(',', 2), 'ab'.split(), 'null'.split(null),
        'aXbX'.replace('X', "$'-"), 'aXbX'.replaceAll('X', (found, at) => found + at), 'a1b2'.replace(/(\\d)/g, '<$1>'),
        'a1b2'.replaceAll(/\\d/g, (digit) => digit * 2), JSON.stringify(Object.fromEntries([['k', 1], new Map([['l', 2]]).entries().next().value])),
        [...new Set(['a', 'b']).intersection(new Set(['b']))], new Map([['k', 1]]).get('k'),
      ];
    }`,
  ]);
  expect(outcome?.reason).toBeNull();
  expect(outcome?.result).toEqual([
    ...['1,2,,,x', 'ab', '1,', [1, 10, 3, 'b'], 3, 3, true, 1, true],
    ...[['a', 'b', ''], ['a', 'b'], ['ab'], ['', '']],
    ...['abX-bX', 'aX1bX3', 'a<1>b<2>', 'a2b4', '{"k":1,"l":2}', ['b'], 1],
  ]);
});

it.each([
  ...['long texts that are searched for', 'long texts that are sorted', 'long errors that are sorted'],
  ...['long texts that are joined', 'long texts that are joined by their locale', 'what precedes each match'],
  ...['a long text that is searched for in a longer one', 'a long text that separates'],
  ...['long replacements of a function', 'long keys of entries', 'long keys as JSON'],
])('%s: the steps are counted before the native runs', async (name) => {
  const [outcome] = await run([HOSTILE_PROGRAMS[name] ?? '']);
  expect(outcome).toMatchObject({
    status: 'killed',
    reason: expect.stringContaining('exceeded its step limit'),
  });
});

describe('the line of an error', () => {
  const PROGRAM = `const decide = (input) => {
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
  /** Lines of the source, which has types. */
  const LINES = [7, 8, 8, 9, 11, 12, 13, 14, 14, 15, 16, 16, 17, 18];

  it.each([
    ['of the source, if the code names its lines', withSourceLines(PROGRAM, LINES), 8, 16],
    ['of the compiled code otherwise', PROGRAM, 3, 11],
  ])('is that %s', async (_what, code, thrown, looped) => {
    const [outcome] = await run([code]);
    expect(outcome).toMatchObject({
      status: 'killed',
      reason: `Line ${looped}: The workflow exceeded its step limit`,
      logs: [{ m: `Line ${thrown}: TypeError: not here seen`, l: 'warn' }],
    });
  });

  it('is what the code makes of it, and never ends the run of another', async () => {
    const [faked, looping, throwing, other] = await run([
      'export default () => { throw { name: "E", message: "x", stack: "w0.js:77:1" }; }',
      'export default () => { try { for (;;); } catch (e) { Object.defineProperty(e, "stack", { get() { for (;;); } }); throw e; } }',
      'export default () => { throw { name: "E", message: "x", get stack() { throw 1; } }; }',
      HARMLESS,
    ]);
    expect(faked).toMatchObject({ status: 'failed', reason: 'Line 77: E: x' });
    expect(looping).toMatchObject({
      status: 'killed',
      reason: expect.stringMatching(/exceeded its (step|time) limit/),
    });
    expect(throwing).toMatchObject({ status: 'failed', reason: 'E: x' });
    expect(other).toMatchObject({ status: 'done', result: ['GB'] });
  });
});

it('code that the runner has not seen is asked for once', async () => {
  const request: RunRequest = {
    ...{ orgId: 'org_unseen', sandboxId: 'unseen', runs: [{ workflowId: 'wf_0' }] },
    ...{ input: INPUT, seed: '', budgetMs: PATIENT_MS },
  };
  expect(await send(request)).toEqual({ kind: 'code-needed' });
  await run([HARMLESS], { sandboxId: 'unseen' });
  expect(await send(request)).toMatchObject({
    outcomes: [{ status: 'done', result: ['GB'] }],
  });
});
