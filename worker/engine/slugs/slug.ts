/**
 * Slugs of features and plans and keys of properties: how one is made from a name while it is typed, and what may
 * stand as one. The rule is the specification's (section 5); page and Worker share it.
 */
export const SLUG_LENGTH = { min: 3, max: 32 } as const;
export const PROPERTY_KEY_LENGTH = { min: 3, max: 25 } as const;

/** Lower case, without accents; spaces and dots become hyphens, other symbols go, hyphens never repeat; at most 32. */
export function slugFrom(name: string): string {
  return hyphenated(name).slice(0, SLUG_LENGTH.max);
}

/** The key of a property called `name`: the rule of slugs, at most 25 characters. */
export function propertyKeyFrom(name: string): string {
  return hyphenated(name).slice(0, PROPERTY_KEY_LENGTH.max);
}

/** 3 to 32 lower-case letters, digits and hyphens, not hyphens only. */
export function isSlug(text: string): boolean {
  return (
    text.length >= SLUG_LENGTH.min && text.length <= SLUG_LENGTH.max && /^-*[a-z0-9][a-z0-9-]*$/.test(text)
  );
}

/** 3 to 25 letters, digits, hyphens and underscores, the first a letter, a digit or a hyphen. Case is kept. */
export function isPropertyKey(text: string): boolean {
  return (
    text.length >= PROPERTY_KEY_LENGTH.min &&
    text.length <= PROPERTY_KEY_LENGTH.max &&
    /^-*[A-Za-z0-9][A-Za-z0-9_-]*$/.test(text)
  );
}

function hyphenated(name: string): string {
  return name
    .toLowerCase()
    .normalize('NFD')
    .replace(/[\s.]/gu, '-')
    .replace(/[^a-z0-9-]/gu, '')
    .replace(/-{2,}/g, '-');
}
