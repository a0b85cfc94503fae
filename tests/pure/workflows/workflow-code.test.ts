// Which compiled code is a workflow, and the steps that are inserted into it.
import { tokenizer } from 'acorn';
import { describe, expect, it } from 'vitest';
import { MAX_COMPILED_LENGTH } from '#contracts/internal/workflow-run';
import { withSourceLines } from '#engine/workflows/source-lines';
import { insertSteps } from '#worker/domains/workflow-code/insert-steps';
import { parseCode } from '#worker/domains/workflow-code/parse-code';

function problemsOf(compiled: string): string[] {
  const parsed = parseCode(compiled);
  if ('program' in parsed) return [];
  return parsed.problems.map(({ line, message }) => `${line ?? '-'}: ${message}`);
}

/** Every kind of statement that has a body, with the ways to write it that are easily broken by inserting text. */
const PROGRAMS: Readonly<Record<string, string>> = {
  'a function': 'export default function trial(input) { return input.customer.plans; }',
  'an anonymous function': 'export default function (input) { return []; }',
  'an arrow function': 'const slugs = ["pro"];\nexport default (input) => slugs;',
  'an arrow function in parentheses': 'export default ((input) => [input])',
  'an object in parentheses': 'export default () => ({ plans: [], mode: "add" })',
  'an arrow function of an arrow function': 'export default ((a) => (b) => a)([])',
  'an async function': 'export default async ({ now }) => { await null; return now > 0 ? ["pro"] : []; };',
  'an async arrow function that awaits': 'export default async (input) => await input',
  'a name exported as the default':
    'function decide() { return []; }\nexport { decide as default };\nexport {};',
  'an export beside an expression': 'export {}\n/1/g.test("1"); export default () => []',
  'further exports': 'export const TRIAL_DAYS = 14;\nexport default () => [];',
  'a class whose instance is called': 'class A {}\nexport default Object.assign(() => [], { A });',
  'no semicolons': 'const a = 1\nexport default () => [String(a)]\n;(() => a)()',
  'bodies without braces':
    'export default () => {\n  let a = 0\n  while (a < 2) a++\n  do a-- ; while (a > 0)\n  for (;a < 3; a++) ;\n  for (const b of [1, 2]) if (b) a += b; else a--\n  for (const c in { d: 1 }) a = c\n  return a\n}',
  'loops in loops without braces':
    'export default () => { let n = 0; for (const a of [1, 2]) for (const b of [3]) while (n < a * b) n++; return n; }',
  'an arrow function at the end of a body':
    'export default () => { let f; for (const a of [1]) f = () => a\n return f() }',
  'comma expressions':
    'export default () => { let a, b = []; for (const k in (a = 1, { x: 2 })) b = [...(a, [k])]; return b; }',
  labels:
    'export default () => { const l = []; outer: for (let a = 0; a < 3; a++) b: for (;;) { l.push(a); if (a > 1) break outer; else continue outer; } return l; }',
  'comments where text is inserted':
    'export default (/* a */) => /* b */ [1] // c\n/* d */ ; for (;false;) /* e */ ; // f',
  'a directive': 'export default () => { "use strict"; return [1]; }',
  'generators, classes and patterns': `
    class Plan { static #made = 0; slug = 'pro'; static { Plan.#made++; } get name() { return this.slug; } }
    function* slugs(...list) { for (const slug of list) yield slug; }
    async function* later() { yield 1; }
    const [first, ...others] = [...slugs('a', 'b')];
    const { x = first, ...rest } = { y: 1 };
    export default async function decide(input, [, ...more] = [1, 2]) {
      for await (const each of later()) if (each) break;
      do { try { throw new Error('x'); } catch (error) { error.name = 'Named'; } finally { } } while (false);
      switch (x) { default: return [...others, new Plan().name, more, \`\${rest.y}\`, ...(input?.plans ?? [])]; }
    }`,
  'what used to be refused':
    'export default function () { return [3n ** 2n, new Proxy({}, {}).a, new Uint8Array(2), /(?<=a)b(\\w)\\1/.test("abcc"), arguments.length].map(String); }',
  'top-level await': 'const plans = await Promise.resolve(["pro"]);\nexport default () => plans;',
  'names that look like the inserted one': 'const step = 1, step_ = 2;\nexport default () => [step, step_];',
  'a line comment at the end': 'export default () => []\n// the end',
  'a hash-bang': '#!/usr/bin/env node\nexport default () => [];',
};

/** Without parser options that allow `await` at the top level of every program, tokens depend on the grammar around them. */
function tokensOf(text: string): string[] {
  const options = { ecmaVersion: 'latest', sourceType: 'module', allowHashBang: true } as const;
  return Array.from(tokenizer(text, options), ({ start, end }) => text.slice(start, end));
}

