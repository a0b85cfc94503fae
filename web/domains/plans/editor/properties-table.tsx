/** The properties of one feature in the plan editor. Of a long table only the rows near the screen are rendered. */
import type { Feature, FeatureProperty } from '#contracts/console/features';
import { VisuallyHidden } from '#web/ui/labels/visually-hidden.tsx';
import { Spacer } from '#web/ui/lists/spacer-row.tsx';
import { useVirtualRows } from '#web/ui/lists/use-virtual-rows.ts';
import type { ValueErrors } from '#web/values/check-value-form.ts';
import { rowKey } from './check-draft.ts';
import type { EditorDispatch } from './editor-state.ts';
import classes from './feature-editor.module.css';
import { type DraftValue, type FeatureDraft, isSameValue } from './plan-draft.ts';
import { PropertyRow } from './property-row.tsx';

/** By rowKey: the server's error, and the value that it applies to. */
export type Refusals = ReadonlyMap<string, { readonly entry: DraftValue; readonly errors: ValueErrors }>;

export interface PropertiesTableProps {
  readonly feature: Feature;
  readonly properties: readonly FeatureProperty[];
  readonly values: FeatureDraft;
  /** The plan's values when the edit began. */
  readonly base: FeatureDraft;
  readonly isChecked: boolean;
  readonly refusals: Refusals;
  /** The property to scroll to. */
  readonly revealedId: string | null;
  /** The table's distance from the top of the page. Undefined if the whole plan is rendered. */
  readonly top: number | undefined;
  readonly dispatch: EditorDispatch;
}

const HEAD_HEIGHT = 34;
const ROW_HEIGHT = 49;
const DEFAULT_ROW_HEIGHT = 41;
const METER_HEIGHT = 45;
const WHOLE_UP_TO = 30;

export function PropertiesTable(props: PropertiesTableProps) {
  const { feature, properties, values, base, revealedId, dispatch } = props;
  const hasMeter = (id: string) => isMetered(values.get(id));
  const revealed = revealedId === null ? -1 : properties.findIndex(({ id }) => id === revealedId);
  const shown = useVirtualRows<FeatureProperty, HTMLTableElement>({
    items: properties,
    keyOf: ({ id }) => (values.has(id) ? id : `${id} default`),
    heightOf: ({ id }) =>
      (values.has(id) ? ROW_HEIGHT : DEFAULT_ROW_HEIGHT) + (hasMeter(id) ? METER_HEIGHT : 0),
    isWhole: props.top === undefined || properties.length <= WHOLE_UP_TO,
    pinned: revealed < 0 ? undefined : revealed,
    top: props.top === undefined ? undefined : props.top + HEAD_HEIGHT,
  });
  const rowIndexes = rowIndexesOf(properties.map(({ id }) => hasMeter(id)));
  return (
    <table
      ref={shown.container}
      className="table fixed-columns"
      aria-label={`Properties of ${feature.name}`}
      aria-rowcount={rowIndexes.at(-1)}
    >
      <thead className={classes.columns}>
        <tr aria-rowindex={1}>
          <th scope="col">Property</th>
          <th scope="col">Value</th>
          <th scope="col" className={classes.resetCell}>
            <VisuallyHidden>Back to the default</VisuallyHidden>
          </th>
        </tr>
      </thead>
      {shown.rows.flatMap(({ item: property, index, spaceBefore }) => {
        const entry = values.get(property.id);
        const refusal = props.refusals.get(rowKey(feature.id, property.id));
        return [
          <Spacer key={`before ${property.id}`} height={spaceBefore} />,
          <PropertyRow
            key={property.id}
            featureId={feature.id}
            featureName={feature.name}
            property={property}
            entry={entry}
            isChanged={!isSameValue(base.get(property.id), entry)}
            isChecked={props.isChecked}
            refusal={refusal !== undefined && refusal.entry === entry ? refusal.errors : undefined}
            index={index}
            rowIndex={rowIndexes[index] ?? 0}
            measure={shown.measure}
            dispatch={dispatch}
          />,
        ];
      })}
      <Spacer height={shown.spaceAfter} />
    </table>
  );
}

/** An estimate, so that the page hardly moves when the rows are rendered. */
export function estimateTableHeight(properties: number, values: FeatureDraft): number {
  const meters = [...values.values()].filter(isMetered).length;
  const defaults = Math.max(0, properties - values.size);
  return HEAD_HEIGHT + values.size * ROW_HEIGHT + defaults * DEFAULT_ROW_HEIGHT + meters * METER_HEIGHT;
}

const isMetered = (entry: DraftValue | undefined) =>
  typeof entry?.value === 'object' && entry.value?.state === 'metered';

/** The table row of each property, then the number of rows. A meter takes a second row. */
function rowIndexesOf(meters: readonly boolean[]): number[] {
  let last = 1;
  const indexes = meters.map((hasMeter) => {
    const own = last + 1;
    last = hasMeter ? own + 1 : own;
    return own;
  });
  return [...indexes, last];
}
