/**
 * Guards natives that read locales: a list of locales with any length would keep them busy for ever. Of Intl, workflows have the
 * formats of dates, numbers and plurals; a date that is absent is the instant of the check. Its text becomes part of a dynamic worker's
 * main module, so the function refers to nothing outside itself.
 */
import type { Guards, Native } from './create-guards.ts';

export function guardLocales({ charge, instant, define, methodOf, replace }: Guards): void {
  const { apply, construct } = Reflect;
  const { isArray } = Array;
  const { defineProperty, getOwnPropertyDescriptor } = Object;
  const asText = String;
  /** A format reads the data of its locale. */
  const FORMAT_STEPS = 500;

  /** Texts, which no native reads twice. */
  const localesOf = (value: unknown): string | string[] | undefined => {
    if (value === undefined) return undefined;
    if (typeof value === 'string') return value;
    if (!isArray(value)) throw new TypeError('In workflows, locales must be strings or an array of strings');
    const list: string[] = [];
    for (let index = 0; index < value.length; index++) {
      charge(1);
      list[index] = asText(value[index]);
    }
    return list;
  };
  /** @param at which argument names the locales */
  const guardLocale = (target: object, name: string, at: number) => {
    const native = methodOf(target, name);
    if (native === null) return;
    const named = {
      [name](this: unknown, ...args: unknown[]) {
        charge(FORMAT_STEPS);
        if (args.length > at) args[at] = localesOf(args[at]);
        return apply(native, this, args);
      },
    };
    define(target, name, named[name]);
  };
  guardLocale(Number.prototype, 'toLocaleString', 0);
  for (const name of ['toLocaleString', 'toLocaleDateString', 'toLocaleTimeString']) {
    guardLocale(Date.prototype, name, 0);
  }
  guardLocale(Array.prototype, 'toLocaleString', 0);
  guardLocale(String.prototype, 'localeCompare', 1);
  guardLocale(String.prototype, 'toLocaleLowerCase', 0);
  guardLocale(String.prototype, 'toLocaleUpperCase', 0);

  const { DateTimeFormat, NumberFormat, PluralRules } = Intl;
  const intl = {};
  for (const Real of [DateTimeFormat, NumberFormat, PluralRules] as unknown as (new () => object)[]) {
    guardLocale(Real, 'supportedLocalesOf', 0);
    const Guarded = function (this: unknown, locales?: unknown, options?: unknown) {
      charge(FORMAT_STEPS);
      return construct(Real, [localesOf(locales), options], new.target ?? Real);
    };
    define(Guarded, 'supportedLocalesOf', methodOf(Real, 'supportedLocalesOf'));
    replace(intl, Real, Guarded);
  }
  const orNow = (value: unknown) => (value === undefined ? instant() : value);
  for (const { prototype } of [DateTimeFormat, NumberFormat]) {
    const isDate = prototype === DateTimeFormat.prototype;
    const { get } = getOwnPropertyDescriptor(prototype, 'format') as { get: Native };
    defineProperty(prototype, 'format', {
      get(this: unknown) {
        const format = apply(get, this, []) as Native;
        return (value: unknown) => {
          charge(10);
          return apply(format, undefined, [isDate ? orNow(value) : value]);
        };
      },
    });
  }
  const parts = methodOf(DateTimeFormat.prototype, 'formatToParts') as Native;
  define(DateTimeFormat.prototype, 'formatToParts', function formatToParts(this: unknown, value: unknown) {
    charge(10);
    return apply(parts, this, [orNow(value)]);
  });
  define(globalThis, 'Intl', intl);
}
