/**
 * A Vite plugin that makes the HTML preload the files of the console's pages by their path, in a browser that was signed in. Without it
 * they are found one after the other: the entry, then the console, then the route. The script is appended to apply-theme.js, because
 * the content security policy allows no inline scripts.
 */
import { readFileSync } from 'node:fs';
import type { Plugin, Rolldown } from 'vite';
import { patternOf } from '../../packages/contracts/console/console-page-at.ts';
import { CONSOLE_PATHS } from '../../packages/contracts/console/console-paths.ts';
import type { Page } from '../pages.ts';

/** What every page of the console loads. */
const CONSOLE_SOURCE = 'console.tsx';

/** Used by nearly every page of the console, which loads it at its start. */
const MONO_FONT = 'jetbrains-mono-latin-wght-normal.woff2';

const THEME_SCRIPT = '/apply-theme.js';

export function preloadPage(): Plugin {
  return {
    name: 'preload-page',
    apply: 'build',
    enforce: 'post',
    async generateBundle(_options, bundle) {
      const html = bundle['index.html'];
      if (html?.type !== 'asset') throw new Error('The build has no index.html');
      const source = String(html.source);
      const console = [...filesOf(bundle, CONSOLE_SOURCE), fileNamed(bundle, MONO_FONT)];
      const table = (await routesOfPages()).map(([pattern, route]): PageFiles => {
        const files = new Set([...console, ...filesOf(bundle, route)]);
        return [pattern, [...files].filter((file) => !source.includes(file))];
      });
      const theme = readFileSync(new URL(`../public${THEME_SCRIPT}`, import.meta.url), 'utf8');
      const reference = this.emitFile({
        type: 'asset',
        name: 'apply-theme.js',
        source: `${theme}(${preload})(${argumentsOf(table)});`,
      });
      html.source = source.replace(THEME_SCRIPT, `/${this.getFileName(reference)}`);
    },
  };
}

/** For every page with the console's frame the pattern of its path, and its code: what the entry loads. The first match applies. */
async function routesOfPages(): Promise<[pattern: string, route: string][]> {
  // The configuration of Vite is a bundle, which must not contain the console.
  const path = new URL('../pages.ts', import.meta.url).href;
  const { pages } = (await import(/* @vite-ignore */ path)) as typeof import('../pages.ts');
  return Object.entries(CONSOLE_PATHS).flatMap(([name, path]): [string, string][] => {
    const page: Partial<Page> = (pages as Partial<Record<string, Page>>)[name] ?? {};
    if (page.load === undefined || page.isPassage || page.access === 'open' || page.access === 'staff')
      return [];
    const [, route] = /import\('#web\/(routes\/.+?)'\)/.exec(String(page.load)) ?? [];
    if (route === undefined) throw new Error(`The code of the page ${name} is not in web/routes`);
    return [[patternOf(path), route]];
  });
}

type PageFiles = readonly [pattern: string, files: readonly string[]];

/** Names every file once. */
function argumentsOf(table: readonly PageFiles[]): string {
  const names = [...new Set(table.flatMap(([, files]) => files))];
  const numbered = table.map(([pattern, files]) => [pattern, files.map((file) => names.indexOf(file))]);
  return `${JSON.stringify(names)}, ${JSON.stringify(numbered)}`;
}

/** Runs in the browser. `was-signed-in`: see session/signed-in-hint.ts. */
const preload = `(names, table) => {
  const [, files] = table.find(([pattern]) => new RegExp(pattern).test(location.pathname)) ?? [];
  if (files === undefined) return;
  try {
    if (localStorage.getItem('was-signed-in') === null) return;
  } catch {
    return;
  }
  for (const file of files.map((number) => names[number])) {
    const link = document.createElement('link');
    const as = file.endsWith('.css') ? 'style' : file.endsWith('.js') ? undefined : 'font';
    link.rel = as === undefined ? 'modulepreload' : 'preload';
    if (as !== undefined) link.as = as;
    link.crossOrigin = '';
    link.href = '/' + file;
    document.head.append(link);
  }
}`;

function fileNamed(bundle: Rolldown.OutputBundle, name: string): string {
  const found = Object.values(bundle).find((file) => file.type === 'asset' && file.names.includes(name));
  if (found === undefined) throw new Error(`The build has no ${name}`);
  return found.fileName;
}

/** The files of a lazily loaded module: its chunk, the chunk's static imports, and their stylesheets. */
function filesOf(bundle: Rolldown.OutputBundle, source: string): string[] {
  const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
  const start = chunks.find(({ moduleIds }) => moduleIds.some((id) => id.endsWith(`/web/${source}`)));
  if (start === undefined) throw new Error(`The build has no ${source}`);
  const names = new Set([start.fileName]);
  for (const name of names) {
    for (const imported of chunks.find(({ fileName }) => fileName === name)?.imports ?? [])
      names.add(imported);
  }
  const styles = chunks
    .filter(({ fileName }) => names.has(fileName))
    .flatMap(({ viteMetadata }) => [...(viteMetadata?.importedCss ?? [])]);
  return [...names, ...styles];
}
