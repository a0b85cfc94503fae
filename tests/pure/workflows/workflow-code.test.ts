// Which compiled code is a workflow, and the steps that are inserted into it.
import { parse, tokenizer } from 'acorn';
import { describe, expect, it } from 'vitest';
import { MAX_COMPILED_LENGTH } from '#contracts/internal/workflow-run';
import { withSourceLines } from '#engine/workflows/source-lines';
import { parseReading } from '#worker/domains/workflow-code/code-reading';
import { insertSteps } from '#worker/domains/workflow-code/insert-steps';
import { BoundedParser } from '#worker/domains/workflow-code/reader/bounded-parser';
import { readCode } from '#worker/domains/workflow-code/reader/read-code';

function problemsOf(compiled: string): string[] {
  return readCode(compiled).problems.map(({ line, message }) => `${line ?? '-'}: ${message}`);
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
  const { problems, steps } = parseReading(JSON.stringify(readCode(compiled)), compiled);
  if (steps === null) throw new Error(JSON.stringify(problems));
  return insertSteps(compiled, steps);
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

describe('names of a scope are kept as the language says', () => {
  it.each([
    'let a; let a;',
    'let a; var a;',
    'var a; let a;',
    'var a; var a;',
    'let a; { let a; var b; } var b;',
    'let a; { var a; }',
    '{ function a() {} var a; }',
    'function a() {} function a() {}',
    'function f() { function a() {} function a() {} var a; }',
    '{ function a() {} function a() {} }',
    'try {} catch (a) { var a; }',
    'try {} catch ([a]) { var a; }',
    'try {} catch (a) { let a; }',
    'try {} catch { var constructor, hasOwnProperty, __proto__; let toString; }',
    'for (let a of []) { var a; }',
    'for (let a of []) { let a; }',
    'class a {} function a() {}',
    'switch (1) { case 1: let a; default: let a; }',
    'export { a }; var a;',
    'export { a };',
    'const a = 1; export { a }; (a) => { let a; };',
    '((a) => { let a; })()',
    '((a, a) => {})()',
  ])('%s', (code) => {
    const outcomeOf = (parseIt: typeof parse) => {
      try {
        parseIt(code, { ecmaVersion: 'latest', sourceType: 'module' });
        return 'accepted';
      } catch (error) {
        return (error as Error).message;
      }
    };
    expect(outcomeOf((text, options) => BoundedParser.parse(text, options))).toBe(outcomeOf(parse));
  });
});

describe('a limit of the reader names the line', () => {
  const names = (count: number) => Array.from({ length: count }, (_, index) => `a${index}`);
  const groups = (count: number) =>
    `/${names(count)
      .map((name) => `(?<${name}>x)(?=y)(?<!z)`)
      .join('')}/`;
  it.each<[what: string, write: (count: number) => string, most: number, message: string]>([
    [
      'declarations of a scope',
      (count) => `let ${names(count).join()};`,
      5_000,
      '2: A scope declares more than 5,000 names',
    ],
    [
      'variables of a function, whatever their blocks',
      (count) =>
        names(count)
          .map((name) => `{ var ${name}; }`)
          .join(''),
      5_000,
      '2: A scope declares more than 5,000 names',
    ],
    [
      'blocks inside each other',
      (count) => '{'.repeat(count - 1) + '}'.repeat(count - 1),
      100,
      '2: Blocks and functions are nested more than 100 deep',
    ],
    [
      'functions inside each other',
      (count) => `${'(() => '.repeat(count - 1)}1${')'.repeat(count - 1)};`,
      100,
      '2: Blocks and functions are nested more than 100 deep',
    ],
    [
      'named groups of an expression',
      (count) => `${groups(count)};`,
      100,
      '2: A regular expression has more than 100 named groups',
    ],
    [
      'functions and loops',
      (count) => `[${'()=>1,'.repeat(count - 2)}];`,
      10_000,
      '2: The code has more than 10,000 functions and loops',
    ],
  ])('%s', (_what, write, most, message) => {
    const codeOf = (count: number) => `export default () => {\n${write(count)} return []; }`;
    expect(problemsOf(codeOf(most))).toEqual([]);
    expect(problemsOf(codeOf(most + 1))).toEqual([message]);
  });
});

describe('what the reader answers is read like any input', () => {
  const compiled = 'export default () => { }';
  const honest = readCode(compiled);

  it('and is otherwise as it was', () => {
    expect(parseReading(JSON.stringify(honest), compiled)).toEqual(honest);
  });

  const steps = (name: unknown, insertions: unknown) => ({ ...honest, steps: { name, insertions } });
  it.each<[string, unknown]>([
    ['no JSON', '{'],
    ['nothing', null],
    ['a list', []],
    ['neither steps nor problems', { ...honest, steps: null }],
    ['steps beside problems', { ...honest, problems: [{ line: 1, message: 'x' }] }],
    ['a name that is code', steps('step();evil', [])],
    ['an offset beyond the code', steps('step', [compiled.length + 1, 0])],
    ['a negative offset', steps('step', [-1, 0])],
    ['an offset within a character', steps('step', [0.5, 0])],
    ['offsets that fall', steps('step', [5, 0, 4, 0])],
    ['an unknown insertion', steps('step', [5, 5])],
    ['half an insertion', steps('step', [5])],
    ['text to insert', steps('step', [5, 'evil()'])],
    [
      'endless insertions',
      steps(
        'step',
        Array.from({ length: 40_002 }, () => 0),
      ),
    ],
    ['endless problems', { ...honest, steps: null, problems: Array(21).fill({ line: null, message: '' }) }],
    ['a problem without words', { ...honest, steps: null, problems: [{ line: null }] }],
    ['a literal that is no name', { ...honest, literals: [['<b>', [1]]] }],
    ['a line that is none', { ...honest, literals: [['pro', [0]]] }],
  ])('%s is refused', (_what, answer) => {
    const text = typeof answer === 'string' ? answer : JSON.stringify(answer);
    expect(() => parseReading(text, compiled)).toThrow(Error);
  });
});

it.each([
  ['one name on 36,000 lines', "'pro',\n".repeat(36_000), 1],
  ['25,000 names', Array.from({ length: 25_000 }, (_, index) => `'n${index}',`).join(''), 2_000],
])('texts of a workflow are found up to a limit, and no further: %s', (_what, list, most) => {
  const compiled = `export default () => [${list}]`;
  const { problems, literals } = parseReading(JSON.stringify(readCode(compiled)), compiled);
  expect(problems).toEqual([]);
  expect(literals).toHaveLength(most);
});
