// Claims of accepted tokens: where the subject is found, what counts as one, and how long it is remembered.
import { describe, expect, it } from 'vitest';
import type { JwtIssuer } from '#contracts/internal/snapshot';
import { LEEWAY_MS } from '#engine/identity/check-claims';
import { type Claims, inSeconds, newSigner } from '#lab/fixtures/tokens';
import { issuerOf } from '#tests/support/token-checks';
import { VerifiedTokens } from '#worker/domains/identity/verified-tokens';
import { verifyToken } from '#worker/domains/identity/verify-token';
import { isSignedBy } from '#worker/platform/jwt';

describe('claims', () => {
  it.each<[string, Claims]>([
    ['user.contact.mail', { user: { contact: { mail: 'ada@example.com' } } }],
    ['https://example.com/email', { 'https://example.com/email': 'ada@example.com' }],
    ['https://example.com/user.email', { 'https://example.com/user': { email: 'ada@example.com' } }],
    ['__proto__.mail', JSON.parse('{"__proto__":{"mail":"ada@example.com"}}')],
    ['constructor', JSON.parse('{"constructor":"ada@example.com"}')],
  ])('are found at %s', async (claimKey, claims) => {
    expect(await verdictOn({ claimKey }, claims)).toMatchObject({ identifier: 'ada@example.com' });
  });

  it.each<[string, Claims]>([
    ['user.mail', { user: 'ada@example.com' }],
    ['user.mail', { user: ['ada@example.com'] }],
    ['user.length', { user: 'x' }],
    ['emails.0', { emails: ['ada@example.com'] }],
    ['__proto__', {}],
    ['__proto__.__proto__', { a: 1 }],
    ['constructor.name', { a: 1 }],
    ['toString', { a: 1 }],
    ['.', { '': 'a' }],
    ['a.'.repeat(50), { a: { a: { a: {} } } }],
  ])('are missing at %s of %j', async (claimKey, claims) => {
    expect(await verdictOn({ claimKey }, claims)).toBe('jwt-claim-missing');
  });

  it('are looked up as what the integration says, and as nothing else', async () => {
    const stripe = { claimKey: 'sub', claimIndex: 'stripe_customer_id' } as const;
    expect(await verdictOn(stripe, { sub: 'cus_NffrFeUfNV2Hib' })).toMatchObject({
      identifier: 'cus_NffrFeUfNV2Hib',
    });
    // Accounts can choose the ids of their customers.
    for (const sub of ['customer-42', 'CUS_abc', 'ada']) {
      expect(await verdictOn(stripe, { sub })).toMatchObject({ identifier: sub });
    }
    for (const [sub, identifier] of [
      [42, '42'],
      [-7, '-7'],
      [Number.MAX_SAFE_INTEGER, '9007199254740991'],
    ] as const) {
      expect(await verdictOn(stripe, { sub })).toMatchObject({ identifier });
    }
    for (const sub of [
      ...['ada@example.com', 'a\u0000', 'a'.repeat(201), ['cus_a'], { id: 'cus_a' }],
      ...[true, 1.5, Number.MAX_SAFE_INTEGER + 1, ' cus_a', 'cus_a\n', '\u200b', 'cus_\u212a'],
    ]) {
      expect(await verdictOn(stripe, { sub })).toBe('jwt-claim-invalid');
    }
    const email = { claimKey: 'sub', claimIndex: 'email' } as const;
    expect(await verdictOn(email, { sub: 'ADA@Example.COM' })).toMatchObject({
      identifier: 'ada@example.com',
    });
    for (const sub of ['cus_NffrFeUfNV2Hib', 42, 'ada@example.com ', '\u212aate@example.com']) {
      expect(await verdictOn(email, { sub })).toBe('jwt-claim-invalid');
    }
    expect(await verdictOn(email, { sub: 'JOSE\u0301@example.com' })).toMatchObject({
      identifier: 'josé@example.com',
    });
  });

  it.each<[string, Claims]>([
    ['email', { email: 'ada@example.com', email_verified: false }],
    ['email', { email: 'ada@example.com', email_verified: 'False' }],
    ['email', { email: 'ada@example.com', email_verified: 0 }],
    ['user.email', { user: { email: 'ada@example.com', email_verified: false } }],
    [
      'https://example.com/email',
      { 'https://example.com/email': 'ada@example.com', 'https://example.com/email_verified': false },
    ],
    ['urn:acme:email', { 'urn:acme:email': 'ada@example.com', 'urn:acme:email_verified': '0' }],
    ['user.email', { user: { email: 'ada@example.com' }, email_verified: false }],
    [
      'https://example.com/email',
      { 'https://example.com/email': 'ada@example.com', email_verified: 'false' },
    ],
  ])(
    'with an unverified email at %s identify its customer only where that is accepted',
    async (claimKey, claims) => {
      expect(await verdictOn({ claimKey, acceptsUnverifiedEmails: false }, claims)).toBe(
        'jwt-email-unverified',
      );
      for (const accepting of [{ claimKey, acceptsUnverifiedEmails: true }, { claimKey }]) {
        expect(await verdictOn(accepting, claims)).toMatchObject({ identifier: 'ada@example.com' });
      }
    },
  );

  it('name the customer’s entity where the integration says which, or none', async () => {
    const issuer = { claimKey: 'team', claimIndex: 'stripe_customer_id' } as const;
    const named = { ...issuer, entityClaimKey: 'user.id' };
    for (const [id, entity] of [
      ['ada', 'ada'],
      ['ada@example.com', 'ada@example.com'],
      [' ada', ' ada'],
      [42, '42'],
    ] as const) {
      expect(await verdictOn(named, { team: 'acme', user: { id } })).toMatchObject({
        ...{ identifier: 'acme', entity },
      });
      for (const other of [issuer, { ...issuer, entityClaimKey: null }])
        expect(await verdictOn(other, { team: 'acme', user: { id } })).not.toHaveProperty('entity');
    }
    for (const user of [undefined, null, {}, { id: null }, { id: '' }]) {
      const verdict = await verdictOn(named, { team: 'acme', user });
      expect(verdict).toMatchObject({ identifier: 'acme' });
      expect(verdict).not.toHaveProperty('entity');
    }
    for (const id of ['x'.repeat(201), 'a\u0000', true, 1.5, ['ada'], { id: 'ada' }, '\u200b'])
      expect(await verdictOn(named, { team: 'acme', user: { id } })).toBe('jwt-claim-invalid');
  });

  it('without a word about the email, or about no email, identify their customer', async () => {
    const issuer = { acceptsUnverifiedEmails: false };
    for (const more of [{}, { email_verified: true }, { email_verified: 'true' }]) {
      const claims = { email: 'ada@example.com', ...more };
      expect(await verdictOn(issuer, claims)).toMatchObject({ identifier: 'ada@example.com' });
    }
    const byId = { ...issuer, claimKey: 'sub', claimIndex: 'stripe_customer_id' } as const;
    expect(await verdictOn(byId, { sub: 'cus_1', email_verified: false })).toMatchObject({
      identifier: 'cus_1',
    });
  });
});

