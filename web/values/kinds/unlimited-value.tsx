/** A meterable property that is on or off, with its usage if there is any. */
import { formatNumber } from '#web/ui/format.ts';
import { Figures } from './figures.tsx';
import { PropertyValueView } from './property-value.tsx';

export interface UnlimitedValueProps {
  readonly value: {
    readonly state: 'on' | 'off';
    readonly used?: number | undefined;
    readonly held?: number | undefined;
  };
}

export function UnlimitedValue({ value: { state, used = 0, held = 0 } }: UnlimitedValueProps) {
  const view = <PropertyValueView value={{ state }} />;
  if (used + held === 0) return view;
  return (
    <Figures>
      {view}
      <span className="small muted">
        {formatNumber(used)} used{held > 0 && ` · ${formatNumber(held)} held`}
      </span>
    </Figures>
  );
}
