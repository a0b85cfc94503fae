import { vi } from 'vitest';
import { PATIENCE } from './patience.ts';

/**
 * Repeats assertions until they pass; `expect.poll` does the same for one value. Both wait as long as `PATIENCE` says.
 * @returns what the last attempt returned
 */
export function eventually<T>(attempt: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(attempt, PATIENCE);
}
