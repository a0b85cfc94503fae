import { OFREPProvider } from '@openfeature/ofrep-provider';
import { OpenFeature } from '@openfeature/server-sdk';

await OpenFeature.setProviderAndWait(
  new OFREPProvider({
    baseUrl: 'https://tessera.example',
    headers: { Authorization: `Bearer ${process.env.TESSERA_KEY}` },
  }),
);

const client = OpenFeature.getClient();
const context = { targetingKey: 'ada@example.com' };
export const canExport = await client.getBooleanValue('data-exports', false, context);
export const maxDashboards = await client.getNumberValue('dashboards.maxDashboards', 3, context);
