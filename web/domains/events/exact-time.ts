/** An event's time to the millisecond. */
import { lazily } from '#web/ui/format.ts';

const exact = lazily(
  () =>
    new Intl.DateTimeFormat('en-GB', {
      day: 'numeric',
      month: 'long',
      year: 'numeric',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      fractionalSecondDigits: 3,
      timeZoneName: 'short',
    }),
);

/** '26 November 2026 at 17:40:00.042 UTC'. */
export const exactTime = (at: number): string => exact().format(at);
