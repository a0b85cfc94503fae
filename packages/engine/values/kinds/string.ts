import { compareText } from '../../text/compare-text.ts';
import { formatNumber } from '../../text/format-number.ts';
import { type Issue, issue } from '../issue.ts';
import type { Kind } from './kind.ts';

export const MAX_STRING_LENGTH = 2000;

export const stringKind: Kind<string> = {
  defaultValue: '',
  hasBounds: false,
  isGraded: false,
  typeScript: { value: 'string', answer: 'string' },
  check: checkString,
  normalise: (value) => value,
  compare: compareText,
  sum: null,
  multiply: (value) => value,
  isOff: () => false,
};

function checkString(value: unknown): Issue[] {
  if (typeof value !== 'string') return issue('', 'Must be text');
  return value.length <= MAX_STRING_LENGTH
    ? []
    : issue('', `Must be at most ${formatNumber(MAX_STRING_LENGTH)} characters`);
}
