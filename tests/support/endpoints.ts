/// <reference types="vite/types/importMeta.d.ts" />
// Every endpoint of the contracts, so that new ones are covered automatically.
import type { Endpoint } from '#contracts/public/endpoint';

export interface NamedEndpoint {
  /** Such as `planEndpoints.list`. */
  readonly name: string;
  readonly endpoint: Endpoint;
}

const contracts = import.meta.glob<Record<string, unknown>>(
  '../../packages/contracts/{public,console}/*.ts',
  {
    eager: true,
  },
);

export const endpoints: readonly NamedEndpoint[] = Object.values(contracts)
  .flatMap((contract) => Object.entries(contract).filter(([name]) => name.endsWith('Endpoints')))
  .flatMap(([collection, records]) =>
    Object.entries(records as Record<string, Endpoint>).map(([key, endpoint]) => ({
      name: `${collection}.${key}`,
      endpoint,
    })),
  );