async function verdictOn(issuer: Partial<JwtIssuer>, claims: Claims) {
  const signer = await newSigner();
  const token = await signer.sign(
    `${JSON.stringify(claims).slice(0, -1)}${Object.keys(claims).length > 0 ? ',' : ''}"exp":${inSeconds(60)}}`,
  );
  return verifyToken([issuerOf(signer, issuer)], token, Date.now(), { isSignedBy });
}

describe('what is remembered of tokens', () => {
  const subject = { identifier: 'ada@example.com', expiresAt: 1_000_000 };

  it('is accepted until the leeway after its expiry ends, and no longer', () => {
    const known = new VerifiedTokens();
    known.set('a', subject);
    expect(known.get('a', subject.expiresAt + LEEWAY_MS - 1)).toBe(subject);
    expect(known.get('a', subject.expiresAt + LEEWAY_MS)).toBeUndefined();
    expect(known.get('a', 0)).toBeUndefined();
    expect(known.get('b', 0)).toBeUndefined();
  });

  it('stays within its bounds however many there are', () => {
    const known = new VerifiedTokens();
    for (let index = 0; index < 5_000; index++) known.set(`${index}`.padEnd(8_000, 'x'), subject);
    let kept = 0;
    for (let index = 0; index < 5_000; index++) kept += known.get(`${index}`.padEnd(8_000, 'x'), 0) ? 1 : 0;
    expect(kept).toBeGreaterThan(0);
    expect(kept * 8_000).toBeLessThanOrEqual(1024 * 1024);
  });
});
