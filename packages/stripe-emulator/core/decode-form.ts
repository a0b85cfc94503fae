// Parses application/x-www-form-urlencoded text with brackets, as the SDK sends it: `items[0][price]=price_1` becomes nested
// maps. Maps instead of objects, because the names are untrusted.

export type FormValue = string | FormMap;
export type FormMap = Map<string, FormValue>;

/** Numbers the entries of `a[]=1&a[]=2` in order. If a name is both text and map, the last one wins. */
export function decodeForm(text: string): FormMap {
  const root: FormMap = new Map();
  for (const [name, value] of new URLSearchParams(text)) put(root, pathOf(name), value);
  return root;
}

function pathOf(name: string): string[] {
  const [first = '', ...rest] = name.split('[');
  return [first, ...rest.map((part) => (part.endsWith(']') ? part.slice(0, -1) : part))];
}

function put(root: FormMap, path: readonly string[], value: string): void {
  let at = root;
  for (const [index, part] of path.entries()) {
    const name = part === '' ? String(at.size) : part;
    if (index === path.length - 1) {
      at.set(name, value);
      return;
    }
    const next = at.get(name);
    const map: FormMap = next instanceof Map ? next : new Map();
    at.set(name, map);
    at = map;
  }
}
