// The conformance suite of the public API. It knows the API by HTTP and by the public contract types alone.
import { beforeAll } from 'vitest';
import { describeAccessChecks } from './access-checks.ts';
import { describeBalances } from './balances.ts';
import { type Client, openClient, type Target } from './client.ts';
import { describeCosts } from './costs.ts';
import { describeCustomers } from './customers.ts';
import { describeHolds } from './holds.ts';
import { describeDocument, describeHttp } from './http.ts';
import { describeLedger } from './ledger.ts';
import { describeMembers } from './members.ts';
import { describeMetering } from './metering.ts';
import { describeOpenFeature } from './openfeature.ts';
import { describePlans } from './plans.ts';
import { describeRefusals } from './refusals.ts';
import { describeRollover } from './rollover.ts';

/** Declares the tests; `openTarget` is called once, before the first of them. @param isWhole without it, the API's description is left out */
export function describeConformance(openTarget: () => Promise<Target>, isWhole = true): void {
  let client: Client;
  beforeAll(async () => {
    client = await openClient(await openTarget());
  });
  for (const describePart of [
    describeAccessChecks,
    describeMetering,
    describeOpenFeature,
    describeCustomers,
    describeBalances,
    describeHolds,
    describeCosts,
    describeMembers,
    describePlans,
    describeRefusals,
    describeHttp,
    describeLedger,
    ...(isWhole ? [describeDocument] : []),
    // Last, because it may move the clock.
    describeRollover,
  ]) {
    describePart(() => client);
  }
}
