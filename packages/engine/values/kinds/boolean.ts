import { issue } from '../issue.ts';
import type { Kind } from './kind.ts';

export const booleanKind: Kind<boolean> = {
  defaultValue: false,
  hasBounds: false,
  isGraded: true,
  typeScript: { value: 'boolean', answer: 'boolean' },
  check: (value) => (typeof value === 'boolean' ? [] : issue('', 'Must be true or false')),
  normalise: (value) => value,
  compare: (one, other) => Number(one) - Number(other),
  sum: null,
  multiply: (value) => value,
  isOff: (value) => !value,
};
