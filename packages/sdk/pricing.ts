'use client';
/** A pricing table in React 18.3 and 19, of the plans that are shown publicly. Without styles: every part has a class, which begins with `tessera-`. */
import { createElement as h, type ReactElement, useEffect, useId, useState } from 'react';

/** As `GET /api/v1/plans` returns them. */
export interface PricingPlan {
  readonly slug: string;
  readonly name: string;
  readonly description: string | null;
  readonly isAddOn: boolean;
  readonly features: readonly PricingFeature[];
  readonly prices: readonly PricingPrice[];
}
export interface PricingFeature {
  readonly slug: string;
  readonly name: string;
  readonly properties: readonly {
    readonly key: string;
    readonly name: string;
    readonly value: unknown;
    readonly display: string;
  }[];
}
export interface PricingPrice {
  readonly id: string;
  readonly currency: string;
  readonly amount: number | null;
  readonly interval: 'day' | 'week' | 'month' | 'year';
  readonly intervalCount: number;
  readonly perUnit: boolean;
}

export interface PricingTableProps {
  /** Or where to ask for them. */
  readonly plans: readonly PricingPlan[] | { readonly url: string; readonly publicKey: string };
  /** Slugs of the customer's plans. */
  readonly current?: readonly string[] | undefined;
  readonly currency?: string | undefined;
  readonly locale?: string | undefined;
  readonly labels?: Partial<PricingLabels> | undefined;
  readonly onChoose: (plan: PricingPlan, price: PricingPrice | null) => void;
}
type Label = 'loading' | 'failed' | 'retry' | 'current' | 'choose' | 'perUnit' | 'varies' | 'interval';
export type PricingLabels = Readonly<Record<Label, string>>;

const LABELS: PricingLabels = {
  loading: 'Loading plans…',
  failed: 'The plans could not be loaded.',
  retry: 'Try again',
  current: 'Current plan',
  choose: 'Choose',
  perUnit: 'each',
  varies: 'By usage',
  interval: 'Billed every',
};

export function PricingTable(props: PricingTableProps): ReactElement {
  const { plans: given, current = [], currency, locale, onChoose } = props;
  const words = { ...LABELS, ...props.labels };
  const { plans, hasFailed, retry } = usePlans(given);
  const [chosen, setChosen] = useState('');
  const name = useId();
  if (plans === null) {
    if (!hasFailed) return h('p', { className: 'tessera-loading', role: 'status' }, words.loading);
    const again = h('button', { type: 'button', onClick: retry }, words.retry);
    return h('div', { className: 'tessera-failed', role: 'alert' }, `${words.failed} `, again);
  }
  const all = plans.flatMap(({ prices }) => prices);
  const code = currency ?? all[0]?.currency;
  const sold = all.filter((price) => price.currency === code);
  const periods = [...new Set(sold.map(periodOf))];
  const period = periods.includes(chosen) ? chosen : periods[0];
  const sorted = [...plans].sort((one, other) => Number(one.isAddOn) - Number(other.isAddOn));
  return h(
    'div',
    { className: 'tessera-pricing' },
    periods.length > 1 &&
      h(
        'fieldset',
        { className: 'tessera-periods' },
        h('legend', null, words.interval),
        periods.map((each) => {
          const onChange = () => setChosen(each);
          const input = h('input', { type: 'radio', name, checked: each === period, onChange });
          return h('label', { key: each }, input, ' ', each);
        }),
      ),
    h(
      'ul',
      { className: 'tessera-plans' },
      sorted.map((plan) => {
        const own = plan.prices.filter((price) => price.currency === code);
        const price = own.find((each) => periodOf(each) === period) ?? own[0] ?? null;
        const isCurrent = current.includes(plan.slug);
        const title = `${name}${plan.slug}`;
        return h(
          'li',
          { key: plan.slug, className: 'tessera-plan', 'aria-current': isCurrent, 'aria-labelledby': title },
          h('h3', { id: title }, plan.name),
          plan.description && h('p', { className: 'tessera-description' }, plan.description),
          price && h('p', { className: 'tessera-price' }, priceText(price, words, locale)),
          h('ul', { className: 'tessera-features' }, plan.features.map(featureItem)),
          isCurrent
            ? h('p', null, words.current)
            : h(
                'button',
                { type: 'button', onClick: () => onChoose(plan, price), 'aria-describedby': title },
                words.choose,
              ),
        );
      }),
    ),
  );
}

function usePlans(given: PricingTableProps['plans']) {
  const [attempt, setAttempt] = useState(0);
  const [asked, setAsked] = useState<readonly PricingPlan[] | 'failed' | null>(null);
  const { url, publicKey } = 'url' in given ? given : { url: null, publicKey: null };
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt asks again
  useEffect(() => {
    if (url === null) return;
    const stopped = new AbortController();
    setAsked(null);
    const headers = { authorization: `Bearer ${publicKey}` };
    fetch(`${url.replace(/\/+$/, '')}/api/v1/plans`, { headers, signal: stopped.signal })
      .then((answer) => (answer.ok ? answer.json() : Promise.reject()))
      .then(({ plans }) => setAsked(plans))
      .catch(() => stopped.signal.aborted || setAsked('failed'));
    return () => stopped.abort();
  }, [url, publicKey, attempt]);
  const hasFailed = asked === 'failed';
  const known = hasFailed ? null : asked;
  return { plans: 'url' in given ? known : given, hasFailed, retry: () => setAttempt(attempt + 1) };
}

const periodOf = ({ interval, intervalCount: count }: PricingPrice) =>
  count === 1 ? interval : `${count} ${interval}s`;

function priceText(price: PricingPrice, words: PricingLabels, locale: string | undefined): string {
  const { amount, currency, perUnit } = price;
  if (amount === null) return words.varies;
  const format = new Intl.NumberFormat(locale, { style: 'currency', currency });
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2;
  return `${format.format(amount / 10 ** digits)}${perUnit ? ` ${words.perUnit}` : ''} / ${periodOf(price)}`;
}

/** What is off is left out. */
function featureItem({ slug, name, properties }: PricingFeature): ReactElement {
  const lines = properties.filter(({ display }) => display !== 'off');
  const items = lines.map((each) =>
    h('li', { key: each.key }, each.value === true ? each.name : `${each.name}: ${each.display}`),
  );
  return h('li', { key: slug }, name, items[0] && h('ul', null, items));
}
