// Integrations in access checks: every algorithm, several at once, and changes that take effect within five seconds.
import { describe, expect, it } from 'vitest';
import { type Claims, inSeconds, newSigner } from '#lab/fixtures/tokens';
import { publishAll } from '#tests/support/tenants';
import { ADA, integrate, newAsked, outcome } from '#tests/support/token-checks';

// Concurrent: each waits for a change to reach the isolate's snapshot.
describe('algorithms', { concurrent: true }, () => {
  it.each(['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'EdDSA'])(
    'a token signed with %s is accepted, with the key as PEM and as a JWK',
    async (algorithm) => {
      const { tenant, open } = await newAsked();
      const signer = await newSigner(algorithm);
      const pem = await integrate(tenant, signer.pem);
      await publishAll(tenant);
      const token = await signer.sign({ ...ADA, exp: inSeconds(60) });
      expect(await outcome(open, token)).toBe('verified');
      await tenant.make('PUT', `/integrations/jwt/${pem.id}`, {
        publicKey: JSON.stringify({ ...signer.jwk, kid: 'one', alg: algorithm }),
      });
      await publishAll(tenant);
      const named = (kid: string) => signer.sign({ ...ADA, exp: inSeconds(60) }, { kid });
      await expect.poll(async () => outcome(open, await named('two'))).toBe('jwt-key-unknown');
      expect(await outcome(open, await named('one'))).toBe('verified');
    },
  );
});

describe('several integrations', () => {
  it('are tried in turn, or chosen by the kid that the token names', async () => {
    const { tenant, open } = await newAsked();
    const [first, second, third] = await Promise.all([
      newSigner('EdDSA'),
      newSigner('ES256'),
      newSigner('ES256'),
    ]);
    await integrate(tenant, first.pem);
    await integrate(
      tenant,
      JSON.stringify({
        keys: [
          { ...second.jwk, kid: 'old' },
          { ...third.jwk, kid: 'new', use: 'sig' },
        ],
      }),
    );
    await publishAll(tenant);
    const claims = { ...ADA, exp: inSeconds(60) };
    expect(await outcome(open, await first.sign(claims))).toBe('verified');
    expect(await outcome(open, await first.sign(claims, { kid: 'unheard of' }))).toBe('verified');
    expect(await outcome(open, await second.sign(claims))).toBe('verified');
    expect(await outcome(open, await third.sign(claims, { kid: 'new' }))).toBe('verified');
    expect(await outcome(open, await third.sign(claims, { kid: 'old' }))).toBe('jwt-signature-invalid');
    expect(await outcome(open, await first.sign(claims, { kid: 'new' }))).toBe('jwt-algorithm-not-allowed');
  });

  it('of which none has the key that a token names: its kid is unknown', async () => {
    const { tenant, open } = await newAsked();
    const signer = await newSigner();
    await integrate(tenant, JSON.stringify({ ...signer.jwk, kid: 'ours' }));
    await publishAll(tenant);
    for (const kid of ['theirs', '__proto__', 'constructor', '']) {
      expect(await outcome(open, await signer.sign({ ...ADA, exp: inSeconds(60) }, { kid }))).toBe(
        'jwt-key-unknown',
      );
    }
  });

  it('of one issuer serve its audiences apart', async () => {
    const { tenant, open } = await newAsked();
    const signer = await newSigner();
    await integrate(tenant, signer.pem, { aud: 'shop', iss: 'https://id.example' });
    await integrate(tenant, signer.pem, { aud: 'forum', iss: 'https://id.example', claimKey: 'user.mail' });
    await publishAll(tenant);
    const token = (claims: Claims) =>
      signer.sign({ iss: 'https://id.example', exp: inSeconds(60), ...claims });
    expect(await outcome(open, await token({ aud: 'shop', ...ADA }))).toBe('verified');
    expect(await outcome(open, await token({ aud: ['x', 'forum'], user: { mail: 'ada@example.com' } }))).toBe(
      'verified',
    );
    expect(await outcome(open, await token({ aud: 'forum', ...ADA }))).toBe('jwt-claim-missing');
    for (const aud of ['Shop', 'sho', ['x'], [], null, { 0: 'shop' }, [['shop']]]) {
      expect(await outcome(open, await token({ aud, ...ADA }))).toBe('jwt-audience-mismatch');
    }
    for (const iss of ['https://id.example/', 'https://evil.example', ['https://id.example'], null]) {
      expect(await outcome(open, await token({ aud: 'shop', ...ADA, iss }))).toBe('jwt-issuer-mismatch');
    }
  });
});

describe('changes', () => {
  it('a new integration, a new key and a deletion are in force within five seconds, remembered tokens included', async () => {
    const { tenant, open } = await newAsked();
    await publishAll(tenant);
    const [one, other] = await Promise.all([newSigner(), newSigner()]);
    const [ones, others] = await Promise.all(
      [one, other].map((signer) => signer.sign({ ...ADA, exp: inSeconds(600) })),
    );
    expect(await outcome(open, ones ?? '')).toBe('jwt-integration-missing');

    const { id } = await integrate(tenant, one.pem);
    await publishAll(tenant);
    await expect.poll(() => outcome(open, ones ?? '')).toBe('verified');

    await tenant.make('PUT', `/integrations/jwt/${id}`, { publicKey: other.pem });
    await publishAll(tenant);
    await expect.poll(() => outcome(open, ones ?? '')).toBe('jwt-signature-invalid');
    expect(await outcome(open, others ?? '')).toBe('verified');

    await tenant.make('DELETE', `/integrations/jwt/${id}`);
    await publishAll(tenant);
    await expect.poll(() => outcome(open, others ?? '')).toBe('jwt-integration-missing');
  });
});
