import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { problemOfOpaque, readIdentifier, readStoredIdentifier } from '#contracts/public/identifiers';
import { formatApiKey, isEnvironmentId, maskApiKey, parseApiKey } from '#engine/identity/api-key';
import { crc32 } from '#engine/identity/crc32';
import { DATA_LOCATIONS } from '#engine/regions/data-locations';

const DIGITS = [...'0123456789abcdefghjkmnpqrstvwxyz'];
const parts = fc.record({
  type: fc.constantFrom('secret' as const, 'public' as const),
  environmentId: fc
    .array(fc.constantFrom(...DIGITS), { minLength: 26, maxLength: 26 })
    .map((digits) => `env_${digits.join('')}`),
  home: fc.constantFrom(...DATA_LOCATIONS.map(({ location }) => location)),
  random: fc.uint8Array({ minLength: 18, maxLength: 18 }),
});

describe('an API key', () => {
  it('contains its type, its environment and the home location', () => {
    fc.assert(
      fc.property(parts, (key) => {
        const text = formatApiKey(key);
        expect(text).toMatch(/^tsr_(sec|pub)_[0-9a-z]{65}$/);
        const { random: _, ...said } = key;
        expect(parseApiKey(text)).toEqual({ ok: true, ...said });
      }),
    );
  });

  it('of an earlier version, which names no location, is valid', () => {
    const text = 'tsr_sec_01kb8w6d3f9m2p5r7t0v4x8z1c5g9k3n7r1v5z9d3h7m1q5t9x3c7gt6rv08vjpjj';
    const environmentId = 'env_01kb8w6d3f9m2p5r7t0v4x8z1c';
    expect(parseApiKey(text)).toEqual({ ok: true, type: 'secret', environmentId, home: undefined });
  });

  it('with any one character mistyped is refused', () => {
    const character = fc.oneof(
      fc.constantFrom(...DIGITS),
      fc.string({ minLength: 1, maxLength: 1 }),
      fc.constantFrom('o', 'I', 'A', 'é', '\0'),
    );
    fc.assert(
      fc.property(parts, fc.nat(72), character, (key, at, replacement) => {
        const text = formatApiKey(key);
        fc.pre(text[at] !== replacement);
        expect(parseApiKey(text.slice(0, at) + replacement + text.slice(at + 1))).toEqual({ ok: false });
      }),
      { numRuns: 3000 },
    );
  });

  it('with two neighbours swapped, a character lost or one too many is refused', () => {
    fc.assert(
      fc.property(parts, fc.nat(71), fc.constantFrom(...DIGITS), (key, at, extra) => {
        const text = formatApiKey(key);
        const swapped = text.slice(0, at) + text[at + 1] + text[at] + text.slice(at + 2);
        if (swapped !== text) expect(parseApiKey(swapped).ok).toBe(false);
        expect(parseApiKey(text.slice(0, at) + text.slice(at + 1)).ok).toBe(false);
        expect(parseApiKey(text.slice(0, at) + extra + text.slice(at)).ok).toBe(false);
        expect(parseApiKey(text.toUpperCase()).ok).toBe(false);
      }),
    );
  });

  it('of any other text is refused without a throw', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 100 }), (text) => {
        expect(parseApiKey(text)).toEqual({ ok: false });
        expect(parseApiKey(`tsr_sec_${text}`)).toEqual({ ok: false });
      }),
    );
  });

  it('differs wherever its randomness differs', () => {
    fc.assert(
      fc.property(parts, fc.nat(143), (key, bit) => {
        const random = key.random.map((byte, index) => (index === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte));
        expect(formatApiKey({ ...key, random }).slice(37, 66)).not.toBe(formatApiKey(key).slice(37, 66));
      }),
    );
  });

  it('requires an environment id and 18 random bytes', () => {
    const [key] = fc.sample(parts, 1);
    for (const environmentId of ['', 'env_', 'env_01', `org_${'0'.repeat(26)}`, `env_${'O'.repeat(26)}`]) {
      expect(isEnvironmentId(environmentId)).toBe(false);
      expect(() => formatApiKey({ ...key!, environmentId })).toThrow(RangeError);
    }
    expect(() => formatApiKey({ ...key!, random: new Uint8Array(16) })).toThrow(RangeError);
  });

  it('is masked to its type and last four characters; other text is masked completely', () => {
    const [key] = fc.sample(parts, 1);
    const text = formatApiKey({ ...key!, type: 'secret' });
    expect(maskApiKey(text)).toBe(`tsr_sec_••••••••${text.slice(-4)}`);
    expect(maskApiKey('tsr_sec_abcd')).toBe('••••••••');
    expect(maskApiKey('password')).toBe('••••••••');
  });

  it('has a standard CRC-32 checksum', () => {
    expect(crc32('123456789')).toBe(0xcbf43926);
    expect(crc32('')).toBe(0);
  });
});

