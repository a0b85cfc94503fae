/** Makes what GitHub or Google say of a person fit our own rules: a sign-in must not fail on a short name. */
import { nameSchema } from '#contracts/text';
import { imageUrlSchema } from '#contracts/web-url';

export type ProviderProfile = {
  readonly name: string;
  readonly image: string | undefined;
};

/** @param fallback stands in for a name that is missing or too short: a login or an address */
export function profileOfProvider(
  name: string | null | undefined,
  fallback: string,
  image: string,
): ProviderProfile {
  const isImage = imageUrlSchema.safeParse(image).success;
  return { name: asName(name ?? '') ?? asName(fallback) ?? 'New user', image: isImage ? image : undefined };
}

function asName(text: string): string | undefined {
  return nameSchema.safeParse(
    text
      .replace(/\p{Cc}+/gu, ' ')
      .trim()
      .slice(0, 100),
  ).data;
}
