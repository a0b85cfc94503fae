/**
 * The server's time, epoch milliseconds, in every answer that is not cached: the clocks of callers may be hours off. Cloudflare adds `Date`,
 * a server of one's own may not, and pages of other origins cannot read it.
 */
export const TIME_HEADER = 'tessera-time';
