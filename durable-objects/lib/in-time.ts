/** Calls of other objects: how long one may take, and the pauses after failed ones. */
import type { Pauses } from '#engine/back-off';

export const CALL_PAUSES_MS: Pauses = { first: 500, longest: 60_000 };

/** Silence becomes an error, so that back-off treats both alike. */
export async function inTime<Answer>(
  answer: Promise<Answer>,
  timeoutMs: number,
  who: string,
): Promise<Answer> {
  let timer: ReturnType<typeof setTimeout> | null = null;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${who} did not answer in time`)), timeoutMs);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
