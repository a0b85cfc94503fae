/** A meterable property that is on or off, with its usage if there is any. */
import { Flex } from '@mantine/core';
import { formatNumber } from '#web/ui/format.ts';
import { PropertyValueView } from './property-value.tsx';

export interface UnlimitedValueProps {
  readonly value: { readonly state: 'on' | 'off'; readonly used?: number | undefined };
}

export function UnlimitedValue({ value: { state, used = 0 } }: UnlimitedValueProps) {
  const view = <PropertyValueView value={{ state }} />;
  if (used === 0) return view;
  return (
    <Flex
      component="span"
      display="inline-flex"
      align="baseline"
      wrap="wrap"
      className="figures"
      style={{ gap: '0 8px' }}
    >
      {view}
      <span className="small muted">{formatNumber(used)} used</span>
    </Flex>
  );
}
