/**
 * Which modules share a file of the built console. The first screen loads `base` and `console`, lists load `lists` and a file of their own,
 * and pages with forms `forms`, too. Without groups a page would load dozens.
 */
import type { Rolldown } from 'vite';

/** Pages that only list: what they open loads its form then. */
const LISTS =
  /\/web\/routes\/(?:workspace\/(?:plans|features|workflows)|customers\/customers?|observability)\.tsx$/;

/** What no list uses, although it is imported by what lists import: an index, or the schemas beside a domain's endpoints. */
const OF_FORMS =
  /\/node_modules\/zod\/|\/web\/api\/zod\.ts$|contract:schemas:|\/@mantine\/form\/|\/components\/(?:MultiSelect|Select|Pill|PillsInput|Checkbox|Switch|Textarea|Radio|NumberInput|FileInput|TagsInput)\//;

function isOfLists(id: string, context: Rolldown.ChunkingContext, seen = new Set<string>()): boolean {
  if (LISTS.test(id)) return true;
  if (seen.has(id)) return false;
  seen.add(id);
  return [...(context.getModuleInfo(id)?.importers ?? [])].some((importer) =>
    isOfLists(importer, context, seen),
  );
}

export const chunks: Rolldown.CodeSplittingOptions = {
  includeDependenciesRecursively: false,
  groups: [
    // The entry with the pages before sign-in.
    {
      name: 'base',
      test: /\/web\/main\.tsx|rolldown\/runtime/,
      priority: 2,
      includeDependenciesRecursively: true,
    },
    // The first screen after it: the frame and the dashboard.
    {
      name: 'console',
      test: /\/web\/(?:console|routes\/dashboard\/dashboard)\.tsx/,
      priority: 1,
      includeDependenciesRecursively: true,
    },
    // What at least two of the other pages, or of the parts that open on demand, share.
    {
      name: (id, context) => (!OF_FORMS.test(id) && isOfLists(id, context) ? 'lists' : 'forms'),
      test: /^(?!.*\/monaco-editor\/)/,
      priority: 0,
      minShareCount: 2,
    },
  ],
};
