/** What usage of a meter was taken from and what is left of each source, as one sentence for people. */
import type { MeteredAnswer } from '../metering/read-meter.ts';
import { dayOf } from '../text/day-of.ts';
import { formatNumber } from '../text/format-number.ts';

type Listed = Pick<MeteredAnswer, 'balances' | 'overage'>;
type Line = NonNullable<MeteredAnswer['balances']>[number];

/** Sources that a sentence names. The answer lists all. */
const MAX_NAMED = 5;

/**
 * 'All 1,000 of Pro are used; 2,150 of 10,000 (inv-118) are used and 250 held, 7,600 left until 28 Nov 2027.'
 * @param quota what the quota is called: the plans that set it
 * @returns empty text if the answer lists no sources
 */
export function sourceWords({ balances = [], overage = 0 }: Listed, quota: string): string {
  if (balances.length === 0) return '';
  const named = balances.slice(0, MAX_NAMED).map((line) => lineWords(line, quota));
  const more = balances.length - named.length;
  if (more > 0) named.push(`${more} more`);
  if (overage > 0) named.push(`${formatNumber(overage)} above them`);
  const text = named.join('; ');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

function lineWords(
  { kind, id = '', rolledFrom, amount, used, held = 0, remaining, endsAt }: Line,
  quota: string,
): string {
  const name = rolledFrom === undefined ? id : `rolled over from ${dayOf(rolledFrom)}`;
  const what = kind === 'quota' ? ` of ${quota}` : ` (${name})`;
  const verb = (count: number) => (count === 1 ? 'is' : 'are');
  const isWhole = (part: number) => amount > 0 && part === amount;
  if (isWhole(used) || isWhole(held))
    return `all ${formatNumber(amount)}${what} ${verb(amount)} ${held === 0 ? 'used' : 'held'}`;
  const taken = `${formatNumber(used)} of ${formatNumber(amount)}${what} ${verb(used)} used`;
  const beside = held === 0 ? '' : ` and ${formatNumber(held)} held`;
  if (amount > 0 && remaining === 0) return `${taken}${beside}, none left`;
  const until = endsAt === null ? '' : ` until ${dayOf(endsAt)}`;
  return `${taken}${beside}, ${formatNumber(remaining)} left${until}`;
}
