/**
 * Placeholder data of a search: what the previous search found stays on screen while the next one runs. If it found nothing, the next one
 * is loading instead: 'No results' would look like its answer.
 */
export const keepFound = <Answer>(
  previous: Answer | undefined,
  isEmpty: (answer: Answer) => boolean,
): Answer | undefined => (previous === undefined || isEmpty(previous) ? undefined : previous);
