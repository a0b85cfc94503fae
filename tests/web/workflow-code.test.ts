// The types that a workflow's code is checked against, the examples, and the side-by-side comparison of two sources.
import fc from 'fast-check';
import { describe, expect, expectTypeOf, test } from 'vitest';
import type { WorkflowMeter as Meter, WorkflowInput as Received } from '#contracts/internal/workflow-run';
import { declarationsOf, type WorkflowDependencies } from '../../web/domains/workflows/code/declarations.ts';
import { examplesOf, starterOf } from '../../web/domains/workflows/code/examples.ts';
import { shownCode } from '../../web/domains/workflows/code/shown-code.ts';
import { diffRows } from '../../web/ui/code-diff/diff-lines.ts';

const provisioning: WorkflowDependencies = {
  type: 'dynamic-provisioning',
  planSlugs: ['free', 'portfolio'],
  feature: null,
};
const seats = { propertyKey: 'max.seats', name: 'Seats */ free', type: 'number' } as const;
const behaviour: WorkflowDependencies = {
  type: 'feature-behaviour',
  planSlugs: [],
  feature: {
    slug: 'team',
    properties: [
      { ...seats, bounds: { min: 1, max: 50, allowDecimal: false } },
      { propertyKey: 'exports', name: 'Exports', type: 'meterable', bounds: null },
      { propertyKey: 'enabled', name: 'Enabled', type: 'boolean', bounds: null },
    ],
  },
};

describe('the declarations', () => {
  test('describe the input as workflows receive it', () => {
    // Declarations of feature behaviour add the feature, and the sandbox the random numbers.
    expectTypeOf<Omit<WorkflowInput, 'random'>>().toEqualTypeOf<Omit<Received, 'feature'>>();
    expectTypeOf<WorkflowInput['random']>().toEqualTypeOf<() => number>();
    expectTypeOf<WorkflowIdentity>().toEqualTypeOf<Received['identity']>();
    expectTypeOf<WorkflowCustomer>().toEqualTypeOf<Received['customer']>();
    expectTypeOf<WorkflowPlace>().toEqualTypeOf<Received['place']>();
    expectTypeOf<WorkflowMeter>().toEqualTypeOf<Meter>();
  });

  test('allow the slugs of the organisation, and none without plans', () => {
    expect(declarationsOf(provisioning)).toContain('type PlanSlug = "free" | "portfolio";');
    expect(declarationsOf({ ...provisioning, planSlugs: [] })).toContain('type PlanSlug = never;');
  });

  test('have the properties of the feature with their types and bounds', () => {
    const text = declarationsOf(behaviour);
    expect(text).toContain('"max.seats": number;');
    expect(text).toContain('/** Seats * / free. A whole number, at least 1, at most 50 */');
    expect(text).toContain('"exports": MeterableValue;');
    expect(text).toContain('readonly meters: { readonly "exports"?: WorkflowMeter; };');
    expect(text).toContain('readonly slug: "team";');
  });

  test('are global: they export nothing', () => {
    for (const dependencies of [provisioning, behaviour]) {
      expect(declarationsOf(dependencies)).not.toMatch(/^\s*(export|import)\b/m);
    }
  });
});

test('examples exist for what the organisation has, and use its names', () => {
  expect(examplesOf(provisioning).map(({ title }) => title)).toEqual([
    'Trial by sign-up date',
    'A plan for customers in the EU',
    'A plan by Stripe metadata',
  ]);
  for (const { code } of examplesOf(provisioning)) expect(code).toContain("'free'");
  expect(examplesOf(behaviour)).toHaveLength(3);
  expect(examplesOf(behaviour)[0]?.code).toContain("'max.seats': seats");
  expect(examplesOf({ ...provisioning, planSlugs: [] })).toEqual([]);
  expect(examplesOf({ ...behaviour, feature: null })).toEqual([]);
  for (const dependencies of [provisioning, behaviour]) {
    expect(starterOf(dependencies)).toContain('export default function');
  }
});

describe('two sources side by side', () => {
  const lines = fc
    .array(fc.constantFrom('a', 'b', '', '  c', '__proto__'), { maxLength: 40 })
    .map((all) => all.map((line) => `${line}\n`).join(''));

  test('lose no changed line, and keep the order and numbers of both', () => {
    fc.assert(
      fc.property(lines, lines, (from, to) => {
        const rows = diffRows(from, to);
        for (const [side, text] of [
          ['from', from],
          ['to', to],
        ] as const) {
          const all = text.split('\n').slice(0, -1);
          let line = 0;
          for (const row of rows) {
            if (row.kind === 'skipped') line += row.lines;
            else if (row[side] !== null) {
              expect(row[side]).toEqual({ line: line + 1, text: all[line] });
              line += 1;
            }
          }
          expect(line).toBe(all.length);
        }
      }),
    );
  });

  test('show a replaced line beside what replaced it, and summarise what is far from a change', () => {
    const before = Array.from({ length: 20 }, (_, index) => `line ${index + 1}`);
    const after = before.with(9, 'changed');
    const rows = diffRows(before.join('\n'), after.join('\n'));
    expect(rows.map(({ kind }) => kind)).toEqual([
      'skipped',
      ...['same', 'same', 'same', 'changed', 'same', 'same', 'same'],
      'skipped',
    ]);
    expect(rows[4]).toMatchObject({ from: { line: 10, text: 'line 10' }, to: { line: 10, text: 'changed' } });
    expect(rows.at(-1)).toMatchObject({ lines: 7 });
    expect(diffRows('same\n', 'same\n')).toMatchObject([{ kind: 'skipped', lines: 1 }]);
  });
});

test('code with mixed line ends is shown with one kind, so that the editor’s text is what was saved', () => {
  const shown = shownCode('one\r\ntwo\rthree\nfour', 'starter');
  expect(shown).toBe('one\ntwo\nthree\nfour');
  expect(shownCode(shown, 'starter')).toBe(shown);
  expect(shownCode('', 'starter')).toBe('starter');
});
