/** A property's value as an access check answers it: a meter comes with its usage. */
import { Flex } from '@mantine/core';
import type { PropertyAnswer } from '#contracts/public/access';
import { limitWindow } from '#engine/values/limit-window';
import { formatNumber } from '#web/ui/format.ts';
import { PropertyValueView } from './property-value.tsx';
import { UnlimitedValue } from './unlimited-value.tsx';

export function AnswerValue({ value }: { value: PropertyAnswer }) {
  if (typeof value !== 'object') return <PropertyValueView value={value} />;
  if (value.state !== 'metered') return <UnlimitedValue value={value} />;
  const { used, limit, allowed, periodType, periodCount, periodLength } = value;
  return (
    <Flex
      component="span"
      display="inline-flex"
      align="baseline"
      wrap="wrap"
      className="figures"
      style={{ gap: '0 8px' }}
    >
      <span>
        <span className="small mono">
          {formatNumber(used)} of {formatNumber(limit)}
        </span>{' '}
        {limitWindow({
          periodType,
          uniqueResourceIds: false,
          ...(periodCount !== null && { periodCount }),
          ...(periodLength !== null && { periodLength }),
        })}
      </span>
      {!allowed && <span className="limit-mark denied">Limit reached</span>}
    </Flex>
  );
}
