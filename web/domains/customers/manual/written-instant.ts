/** Instants as people write them, in the browser's time zone: '2026-12-31 18:00', or a day, at the end of which it is. */

const WRITTEN = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[ T]+(\d{1,2}):(\d{2}))?$/;

/** @param isStart a day is its beginning @returns NaN for anything else, and for days and times that do not exist */
export function readInstant(text: string, isStart = false): number {
  const [, year, month, day, hour, minute] = WRITTEN.exec(text.trim())?.map(Number) ?? [];
  if (year === undefined || month === undefined || day === undefined) return Number.NaN;
  const isDay = Number.isNaN(hour);
  const at = isDay ? new Date(year, month - 1, day) : new Date(year, month - 1, day, hour, minute);
  // A Date makes the 3rd of March of the 31st of February.
  const exists =
    at.getMonth() === month - 1 &&
    at.getDate() === day &&
    (isDay || (at.getHours() === hour && minute !== undefined && minute < 60));
  if (!exists) return Number.NaN;
  return isDay && !isStart ? at.setDate(day + 1) : at.getTime();
}

export function writeInstant(at: number): string {
  const date = new Date(at);
  const local = new Date(at - date.getTimezoneOffset() * 60_000).toISOString();
  return `${local.slice(0, 10)} ${local.slice(11, 16)}`;
}
