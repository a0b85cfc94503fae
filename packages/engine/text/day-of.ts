/** The UTC day of an instant, for example '3 Nov 2026'. */
export function dayOf(instant: number): string {
  return new Date(instant).toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    timeZone: 'UTC',
  });
}
