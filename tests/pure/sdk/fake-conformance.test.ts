// tessera-sdk/fake-server keeps what the public API promises about checks, counting, flags, customers and refusals.

import { describe } from 'vitest';
import { documentedVersion } from '#lab/fixtures/documented-version';
import { createFakeServer } from '#sdk/fake-server';
import { describeConformance } from '#tests/conformance/suite/describe-conformance';
import { buildDocument } from '#worker/domains/api-docs/build-document';

const DOCUMENT = '/api/v1/openapi.json';

describe('the fake server', () => {
  describeConformance(async () => {
    const fake = createFakeServer(documentedVersion());
    return {
      secretKey: fake.secretKey,
      publicKey: fake.publicKey,
      blockedKey: null,
      sign: async (claims) => fake.token('', { exp: undefined, ...claims }),
      // The description is no part of it.
      fetch: async (path, init) =>
        path === DOCUMENT ? describeApi(init) : fake.fetch(`${fake.url}${path}`, init),
    };
  }, false);
});

function describeApi({ method = 'GET' }: RequestInit = {}): Response {
  if (method === 'GET') return Response.json(buildDocument('https://tessera.fake'));
  const body = { status: 'error', errorType: 'method-not-allowed' };
  return Response.json(body, { status: 405, headers: { allow: 'GET, HEAD, OPTIONS' } });
}
