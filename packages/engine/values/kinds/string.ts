import { compareText } from '../../text/compare-text.ts';
import { formatNumber } from '../../text/format-number.ts';
import { type Issue, issue } from '../issue.ts';
import type { Kind } from './kind.ts';

export const MAX_STRING_LENGTH = 2000;

/** Of a text in a sentence. */
const MAX_WORDS = 40;

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
  words: (value) => `“${value.length > MAX_WORDS ? `${value.slice(0, MAX_WORDS)}…` : value}”`,
  winWords: (direction) =>
    direction === 'higher' ? 'the last in character order wins' : 'the first in character order wins',
};

function checkString(value: unknown): Issue[] {
  if (typeof value !== 'string') return issue('', 'Must be text');
  return value.length <= MAX_STRING_LENGTH
    ? []
    : issue('', `Must be at most ${formatNumber(MAX_STRING_LENGTH)} characters`);
}
