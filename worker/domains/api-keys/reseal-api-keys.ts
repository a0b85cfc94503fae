/** Encrypts the stored values of API keys with the current encryption key, for the schedule. */
import { apiKey } from '#worker/db/schema/environments';
import { resealColumn } from '#worker/domains/secrets/reseal-column';
import type { WorkContext } from '#worker/http/request-context';
import { sealContext } from './store.ts';

export async function resealApiKeys(ctx: WorkContext): Promise<void> {
  const { id, orgId, sealedValue } = apiKey;
  await resealColumn(ctx, { table: apiKey, id, orgId, sealed: sealedValue, contextOf: sealContext });
}
