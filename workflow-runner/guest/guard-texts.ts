/**
 * Counts what natives do with long texts beyond their number of elements: comparisons, searches, keys, and texts that contain others.
 * It runs before guardNatives, whose guards count lengths and ensure arrays first. Its text becomes part of a dynamic worker's main
 * module, so the function refers to nothing outside itself.
 */
import type { Guards, Native } from './create-guards.ts';

export function guardTexts({ charge, define, methodOf, guard }: Guards, textPerStep: number): void {
  const { apply } = Reflect;
  const { log2 } = Math;
  const asText = String;
  const lists = Array.prototype;
  const texts = String.prototype;
  const RealRegExp = RegExp;
  /** Longer keys of one length have one hash, so each is compared with all of them. */
  const MAX_HASHED = 16_383;
  const lengthOf = (value: unknown) => (typeof value === 'string' ? value.length : 0);

  // Arrays. Only texts of one length are compared, character by character.
  for (const name of ['indexOf', 'lastIndexOf', 'includes']) {
    guard(lists, name, (self, [wanted]) => ((self as unknown[]).length * lengthOf(wanted)) / textPerStep);
  }
  /** Steps for reading all elements as text. */
  const readAll = (values: readonly unknown[]) => {
    let steps = 0;
    for (let index = 0; index < values.length; index++) {
      const cost = asText(values[index]).length / textPerStep;
      charge(cost);
      steps += cost;
    }
    return steps;
  };
  for (const name of ['sort', 'toSorted']) {
    guard(lists, name, (self, [compare]) => {
      const values = self as unknown[];
      return compare === undefined ? readAll(values) * log2(values.length + 1) : 0;
    });
  }
  guard(lists, 'toLocaleString', (self) => readAll(self as unknown[]));
  const nativeJoin = methodOf(lists, 'join') as Native;
  /** Inside itself, an array is an empty text. */
  const joined: unknown[] = [];
  define(lists, 'join', function join(this: unknown, separator: unknown) {
    const values = this as unknown[];
    for (let index = 0; index < joined.length; index++) if (joined[index] === values) return '';
    const gap = separator === undefined ? ',' : asText(separator);
    const parts: string[] = [];
    joined[joined.length] = values;
    try {
      for (let index = 0; index < values.length; index++) {
        const value = values[index];
        const part = value === undefined || value === null ? '' : `${value}`;
        charge((part.length + gap.length) / textPerStep);
        parts[index] = part;
      }
    } finally {
      joined.length -= 1;
    }
    return apply(nativeJoin, parts, [gap]);
  });

  // A search may compare the whole needle at each position.
  const contains = methodOf(texts, 'includes') as Native;
  /** Steps for the texts around each match, which a replacement may contain. */
  const costOfAround = (length: number, replacement: string) =>
    apply(contains, replacement, ['$`']) || apply(contains, replacement, ["$'"])
      ? (length * length * replacement.length) / textPerStep
      : 0;
  const counted =
    (replace: Native) =>
    (...found: unknown[]) => {
      const text = `${apply(replace, undefined, found)}`;
      charge(text.length / textPerStep);
      return text;
    };
  const guardSearch = (name: string, method: symbol | null) => {
    const native = methodOf(texts, name) as Native;
    define(texts, name, function search(this: unknown, ...args: unknown[]) {
      const { length } = this as string;
      const [wanted, ...others] = args;
      const [replacement] = others;
      if (typeof replacement === 'function') others[0] = counted(replacement as Native);
      else if (typeof replacement === 'string') charge(costOfAround(length, replacement));
      const isObject = (typeof wanted === 'object' && wanted !== null) || typeof wanted === 'function';
      if (isObject && method !== null) {
        // Read once, and called here: a native would read it again.
        const pattern = wanted as Record<symbol, unknown> & { readonly flags?: unknown };
        const custom = pattern[method];
        if (custom !== undefined && custom !== null) {
          const isGlobal =
            name !== 'replaceAll' ||
            !(wanted instanceof RealRegExp) ||
            apply(contains, asText(pattern.flags), ['g']);
          if (!isGlobal) throw new TypeError('replaceAll needs a regular expression with the flag g');
          return apply(custom as Native, pattern, [this, ...others]);
        }
      }
      if (name === 'includes' && wanted instanceof RealRegExp) throw new TypeError('includes needs a string');
      const needle = wanted === undefined ? wanted : `${wanted}`;
      charge((length * lengthOf(needle)) / textPerStep / textPerStep);
      return apply(native, this, [needle, ...others]);
    });
  };
  for (const name of ['indexOf', 'lastIndexOf', 'includes']) guardSearch(name, null);
  guardSearch('split', Symbol.split);
  guardSearch('replace', Symbol.replace);
  guardSearch('replaceAll', Symbol.replace);

  // Keys.
  for (const { prototype } of [Map, Set]) {
    for (const name of ['get', 'has', 'set', 'add', 'delete', 'getOrInsert', 'getOrInsertComputed']) {
      guard(prototype, name, (_self, [key]) => lengthOf(key) / textPerStep);
    }
  }
  const compareKeys = (keys: readonly unknown[], size: number) => {
    for (let index = 0; index < keys.length; index++) {
      const length = lengthOf(keys[index]);
      charge((length > MAX_HASHED ? length * size : length) / textPerStep);
    }
  };
  const spread = (values: unknown) => [...(values as Set<unknown>)];
  for (const name of Reflect.ownKeys(Set.prototype)) {
    if (typeof name !== 'string' || !/^(union|inter|diff|symm|is)/.test(name)) continue;
    guard(Set.prototype, name, (self, [other]) => {
      compareKeys(spread(other), (self as Set<unknown>).size);
      return 1;
    });
  }
  const fromEntries = methodOf(Object, 'fromEntries') as Native;
  define(Object, 'fromEntries', (entries: unknown[]) => {
    const keys: unknown[] = [];
    for (let index = 0; index < entries.length; index++) keys[index] = (entries[index] as unknown[])?.[0];
    compareKeys(keys, keys.length);
    return apply(fromEntries, Object, [entries]);
  });
}
