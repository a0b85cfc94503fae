// Which compiled code the server accepts as a workflow. Asks the runner, as saving a workflow does.
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { MAX_COMPILED_LENGTH } from '#contracts/internal/workflow-run';
import { withSourceLines } from '#engine/workflows/source-lines';
import { expectConsole } from '#tests/support/expect-console';
import { checkCompiled } from '#worker/domains/workflows/check-compiled';

const problemsOf = async (compiled: string) =>
  (await checkCompiled(env, 'org_checks', compiled)).map(({ line, message }) => `${line ?? '-'}: ${message}`);

describe('compiled workflow code', () => {
  it.each([
    ['a function', 'export default function trial(input) { return input.customer.plans; }'],
    ['an anonymous function', 'export default function (input) { return []; }'],
    ['an arrow function', 'const slugs = ["pro"];\nexport default (input) => slugs;'],
    [
      'an async function',
      'export default async ({ now }) => { await null; return now > 0 ? ["pro"] : []; };',
    ],
    [
      'a name exported as the default',
      'function decide() { return []; }\nexport { decide as default };\nexport {};',
    ],
    ['further exports', 'export const TRIAL_DAYS = 14;\nexport default () => [];'],
    ['no semicolons', 'const a = 1\nexport default () => [String(a)]\n;(() => a)()'],
    ['classes, generators and patterns', GENERAL()],
  ])('may be %s', async (_what, compiled) => {
    expect(await problemsOf(compiled)).toEqual([]);
  });

  it.each([
    ['is no JavaScript', 'export default (input => 1', ['1: Unexpected token']],
    ['is TypeScript', 'export default (input: string) => [];', ['1: Unexpected token']],
    [
      'awaits outside a function',
      'await 1;\nexport default () => [];',
      ['1: await is not available outside a function'],
    ],
    ['imports', 'import "./x.js";\nexport default () => [];', ['1: Workflows cannot import modules']],
    ['imports on demand', 'export default () => import("x");', ['1: Workflows cannot import modules']],
    ['exports from a module', 'export * from "x";\nexport default () => [];', ['1: Workflows cannot import']],
    ['reads import.meta', 'export default () => import.meta.url;', ['1: import.meta and new.target are not']],
    ['has no default export', 'export const a = () => [];', ['-: Export the workflow as the default']],
    [
      'exports no function',
      'export default { plans: [] };',
      ['-: TypeError: The default export is not a function'],
    ],
    [
      'throws when it starts',
      'null.x;\nexport default () => [];',
      ['-: Line 1: TypeError: Cannot read properties of null'],
    ],
    [
      'never ends when it starts',
      'for (;;);\nexport default () => [];',
      ['-: Line 1: The workflow exceeded its step limit'],
    ],
    ['uses the network', 'export default () => fetch("x");', ['1: fetch is not available in workflows']],
    ['uses timers', '\nexport default () => setTimeout(1);', ['2: setTimeout is not available in workflows']],
    ['uses the global object', 'export default () => globalThis;', ['1: globalThis is not available']],
    ['uses eval', 'export default () => eval("1");', ['1: Workflows cannot use eval or new Function']],
    [
      'uses Function',
      'export default () => new Function("1");',
      ['1: Workflows cannot use eval or new Function'],
    ],
    ['uses WebAssembly', 'export default () => WebAssembly;', ['1: WebAssembly is not available']],
    ['uses Atomics', 'export default () => Atomics.wait;', ['1: Atomics is not available in workflows']],
    ['uses Proxy', 'export default () => new Proxy({}, {});', ['1: Proxy is not available in workflows']],
    ['uses BigInt', 'export default () => 3n ** 20000000n;', ['1: BigInt is not available in workflows']],
    ['uses typed arrays', 'export default () => new Uint8Array(1e9);', ['1: Uint8Array is not available']],
    [
      'names the instrumentation',
      'export default () => __tesseraStep;',
      ['1: Names that begin with __tessera'],
    ],
    [
      'declares such a name',
      'const __tesseraStep = 1;\nexport default () => 1;',
      ['1: Names that begin with'],
    ],
    ['uses arguments', 'export default function () { return arguments; }', ['1: Use rest parameters']],
    [
      'looks around in an expression',
      'export default () => /(?=a)b/;',
      ['1: Workflows cannot use lookaround or backreferences in regular expressions'],
    ],
    [
      'refers back in an expression',
      'export default () => /(a+)+\\1$/;',
      ['1: Workflows cannot use lookaround or backreferences in regular expressions'],
    ],
    [
      'repeats a repetition',
      'export default () => /((a{99}){99}){99}/;',
      ['1: The regular expression is too large once its repetitions are expanded'],
    ],
    ['copies in a parameter', 'export default ([, ...rest]) => rest;', ['1: Use slice(): a rest element']],
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
  ])('is refused if it %s', async (_what, compiled, expected) => {
    const problems = await problemsOf(compiled);
    expect(problems).toHaveLength(expected.length);
    for (const [index, start] of expected.entries()) expect(problems[index]).toContain(start);
  });

  it('lists every problem once, with its line', async () => {
    expect(await problemsOf('fetch(1); fetch(2);\nexport default () => crypto;\n')).toEqual([
      '1: fetch is not available in workflows. They have no network access and decide from their input.',
      '2: crypto is not available in workflows. Use Math.random(), which is seeded so that a run can be repeated.',
    ]);
  });

  it('has problems at the lines of its source, if it names them', async () => {
    const withLines = (compiled: string) => withSourceLines(compiled, [10, 11, 15, 15]);
    expect(await problemsOf(withLines('const a = 1;\nexport default () =>\nfetch(a);'))).toEqual([
      '15: fetch is not available in workflows. They have no network access and decide from their input.',
    ]);
    expect(await problemsOf(withLines('const a = null;\na.x;\nexport default () => [];'))).toEqual([
      "-: Line 11: TypeError: Cannot read properties of null (reading 'x')",
    ]);
    expect(await problemsOf(withLines('const a = 1;\nconst = 1;'))).toEqual(['11: Unexpected token']);
  });

  it('cannot be saved while the runner cannot be reached', async () => {
    const { WORKFLOW_RUNNER: _, LONG_WORKFLOW_RUNNER: __, ...withoutRunner } = env;
    expectConsole('error', /workflows cannot run.*WORKFLOW_RUNNER/);
    expectConsole('warn', /workflow code could not be checked/);
    await expect(checkCompiled(withoutRunner, 'org_checks', 'export default () => []')).rejects.toMatchObject(
      {
        errorType: 'unavailable',
      },
    );
  });
});

function GENERAL(): string {
  return `
    class Plan { static #made = 0; slug = 'pro'; static { Plan.#made++; } get name() { return this.slug; } }
    function* slugs(...list) { for (const slug of list) yield slug; }
    async function* later() { yield 1; }
    outer: for (let a = 0; a < 3; a++) { for (;;) { if (a > 1) break outer; else continue outer; } }
    const [first, ...others] = [...slugs('a', 'b')];
    const { x = first, ...rest } = { ...{ y: 1 } };
    export default async function decide(input) {
      for await (const each of later()) if (each) break;
      do { try { throw new Error('x'); } catch (error) { error.name = 'Named'; } finally { } } while (false);
      switch (x) { default: return [...others, new Plan().name, \`\${rest.y}\`, ...(input?.customer?.plans ?? [])]; }
    }`;
}
