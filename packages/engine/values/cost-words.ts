import { formatNumber } from '../text/format-number.ts';

/** What one of a meter costs: '0.25 of ai.credits'. @param payer `feature.property` */
export function costWords(thousandths: number, payer: string): string {
  return `${formatNumber(thousandths / 1000)} of ${payer}`;
}
