/** The pages that a user last opened from the palette, in this browser. */

const KEY = 'palette-recents';
/** Of all organisations. */
const KEPT = 30;
const SHOWN = 5;
const SUDO_PAGE = /^\/sudo-/;

export interface Recent {
  readonly label: string;
  readonly to: string;
}

/** Whose pages they are: the next user of the browser must not see them. */
interface Stored {
  readonly userId: string;
  readonly recents: readonly Recent[];
}

export interface Reader {
  /** Undefined: nobody's. */
  readonly userId: string | undefined;
  readonly isSudoAccess: boolean;
  readonly orgId: string | null;
}

/** Newest first: pages of the organisation, and pages of none. */
export function readRecents({ userId, isSudoAccess, orgId }: Reader): Recent[] {
  return load(userId)
    .filter(({ to }) => !to.startsWith('/o/') || to.startsWith(`/o/${orgId}/`))
    .filter(({ to }) => isSudoAccess || !SUDO_PAGE.test(to))
    .slice(0, SHOWN);
}

/** Replaces another user's pages. */
export function rememberRecent(userId: string | undefined, { label, to }: Recent): void {
  if (userId === undefined) return;
  const others = load(userId).filter((recent) => recent.to !== to);
  const stored: Stored = { userId, recents: [{ label, to }, ...others].slice(0, KEPT) };
  try {
    localStorage.setItem(KEY, JSON.stringify(stored));
  } catch {
    // Storage is blocked or full: nothing is remembered.
  }
}

function load(userId: string | undefined): Recent[] {
  try {
    const stored = JSON.parse(localStorage.getItem(KEY) ?? 'null') as Partial<Stored> | null;
    const isOwn = userId !== undefined && stored?.userId === userId;
    return isOwn && Array.isArray(stored.recents) ? stored.recents.filter(isRecent) : [];
  } catch {
    return [];
  }
}

function isRecent(value: unknown): value is Recent {
  if (typeof value !== 'object' || value === null) return false;
  const { label, to } = value as Partial<Recent>;
  return typeof label === 'string' && typeof to === 'string' && /^\/(?!\/)/.test(to);
}
