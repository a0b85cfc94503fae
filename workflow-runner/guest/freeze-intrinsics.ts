/**
 * Freezes every object of the language that customers' code can reach, so that no run changes what another one sees. Runs once
 * in each dynamic worker, after guardNatives. Its text becomes part of the worker's main module, so the function refers to
 * nothing outside itself.
 */
export function freezeIntrinsics(globals: readonly string[]): void {
  const { ownKeys } = Reflect;
  const { defineProperty, freeze, getOwnPropertyDescriptor, getPrototypeOf, isFrozen } = Object;

  /**
   * A frozen property cannot be shadowed by an assignment, as in `error.name = …`. These prototypes are inherited from by
   * objects of the code, so their properties become accessors that define the property on the object itself.
   */
  const allowShadowing = (prototype: object) => {
    for (const name of ownKeys(prototype)) {
      const known = getOwnPropertyDescriptor(prototype, name);
      if (known === undefined || !('value' in known) || !known.configurable) continue;
      const { value } = known;
      defineProperty(prototype, name, {
        configurable: false,
        enumerable: false,
        get: () => value,
        set(this: object, own: unknown) {
          if (this === prototype) throw new TypeError('Built-in objects cannot be changed in workflows');
          defineProperty(this, name, { value: own, writable: true, enumerable: true, configurable: true });
        },
      });
    }
  };
  const freezeAll = (value: unknown) => {
    if ((typeof value !== 'object' && typeof value !== 'function') || value === null || isFrozen(value))
      return;
    freeze(value);
    for (const name of ownKeys(value)) {
      const { value: own, get, set } = getOwnPropertyDescriptor(value, name) ?? {};
      freezeAll(own);
      freezeAll(get);
      freezeAll(set);
    }
    freezeAll(getPrototypeOf(value));
  };

  const named = (name: string) => (globalThis as unknown as Record<string, { prototype?: object }>)[name];
  allowShadowing(Object.prototype);
  allowShadowing(Function.prototype);
  for (const name of globals) {
    const prototype = named(name)?.prototype;
    if (prototype instanceof Error || prototype === Error.prototype) allowShadowing(prototype);
  }
  for (const name of globals) if (name !== 'console') freezeAll(named(name));
  const generators = [function* () {}, async function* () {}];
  const iterators = [[][Symbol.iterator](), new Map().entries(), new Set().values(), ''[Symbol.iterator]()];
  const others = [
    ...generators.map((each) => each.prototype as object),
    async () => {},
    /x/,
    ''.matchAll(/x/g),
  ];
  for (const each of [...generators, ...iterators, ...others]) {
    // The prototype of a literal is an intrinsic; the literal itself is not.
    freezeAll(getPrototypeOf(each));
  }
}