function withSteps(compiled: string): string {
  const parsed = parseCode(compiled);
  if ('problems' in parsed) throw new Error(JSON.stringify(parsed.problems));
  return insertSteps(compiled, parsed.program);
}

/** Node evaluates the module; it counts the steps. */
async function run(module: string): Promise<{ result: unknown; steps: number }> {
  const counted = { steps: 0 };
  (globalThis as Record<string, unknown>).countedSteps = counted;
  const guest = 'export const step = () => { globalThis.countedSteps.steps += 1; };';
  const text = module.replace("'./guest.js'", JSON.stringify(dataUrl(guest)));
  const { default: workflow } = (await import(/* @vite-ignore */ dataUrl(text))) as {
    default: (input: unknown) => unknown;
  };
  return { result: await workflow({ customer: { plans: ['pro'] }, now: 1 }), steps: counted.steps };
}

const dataUrl = (text: string) => `data:text/javascript;charset=utf-8,${encodeURIComponent(text)}`;

describe.each(Object.entries(PROGRAMS))('%s', (_what, compiled) => {
  it('is a workflow, and steps change neither its tokens, its lines nor its result', async () => {
    expect(problemsOf(compiled)).toEqual([]);
    const stepped = withSteps(compiled);
    const original = compiled.split('\n');
    const lines = stepped.split('\n');
    for (const [index, line] of original.entries()) expectWithin(line, lines[index] ?? '');
    const all = tokensOf(stepped);
    let at = 0;
    for (const token of tokensOf(compiled)) {
      at = all.indexOf(token, at) + 1;
      expect(at, token).toBeGreaterThan(0);
    }
    const [before, after] = [await run(compiled), await run(stepped)];
    expect(String(after.result)).toEqual(String(before.result));
    expect(before.steps).toBe(0);
  });
});

/** Every character of the text, in order. */
function expectWithin(text: string, longer: string): void {
  let at = 0;
  for (const character of text) {
    at = longer.indexOf(character, at) + 1;
    expect(at, `${text} in ${longer}`).toBeGreaterThan(0);
  }
}

it('every call and every round of a loop is one step', async () => {
  const code = `
    const twice = (x) => x * 2;
    export default () => {
      let sum = 0;
      for (let a = 0; a < 3; a++) for (const b of [1, 2]) sum += twice(b);
      while (sum > 10) sum -= 1;
      return sum;
    }`;
  // The function itself, 3 and 6 rounds with a call in each of the 6, and 8 rounds.
  expect(await run(withSteps(code))).toEqual({ result: 10, steps: 1 + 3 + 6 + 6 + 8 });
});

describe('compiled code is refused if it', () => {
  it.each([
    ['is no JavaScript', 'export default (input => 1', ['1: Unexpected token']],
    ['is TypeScript', 'export default (input: string) => [];', ['1: Unexpected token']],
    ['imports', 'import "./x.js";\nexport default () => [];', ['1: Workflows cannot import modules']],
    ['imports on demand', '\nexport default () => import("x");', ['2: Workflows cannot import modules']],
    ['exports from a module', 'export * from "x";\nexport default () => [];', ['1: Workflows cannot import']],
    ['exports a default of a module', 'export { default } from "x";', ['1: Workflows cannot import modules']],
    ['has no default export', 'export const a = () => [];', ['-: Export the workflow as the default']],
    ['exports no function', 'export default { plans: [] };', ['1: The default export is not a function']],
    ['exports a class', 'export default class {}', ['1: The default export is not a function']],
    [
      'is nested too deeply',
      `export default () => ${'['.repeat(20_000)}`,
      ['-: The code is nested too deeply'],
    ],
    [
      'is too large',
      `/*${'x'.repeat(MAX_COMPILED_LENGTH)}*/`,
      ['-: The compiled code is larger than 256 KB'],
    ],
  ])('%s', (_what, compiled, expected) => {
    const problems = problemsOf(compiled);
    expect(problems).toHaveLength(expected.length);
    for (const [index, start] of expected.entries()) expect(problems[index]).toContain(start);
  });
});

it('problems are at the lines of the source, if the code names them', () => {
  const withLines = (compiled: string) => withSourceLines(compiled, [10, 11, 15, 15]);
  expect(problemsOf(withLines('const a = 1;\nexport default () =>\nimport(a);'))).toEqual([
    '15: Workflows cannot import modules',
  ]);
  expect(problemsOf(withLines('const a = 1;\nconst = 1;'))).toEqual(['11: Unexpected token']);
});
