// The calls of the demo's customers, one after the other: who calls from where, and what for. `npm run traffic` sends them.

import { personNames } from '@tessera/stripe-emulator/control/people';
import { accessEndpoints } from '#contracts/public/access';
import { holdEndpoints } from '#contracts/public/holds';
import { meteringEndpoints } from '#contracts/public/metering';
import { choose } from './choose.ts';
import { demoFeatures } from './demo-features.ts';
import { activityAt, type DemoPlace, demoPlaces } from './demo-places.ts';

export interface DemoCall {
  readonly path: string;
  readonly body: object;
  readonly place: DemoPlace;
  /** For the environment with the most traffic. */
  readonly isBusiest: boolean;
  /** Of a hold: how it is settled; null if its work is aborted, and it ends by itself. */
  readonly settles?: { readonly afterMs: number; readonly amount: number } | null;
}

/** Customers of the connected Stripe account. A few of them call often. */
const CUSTOMERS = 60;
const BUSIEST_SHARE = 0.65;

interface Kind {
  readonly weight: number;
  readonly path: string;
  readonly body: (userIdentifier: string, random: () => number) => object;
  /** It holds the amount of its body. */
  readonly isHold?: true;
}

/** Of bulk exports, whose holds are settled with fewer; one in ten is aborted. */
const MOST_EXPORTS = 5;
const EXPORT_MS = 20_000;
const ABORTED_SHARE = 0.1;

const slugs = demoFeatures.map(({ slug }) => slug);
const check = accessEndpoints.check.path;
const update = meteringEndpoints.update.path;
const some = (random: () => number) => choose(slugs, () => 1, random);

const KINDS: readonly Kind[] = [
  { weight: 50, path: check, body: (userIdentifier) => ({ userIdentifier }) },
  {
    weight: 24,
    path: check,
    body: (userIdentifier, random) => ({ userIdentifier, features: [some(random)] }),
  },
  { weight: 6, path: check, body: () => ({}) },
  {
    weight: 4,
    path: check,
    body: (userIdentifier) => ({
      userIdentifier,
      consume: { feature: 'data-exports', property: 'exports' },
    }),
  },
  {
    weight: 11,
    path: update,
    body: (userIdentifier, random) => ({
      userIdentifier,
      feature: 'api-access',
      property: 'requests',
      enforce: true,
      by: 1 + Math.floor(random() * 5),
    }),
  },
  {
    weight: 8,
    path: holdEndpoints.open.path,
    body: (userIdentifier, random) => ({
      ...{ userIdentifier, feature: 'data-exports', property: 'exports', orLess: true, lastsMs: 60_000 },
      amount: 1 + Math.floor(random() * MOST_EXPORTS),
    }),
    isHold: true,
  },
  // Mistakes of applications: an unknown feature, an outdated token, and an invalid amount.
  { weight: 2, path: check, body: (userIdentifier) => ({ userIdentifier, features: ['data-export'] }) },
  { weight: 2, path: check, body: () => ({ userJwt: 'eyJhbGciOiJSUzI1NiJ9.e30.expired' }) },
  {
    weight: 1,
    path: update,
    body: (userIdentifier) => ({
      userIdentifier,
      feature: 'api-access',
      property: 'requests',
      by: 0.5,
    }),
  },
];

/** @param at epoch milliseconds: places are busier by day @param random from 0 to 1 */
export function nextCall(at: number, random: () => number): DemoCall {
  const kind = choose(KINDS, ({ weight }) => weight, random);
  const who = Math.floor(random() ** 2 * CUSTOMERS);
  const { path, body, isHold = false } = kind;
  return {
    path,
    body: body(personNames(who).email, random),
    place: choose(demoPlaces, (place) => place.weight * activityAt(place, at), random),
    isBusiest: random() < BUSIEST_SHARE,
    ...(isHold && {
      settles:
        random() < ABORTED_SHARE
          ? null
          : { afterMs: random() * EXPORT_MS, amount: Math.floor(random() * (MOST_EXPORTS + 1)) },
    }),
  };
}
