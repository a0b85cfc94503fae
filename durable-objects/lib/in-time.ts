/** A deadline for a call of another object: silence becomes an error, so that back-off treats both alike. */
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
