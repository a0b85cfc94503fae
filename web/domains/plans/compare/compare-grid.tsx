/**
 * The matrix of properties and plans. Head and first column stay in view; rows and columns beyond the window are not
 * rendered. One tab stop: arrow keys, Home, End, Page Up and Page Down move between cells, Enter edits one.
 */
import { Popover, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { type CSSProperties, type Ref, useCallback, useState } from 'react';
import { Link } from 'react-router';
import type { Plan, PlanVersion } from '#contracts/console/plans';
import { paths } from '#web/paths.ts';
import { useOrgId } from '#web/session/organisation.tsx';
import { counted, formatNumber } from '#web/ui/format.ts';
import { useScrolledRows } from '#web/ui/lists/use-virtual-rows.ts';
import { checkValueForm, NO_VALUE_ERRORS } from '#web/values/check-value-form.ts';
import { rowKey } from '../editor/check-draft.ts';
import { changesOf } from '../editor/editor-state.ts';
import { type PlanPeriod, periodsBeside } from '../editor/other-periods.ts';
import { isSameValue } from '../editor/plan-draft.ts';
import { CellEditor } from './cell-editor.tsx';
import classes from './compare.module.css';
import { CompareCell } from './compare-cell.tsx';
import { type CompareRow, entryAt } from './compare-rows.ts';
import { draftOf, savedDraft, stepsToEnter, stepsToReset } from './compare-state.ts';
import { columnHeaderRole, cornerRole, gridRole, headRowRole, rowHeaderRole, rowRole } from './grid-roles.ts';
import { useCellFocus } from './use-cell-focus.ts';
import type { Compare, Place } from './use-compare.ts';
import { useScrolledColumns, type VirtualColumn } from './use-scrolled-columns.ts';

export interface Column {
  readonly plan: Plan;
  readonly version: PlanVersion;
}

export interface CompareGridProps {
  readonly columns: readonly Column[];
  readonly rows: readonly CompareRow[];
  readonly compare: Compare;
  /** The cell to show and edit. A new object for each request. */
  readonly reveal: Place | null;
  /** How many customers have a plan. Undefined while they are not counted. */
  readonly customersOf: ((planId: string) => number | undefined) | undefined;
}

const ROW_HEIGHT = 40;
const WHOLE_UP_TO = 30;
const WIDE = { first: 300, column: 168 };
const NARROW = { first: 148, column: 128 };

export function CompareGrid({ columns, rows, compare, reveal, customersOf }: CompareGridProps) {
  const width = useMediaQuery('(max-width: 767.98px)') ? NARROW : WIDE;
  const focus = useCellFocus({ rows: rows.length, columns: columns.length });
  const { active } = focus;
  const shown = useScrolledRows<CompareRow, HTMLDivElement>({
    items: rows,
    keyOf: ({ key }) => key,
    heightOf: () => ROW_HEIGHT,
    isWhole: rows.length <= WHOLE_UP_TO,
    pinned: active.row,
  });
  const across = useScrolledColumns(shown.container, columns.length, width, active.column);

  const [revealed, setRevealed] = useState<Place | null>(null);
  if (reveal !== null && reveal !== revealed) {
    setRevealed(reveal);
    const row = rows.findIndex(
      ({ feature, property }) => feature.id === reveal.featureId && property.id === reveal.propertyId,
    );
    const column = columns.findIndex(({ plan }) => plan.planId === reveal.planId);
    if (row >= 0 && column >= 0) focus.open(row, column);
  }

  const drafts = columns.map(({ version }) => draftOf(compare.edits, version));
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: its role is a grid, whose keys these are.
    <div
      ref={shown.container}
      {...gridRole('Comparison of plans', rows.length, columns.length)}
      className={classes.scroller}
      style={{ '--first': `${width.first}px`, '--column': `${width.column}px` } as CSSProperties}
      data-scrolls
      onKeyDown={focus.onKeyDown}
    >
      <Head
        columns={columns}
        across={across.columns}
        after={across.spaceAfter}
        compare={compare}
        customersOf={customersOf}
      />
      {shown.rows.flatMap(({ item: row, index, spaceBefore }) => [
        spaceBefore > 0 && <div key={`before ${row.key}`} aria-hidden style={{ height: spaceBefore }} />,
        <div
          key={row.key}
          ref={shown.measure}
          {...rowRole(index)}
          data-index={index}
          className={classes.row}
          data-feature={row.isFeature || undefined}
        >
          <RowName row={row} />
          <RowCells
            row={row}
            rowIndex={index}
            columns={columns}
            across={across.columns}
            drafts={drafts}
            compare={compare}
            focus={focus}
          />
          <span aria-hidden style={{ flex: 'none', width: across.spaceAfter }} />
        </div>,
      ])}
      {shown.spaceAfter > 0 && <div aria-hidden style={{ height: shown.spaceAfter }} />}
    </div>
  );
}

