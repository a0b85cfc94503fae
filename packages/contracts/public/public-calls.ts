/** The calls of the public API, by their operation ids. */
import { accessEndpoints } from './access.ts';
import type { PublicEndpoint } from './endpoint.ts';
import { meteringEndpoints } from './metering.ts';

export const publicCalls = {
  checkAccess: accessEndpoints.check,
  updateCounter: meteringEndpoints.update,
} as const satisfies Record<string, PublicEndpoint>;

export type PublicCallId = keyof typeof publicCalls;
