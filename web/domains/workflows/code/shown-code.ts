/** A workflow's source as the editor shows it. */

/**
 * Every line end is a line feed: the editor knows one kind per text, so what it shows of a source with several would differ from the
 * source. @param starter in place of an empty source
 */
export function shownCode(source: string, starter: string): string {
  return source.replace(/\r\n?/g, '\n') || starter;
}
