/** Queries that a screen needs together. */
interface Read {
  readonly data: unknown;
  readonly error: Error | null;
  readonly refetch: () => unknown;
}

/** Of the first that has failed and has nothing to show. `onRetry` reads all of them again. @returns null if there is none */
export function failedRead(...reads: readonly Read[]) {
  const error = reads.find((read) => read.data === undefined && read.error !== null)?.error ?? null;
  if (error === null) return null;
  const onRetry = () => {
    for (const { refetch } of reads) void refetch();
  };
  return { error, onRetry };
}