interface HeadProps {
  readonly columns: readonly Column[];
  readonly across: readonly VirtualColumn[];
  readonly after: number;
  readonly compare: Compare;
  readonly customersOf: CompareGridProps['customersOf'];
}

function Head({ columns, across, after, compare, customersOf }: HeadProps) {
  const orgId = useOrgId();
  return (
    <div {...headRowRole} className={classes.head}>
      <div {...cornerRole} className={classes.corner}>
        Feature and property
      </div>
      {across.flatMap(({ index, spaceBefore }) => {
        const plan = columns[index]?.plan;
        if (plan === undefined) return [];
        const customers = customersOf?.(plan.planId);
        const about = [
          ...(customers === undefined ? [] : [counted(customers, 'customer')]),
          ...(plan.isAddOn ? ['Add-on'] : []),
          ...(plan.isPublic ? ['Public'] : []),
        ].join(' · ');
        const edit = compare.edits.get(plan.planId);
        const count = edit === undefined ? 0 : changesOf(edit).length;
        return [
          spaceBefore > 0 && (
            <span key={`before ${plan.planId}`} aria-hidden style={{ flex: 'none', width: spaceBefore }} />
          ),
          <div key={plan.planId} {...columnHeaderRole(index)} className={classes.plan}>
            <Link to={paths.plan(orgId, plan.planId)} title={plan.name} tabIndex={-1}>
              {plan.name}
            </Link>
            <Text span fz="xs" c="dimmed" truncate>
              {count > 0 && (
                <Text span inherit c="var(--accent-text)">
                  {counted(count, 'change')}
                  {about !== '' && ' · '}
                </Text>
              )}
              {/* The name stays where it is when customers have been counted. */}
              {about || '\u00a0'}
            </Text>
          </div>,
        ];
      })}
      <span aria-hidden style={{ flex: 'none', width: after }} />
    </div>
  );
}

function RowName({ row: { feature, property, isFeature, costs } }: { row: CompareRow }) {
  const name = isFeature ? feature.name : property.name;
  const key = isFeature ? feature.slug : property.propertyKey;
  // The name has no room beside all of it.
  const price = costs === null ? null : formatNumber(costs.per);
  const about = price === null ? key : `Each costs ${price} of ${costs?.of}`;
  return (
    <div {...rowHeaderRole} className={classes.name}>
      <span className="truncate shrink" title={name}>
        {name}
      </span>
      <span className={classes.key} title={about}>
        {price === null ? key : `${key} · ${price} each`}
      </span>
    </div>
  );
}

interface RowCellsProps {
  readonly row: CompareRow;
  readonly rowIndex: number;
  readonly columns: readonly Column[];
  readonly across: readonly VirtualColumn[];
  readonly drafts: readonly ReturnType<typeof draftOf>[];
  readonly compare: Compare;
  readonly focus: ReturnType<typeof useCellFocus>;
}

