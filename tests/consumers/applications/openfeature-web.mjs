// OpenFeature in a browser, with its own provider and a public key: nobody is signed in.
import assert from 'node:assert/strict';
import { OFREPWebProvider } from '@openfeature/ofrep-web-provider';
import { OpenFeature } from '@openfeature/web-sdk';

const { TESSERA_URL: baseUrl, TESSERA_PUBLIC_KEY } = process.env;
const headers = [['Authorization', `Bearer ${TESSERA_PUBLIC_KEY}`]];
await OpenFeature.setProviderAndWait(new OFREPWebProvider({ baseUrl, headers, pollInterval: -1 }));
assert.equal(OpenFeature.getClient().getNumberValue('dashboards.maxDashboards', 1), 3);
await OpenFeature.close();
