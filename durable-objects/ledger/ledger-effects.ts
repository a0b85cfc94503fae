/** How a ledger object calls other objects, the clock and the log. */

import { log } from '#runtime/log';
import type { ObjectEnv } from '../stubs.ts';
import { eventStreamStub, ledgerAt, replicaStub } from '../stubs.ts';
import type { AliasEffects } from './alias-replicator.ts';
import type { CleanUpEffects } from './clean-up.ts';
import type { StreamEffects } from './event-outbox.ts';
import { readAck, readCopyPage } from './former-names.ts';
import type { IdleEntityEffects } from './idle-entities.ts';
import type { PeerEffects } from './peer-replicator.ts';
import type { StorageEffects } from './storage-level.ts';

export type LedgerEffects = PeerEffects &
  AliasEffects &
  StreamEffects &
  CleanUpEffects &
  IdleEntityEffects &
  StorageEffects;

export function ledgerEffects(env: ObjectEnv, sql: SqlStorage): LedgerEffects {
  return {
    databaseSize: () => sql.databaseSize,
    mergeAliasUsage: async (site, records) => (await ledgerAt(env, site)).mergeAliasUsage(site, records),
    missing: async ({ orgId, home }, ids) =>
      (await eventStreamStub(env, orgId, home)).missing(JSON.stringify(ids)),
    append: async (batch) => {
      await (await eventStreamStub(env, batch.orgId, batch.home)).appendGroups(batch);
    },
    receive: async (site, batch) => readAck(await (await ledgerAt(env, site)).receive(site, batch)),
    copy: async (site, request) => readCopyPage(await (await ledgerAt(env, site)).copy(site, request)),
    observeRetirement: async (site, notice) => (await ledgerAt(env, site)).observeRetirement(site, notice),
    regions: async ({ environmentId, location }) =>
      (await replicaStub(env, environmentId, location)).regions(),
    entityReaches: async ({ environmentId, location }) =>
      (await replicaStub(env, environmentId, location)).entityReaches(),
    now: () => Date.now(),
    random: () => Math.random(),
    wait: (ms) => scheduler.wait(ms),
    warn: (message, fields) => log.warn(message, fields),
  };
}

/** Calls the effects that are set at the time of the call: tests replace them to cut connections. */
export function forwardedEffects(current: () => LedgerEffects): LedgerEffects {
  return {
    mergeAliasUsage: (...given) => current().mergeAliasUsage(...given),
    receive: (...given) => current().receive(...given),
    copy: (...given) => current().copy(...given),
    observeRetirement: (...given) => current().observeRetirement(...given),
    missing: (...given) => current().missing(...given),
    append: (batch) => current().append(batch),
    regions: (site) => current().regions(site),
    entityReaches: (site) => current().entityReaches(site),
    databaseSize: () => current().databaseSize(),
    now: () => current().now(),
    random: () => current().random(),
    wait: (ms) => current().wait(ms),
    warn: (...given) => current().warn(...given),
  };
}
