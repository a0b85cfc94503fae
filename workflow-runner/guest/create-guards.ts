/**
 * What guards of natives share. Its text becomes part of a dynamic worker's main module, so the function refers to nothing outside
 * itself. It is called before any native is replaced, and uses the natives that it captures here.
 */
import type { Meter } from './create-meter.ts';

export type Native = (this: unknown, ...args: unknown[]) => unknown;

export interface Guards extends Pick<Meter, 'charge' | 'sizeOf' | 'instant'> {
  define(target: object, name: PropertyKey, value: unknown): void;
  /** The function in a data property; null for anything else, and for a constructor. */
  methodOf(target: object, name: PropertyKey): Native | null;
  /** Replaces a method by one that counts first. @param costOf may throw; returns steps */
  guard(target: object, name: PropertyKey, costOf: (self: unknown, args: unknown[]) => number): void;
  /** Counts what a native made. */
  chargeResult(result: unknown): unknown;
  /** The elements of an iterable, counted one by one. */
  collect(values: Iterable<unknown>): unknown[];
  /** @throws {TypeError} for anything else, because its length can change between two readings */
  ensureArray(value: unknown): unknown[];
  /** Puts `guarded` in the place of a constructor. */
  replace(home: object, real: { readonly name: string; readonly prototype: object }, guarded: object): void;
}

/** Characters of text that cost one step. */
export const TEXT_PER_STEP = 16;

export function createGuards({ charge, sizeOf, instant, limitText }: Meter, textPerStep: number): Guards {
  const { apply } = Reflect;
  const { isArray } = Array;
  const { defineProperty, getOwnPropertyDescriptor } = Object;

  const define: Guards['define'] = (target, name, value) => {
    defineProperty(target, name, { value, writable: true, enumerable: false, configurable: true });
  };
  const methodOf: Guards['methodOf'] = (target, name) => {
    const value: unknown = getOwnPropertyDescriptor(target, name)?.value;
    return typeof value === 'function' && name !== 'constructor' ? (value as Native) : null;
  };
  const chargeResult: Guards['chargeResult'] = (result) => {
    if (isArray(result)) charge(result.length);
    else if (typeof result === 'string') charge(result.length / textPerStep);
    return limitText(result);
  };
  return {
    ...{ charge, sizeOf, instant, define, methodOf, chargeResult },
    guard(target, name, costOf) {
      const native = methodOf(target, name);
      if (native === null) return;
      const named = {
        [name](this: unknown, ...args: unknown[]) {
          charge(costOf(this, args));
          return chargeResult(apply(native, this, args));
        },
      };
      define(target, name, (named as Record<PropertyKey, unknown>)[name]);
    },
    collect(values) {
      const list: unknown[] = [];
      for (const value of values) {
        charge(1);
        list[list.length] = value;
      }
      return list;
    },
    ensureArray(value) {
      if (!isArray(value)) throw new TypeError('Array methods work on arrays only in workflows');
      return value;
    },
    replace(home, real, guarded) {
      define(guarded, 'name', real.name);
      defineProperty(guarded, 'prototype', { value: real.prototype, writable: false });
      define(real.prototype, 'constructor', guarded);
      define(home, real.name, guarded);
    },
  };
}
