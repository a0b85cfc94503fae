/**
 * Derives a slug from the name until the user edits the slug, also before the form was restored: only a slug that the name makes follows
 * the name.
 */
export interface NamedSlug {
  readonly name: string;
  readonly slug: string;
}

/** @returns the slug after the name has changed to `name` */
export const followName = (before: NamedSlug, name: string, make: (name: string) => string): string =>
  before.slug === make(before.name) ? make(name) : before.slug;
