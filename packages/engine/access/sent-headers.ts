/** The headers of a request, as far as the engine reads them. */
export interface SentHeaders {
  /** Null: it was not sent. */
  get(name: string): string | null;
}
