/** A property's value as an access check answers it: a meter comes with its usage. */
import type { PropertyAnswer } from '#contracts/public/access';
import { limitWindow } from '#engine/values/limit-window';
import { formatNumber } from '#web/ui/format.ts';
import { Figures } from './figures.tsx';
import { PropertyValueView } from './property-value.tsx';
import { UnlimitedValue } from './unlimited-value.tsx';

export function AnswerValue({ value }: { value: PropertyAnswer }) {
  if (typeof value !== 'object') return <PropertyValueView value={value} />;
  if (value.state !== 'metered') return <UnlimitedValue value={value} />;
  const { used, held = 0, limit, allowed, periodType, periodCount, periodLength } = value;
  return (
    <Figures>
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
      {held > 0 && <span className="muted">{formatNumber(held)} held</span>}
      {!allowed && <span className="limit-mark denied">Limit reached</span>}
    </Figures>
  );
}
