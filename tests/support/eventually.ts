import { vi } from 'vitest';

/**
 * Repeats assertions until they pass; `expect.poll` does the same for one value. Both wait as long as tests/vitest.config.ts
 * says: a busy machine is slow, not wrong.
 * @returns what the last attempt returned
 */
export function eventually<T>(attempt: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(attempt, { timeout: 30_000, interval: 50 });
}
