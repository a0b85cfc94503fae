/**
 * Keeps what was typed when a session ends unexpectedly: every unsaved form writes its values to the tab's storage, and reads
 * them again when the same user is back on the page. A log-out in another tab is unexpected here. The tab that logs out keeps nothing,
 * and no tab keeps a password or another secret.
 */

const PREFIX = 'draft:';
const SECRET = /password|secret|token|jwt/i;

/** What a form would lose; null: nothing is unsaved. */
export type DraftSource = () => object | null;

const sources = new Map<string, DraftSource>();

/** @param key names the form on its page @returns ends the registration */
export function registerDraft(key: string, source: DraftSource): () => void {
  sources.set(key, source);
  return () => {
    if (sources.get(key) === source) sources.delete(key);
  };
}

/** Call before the pages of the ended session close. @param userId whose session it was */
export function keepDrafts(userId: string): void {
  for (const [key, source] of sources) {
    const typed = source();
    if (typed === null) continue;
    store((storage) =>
      storage.setItem(PREFIX + key, JSON.stringify({ userId, values: typed }, withoutSecrets)),
    );
  }
}

/** The kept values of this user's form; null if there are none. They stay stored until `forgetDraft`. */
export function findDraft(key: string, userId: string | undefined): object | null {
  let found: object | null = null;
  store((storage) => {
    const draft = JSON.parse(storage.getItem(PREFIX + key) ?? 'null') as {
      userId?: unknown;
      values?: unknown;
    } | null;
    if (draft?.userId === userId && typeof draft?.values === 'object') found = draft.values;
  });
  return found;
}

export function forgetDraft(key: string): void {
  store((storage) => storage.removeItem(PREFIX + key));
}

/** After a log-out. */
export function forgetAllDrafts(): void {
  store((storage) => {
    for (const key of Object.keys(storage)) {
      if (key.startsWith(PREFIX)) storage.removeItem(key);
    }
  });
}

function withoutSecrets(name: string, value: unknown): unknown {
  return SECRET.test(name) ? undefined : value;
}

/** Storage may be blocked, full or edited: then nothing is kept. */
function store(work: (storage: Storage) => void): void {
  try {
    work(sessionStorage);
  } catch {
    // See above.
  }
}
