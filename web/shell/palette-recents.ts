/** The pages that were last opened from the palette, in this browser. */

const KEY = 'palette-recents';
/** Of all organisations. */
const KEPT = 30;
const SHOWN = 5;

export interface Recent {
  readonly label: string;
  readonly to: string;
}

/** Newest first: pages of the organisation, and pages of none. */
export function readRecents(orgId: string | null): Recent[] {
  return load()
    .filter(({ to }) => !to.startsWith('/o/') || to.startsWith(`/o/${orgId}/`))
    .slice(0, SHOWN);
}

export function rememberRecent({ label, to }: Recent): void {
  const others = load().filter((recent) => recent.to !== to);
  try {
    localStorage.setItem(KEY, JSON.stringify([{ label, to }, ...others].slice(0, KEPT)));
  } catch {
    // Storage is blocked or full: nothing is remembered.
  }
}

function load(): Recent[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(stored) ? stored.filter(isRecent) : [];
  } catch {
    return [];
  }
}

function isRecent(value: unknown): value is Recent {
  if (typeof value !== 'object' || value === null) return false;
  const { label, to } = value as Partial<Recent>;
  return typeof label === 'string' && typeof to === 'string' && /^\/(?!\/)/.test(to);
}
