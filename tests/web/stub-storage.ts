// A browser's localStorage for tests in Node, empty. `vi.unstubAllGlobals()` takes it away.
import { vi } from 'vitest';

/** @returns what is stored, by key */
export function stubStorage(): Map<string, string> {
  const stored = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  });
  return stored;
}