function RowCells({ row, rowIndex, columns, across, drafts, compare, focus }: RowCellsProps) {
  return across.flatMap(({ index, spaceBefore }) => {
    const column = columns[index];
    const draft = drafts[index];
    if (column === undefined || draft === undefined) return [];
    const { plan, version } = column;
    const entry = entryAt(draft, row);
    const refused = compare.refusalOf(plan.planId).get(rowKey(row.feature.id, row.property.id));
    const isRefused = refused !== undefined && refused.entry === entry;
    const isInvalid =
      entry !== undefined &&
      (isRefused || (compare.isChecked && checkValueForm(row.property, entry.value) !== NO_VALUE_ERRORS));
    const saved = entryAt(savedBase(compare, version), row);
    const isActive = focus.active.row === rowIndex && focus.active.column === index;
    const cell = {
      planId: plan.planId,
      planName: plan.name,
      row,
      rowIndex,
      columnIndex: index,
      entry,
      isInvalid,
      saved: compare.edits.has(plan.planId) && !isSameValue(saved, entry) ? saved : null,
      isTabStop: isActive,
      onOpen: focus.open,
    };
    return [
      spaceBefore > 0 && (
        <span key={`before ${plan.planId}`} aria-hidden style={{ flex: 'none', width: spaceBefore }} />
      ),
      isActive && focus.isOpen ? (
        <OpenCell
          key={plan.planId}
          cell={cell}
          version={version}
          refusal={isRefused ? refused.errors : undefined}
          others={periodsBeside(
            plan.planId,
            columns.map((each) => ({ ...each, entry: entryAt(draftOf(compare.edits, each.version), row) })),
          )}
          compare={compare}
          onClose={focus.close}
        />
      ) : (
        <CompareCell key={plan.planId} {...cell} />
      ),
    ];
  });
}

/** What the plan's edit is based on. */
function savedBase(compare: Compare, version: PlanVersion) {
  return compare.edits.get(version.planId)?.base ?? savedDraft(version);
}

interface OpenCellProps {
  readonly cell: Parameters<typeof CompareCell>[0] & { readonly ref?: Ref<HTMLDivElement> };
  readonly version: PlanVersion;
  readonly refusal: Parameters<typeof CellEditor>[0]['refusal'];
  readonly others: readonly PlanPeriod[];
  readonly compare: Compare;
  readonly onClose: () => void;
}

function OpenCell({ cell, version, refusal, others, compare, onClose }: OpenCellProps) {
  const { row, entry, planId, planName } = cell;
  const { feature, property } = row;
  /** The plan's edit when the cell was opened. */
  const [before] = useState(compare.edits.get(planId));
  const { dispatch } = compare;
  const restore = useCallback(() => {
    dispatch({ type: 'restore', planId, state: before });
    onClose();
  }, [before, dispatch, onClose, planId]);
  return (
    <Popover
      opened
      onClose={onClose}
      position="bottom-start"
      offset={-39}
      shadow="lg"
      closeOnEscape={false}
      withinPortal
      trapFocus
      withRoles={false}
    >
      <Popover.Target>
        <div className={classes.open}>
          <CompareCell {...cell} />
        </div>
      </Popover.Target>
      <Popover.Dropdown
        role="dialog"
        aria-label={`${planName}, ${feature.name}: ${property.name}`}
        className={classes.editor}
      >
        <CellEditor
          planName={planName}
          row={row}
          entry={entry}
          refusal={refusal}
          others={others}
          onEnter={(value) =>
            dispatch({ type: 'edit', version, steps: stepsToEnter(feature, property, value) })
          }
          onReset={() => {
            const steps = stepsToReset(feature, property, compare.edits.get(planId));
            dispatch({ type: 'edit', version, steps });
            onClose();
          }}
          onClose={onClose}
          onRevert={restore}
        />
      </Popover.Dropdown>
    </Popover>
  );
}
