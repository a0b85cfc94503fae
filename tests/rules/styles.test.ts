// Classes of the console's CSS modules: each one is used by a component that imports the module, and each one that a component
// uses exists. A misspelt class fails silently in the browser, and an unused rule is downloaded for nothing.
import { expect, test } from 'vitest';
import { importsOf, listFiles, readSource } from './source-tree.ts';

const modules = listFiles(['web'], /\.module\.css$/);
const components = listFiles(['web'], /\.tsx?$/);

/** The class names in a stylesheet's selectors. */
function definedIn(path: string): Set<string> {
  const text = readSource(path).replace(/\/\*[\s\S]*?\*\//g, '');
  const selectors = [...text.matchAll(/([^{};]+)\{/g)].map(([, selector = '']) =>
    selector.replace(/:global\([^)]*\)/g, ''),
  );
  return new Set(selectors.flatMap((selector) => namesIn(selector, /\.(-?[a-z_][\w-]*)/gi)));
}

/** The class names that a component reads from the module that it imports under `name`. */
function usedAs(name: string, source: string): string[] {
  return namesIn(source, new RegExp(`(?<![\\w./-])${name}(?:\\.(\\w+)|\\['([^']+)'\\])`, 'g'));
}

function namesIn(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(([, plain, quoted]) => plain ?? quoted ?? '');
}

const uses = components.flatMap((component) => {
  const source = readSource(component);
  return [...source.matchAll(/^import (\w+) from '([^']+\.module\.css)';/gm)].map(
    ([, name = '', specifier]) => ({
      component,
      path: importsOf(component, `import ${name} from '${specifier}';`)[0]?.target ?? '',
      names: usedAs(name, source),
      /** A class is chosen by a value, so any of them may be meant. */
      isChosen: new RegExp(`(?<![\\w./-])${name}\\[[^'\\]]`).test(source),
    }),
  );
});

test('every class of a CSS module is used', () => {
  const unused = modules.flatMap((path) => {
    const users = uses.filter((use) => use.path === path);
    if (users.some(({ isChosen }) => isChosen)) return [];
    const names = new Set(users.flatMap((use) => use.names));
    return [...definedIn(path)].filter((name) => !names.has(name)).map((name) => `${path}: ${name}`);
  });
  expect(unused).toEqual([]);
});

test('every class that a component uses is defined in the module that it imports', () => {
  const missing = uses.flatMap(({ component, path, names }) => {
    const defined = definedIn(path);
    return names.filter((name) => !defined.has(name)).map((name) => `${component}: ${name}`);
  });
  expect(missing).toEqual([]);
});
