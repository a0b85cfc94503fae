// The description of the public API as the last release published it, which tests/rules/public-api.test.ts compares with today's. A line for
// each path, schema and table, without texts and examples.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { OpenApiDocument } from '#contracts/public/openapi';
import { RELEASE } from '#contracts/public/release';
import { buildDocument } from '#worker/domains/api-docs/build-document';
import { root } from '../tools/run-tool.ts';
import type { Baseline } from './compare-descriptions.ts';

const BASELINE_PATH = 'docs/public-api.baseline';

const TEXTS = new Set([
  'description',
  'summary',
  'examples',
  'tags',
  'x-examples',
  'message',
  'meaning',
  'advice',
]);
/** What these contain is named by the API. */
const NAMING = new Set(['properties', 'schemas', 'parameters', 'headers', 'responses', 'paths']);

/** The release that the file describes, and its description. @throws {Error} if a line cannot be read */
export function readBaseline(): { readonly release: string; readonly document: Baseline } {
  const lines = readFileSync(join(root, BASELINE_PATH), 'utf8').trimEnd().split('\n');
  const [release = '', ...rest] = lines;
  const document: Record<string, unknown> = { components: {} };
  for (const line of rest) {
    const { path, value } = JSON.parse(line) as { path: string[]; value: unknown };
    let place = document;
    for (const step of path.slice(0, -1)) {
      place[step] ??= {};
      place = place[step] as Record<string, unknown>;
    }
    place[path.at(-1) ?? ''] = value;
  }
  return { release, document: document as unknown as Baseline };
}

export function writeBaseline(): void {
  writeFileSync(join(root, BASELINE_PATH), formatBaseline(RELEASE, todaysDescription()));
}

/** As it is served. */
export function todaysDescription(): OpenApiDocument {
  return JSON.parse(JSON.stringify(buildDocument('https://tessera.example'))) as OpenApiDocument;
}

function formatBaseline(release: string, document: OpenApiDocument): string {
  const { paths, components } = document;
  const { securitySchemes: _, ...parts } = components;
  const entries = [
    ...Object.entries(paths).map(([path, item]) => [['paths', path], item] as const),
    ...Object.entries(parts).flatMap(([kind, named]) =>
      Object.entries(named).map(([name, part]) => [['components', kind, name], part] as const),
    ),
    ...(['x-errors', 'x-refusals', 'x-warnings'] as const).map((name) => [[name], document[name]] as const),
  ];
  const lines = entries.map(([path, value]) => JSON.stringify({ path, value: withoutTexts(value) }));
  return `${[release, ...lines].join('\n')}\n`;
}

function withoutTexts(value: unknown, isNaming = false): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((each) => withoutTexts(each));
  const kept = Object.entries(value).filter(([name]) => isNaming || !TEXTS.has(name));
  return Object.fromEntries(
    kept.map(([name, each]) => [name, withoutTexts(each, !isNaming && NAMING.has(name))]),
  );
}
