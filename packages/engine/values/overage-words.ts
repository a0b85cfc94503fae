/** How far usage may exceed a limit, as people read it. */
import type { Overage } from '#contracts/public/overage';
import { formatNumber } from '../text/format-number.ts';

/** 'any overage', 'overage up to 500'. */
export function overageWords(overage: Overage): string {
  return overage === 'allow' ? 'any overage' : `overage up to ${formatNumber(overage.upTo)}`;
}
