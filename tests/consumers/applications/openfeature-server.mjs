// OpenFeature on a server, with its own provider.
import assert from 'node:assert/strict';
import { OFREPProvider } from '@openfeature/ofrep-provider';
import { OpenFeature } from '@openfeature/server-sdk';

const { TESSERA_URL: baseUrl, TESSERA_KEY, CUSTOMER: targetingKey } = process.env;
const headers = { Authorization: `Bearer ${TESSERA_KEY}` };
await OpenFeature.setProviderAndWait(new OFREPProvider({ baseUrl, headers }));
const client = OpenFeature.getClient();
assert.equal(await client.getBooleanValue('dashboards', false, { targetingKey }), true);
assert.equal(await client.getNumberValue('dashboards.maxDashboards', 1, { targetingKey }), 25);
await OpenFeature.close();
