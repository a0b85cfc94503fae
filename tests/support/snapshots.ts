// Snapshots for tests of replicas and of what isolates remember.
import type { EnvironmentSnapshot } from '#contracts/internal/snapshot';

let serial = 0;

/** An environment id that no other test uses. */
export function someEnvironmentId(): string {
  serial += 1;
  return `env_${`${serial}`.padStart(26, '0')}`;
}

/** Generation 1 of an environment in Western Europe that has nothing deployed. */
export function someSnapshot(changes: Partial<EnvironmentSnapshot> = {}): EnvironmentSnapshot {
  return {
    generation: 1,
    orgId: 'org_00000000000000000000000001',
    environmentId: someEnvironmentId(),
    environmentType: 'live',
    locations: ['weur'],
    artifact: null,
    keys: [],
    block: null,
    ...changes,
  };
}
