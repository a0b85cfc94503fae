/** Stands for the client of your auth provider, which has the same under other names. */
interface Session {
  readonly userId: string;
  readonly token: string;
}

let session: Session | null = null;
const listeners = new Set<() => void>();

export const auth = {
  /** The current token. The client of your auth provider renews it here, if it is about to expire. */
  token: async (): Promise<string | null> => session?.token ?? null,
  userId: (): string | null => session?.userId ?? null,
  onChange(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  /** A sign-in, a sign-out, or a renewed token. */
  change(next: Session | null): void {
    session = next;
    for (const listener of listeners) listener();
  },
};
