/** One plan's value of one property. Renders again only when its own value or focus changes. */
import { memo } from 'react';
import type { PerEntity, PropertyValue } from '#contracts/public/values';
import { VisuallyHidden } from '#web/ui/labels/visually-hidden.tsx';
import { PropertyValueView } from '#web/values/kinds/property-value.tsx';
import { valueText } from '#web/values/kinds/value-text.ts';
import { meterLabel, perEntityLabel, planCostsLabel } from '#web/values/value-labels.ts';
import type { DraftValue } from '../editor/plan-draft.ts';
import classes from './compare.module.css';
import type { CompareRow } from './compare-rows.ts';
import { cellRole } from './grid-roles.ts';

export interface CompareCellProps {
  readonly planId: string;
  readonly planName: string;
  readonly row: CompareRow;
  readonly rowIndex: number;
  readonly columnIndex: number;
  /** Undefined for the default. */
  readonly entry: DraftValue | undefined;
  /** The saved value; null: it is not changed. Undefined for the default. */
  readonly saved: DraftValue | undefined | null;
  readonly isInvalid: boolean;
  readonly isTabStop: boolean;
  readonly onOpen: (rowIndex: number, columnIndex: number) => void;
}

export const CompareCell = memo(function CompareCell(props: CompareCellProps) {
  const { planName, row, rowIndex, columnIndex, entry, saved, onOpen } = props;
  const { feature, property } = row;
  const oldText = saved === null ? '' : valueText(saved?.value ?? property.value);
  return (
    <div
      {...cellRole(columnIndex)}
      className={classes.cell}
      data-default={entry === undefined || undefined}
      data-changed={saved !== null || undefined}
      data-invalid={props.isInvalid || undefined}
    >
      <button
        type="button"
        className={classes.value}
        tabIndex={props.isTabStop ? 0 : -1}
        data-cell={`${rowIndex} ${columnIndex}`}
        aria-haspopup="dialog"
        onClick={() => onOpen(rowIndex, columnIndex)}
      >
        <VisuallyHidden>
          {planName}, {feature.name}: {property.name},{' '}
        </VisuallyHidden>
        <span className={classes.values}>
          {saved !== null && (
            <s className={classes.old} aria-hidden title={oldText}>
              {withoutSharedWindow(oldText, entry?.value ?? property.value)}
            </s>
          )}
          <CellValue row={row} entry={entry} />
        </span>
        {entry === undefined && <VisuallyHidden>, default</VisuallyHidden>}
        {saved !== null && <VisuallyHidden> (changed, was {oldText})</VisuallyHidden>}
      </button>
    </div>
  );
});

/** An unfinished entry has no value to show. */
function CellValue({ row: { property }, entry }: { row: CompareRow; entry: DraftValue | undefined }) {
  const value = entry?.value ?? property.value;
  if (value === null || (typeof value === 'number' && Number.isNaN(value))) return <>–</>;
  if (typeof value === 'object' && value.state === 'metered') {
    const { limit } = value.meter;
    if (limit === null || Number.isNaN(limit)) return <>–</>;
    const own = meterLabel({ ...value.meter, limit, periodCount: value.meter.periodCount ?? undefined });
    const more = [perEntityLabel(value.perEntity as PerEntity | undefined), planCostsLabel(value.costs)];
    const text = [own, ...more].filter(Boolean).join(', ');
    return (
      <span className="truncate figures" title={text}>
        {text}
      </span>
    );
  }
  return <PropertyValueView type={property.type} value={value as PropertyValue} />;
}

/** '10' of '10 / month' before '25 / month': both have room then. */
function withoutSharedWindow(oldText: string, value: DraftValue['value']): string {
  const window = oldText.slice(oldText.indexOf(' '));
  const isShared = typeof value === 'object' && window.startsWith(' ') && valueText(value).endsWith(window);
  return isShared ? oldText.slice(0, -window.length) : oldText;
}
