/**
 * Derives a slug of a feature or plan, or a property's key, from a name while the user types. contracts/public/text.ts
 * defines valid slugs and keys.
 */
const MAX_SLUG = 32;
const MAX_PROPERTY_KEY = 25;

/** Lower case without accents, up to 32 characters. Spaces and dots become single hyphens; other symbols are removed. */
export function slugFrom(name: string): string {
  return hyphenated(name).slice(0, MAX_SLUG);
}

/** A property's key from its name: like a slug, at most 25 characters. */
export function propertyKeyFrom(name: string): string {
  return hyphenated(name).slice(0, MAX_PROPERTY_KEY);
}

function hyphenated(name: string): string {
  return name
    .toLowerCase()
    .normalize('NFD')
    .replace(/[\s.]/gu, '-')
    .replace(/[^a-z0-9-]/gu, '')
    .replace(/-{2,}/g, '-');
}
