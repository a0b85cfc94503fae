// For histories, which compare a million times: an expectation costs more than what is compared.
import { expect } from 'vitest';

/** As `expect(found, where).toEqual(expected)`, which is asked only about what differs in anything at all. */
export function expectSame(found: unknown, expected: unknown, where?: string): void {
  if (!isSame(found, expected)) expect(found, where).toEqual(expected);
}

function isSame(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  const prototype: unknown = Object.getPrototypeOf(one);
  if (prototype !== Object.getPrototypeOf(other)) return false;
  if (prototype !== Object.prototype && prototype !== Array.prototype) return false;
  const keys = Object.keys(one);
  return (
    keys.length === Object.keys(other).length &&
    keys.every(
      (key) => Object.hasOwn(other, key) && isSame(Reflect.get(one, key) as unknown, Reflect.get(other, key)),
    )
  );
}
