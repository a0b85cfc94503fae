// The client of this repository, as its README sets it up: TESSERA_URL and TESSERA_KEY name a server with the same features.
import { createTessera } from 'tessera-sdk';

const tessera = createTessera();
const on = { user: 'ada@example.com' };

/** Answers are valid for a minute at most. */
export async function renew() {
  tessera.refresh(on);
  await tessera.check(on);
}

/** @param isPlain by `peek`, otherwise by `can` */
export async function open(slugs, isPlain) {
  await renew();
  return isPlain ? peek(slugs) : can(tessera, slugs);
}

/** A property of each feature. */
export const openProperties = (slugs) => peek(slugs.map((slug) => `${slug}.limit`));

export const openHttp = (slugs) => can(createTessera({ cache: false }), slugs);

export async function keepCustomers(count) {
  for (let turn = 0; turn < count; turn++) await tessera.check({ user: `${turn}@example.com` });
}

function can(client, slugs) {
  return async (times) => {
    let allowed = 0;
    for (let turn = 0; turn < times; turn++)
      if (await client.can(slugs[turn % slugs.length], { on: { user: on.user }, fallback: false })) allowed++;
    return allowed;
  };
}

function peek(paths) {
  return (times) => {
    let allowed = 0;
    for (let turn = 0; turn < times; turn++)
      if (tessera.peek(paths[turn % paths.length], { on: { user: on.user } })?.value) allowed++;
    return allowed;
  };
}
