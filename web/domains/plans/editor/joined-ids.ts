/** Ids as one text, which is equal as long as the ids are: a memo can depend on it. */
export const joinIds = (ids: Iterable<string>): string => [...ids].join(' ');

export const splitIds = (text: string): ReadonlySet<string> => new Set(text === '' ? [] : text.split(' '));
