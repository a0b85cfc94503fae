import type { Meter, Path } from 'tessera-sdk';
import { tessera, undelivered } from './tessera';

/** Once the cause is fixed, for example a revoked key. Within 24 hours the keys keep it from counting twice. */
export function resend(): void {
  for (const { meter, on, by, resource, release, at, idempotencyKey } of undelivered.splice(0)) {
    const update = { on, at: new Date(at), idempotencyKey, release };
    tessera.count(meter as Path<Meter>, resource === undefined ? { ...update, by } : { ...update, resource });
  }
}