describe('an identifier', () => {
  test.each([
    ['cus_NffrFeUfNV2Hib', 'stripe-customer', 'cus_NffrFeUfNV2Hib'],
    ['Ada.Lovelace@Example.COM', 'email', 'ada.lovelace@example.com'],
    ['ada+tag@sub.example.co', 'email', 'ada+tag@sub.example.co'],
    ['user-42', 'other', 'user-42'],
    ['User-42', 'other', 'User-42'],
    ['cus_', 'other', 'cus_'],
    ['cus_a b', 'other', 'cus_a b'],
    ['@example.com', 'other', '@example.com'],
    ['a@b', 'other', 'a@b'],
    ['a@.com', 'other', 'a@.com'],
    ['a@b.', 'other', 'a@b.'],
    ['a@b@c.de', 'other', 'a@b@c.de'],
    ['a b@c.de', 'other', 'a b@c.de'],
    ['__proto__', 'other', '__proto__'],
    ['💥', 'other', '💥'],
    ['JOSÉ@example.com', 'email', 'josé@example.com'],
    ['JOSE\u0301@example.com', 'email', 'josé@example.com'],
    ['jose\u0301', 'other', 'josé'],
    ['می\u200cخواهم', 'other', 'می\u200cخواهم'],
    ['👩\u200d🚀', 'other', '👩\u200d🚀'],
    ['İstanbul', 'other', 'İstanbul'],
  ])('%s is read as %s', (text, kind, canonical) => {
    expect(readIdentifier(text)).toEqual({ ok: true, kind, canonical });
  });

  test.each([
    ['', 'empty'],
    ['x'.repeat(201), 'too-long'],
    ['a\0b', 'control-character'],
    ['a\nb', 'control-character'],
    ['a\u0085b', 'control-character'],
    ['a\ud83d', 'not-unicode'],
    ['jane@example.com ', 'outer-space'],
    [' cus_1', 'outer-space'],
    ['\u00a0ada', 'outer-space'],
    ['\ufeffada', 'outer-space'],
    ['ada\u200b', 'outer-space'],
    ['\u200ejane@example.com', 'outer-space'],
    ['\u202ajane@example.com\u202c', 'outer-space'],
    ['user_1\u2060', 'outer-space'],
    [' ', 'invisible'],
    ['\u200b', 'invisible'],
    ['\ufeff', 'invisible'],
    ['\u200e\u2800\u3164', 'invisible'],
    ['\u212aate@example.com', 'becomes-ascii'],
    ['\u0130da@example.com', 'becomes-ascii'],
    ['ada\u1fef@example.com', 'becomes-ascii'],
    ['user_\u212a', 'becomes-ascii'],
    ['user\u037e', 'becomes-ascii'],
    ['\u0958'.repeat(101), 'too-long'],
  ])('%j is refused: %s', (text, reason) => {
    expect(readIdentifier(text)).toEqual({ ok: false, reason });
  });

  it('read again from its canonical form is the same', () => {
    const email = fc
      .emailAddress()
      .map((address) => [...address].map((c, at) => (at % 2 ? c.toUpperCase() : c)).join(''));
    const international = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
      .map((name) => `${name}@example.com`);
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary', maxLength: 210 }), email, international), (text) => {
        const read = readIdentifier(text);
        if (read.ok) expect(readIdentifier(read.canonical)).toEqual(read);
      }),
      { numRuns: 500 },
    );
    expect(readIdentifier('x'.repeat(200)).ok).toBe(true);
  });

  it('of any character outside ASCII is never read as an ASCII one', () => {
    for (let code = 0x80; code <= 0x10ffff; code++) {
      if (code >= 0xd800 && code <= 0xdfff) continue;
      const character = String.fromCodePoint(code);
      if (character.normalize().toLowerCase() === character) continue;
      for (const name of [character, `${character}@example.com`]) {
        const read = readIdentifier(name);
        if (read.ok && /^[\0-\x7f]+$/.test(read.canonical)) expect.fail(`U+${code.toString(16)}`);
      }
    }
  });

  it('under which something is stored is found by exactly that name, and any other by its canonical one', () => {
    for (const name of ['jane@example.com ', '\u200b', '\u212aate@example.com'])
      expect(readStoredIdentifier(name)).toBe(name);
    expect(readStoredIdentifier('JANE@example.com')).toBe('jane@example.com');
    for (const name of ['', 'a\0', 'a\ud83d', 'x'.repeat(201)]) expect(readStoredIdentifier(name)).toBeNull();
  });
});

describe('an opaque text', () => {
  test.each([
    ['order 8840', null],
    [' order\u00a0', null],
    ['jose\u0301', null],
    ['\u212a', null],
    ['', 'empty'],
    ['x'.repeat(201), 'too-long'],
    ['a\u0085', 'control-character'],
    ['a\ud83d', 'not-unicode'],
    ['  ', 'invisible'],
    ['\u200b\ufeff', 'invisible'],
  ])('%j has the problem %s', (text, problem) => {
    expect(problemOfOpaque(text)).toBe(problem);
  });
});
