/**
 * Slugs of features and plans and keys of properties: how one is made from a name while it is typed. The rule is
 * the specification's (section 5); what else may stand as one is said in contracts/text.ts.
 */
const MAX_SLUG = 32;
const MAX_PROPERTY_KEY = 25;

/** Lower case, without accents; spaces and dots become hyphens, other symbols go, hyphens never repeat; at most 32. */
export function slugFrom(name: string): string {
  return hyphenated(name).slice(0, MAX_SLUG);
}

/** The key of a property called `name`: the rule of slugs, at most 25 characters. */
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
