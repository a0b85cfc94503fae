/** The bounds of what an access check takes as `context`, and what fits into them of a larger one. */
/** Flat: by name. */
export type CheckContext = Readonly<Record<string, string | number | boolean>>;

export const MAX_CONTEXT_ENTRIES = 20;
export const MAX_CONTEXT_NAME = 100;
/** Of its JSON, in UTF-8. */
export const MAX_CONTEXT_BYTES = 4 * 1024;

/** Of its JSON, in UTF-8. */
export function contextBytes(context: object): number {
  return new TextEncoder().encode(JSON.stringify(context)).byteLength;
}

/**
 * What workflows receive of OpenFeature's context: its flat fields, in their order, as far as they fit the context of an access check.
 * @returns `leftOut`: the names of flat fields that do not fit
 */
export function fittingContext({
  targetingKey: _,
  userJwt: __,
  ...others
}: Readonly<Record<string, unknown>>): {
  readonly context: CheckContext;
  readonly leftOut: readonly string[];
} {
  const fitting: [string, string | number | boolean][] = [];
  const leftOut: string[] = [];
  let bytes = JSON.stringify({}).length;
  for (const [name, value] of Object.entries(others)) {
    if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') continue;
    // Without the braces of its own, and with a comma.
    const more = contextBytes({ [name]: value }) - 1;
    const isEntry = name !== '' && name.length <= MAX_CONTEXT_NAME && isWritable(value);
    if (!isEntry || fitting.length === MAX_CONTEXT_ENTRIES || bytes + more > MAX_CONTEXT_BYTES) {
      leftOut.push(name);
    } else {
      fitting.push([name, value]);
      bytes += more;
    }
  }
  return { context: Object.fromEntries(fitting), leftOut };
}

/** JSON has numbers that JavaScript reads as infinite, and writes as null. */
const isWritable = (value: string | number | boolean) => typeof value !== 'number' || Number.isFinite(value);
