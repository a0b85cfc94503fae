/** Finds the console's page at a path. */
import { CONSOLE_PATHS, type ConsolePage } from './console-paths.ts';

export interface FoundPage {
  readonly name: ConsolePage;
  /** The path's parameters in their order, as they are in the path. Undefined: an optional one that is absent. */
  readonly values: readonly (string | undefined)[];
}

/** Matches the paths of a page, with any number of slashes at the end. Each parameter is a group. */
export const patternOf = (path: string) =>
  `^${path
    .replace(/\/$/, '')
    .replace(/\/:\w+\?/g, '(?:/([^/]+))?')
    .replace(/\/:\w+/g, '/([^/]+)')}/*$`;

const patterns = Object.entries(CONSOLE_PATHS).map(
  ([name, path]) => [name as ConsolePage, new RegExp(patternOf(path), 'i')] as const,
);

/** Null: the console has no page there. Ids are not looked up: their pages say what does not exist. */
export function consolePageAt(pathname: string): FoundPage | null {
  for (const [name, pattern] of patterns) {
    const values = pattern.exec(pathname);
    if (values !== null) return { name, values: values.slice(1) };
  }
  return null;
}
