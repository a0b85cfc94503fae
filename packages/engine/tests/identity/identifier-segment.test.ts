import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { identifierSegment, readIdentifierSegment } from '#engine/identity/identifier-segment';

describe('an identifier in a path', () => {
  const identifiers = fc.oneof(
    fc.string({ minLength: 1, maxLength: 20, unit: 'grapheme' }),
    fc
      .array(fc.constantFrom('~', '.', '%', '/', '\\', '2F'), { minLength: 1, maxLength: 5 })
      .map((parts) => parts.join('')),
  );

  test('round-trips', () => {
    fc.assert(
      fc.property(identifiers, (identifier) => {
        expect(readIdentifierSegment(decodeURIComponent(identifierSegment(identifier)))).toBe(identifier);
      }),
    );
  });

  test('stays one segment of the path, whatever it is', () => {
    fc.assert(
      fc.property(identifiers, (identifier) => {
        const { pathname } = new URL(`/customers/${identifierSegment(identifier)}/x`, 'http://localhost');
        expect(pathname.split('/')).toHaveLength(4);
      }),
    );
  });

  test('contains no slash, not even an encoded one, which some servers decode', () => {
    fc.assert(
      fc.property(identifiers, (identifier) => {
        expect(identifierSegment(identifier)).not.toMatch(/%2F|%5C/i);
      }),
    );
  });
});
