/** How balances read: their names, states and terms. */
import type { CustomerBalance } from '#contracts/console/customer-balances';
import { formatDay, formatMonth, formatNumber, formatUtcDay } from '#web/ui/format.ts';
import type { Tone } from '#web/ui/labels/status-label.tsx';
import { moneyText } from '#web/values/money-text.ts';

/** 'inv-118'; of one without a name of its own, 'Paid balance'. */
export function balanceName({
  name,
  category,
  source,
}: Pick<CustomerBalance, 'name' | 'category' | 'source'>) {
  return name ?? `${CATEGORIES[category]} ${source.kind === 'top-up' ? 'top-up' : 'balance'}`;
}

export const CATEGORIES: Readonly<Record<CustomerBalance['category'], string>> = {
  paid: 'Paid',
  promotional: 'Promotional',
  plan: 'Plan',
};

/** 'Rolled over from October 2026', or, of a period that is no calendar month, 'Rolled over from 31 Oct'. */
export function rolledWords(from: number | undefined): string {
  if (from === undefined) return 'Rolled over';
  const isMonth = new Date(from).getUTCDate() === 1;
  return `Rolled over from ${isMonth ? formatMonth(from) : formatUtcDay(from)}`;
}

/** What a state says beside the figures; none for one that can be drawn from. */
export const STATES: Readonly<Record<CustomerBalance['state'], { label: string; tone: Tone } | null>> = {
  active: null,
  scheduled: { label: 'Scheduled', tone: 'waiting' },
  'needs-plan': { label: 'Needs a plan', tone: 'waiting' },
  frozen: { label: 'Frozen', tone: 'waiting' },
  'used-up': { label: 'Used up', tone: 'quiet' },
  ended: { label: 'Ended', tone: 'quiet' },
};

/** '2,150 of 10,000 used, 250 held, 500 taken back'. */
export function usedWords({
  amount,
  takenBack,
  used,
  held = 0,
}: Pick<CustomerBalance, 'amount' | 'takenBack' | 'used' | 'held'>) {
  const taken = takenBack === 0 ? '' : `, ${formatNumber(takenBack)} taken back`;
  return used === null
    ? `${formatNumber(amount)} given${taken}`
    : `${formatNumber(used)} of ${formatNumber(amount)} used${held === 0 ? '' : `, ${formatNumber(held)} held`}${taken}`;
}

/** 'Paid €49.90': where it comes from, without what its name says already; null if there is nothing more to say. */
export function originWords({
  name,
  category,
  costBasis,
}: Pick<CustomerBalance, 'name' | 'category' | 'costBasis'>) {
  const parts = [
    name === null ? null : CATEGORIES[category],
    costBasis === null ? null : moneyText(costBasis),
  ];
  return parts.filter((part) => part !== null).join(' ') || null;
}

/** The terms that somebody else's change left: 'ends on 3 December 2026, priority 10, frozen'. */
export function termsWords({
  endsAt,
  priority,
  needsPlan,
  isFrozen,
}: Pick<CustomerBalance, 'endsAt' | 'priority' | 'needsPlan' | 'isFrozen'>): string {
  return [
    endsAt === null ? 'no end' : `ends on ${formatDay(endsAt)}`,
    `priority ${priority}`,
    needsPlan && 'needs a plan',
    isFrozen && 'frozen',
  ]
    .filter((part) => part !== false)
    .join(', ');
}

/** Of usage above quota and balances: '240 overage, 500 allowed'. @param allowed null: any amount; undefined: none */
export function overageWords(overage: number, allowed: number | null | undefined): string {
  const most = allowed == null ? '' : `, ${formatNumber(allowed)} allowed`;
  return `${formatNumber(overage)} overage${most}`;
}
