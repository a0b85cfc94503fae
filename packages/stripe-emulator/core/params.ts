// Reads a request's parameters with Stripe's error messages for missing, malformed and unknown ones. A handler reads the
// parameters it uses; `finish` then rejects the rest.
import type { FormMap, FormValue } from './decode-form.ts';
import { invalidRequest, parameterMissing } from './stripe-error.ts';

export class Params {
  readonly #values: FormMap;
  readonly #prefix: string;
  readonly #known = new Set<string>();
  readonly #children: Params[] = [];

  constructor(values: FormMap, prefix = '') {
    this.#values = values;
    this.#prefix = prefix;
  }

  /** The full parameter name: `items[0][price]`. */
  nameOf(name: string): string {
    return this.#prefix ? `${this.#prefix}[${name}]` : name;
  }

  has(name: string): boolean {
    return this.#values.has(name);
  }

  isText(name: string): boolean {
    return typeof this.#values.get(name) === 'string';
  }

  /** Parameters that Stripe supports and the emulator ignores. */
  accept(...names: readonly string[]): void {
    for (const name of names) this.#known.add(name);
  }

  /** Undefined if absent. Rejects the empty string, as Stripe does for fields that cannot be unset. */
  text(name: string): string | undefined {
    const value = this.#scalar(name);
    if (value !== '') return value;
    throw invalidRequest(
      `You passed an empty string for '${this.nameOf(name)}'. We assume empty values are an attempt to unset a parameter; ` +
        `however '${this.nameOf(name)}' cannot be unset. You should remove '${this.nameOf(name)}' from your request or ` +
        'supply a non-empty value.',
      { code: 'parameter_invalid_empty', param: this.nameOf(name) },
    );
  }

  requiredText(name: string): string {
    const value = this.text(name);
    if (value === undefined) throw parameterMissing(this.nameOf(name));
    return value;
  }

  /** An address of the web. */
  url(name: string): string | undefined {
    const value = this.text(name);
    if (value === undefined || /^https?:$/.test(URL.parse(value)?.protocol ?? '')) return value;
    throw invalidRequest('Not a valid URL', { code: 'url_invalid', param: this.nameOf(name) });
  }

  /** Null for the empty string, which unsets the field. */
  emptyable(name: string): string | null | undefined {
    const value = this.#scalar(name);
    return value === '' ? null : value;
  }

