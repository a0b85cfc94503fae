/** Clocks of time zones by their rules of today, without any table of the platform. */

export const ZONES = ['UTC', 'Asia/Kolkata', 'Asia/Kathmandu', 'Australia/Lord_Howe'] as const;
export type Zone = (typeof ZONES)[number];

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** The most that any of them is ahead of UTC. */
const MOST_AHEAD = 11 * HOUR;
/** All of them are set by a multiple of it. */
const STEP = 15 * MINUTE;

/** What a clock shows, as if it were in UTC. */
export function shownAt(zone: Zone, at: number): number {
  return at + aheadOf(zone, at);
}

/** The first instant at which a clock shows this or a later time. */
export function firstShowing(zone: Zone, shown: number): number {
  let at = shown - MOST_AHEAD;
  while (shownAt(zone, at) < shown) at += STEP;
  return at;
}

/** When the clock of Lord Howe is next set. */
export function nextChange(now: number): number {
  const year = new Date(now).getUTCFullYear();
  return [...changesIn(year), ...changesIn(year + 1)].find((at) => at > now)!;
}

function aheadOf(zone: Zone, at: number): number {
  switch (zone) {
    case 'UTC':
      return 0;
    case 'Asia/Kolkata':
      return 5.5 * HOUR;
    case 'Asia/Kathmandu':
      return 5.75 * HOUR;
    case 'Australia/Lord_Howe': {
      const [winter, summer] = changesIn(new Date(at).getUTCFullYear());
      return at >= winter && at < summer ? 10.5 * HOUR : 11 * HOUR;
    }
  }
}

/** At 2:00 of the first Sunday in April it is set back to 1:30, and in October ahead to 2:30. */
function changesIn(year: number): [winter: number, summer: number] {
  return [firstSunday(year, 3) + 2 * HOUR - 11 * HOUR, firstSunday(year, 9) + 2 * HOUR - 10.5 * HOUR];
}

function firstSunday(year: number, month: number): number {
  const weekday = new Date(Date.UTC(year, month, 1)).getUTCDay();
  return Date.UTC(year, month, 1 + ((7 - weekday) % 7));
}
