// tessera-sdk/fake-server keeps what the public API promises about checks, counting, flags, customers and refusals.

import { describe } from 'vitest';
import { creditsVersion, documentedVersion } from '#lab/fixtures/documented-version';
import { createFakeServer } from '#sdk/fake-server';
import { describeConformance } from '#tests/conformance/suite/describe-conformance';
import { buildDocument } from '#worker/domains/api-docs/build-document';

/** Of another server, of the workspace with credits. */
const CREDITS_KEY = 'tsr_sec_credits';
const DOCUMENT = '/api/v1/openapi.json';

describe('the fake server', () => {
  describeConformance(async () => {
    const fake = createFakeServer(documentedVersion());
    const credits = createFakeServer(creditsVersion());
    let aheadMs = 0;
    const advance = (ms: number) => {
      credits.advance(ms);
      aheadMs += ms;
    };
    return {
      secretKey: fake.secretKey,
      publicKey: fake.publicKey,
      blockedKey: null,
      creditsKey: CREDITS_KEY,
      moveClock: (to) => advance(to === null ? -aheadMs : to - Date.now() - aheadMs),
      sign: async (claims) => fake.token('', { exp: undefined, ...claims }),
      // The description is no part of it.
      fetch: async (path, init = {}) => {
        if (path === DOCUMENT) return describeApi(init);
        const headers = new Headers(init.headers);
        if (headers.get('authorization') !== `Bearer ${CREDITS_KEY}`)
          return fake.fetch(`${fake.url}${path}`, init);
        headers.set('authorization', `Bearer ${credits.secretKey}`);
        return credits.fetch(`${credits.url}${path}`, { ...init, headers });
      },
    };
  }, false);
});

function describeApi({ method = 'GET' }: RequestInit = {}): Response {
  if (method === 'GET') return Response.json(buildDocument('https://tessera.fake'));
  const body = { status: 'error', errorType: 'method-not-allowed' };
  return Response.json(body, { status: 405, headers: { allow: 'GET, HEAD, OPTIONS' } });
}
