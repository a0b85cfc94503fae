/** Formats numbers and times, in the browser's time zone. */

/**
 * Makes a value when it is first used. The first formatter of `Intl` takes a browser 20 ms, because it loads its data: the frame must not
 * wait for it.
 */
export function lazily<Value extends object>(make: () => Value): () => Value {
  let made: Value | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

const numbers = lazily(() => new Intl.NumberFormat('en-GB', { maximumFractionDigits: 20 }));
const dates = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat('en-GB', options);
const full = lazily(() => dates({ dateStyle: 'long', timeStyle: 'long' }));
const day = lazily(() => dates({ day: 'numeric', month: 'short', year: 'numeric' }));
const utcDay = lazily(() => dates({ day: 'numeric', month: 'short', timeZone: 'UTC' }));
const utcMonth = lazily(() => dates({ month: 'long', year: 'numeric', timeZone: 'UTC' }));
const relative = lazily(() => new Intl.RelativeTimeFormat('en-GB', { numeric: 'auto' }));

/** 1234567 as '1,234,567'. */
export const formatNumber = (value: number): string => numbers().format(value);

/** '1,000 changes', '1 change'. */
export const counted = (count: number, noun: string): string =>
  `${formatNumber(count)} ${noun}${count === 1 ? '' : 's'}`;

/** '26 November 2026 at 17:40:00 UTC'. */
export const formatInstant = (at: number): string => full().format(at);
/** '27 November 2026 at 00:00:00 GMT+5:30 (Asia/Kolkata)'. */
export const formatInstantIn = (zone: string, at: number): string =>
  `${dates({ dateStyle: 'long', timeStyle: 'long', timeZone: zone }).format(at)} (${zone})`;
export const formatDay = (at: number): string => day().format(at);
/** A UTC day. */
export const formatUtcDay = (at: number): string => utcDay().format(at);
/** The UTC month of an instant: 'November 2026'. */
export const formatMonth = (at: number): string => utcMonth().format(at);

const UNITS = [
  ['year', 31_536_000_000],
  ['month', 2_592_000_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/** '3 minutes ago'; 'just now' within a minute. */
export function formatAge(at: number, now: number): string {
  const elapsed = at - now;
  for (const [unit, length] of UNITS) {
    if (Math.abs(elapsed) >= length) return relative().format(Math.trunc(elapsed / length), unit);
  }
  return 'just now';
}

const SHORT_UNITS = [
  ['y', 31_536_000_000],
  ['mo', 2_592_000_000],
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
] as const;

/** An age for narrow columns: '12s', '3m', '5h', '2d'. Instants in the future count as now. */
export function formatShortAge(at: number, now: number): string {
  const elapsed = Math.max(0, now - at);
  for (const [unit, length] of SHORT_UNITS) {
    if (elapsed >= length) return `${Math.floor(elapsed / length)}${unit}`;
  }
  return `${Math.floor(elapsed / 1_000)}s`;
}

/** A duration of a call: '0.4 ms', '12 ms', '1.3 s'. */
export function formatLatency(ms: number): string {
  if (ms >= 1_000) return `${(ms / 1_000).toFixed(1)}\u202fs`;
  return `${ms < 10 ? ms.toFixed(1) : Math.round(ms)}\u202fms`;
}

/** Letters that are written from right to left. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

/** Text with names in it. A name that is written from right to left keeps its direction to itself: it does not reorder the words around it. */
export function sentence(parts: TemplateStringsArray, ...values: readonly (string | number)[]): string {
  return String.raw({ raw: parts }, ...values.map((value) => isolated(String(value))));
}

/** Between the characters FIRST STRONG ISOLATE and POP DIRECTIONAL ISOLATE, if the direction matters. */
const isolated = (text: string) => (RIGHT_TO_LEFT.test(text) ? `\u2068${text}\u2069` : text);
