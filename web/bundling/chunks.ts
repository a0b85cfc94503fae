/**
 * Which modules share a file of the built console. The first screen loads `base` and `console`, the other pages `kit` and a file of
 * their own, too. Without groups a page would load dozens.
 */
import type { Rolldown } from 'vite';

export const chunks: Rolldown.CodeSplittingOptions = {
  includeDependenciesRecursively: false,
  groups: [
    // The entry with the pages before sign-in.
    { name: 'base', test: /\/web\/main\.tsx/, priority: 2, includeDependenciesRecursively: true },
    // The first screen after it: the frame and the dashboard.
    {
      name: 'console',
      test: /\/web\/(?:console|routes\/dashboard\/dashboard)\.tsx/,
      priority: 1,
      includeDependenciesRecursively: true,
    },
    // What at least two of the other pages, or of the parts that open on demand, share: lists, forms, dialogs, zod.
    { name: 'kit', test: /^(?!.*\/monaco-editor\/)/, priority: 0, minShareCount: 2 },
  ],
};
