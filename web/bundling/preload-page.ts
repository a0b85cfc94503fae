/**
 * A Vite plugin that makes the HTML preload the page's files by its path, in a browser that was signed in. Without it they are found
 * one after the other: the entry, then the layout, then the route. The script is a file of its own, because the content security policy
 * allows no inline scripts.
 */
import type { Plugin, Rolldown } from 'vite';

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

const ENTRY = '<script type="module"';

export function preloadPage(): Plugin {
  return {
    name: 'preload-page',
    apply: 'build',
    enforce: 'post',
    generateBundle(_options, bundle) {
      const html = bundle['index.html'];
      if (html?.type !== 'asset') throw new Error('The build has no index.html');
      const layout = filesOf(bundle, 'shell/dashboard-layout.tsx');
      const table = pages.map(([pattern, route]) => [
        `^/o/[^/]+/${pattern}/?$`.replace('//?', '/?'),
        [...new Set([...layout, ...filesOf(bundle, `routes/${route}.tsx`)])],
      ]);
      const home = ['^/$', table[0]?.[1]];
      const reference = this.emitFile({
        type: 'asset',
        name: 'preload-page.js',
        source: `(${preload})(${JSON.stringify([home, ...table])});`,
      });
      const script = `<script src="/${this.getFileName(reference)}"></script>\n    `;
      html.source = String(html.source).replace(ENTRY, script + ENTRY);
    },
  };
}

/** Runs in the browser. `was-signed-in`: see session/signed-in-hint.ts. */
const preload = `(table) => {
  try {
    if (localStorage.getItem('was-signed-in') === null) return;
  } catch {
    return;
  }
  const page = table.find(([pattern]) => new RegExp(pattern).test(location.pathname));
  for (const file of page ? page[1] : []) {
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
