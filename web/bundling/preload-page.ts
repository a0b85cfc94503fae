/**
 * A Vite plugin that makes the HTML preload the page's files by its path; those of the console only in a browser that was signed in.
 * Without it they are found one after the other: the entry, then the layout, then the route. The script is a file of its own,
 * because the content security policy allows no inline scripts.
 */
import type { Plugin, Rolldown } from 'vite';
import { signInPages } from '../paths.ts';

/** Below /o/{orgId}. The first match applies. */
const pages: readonly (readonly [pattern: string, route: string])[] = [
  ['', 'dashboard'],
  ['features', 'features'],
  ['features/[^/]+', 'feature'],
  ['plans(?:/compare)?', 'plans'],
  ['plans/[^/]+/edit-features', 'plan-edit-features'],
  ['plans/.+', 'plan'],
  ['customers', 'customers'],
  ['customers/.+', 'customer'],
  ['workflows', 'workflows'],
  ['workflows/.+', 'workflow'],
  ['environments(?:/[^/]+)?', 'environments'],
  ['environments/.+', 'environment'],
  ['observe(?:/[^/]+)?', 'observability'],
  ['integrations', 'integrations'],
  ['team', 'team'],
  ['settings', 'settings'],
  ['billing', 'billing'],
];

/** What every page of the console loads. */
const consoleSources = ['routes/first-queries.ts', 'console.tsx', 'shell/dashboard-layout.tsx'];

const ENTRY = '<script type="module"';

export function preloadPage(): Plugin {
  return {
    name: 'preload-page',
    apply: 'build',
    enforce: 'post',
    generateBundle(_options, bundle) {
      const html = bundle['index.html'];
      if (html?.type !== 'asset') throw new Error('The build has no index.html');
      const console = consoleSources.flatMap((source) => filesOf(bundle, source));
      const table = pages.map(
        ([pattern, route]): PageFiles => [
          `^/o/[^/]+/${pattern}/?$`.replace('//?', '/?'),
          [...new Set([...console, ...filesOf(bundle, `routes/${route}.tsx`)])],
        ],
      );
      const home: PageFiles = ['^/$', table[0]?.[1] ?? []];
      const signIn: PageFiles = [
        `^(?:${signInPages.join('|')})/?$`,
        filesOf(bundle, 'sign-in-pages.tsx'),
        true,
      ];
      const reference = this.emitFile({
        type: 'asset',
        name: 'preload-page.js',
        source: `(${preload})(${JSON.stringify([signIn, home, ...table])});`,
      });
      const script = `<script src="/${this.getFileName(reference)}"></script>\n    `;
      html.source = String(html.source).replace(ENTRY, script + ENTRY);
    },
  };
}

type PageFiles = readonly [pattern: string, files: readonly string[], isOpen?: true];

/** Runs in the browser. `was-signed-in`: see session/signed-in-hint.ts. */
const preload = `(table) => {
  const [, files, isOpen] = table.find(([pattern]) => new RegExp(pattern).test(location.pathname)) ?? [];
  if (files === undefined) return;
  try {
    if (!isOpen && localStorage.getItem('was-signed-in') === null) return;
  } catch {
    return;
  }
  for (const file of files) {
    const link = document.createElement('link');
    link.rel = file.endsWith('.css') ? 'preload' : 'modulepreload';
    if (file.endsWith('.css')) link.as = 'style';
    link.crossOrigin = '';
    link.href = '/' + file;
    document.head.append(link);
  }
}`;

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
