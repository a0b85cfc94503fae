/** Values in sentences. Apart from the kinds, since what decides needs no words. */
import type { PlanCosts } from '#contracts/public/costs';
import type {
  Meter,
  MeterableValue,
  PerEntity,
  PropertyType,
  PropertyValue,
  ValuesByType,
} from '#contracts/public/values';
import { formatNumber } from '../text/format-number.ts';
import { perEntityOf } from '../values/kinds/per-entity.ts';
import { planCostsOf } from '../values/kinds/plan-costs.ts';
import { limitWindow } from '../values/limit-window.ts';
import { overageWords } from '../values/overage-words.ts';
import { rolloverWords } from '../values/rollover-words.ts';

/** In a sentence: '25', 'on', '“csv”', '1,000 / month'. @param value of the type */
export function valueWords(type: PropertyType, value: PropertyValue): string {
  return WORDS[type](value as never);
}

const WORDS: { readonly [Type in PropertyType]: (value: ValuesByType[Type]) => string } = {
  number: formatNumber,
  boolean: (value) => (value ? 'on' : 'off'),
  string: (value) => `“${value.length > MAX_WORDS ? `${value.slice(0, MAX_WORDS)}…` : value}”`,
  meterable: meterableWords,
};

/** Of a text in a sentence. */
const MAX_WORDS = 40;

function meterableWords(value: MeterableValue): string {
  return `${ownWords(value)}${perEntityWords(perEntityOf(value))}${planCostsWords(planCostsOf(value))}`;
}

/** Of the customer's own meter. */
export function ownWords(value: MeterableValue): string {
  if (value.state !== 'metered') return value.state === 'on' ? 'unlimited' : 'off';
  const { meter } = value;
  return `${formatNumber(meter.limit)} ${limitWindow(meter)}${moreWords(meter)}`;
}

function moreWords({ trialLimit, rollover, overage }: Meter): string {
  const trial = trialLimit === undefined ? '' : `, ${formatNumber(trialLimit)} in a trial`;
  const rolls = rollover === undefined ? '' : `, ${rolloverWords(rollover)}`;
  return trial + rolls + (overage === undefined ? '' : `, ${overageWords(overage)}`);
}

/** After all else; empty if the property says it. */
function planCostsWords(costs: PlanCosts | undefined): string {
  return costs === undefined ? '' : `, each costs ${formatNumber(costs.per)}`;
}

/** After what is said of the customer; empty without a limit. */
function perEntityWords(perEntity: PerEntity | undefined): string {
  if (perEntity === undefined) return '';
  const { limit, seats } = perEntity;
  const seated = seats === undefined ? '' : ' with a seat';
  return `, ${formatNumber(limit)} ${limitWindow({ ...perEntity, uniqueResourceIds: false })} for each entity${seated}`;
}
