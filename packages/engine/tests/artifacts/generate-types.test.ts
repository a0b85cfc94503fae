// tessera.gen.ts: what the compiler learns of a version. tests/dev/sdk compiles what is generated.
import { expect, test } from 'vitest';
import type { ArtifactContent } from '#engine/artifacts/artifact-content';
import { compileArtifact } from '#engine/artifacts/compile-artifact';
import { generateTypes } from '#engine/artifacts/generate-types';
import { SMALL } from '../small-workspace.ts';

type Named = Pick<ArtifactContent, 'features' | 'plans'>;
const named = (features: Record<string, Record<string, string>>, plans: string[]) =>
  ({
    features: Object.entries(features).map(([slug, properties]) => ({
      slug,
      properties: Object.entries(properties).map(([key, type]) => ({ key, type })),
    })),
    plans: plans.map((slug) => ({ slug })),
  }) as unknown as Named;

test('names the features with their types, and the plans', () => {
  expect(
    generateTypes(compileArtifact(SMALL)),
  ).toBe(`// Features and plans of your workspace. Download it again after a change: edits are lost.
import type { Meter } from 'tessera-sdk';

declare module 'tessera-sdk' {
  interface Register {
    features: {
      "analytics": {
        "enabled": boolean;
        "exports": Meter;
        "seats": number;
      };
    };
    plans: "free" | "pro";
  }
}
`);
});

test('is the same file whatever the order of ids', () => {
  const one = named({ a: { x: 'boolean', y: 'string' }, b: {} }, ['p', 'q']);
  const other = named({ b: {}, a: { y: 'string', x: 'boolean' } }, ['q', 'p']);
  expect(generateTypes(other)).toBe(generateTypes(one));
});

test('quotes names that would be code', () => {
  const hostile = ['a"]: never; }', 'b\\', 'c\u2028d', 'e\n}', '1-2', 'constructor', `\${x}`, '*/'];
  const text = generateTypes(
    named(Object.fromEntries(hostile.map((name) => [name, { [name]: 'number' }])), hostile),
  );
  for (const name of hostile) expect(text).toContain(JSON.stringify(name).replace('\u2028', '\\u2028'));
  expect(text.split('\n').filter((line) => line.includes('never'))).toHaveLength(3);
  expect(text).not.toMatch(/[\u2028\u2029]/);
});

test('an empty version has no paths and no plans', () => {
  expect(generateTypes(named({}, []))).toContain('plans: never;');
  expect(generateTypes(named({}, []))).toContain("import type {} from 'tessera-sdk';");
});
