/**
 * Replaces natives whose cost depends on a length, so that they count on the run's budget first, and removes those that would
 * carry something from one run to the next. Runs once in each dynamic worker. Its text becomes part of the worker's main
 * module, so the function refers to nothing outside itself.
 */
import type { Guards, Native } from './create-guards.ts';

/** @param patternProblem why workflows may not use a regular expression; null if they may */
export function guardNatives(
  guards: Guards,
  textPerStep: number,
  patternProblem: (source: string) => string | null,
): void {
  const { charge, sizeOf, define, methodOf, guard, chargeResult, collect, ensureArray, replace } = guards;
  const { apply, construct, ownKeys, deleteProperty } = Reflect;
  const { isArray } = Array;
  const { getPrototypeOf } = Object;
  const { log2, trunc } = Math;
  const asText = String;
  const asNumber = Number;
  const asObject = Object;
  const iterator = Symbol.iterator;
  const ensurePattern = (source: string) => {
    charge(source.length);
    const problem = patternProblem(source);
    if (problem !== null) throw new SyntaxError(problem);
  };

  // Arrays: real ones only, because any other length can change between two readings.
  const append = (list: unknown[], value: unknown, depth: number) => {
    charge(1);
    if (isArray(value) && depth >= 0) {
      for (let index = 0; index < value.length; index++) append(list, value[index], depth - 1);
    } else list[list.length] = value;
  };
  const RealArray = Array;
  for (const name of ownKeys(RealArray.prototype)) {
    if (typeof name !== 'string') continue;
    if (name === 'keys' || name === 'values' || name === 'entries') continue;
    const isCheap = name === 'push' || name === 'pop' || name === 'at';
    const isSort = name === 'sort' || name === 'toSorted';
    guard(RealArray.prototype, name, (self, args) => {
      const { length } = ensureArray(self);
      if (isCheap) return 1 + args.length;
      return 1 + args.length + (isSort ? length * (1 + log2(length + 1)) : length);
    });
  }
  define(RealArray.prototype, 'concat', function concat(this: unknown, ...args: unknown[]) {
    const list: unknown[] = [];
    append(list, ensureArray(this), 0);
    for (const value of args) append(list, value, 0);
    return list;
  });
  define(RealArray.prototype, 'flat', function flat(this: unknown, depth: unknown = 1) {
    const list: unknown[] = [];
    append(list, ensureArray(this), asNumber(depth));
    return list;
  });
  define(RealArray.prototype, 'flatMap', function flatMap(this: unknown, map: Native, self?: unknown) {
    const values = ensureArray(this);
    const list: unknown[] = [];
    for (let index = 0; index < values.length; index++) {
      append(list, apply(map, self, [values[index], index, values]), 0);
    }
    return list;
  });
  const GuardedArray = function (this: unknown, ...args: unknown[]) {
    const [length] = args;
    charge(args.length === 1 && typeof length === 'number' ? length : args.length);
    return construct(RealArray, args, new.target ?? RealArray);
  };
  const from = (source: unknown, map?: Native, self?: unknown) => {
    let list: unknown[] = [];
    if (iterator in asObject(source)) list = collect(source as Iterable<unknown>);
    else {
      const length = trunc(asNumber((source as { length?: unknown }).length)) || 0;
      charge(length);
      for (let index = 0; index < length; index++) list[index] = (source as unknown[])[index];
    }
    if (map !== undefined) {
      for (let index = 0; index < list.length; index++) {
        charge(1);
        list[index] = apply(map, self, [list[index], index]);
      }
    }
    return list;
  };

  // Text.
  const RealRegExp = RegExp;
  const guardText = (name: string, native: Native) => {
    const isRepeat = name === 'repeat';
    const isPad = name === 'padStart' || name === 'padEnd';
    const isReplace = name === 'replace' || name === 'replaceAll';
    const isSearch = name === 'match' || name === 'matchAll' || name === 'search';
    const named = {
      [name](this: unknown, ...args: unknown[]) {
        if (this === null || this === undefined) throw new TypeError(`${name} was called on ${asText(this)}`);
        const self = asText(this);
        let cost = self.length;
        if (isRepeat || isPad) {
          const size = asNumber(args[0]) || 0;
          args[0] = size;
          cost = isRepeat ? cost * size : cost + size;
        } else if (isReplace && typeof args[1] !== 'function') {
          const replacement = asText(args[1]);
          args[1] = replacement;
          cost *= 1 + replacement.length;
        } else if (isSearch && typeof args[0] === 'string') ensurePattern(args[0]);
        charge(cost / textPerStep);
        return chargeResult(apply(native, self, args));
      },
    };
    define(String.prototype, name, named[name]);
  };
  for (const name of ownKeys(String.prototype)) {
    const native = methodOf(String.prototype, name);
    if (typeof name !== 'string' || native === null) continue;
    const isCheap = name === 'toString' || name === 'valueOf' || name === 'at';
    if (!isCheap && !name.startsWith('char') && name !== 'codePointAt') guardText(name, native);
  }
  guard(String, 'raw', (_self, [strings]) => ensureArray((strings as { raw?: unknown }).raw).length);

  // Regular expressions: the statics would show a run the last match of another.
  for (const name of ownKeys(RealRegExp)) {
    const isKept = name === 'prototype' || name === 'length' || name === 'name' || name === Symbol.species;
    if (!isKept) deleteProperty(RealRegExp, name);
  }
  deleteProperty(RealRegExp.prototype, 'compile');
  guard(RealRegExp.prototype, 'exec', (_self, [value]) =>
    typeof value === 'string' ? value.length / textPerStep : 1,
  );
  const GuardedRegExp = function (this: unknown, pattern: unknown, flags: unknown) {
    const isCopy = pattern instanceof RealRegExp;
    const source = isCopy ? pattern.source : pattern === undefined ? '(?:)' : asText(pattern);
    ensurePattern(source);
    const given = flags === undefined && isCopy ? pattern.flags : flags;
    return construct(RealRegExp, [source, given], new.target ?? RealRegExp);
  };

  // Native loops over iterables and over collections.
  const RealSet = Set;
  const { sumPrecise } = Math as { sumPrecise?: (values: readonly unknown[]) => number };
  if (sumPrecise !== undefined) {
    define(Math, 'sumPrecise', (values: Iterable<unknown>) => sumPrecise(collect(values)));
  }
  const RealAggregateError = AggregateError;
  const GuardedAggregateError = function (
    this: unknown,
    errors: Iterable<unknown>,
    message?: string,
    options?: ErrorOptions,
  ) {
    return construct(
      RealAggregateError,
      [collect(errors), message, options],
      new.target ?? RealAggregateError,
    );
  };
  const collections = [Map, Set, WeakMap, WeakSet] as unknown as (new (values?: unknown[]) => object)[];
  const guardedCollections = collections.map((Real) => {
    for (const name of ownKeys(Real.prototype)) {
      const isOfTwo = typeof name === 'string' && /^(union|inter|diff|symm|is)/.test(name);
      guard(Real.prototype, name, (self, args) => {
        // Natives go through the keys of whatever looks like a set: those of a real one end.
        if (isOfTwo) args[0] = new RealSet(collect((args[0] as Set<unknown>).keys()));
        return isOfTwo || name === 'forEach' ? 1 + (self as Set<unknown>).size : 1;
      });
    }
    return function (this: unknown, values?: Iterable<unknown> | null) {
      if (new.target === undefined) throw new TypeError(`${Real.name} needs new`);
      const args = values === null || values === undefined ? [] : [collect(values)];
      return construct(Real, args, new.target);
    };
  });
  for (const name of ['all', 'allSettled', 'any', 'race']) {
    const native = methodOf(Promise, name);
    if (native === null) continue;
    define(Promise, name, function (this: unknown, values: Iterable<unknown>) {
      return apply(native, this, [collect(values)]);
    });
  }
  guard(Promise.prototype, 'then', () => 1);
  const sizesOf = (args: readonly unknown[]) => {
    let steps = 1;
    for (const value of args) steps += sizeOf(value);
    return steps;
  };
  for (const name of ownKeys(Object)) {
    const native = methodOf(Object, name);
    if (native === null) continue;
    if (name === 'fromEntries' || name === 'groupBy') {
      define(Object, name, (values: Iterable<unknown>, map?: unknown) =>
        apply(native, Object, [collect(values), map]),
      );
    } else guard(Object, name, (_self, args) => sizesOf(args));
  }
  deleteProperty(Map, 'groupBy');
  const iteratorPrototype = getPrototypeOf(getPrototypeOf(''[Symbol.iterator]())) as object;
  for (const name of ownKeys(iteratorPrototype)) {
    if (methodOf(iteratorPrototype, name) !== null && typeof name === 'string') {
      deleteProperty(iteratorPrototype, name);
    }
  }
  guard(Function.prototype, 'apply', (_self, [, values]) =>
    values === undefined || values === null ? 1 : ensureArray(values).length,
  );

  for (const name of ownKeys(Reflect)) {
    // Both read a list of arguments.
    const isCall = name === 'apply' || name === 'construct';
    guard(Reflect, name, (_self, args) => {
      if (isCall) ensureArray(args[name === 'apply' ? 2 : 1]);
      return sizesOf(args);
    });
  }
  const READERS = ['encodeURI', 'encodeURIComponent', 'decodeURI', 'decodeURIComponent'];
  for (const name of [...READERS, 'parseInt', 'parseFloat']) {
    guard(globalThis, name, (_self, args) => {
      args[0] = asText(args[0]);
      return (args[0] as string).length;
    });
  }
  define(Number, 'parseInt', methodOf(globalThis, 'parseInt'));
  define(Number, 'parseFloat', methodOf(globalThis, 'parseFloat'));
  guard(Symbol, 'for', (_self, args) => {
    args[0] = asText(args[0]);
    return (args[0] as string).length;
  });

  // JSON: a small value that contains others several times can be a large text.
  const { stringify, parse } = JSON;
  const counting = (key: string, value: unknown) => {
    charge(1 + (key.length + (typeof value === 'string' ? value.length : 0)) / textPerStep);
    return value;
  };
  define(JSON, 'stringify', (value: unknown, replacer?: unknown, space?: unknown) => {
    if (replacer !== undefined && replacer !== null) {
      throw new TypeError('JSON.stringify does not support a replacer in workflows');
    }
    return stringify(value, counting, typeof space === 'number' ? space : undefined);
  });
  define(
    JSON,
    'parse',
    (value: unknown, reviver?: (this: unknown, key: string, value: unknown) => unknown) => {
      const source = asText(value);
      charge(source.length);
      return parse(source, reviver);
    },
  );

  for (const [name, value] of [
    ['isArray', isArray],
    ['from', from],
    ['of', (...values: unknown[]) => values],
  ] as const) {
    define(GuardedArray, name, value);
  }
  replace(globalThis, RealArray, GuardedArray);
  replace(globalThis, RealRegExp, GuardedRegExp);
  replace(globalThis, RealAggregateError, GuardedAggregateError);
  for (let index = 0; index < collections.length; index++) {
    const real = collections[index];
    const guarded = guardedCollections[index];
    if (real !== undefined && guarded !== undefined) replace(globalThis, real, guarded);
  }

  // Code is never created from text. The platform refuses it as well.
  const refuse = () => {
    throw new TypeError('Workflows cannot use eval or new Function');
  };
  for (const each of [refuse, async () => {}, function* () {}, async function* () {}]) {
    define(getPrototypeOf(each) as object, 'constructor', refuse);
  }
  define(Date.prototype, 'constructor', refuse);
}
