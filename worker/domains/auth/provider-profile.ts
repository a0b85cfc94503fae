/** Adapts a GitHub or Google profile to our own rules, so that sign-in does not fail on a short name. */

import { imageUrlSchema } from '#contracts/console/web-url';
import { readForeignName } from '#contracts/public/text';

export type ProviderProfile = {
  readonly name: string;
  readonly image: string | undefined;
};

/** @param fallback used when the name is missing or too short: a login or an email */
export function profileOfProvider(
  name: string | null | undefined,
  fallback: string,
  image: string,
): ProviderProfile {
  const isImage = imageUrlSchema.safeParse(image).success;
  return {
    name: readForeignName(name ?? '') ?? readForeignName(fallback) ?? 'New user',
    image: isImage ? image : undefined,
  };
}
