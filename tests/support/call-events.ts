// The recorded events of calls, as the console shows them.
import type { Event } from '#contracts/console/events';
import { eventIdOf } from '#worker/domains/access/calls/record-call';
import { eventually } from './eventually.ts';
import type { Tenant } from './tenants.ts';

/** Null: none is recorded, or not yet. */
export async function eventOf(tenant: Tenant, requestId: string): Promise<Event | null> {
  const { status, body } = await tenant.call<Event>('GET', `/events/${eventIdOf(requestId)}`);
  return status === 200 ? body : null;
}

/** Once it is recorded. */
export const recordedEvent = (tenant: Tenant, requestId: string) =>
  eventually(() => tenant.make<Event>('GET', `/events/${eventIdOf(requestId)}`));
