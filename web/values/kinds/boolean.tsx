import { Pill } from '../pill.tsx';
import type { KindView } from './kind.ts';

const textOf = (value: boolean) => (value ? 'on' : 'off');

export const booleanView: KindView<boolean> = {
  label: 'Boolean',
  description: 'On or off',
  view: (value) => <Pill isOn={value} label={textOf(value)} />,
  text: textOf,
  ruleLabel: (rule) => (rule === 'lower' ? 'Off wins over on' : 'On wins over off'),
};
