/** From this many rows on, a list is easier to search than to read. */
const LONG_ROWS = 11;

/**
 * Whether a list shows its search field: if it is long, and as long as a search filters it. Otherwise, a list that becomes short would
 * hide the rest of its rows with no way to clear the search.
 */
export const hasSearchField = (rows: number, search: string): boolean => rows >= LONG_ROWS || search !== '';
