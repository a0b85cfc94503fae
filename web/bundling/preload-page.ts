/**
 * A Vite plugin that lists what each page of the console loads first: its files, which would otherwise be found one after the other, the
 * entry, then the console, then the route; the calls that it begins with; and its heading, as far as that is known. The Worker puts them
 * into the page, in a browser with a session (worker/http/preload-console.ts).
 */
import { readFileSync } from 'node:fs';
import type { QueryClient } from '@tanstack/react-query';
import type { Plugin, Rolldown } from 'vite';
import { CONSOLE_PATHS } from '../../packages/contracts/console/console-paths.ts';
import {
  FIRST_LOADS_PATH,
  type FirstHead,
  type FirstLoad,
  ID_PLACE,
  ORGANISATION_PLACE,
} from '../../packages/contracts/console/first-load.ts';
import type { Page } from '../pages.ts';

/** What every page of the console loads. */
const CONSOLE_SOURCE = 'console.tsx';

/** Used by nearly every page of the console, which loads it at its start. */
const MONO_FONT = 'jetbrains-mono-latin-wght-normal.woff2';

const START_SCRIPT = '/apply-theme.js';

/** The first call of all: web/session/session.ts. */
const SESSION = '/api/auth/get-session';

export function preloadPage(): Plugin {
  return {
    name: 'preload-page',
    apply: 'build',
    enforce: 'post',
    async generateBundle(_options, bundle) {
      const html = bundle['index.html'];
      if (html?.type !== 'asset') throw new Error('The build has no index.html');
      const page = String(html.source);
      const console = [...filesOf(bundle, CONSOLE_SOURCE), fileNamed(bundle, MONO_FONT)];
      const loads = new Map<string, FirstLoad>();
      for (const { name, path, route, head } of await pagesWithFrame()) {
        const files = [...new Set([...console, ...filesOf(bundle, route)])];
        loads.set(name, {
          files: files.filter((file) => !page.includes(file)),
          calls: [SESSION, ...(await callsOf(path))],
          ...(head && { head }),
        });
      }
      const source = JSON.stringify(Object.fromEntries(loads));
      this.emitFile({ type: 'asset', fileName: FIRST_LOADS_PATH.slice(1), source });
      // Under a name that changes with it, it is cached like the other scripts.
      const script = readFileSync(new URL(`../public${START_SCRIPT}`, import.meta.url), 'utf8');
      const reference = this.emitFile({ type: 'asset', name: START_SCRIPT.slice(1), source: script });
      html.source = page.replace(START_SCRIPT, `/${this.getFileName(reference)}`);
    },
  };
}

/** The configuration of Vite is a bundle, which must not contain the console. */
const fromConsole = (path: string): Promise<unknown> =>
  import(/* @vite-ignore */ new URL(`../${path}`, import.meta.url).href);

/** Every page with the console's frame: its path, its code, which is what the entry loads, and its heading. */
async function pagesWithFrame() {
  const { pages } = (await fromConsole('pages.ts')) as typeof import('../pages.ts');
  return Object.entries(CONSOLE_PATHS).flatMap(([name, path]) => {
    const page: Partial<Page> = (pages as Partial<Record<string, Page>>)[name] ?? {};
    if (page.load === undefined || page.isPassage || page.access === 'open' || page.access === 'staff')
      return [];
    const [, route] = /import\('#web\/(routes\/.+?)'\)/.exec(String(page.load)) ?? [];
    if (route === undefined) throw new Error(`The code of the page ${name} is not in web/routes`);
    return [{ name, path, route, head: headOf(page) }];
  });
}

/** Null for a guide, whose title is its own, and for a page that decides about the sidebar, and with it where its heading stands. */
function headOf({ access, sidebar, isTitledById, subtitle = '', ...page }: Partial<Page>): FirstHead | null {
  const title = isTitledById ? ID_PLACE : (page.title ?? '');
  const isKnown = access !== 'anyone' && sidebar === undefined && title + subtitle !== '';
  return isKnown ? { title, subtitle } : null;
}

/** What a page asks before its first answer: its queries run against a `fetch` that only takes down the addresses. */
async function callsOf(path: string): Promise<string[]> {
  const { askFirst } = (await fromConsole(
    'session/start-frame.ts',
  )) as typeof import('../session/start-frame.ts');
  const { startPage } = (await fromConsole('start-page.ts')) as typeof import('../start-page.ts');
  const { createQueryClient } = (await fromConsole('api/query-client.ts')) as {
    createQueryClient: () => QueryClient;
  };
  const at = path
    .replace(':orgId', ORGANISATION_PLACE)
    .replace(/\/:\w+\?/g, '')
    .replace(/:\w+/, ID_PLACE);
  const calls: string[] = [];
  const { fetch } = globalThis;
  globalThis.fetch = (url) => {
    calls.push(String(url));
    return new Promise(() => undefined);
  };
  askFirst(createQueryClient(), at, path.includes(':orgId') ? ORGANISATION_PLACE : null, startPage);
  globalThis.fetch = fetch;
  return calls;
}

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
