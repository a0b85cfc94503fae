/** The calls of the public API, by their operation ids. */
import { accessEndpoints } from './access.ts';
import { provisioningEndpoints } from './customers.ts';
import type { PublicEndpoint } from './endpoint.ts';
import { holdEndpoints } from './holds.ts';
import { meteringEndpoints } from './metering.ts';
import { ofrepEndpoints } from './ofrep.ts';
import { salesEndpoints } from './sales.ts';

export const publicCalls = {
  checkAccess: accessEndpoints.check,
  checkAccessOfMany: accessEndpoints.checkMany,
  updateCounter: meteringEndpoints.update,
  updateCounters: meteringEndpoints.updateMany,
  openHold: holdEndpoints.open,
  extendHold: holdEndpoints.extend,
  settleHold: holdEndpoints.settle,
  evaluateFlags: ofrepEndpoints.evaluateAll,
  evaluateFlag: ofrepEndpoints.evaluate,
  listPlans: salesEndpoints.listPlans,
  openCheckout: salesEndpoints.openCheckout,
  previewPurchase: salesEndpoints.previewPurchase,
  openPortal: salesEndpoints.openPortal,
  readCustomer: provisioningEndpoints.read,
  saveCustomer: provisioningEndpoints.save,
  grantPlan: provisioningEndpoints.setGrant,
  revokePlan: provisioningEndpoints.removeGrant,
  setOverride: provisioningEndpoints.setOverride,
  removeOverride: provisioningEndpoints.removeOverride,
  listBalances: provisioningEndpoints.listBalances,
  listEntities: provisioningEndpoints.listEntities,
  deleteEntity: provisioningEndpoints.deleteEntity,
  readLedger: provisioningEndpoints.readLedger,
  setBalance: provisioningEndpoints.setBalance,
  takeBackBalance: provisioningEndpoints.takeBack,
  correctMeter: provisioningEndpoints.correctMeter,
  changeCustomers: provisioningEndpoints.changeMany,
} as const satisfies Record<string, PublicEndpoint>;

export type PublicCallId = keyof typeof publicCalls;
