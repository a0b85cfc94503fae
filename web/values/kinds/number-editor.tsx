import { Box } from '@mantine/core';
import { NumberField } from '../number-field.tsx';
import { boundsLabel } from '../value-labels.ts';
import type { ControlProps, KindEditor } from './kind.ts';

export const numberEditor: KindEditor = { Control: NumberControl, details: null };

function NumberControl({ value, bounds, ...shared }: ControlProps) {
  const hint = boundsLabel(bounds);
  return (
    <Box component="span" className="inline-row wrap" style={{ gap: '2px 10px' }}>
      <NumberField
        {...shared}
        value={typeof value === 'number' ? value : null}
        bounds={bounds}
        allowDecimal={bounds?.allowDecimal ?? true}
      />
      {hint !== null && <span className="faint tiny figures breaks">{hint}</span>}
    </Box>
  );
}
