// tessera-sdk/fake-server keeps what the public API promises about checks, counting, flags, customers and refusals.
import { beforeAll, describe } from 'vitest';
import { documentedVersion } from '#lab/fixtures/documented-version';
import { createFakeServer } from '#sdk/fake-server';
import { describeAccessChecks } from '#tests/conformance/suite/access-checks';
import { type Client, openClient } from '#tests/conformance/suite/client';
import { describeCustomers } from '#tests/conformance/suite/customers';
import { describeHttp } from '#tests/conformance/suite/http';
import { describeMetering } from '#tests/conformance/suite/metering';
import { describeOpenFeature } from '#tests/conformance/suite/openfeature';
import { describeRefusals } from '#tests/conformance/suite/refusals';
import { buildDocument } from '#worker/domains/api-docs/build-document';

const DOCUMENT = '/api/v1/openapi.json';

describe('the fake server', () => {
  let client: Client;
  beforeAll(async () => {
    const fake = createFakeServer(documentedVersion());
    client = await openClient({
      secretKey: fake.secretKey,
      publicKey: fake.publicKey,
      blockedKey: null,
      sign: async (claims) => fake.token('', { exp: undefined, ...claims }),
      // The description is no part of it.
      fetch: async (path, init) =>
        path === DOCUMENT ? describeApi(init) : fake.fetch(`${fake.url}${path}`, init),
    });
  });
  for (const describePart of [
    describeAccessChecks,
    describeMetering,
    describeOpenFeature,
    describeCustomers,
    describeRefusals,
    describeHttp,
  ])
    describePart(() => client);
});

function describeApi({ method = 'GET' }: RequestInit = {}): Response {
  if (method === 'GET') return Response.json(buildDocument('https://tessera.fake'));
  const body = { status: 'error', errorType: 'method-not-allowed' };
  return Response.json(body, { status: 405, headers: { allow: 'GET, HEAD, OPTIONS' } });
}
