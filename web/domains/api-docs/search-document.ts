/** What the API page's search finds: operations by path, field, header or description, and codes of errors and warnings. */
import type { JsonSchema, OpenApiDocument } from '#contracts/public/openapi';
import { foldText } from '#engine/text/fold-text';

export interface DocsEntry {
  /** The section's id. */
  readonly id: string;
  readonly label: string;
  /** Everything that finds it, folded once, as it is long. */
  readonly text: string;
}

/** @param operations those that the page shows, with `operation` as the document describes it */
export function docsEntries(
  { components, ...description }: OpenApiDocument,
  operations: readonly { readonly id: string; readonly title: string; readonly operation: object }[],
): DocsEntry[] {
  const entries = [
    {
      id: 'authentication',
      label: 'Authentication',
      text: JSON.stringify(components.securitySchemes),
    },
    ...operations.map(({ id, title, operation }) => ({
      id,
      label: title,
      text: withSchemas(operation, components.schemas),
    })),
    ...description['x-errors'].map((error) => ({
      id: 'errors',
      label: error.errorType,
      text: Object.values(error).join('\n'),
    })),
    ...description['x-refusals'].map((refusal) => ({
      id: 'error-codes',
      label: refusal.code,
      text: Object.values(refusal).join('\n'),
    })),
    ...description['x-warnings'].map((warning) => ({
      id: 'warnings',
      label: warning.code,
      text: Object.values(warning).join('\n'),
    })),
  ];
  return entries.map(({ label, text, ...entry }) => ({
    ...entry,
    label,
    text: foldText(`${label}\n${text}`),
  }));
}

/** Entries with every word, in any order. */
export const findEntries = (entries: readonly DocsEntry[], search: string): DocsEntry[] => {
  const words = foldText(search.trim()).split(/\s+/);
  return entries.filter(({ text }) => words.every((word) => text.includes(word)));
};

/** The operation's description, with the schemas that it refers to and those that these refer to. */
function withSchemas(operation: object, schemas: Readonly<Record<string, JsonSchema>>): string {
  const texts = [JSON.stringify(operation)];
  const seen = new Set<string>();
  for (const text of texts) {
    for (const [, name = ''] of text.matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      if (seen.has(name)) continue;
      seen.add(name);
      texts.push(JSON.stringify(schemas[name]));
    }
  }
  return texts.join('\n');
}
