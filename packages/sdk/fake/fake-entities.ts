/** The entities of the fake server's customers, with what each has used. */
import { entityRead, readEntityMeter } from '#engine/entitlements/entity-meters';
import { compareText } from '#engine/text/compare-text';
import type { FakeAnswer, FakeApi, FakeCall } from './fake-api.ts';
import type { FakeCustomer } from './fake-customer.ts';

const PER_PAGE = 100;

/** GET /api/v1/customers/:customer/entities. */
export function listEntities(
  api: FakeApi,
  customer: FakeCustomer,
  { requestId, search }: FakeCall,
): FakeAnswer {
  const resolution = api.resolutionOf(customer.identifier);
  const { perEntity } = resolution.prepared;
  const now = api.now();
  const after = search.get('cursor') ?? '';
  const ids = perEntity.length === 0 ? [] : customer.entityIds().sort(compareText);
  const rest = ids.filter((id) => compareText(id, after) > 0);
  const entities = rest.slice(0, PER_PAGE).map((id) => {
    const meterOf = (entry: (typeof perEntity)[number]) =>
      readEntityMeter(resolution, entry, customer.readEntity(id, entityRead(resolution, entry), now), now);
    return { id, meters: perEntity.map(meterOf) };
  });
  const nextCursor = rest.length > PER_PAGE ? entities.at(-1)?.id : null;
  return { text: JSON.stringify({ status: 'success', requestId, entities, nextCursor, warnings: [] }) };
}