  choice<Value extends string>(name: string, values: readonly Value[]): Value | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    const found = values.find((candidate) => candidate === value);
    if (found !== undefined) return found;
    const listed = values.length > 1 ? `${values.slice(0, -1).join(', ')}, or ${values.at(-1)}` : values[0];
    throw invalidRequest(`Invalid ${this.nameOf(name)}: must be one of ${listed}`, {
      param: this.nameOf(name),
    });
  }

  /** A currency's code in lower case. */
  currency(name: string): string | undefined {
    const value = this.text(name)?.toLowerCase();
    if (value === undefined || /^[a-z]{3}$/.test(value)) return value;
    throw invalidRequest(`Invalid currency: ${value}`, { param: this.nameOf(name) });
  }

  boolean(name: string): boolean | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    if (value === 'true' || value === 'false') return value === 'true';
    throw invalidRequest(`Invalid boolean: ${value}`, { param: this.nameOf(name) });
  }

  requiredBoolean(name: string): boolean {
    const value = this.boolean(name);
    if (value === undefined) throw parameterMissing(this.nameOf(name));
    return value;
  }

  integer(name: string, { min = -Infinity, max = Infinity } = {}): number | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    const param = this.nameOf(name);
    if (!/^-?\d{1,15}$/.test(value)) {
      throw invalidRequest(`Invalid integer: ${value}`, { code: 'parameter_invalid_integer', param });
    }
    const number = Number(value);
    if (number >= min && number <= max) return number;
    const bound = number < min ? `greater than or equal to ${min}` : `less than or equal to ${max}`;
    throw invalidRequest(`This value must be ${bound}.`, { code: 'parameter_invalid_integer', param });
  }

  requiredInteger(name: string): number {
    const value = this.integer(name);
    if (value === undefined) throw parameterMissing(this.nameOf(name));
    return value;
  }

  object(name: string): Params | undefined {
    const value = this.#take(name);
    if (value === undefined || value === '') return undefined;
    if (typeof value === 'string') throw invalidRequest('Invalid object', { param: this.nameOf(name) });
    return this.#child(value, this.nameOf(name));
  }

  requiredObject(name: string): Params {
    const value = this.object(name);
    if (value === undefined) throw parameterMissing(this.nameOf(name));
    return value;
  }

  objects(name: string): Params[] | undefined {
    const value = this.#take(name);
    if (value === undefined) return undefined;
    const param = this.nameOf(name);
    if (typeof value === 'string') throw invalidRequest('Invalid array', { param });
    return [...value].map(([index, entry]) => {
      if (typeof entry === 'string') throw invalidRequest('Invalid object', { param: `${param}[${index}]` });
      return this.#child(entry, `${param}[${index}]`);
    });
  }

  texts(name: string): string[] | undefined {
    const value = this.#take(name);
    if (value === undefined) return undefined;
    if (value === '') return [];
    if (typeof value === 'string') throw invalidRequest('Invalid array', { param: this.nameOf(name) });
    return [...value].map(([index, entry]) => {
      if (typeof entry === 'string') return entry;
      throw invalidRequest('Invalid string', { param: `${this.nameOf(name)}[${index}]` });
    });
  }

  /** All entries as strings, in order. */
  entries(name: string): Map<string, string> | undefined {
    const value = this.#take(name);
    if (value === undefined || value === '') return undefined;
    if (typeof value === 'string') throw invalidRequest('Invalid object', { param: this.nameOf(name) });
    const entries = [...value].map(([key, entry]): [string, string] => {
      if (typeof entry === 'string') return [key, entry];
      throw invalidRequest('Metadata values must be strings', { param: `${this.nameOf(name)}[${key}]` });
    });
    return new Map(entries);
  }

  /** Merges metadata: given keys replace, empty values remove, an empty string removes all. */
  metadata(current: Readonly<Record<string, string>> = {}): Record<string, string> {
    if (this.#values.get('metadata') === '') {
      this.accept('metadata');
      return {};
    }
    const merged = new Map(Object.entries(current));
    for (const [key, value] of this.entries('metadata') ?? []) {
      const param = `metadata[${key}]`;
      if (key.length > 40) {
        throw invalidRequest('Metadata keys cannot be longer than 40 characters.', { param });
      }
      if (value.length > 500) {
        throw invalidRequest('Metadata values cannot be longer than 500 characters.', { param });
      }
      if (value === '') merged.delete(key);
      else merged.set(key, value);
    }
    if (merged.size > 50) throw invalidRequest('Metadata can have up to 50 keys.', { param: 'metadata' });
    return Object.fromEntries(merged);
  }

  /** @throws {StripeError} 400 `parameter_unknown` for parameters that were neither read nor ignored */
  finish(): void {
    const unknown = [...this.#values.keys()].filter((name) => !this.#known.has(name));
    const [param, ...others] = unknown.map((name) => this.nameOf(name));
    if (param !== undefined) {
      const noun = others.length === 0 ? 'parameter' : 'parameters';
      throw invalidRequest(`Received unknown ${noun}: ${[param, ...others].join(', ')}`, {
        code: 'parameter_unknown',
        param,
      });
    }
    for (const child of this.#children) child.finish();
  }

  #take(name: string): FormValue | undefined {
    this.#known.add(name);
    return this.#values.get(name);
  }

  #scalar(name: string): string | undefined {
    const value = this.#take(name);
    if (value === undefined || typeof value === 'string') return value;
    throw invalidRequest(`Invalid string: ${this.nameOf(name)}`, { param: this.nameOf(name) });
  }

  #child(values: FormMap, prefix: string): Params {
    const child = new Params(values, prefix);
    this.#children.push(child);
    return child;
  }
}
