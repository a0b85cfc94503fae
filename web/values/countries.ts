/** Countries by name, as the browser knows them. */
import { lazily } from '#web/ui/format.ts';

const names = lazily(() => new Intl.DisplayNames('en-GB', { type: 'region', fallback: 'none' }));

/** Codes that are not countries: unions, pseudo-regions and the unknown. */
const NOT_COUNTRIES = new Set(['EU', 'EZ', 'QO', 'UN', 'XA', 'XB', 'ZZ']);

/** The name of a two-letter code; any other text stays as it is. */
export function countryName(code: string): string {
  return /^[A-Z]{2}$/.test(code) ? (names().of(code) ?? code) : code;
}

let options: readonly { readonly value: string; readonly label: string }[] | undefined;

/** By name. */
export function countryOptions(): readonly { readonly value: string; readonly label: string }[] {
  options ??= codes()
    .flatMap((value) => {
      const label = NOT_COUNTRIES.has(value) ? undefined : names().of(value);
      return label === undefined ? [] : [{ value, label }];
    })
    .sort((one, other) => one.label.localeCompare(other.label));
  return options;
}

function codes(): string[] {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'.split('');
  return letters.flatMap((first) => letters.map((second) => first + second));
}
