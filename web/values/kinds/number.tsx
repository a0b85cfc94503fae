import { Box } from '@mantine/core';
import { formatNumber } from '#web/ui/format.ts';
import { boundsLabel } from '../value-labels.ts';
import type { KindView } from './kind.ts';

export const numberView: KindView<number> = {
  label: 'Number',
  description: 'An amount, within bounds',
  view(value, bounds) {
    const hint = boundsLabel(bounds);
    return (
      <Box component="span" className="inline-flex baseline wrap figures" style={{ gap: '0 10px' }}>
        <span className="small mono breaks">{formatNumber(value)}</span>
        {hint !== null && <span className="faint tiny figures breaks">{hint}</span>}
      </Box>
    );
  },
  text: formatNumber,
  ruleLabel(rule) {
    if (rule === 'sum') return 'The values add up';
    return rule === 'higher' ? 'The highest value wins' : 'The lowest value wins';
  },
};
