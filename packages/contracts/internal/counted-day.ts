/** What an event stream counts beside events. */

/** API calls without an event of an environment's day (UTC), so far. */
export interface CountedDay {
  /** Start of the day, epoch milliseconds. */
  readonly dayAt: number;
  readonly environmentId: string;
  readonly total: number;
}
