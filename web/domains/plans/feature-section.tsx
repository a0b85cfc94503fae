/**
 * One feature in the plan editor: a collapsible table of its properties. Rows are rendered only while the section is
 * near the screen, so that hundreds of features cost as much as a few.
 */
import { ActionIcon, Button, Tooltip, UnstyledButton } from '@mantine/core';
import { IconChevronDown, IconX } from '@tabler/icons-react';
import { memo, useCallback, useEffect, useRef } from 'react';
import type { Feature } from '#contracts/console/features';
import type { ValueErrors } from '#web/values/check-value-form.ts';
import { propertiesOf, removedProperties, rowKey } from './check-draft.ts';
import type { EditorDispatch } from './editor-state.ts';
import classes from './feature-editor.module.css';
import { type DraftValue, type FeatureDraft, isSameValue, NO_VALUES } from './plan-draft.ts';
import { PropertyRow } from './property-row.tsx';
import { RemovedNotice } from './removed-notice.tsx';
import { useNearViewport } from './use-near-viewport.ts';

/** An element to scroll to and focus. A new object for each request. */
export interface Reveal {
  readonly featureId: string;
  /** Null for the section itself. */
  readonly propertyId: string | null;
}

/** By rowKey: the server's error, and the value that it applies to. */
export type Refusals = ReadonlyMap<string, { readonly entry: DraftValue; readonly errors: ValueErrors }>;

export interface FeatureSectionProps {
  readonly feature: Feature;
  readonly values: FeatureDraft;
  /** The plan's values when the edit began. */
  readonly base: FeatureDraft | undefined;
  /** The feature's values before it was deselected in this edit. */
  readonly dropped: FeatureDraft | undefined;
  readonly isCollapsed: boolean;
  readonly onToggle: (featureId: string) => void;
  readonly isChecked: boolean;
  readonly refusals: Refusals;
  readonly reveal: Reveal | null;
  /** Rendered immediately, because it is on the first screen. */
  readonly isFirst: boolean;
  readonly dispatch: EditorDispatch;
}

const ROW_HEIGHT = 49;
const METER_HEIGHT = 45;
const HEAD_HEIGHT = 34;

export const FeatureSection = memo(function FeatureSection(props: FeatureSectionProps) {
  const {
    feature,
    values,
    base = NO_VALUES,
    dropped,
    isCollapsed,
    onToggle,
    reveal,
    isFirst,
    dispatch,
  } = props;
  const section = useRef<HTMLElement>(null);
  const body = useRef<HTMLDivElement>(null);
  const lastHeight = useRef<number | null>(null);
  const remember = useCallback(() => {
    lastHeight.current = body.current?.offsetHeight ?? lastHeight.current;
  }, []);
  const isNear = useNearViewport(section, isFirst, remember);
  const isDrawn = isNear || reveal !== null;

  useEffect(() => {
    if (reveal === null || section.current === null) return;
    const row =
      reveal.propertyId === null
        ? null
        : section.current.querySelector(`[data-property="${CSS.escape(reveal.propertyId)}"]`);
    const target = row ?? section.current;
    target.scrollIntoView({ block: row === null ? 'start' : 'center' });
    const field =
      target.querySelector<HTMLElement>('[aria-invalid]') ??
      target.querySelector<HTMLElement>(
        row === null ? 'button' : 'td:nth-child(3) :is(input, textarea, select), input',
      );
    field?.focus({ preventScroll: true });
  }, [reveal]);

  const properties = propertiesOf(feature);
  const removed = removedProperties(values, properties);
  const changes = countChanges(base, values);
  const bodyId = `feature-${feature.id}`;
  return (
    <section
      ref={section}
      className={classes.section}
      aria-label={feature.name}
      data-feature={feature.id}
      data-collapsed={isCollapsed || undefined}
    >
      <div className={classes.sectionHead}>
        <h2 className={classes.sectionTitle}>
          <UnstyledButton
            className={classes.sectionToggle}
            aria-expanded={!isCollapsed}
            aria-controls={bodyId}
            onClick={() => onToggle(feature.id)}
          >
            <IconChevronDown size={16} aria-hidden className={classes.chevron} />
            <span className="bold breaks">{feature.name}</span>
            <code className={classes.slug}>{feature.slug}</code>
          </UnstyledButton>
        </h2>
        <span className="row rigid muted tiny figures gap-10">
          {changes > 0 && (
            <span className={classes.changes}>{changes === 1 ? '1 change' : `${changes} changes`}</span>
          )}
          <span>
            {values.size - removed.length} of {properties.length}
            <span className={classes.configuredWord}> configured</span>
          </span>
        </span>
        <Tooltip label="Take out of the plan">
          <ActionIcon
            aria-label={`Take ${feature.name} out of the plan`}
            onClick={() => dispatch({ type: 'deselect-feature', featureId: feature.id })}
          >
            <IconX size={15} aria-hidden />
          </ActionIcon>
        </Tooltip>
      </div>
      {!isCollapsed && (
        <div id={bodyId} ref={body}>
          {removed.length > 0 && (
            <RemovedNotice
              text="This plan references a feature properties which has been removed"
              isMarked={props.isChecked}
              onRemove={() =>
                dispatch({ type: 'remove-properties', featureId: feature.id, propertyIds: removed })
              }
            />
          )}
          {isDrawn ? (
            <>
              <SectionNotes feature={feature} values={values} dropped={dropped} dispatch={dispatch} />
              <table className={classes.table} aria-label={`Properties of ${feature.name}`}>
                <thead className={classes.columns}>
                  <tr>
                    <th scope="col">Property</th>
                    <th scope="col" className={classes.switchCell}>
                      In this plan
                    </th>
                    <th scope="col">Value</th>
                  </tr>
                </thead>
                {properties.map((property) => {
                  const entry = values.get(property.id);
                  const refusal = props.refusals.get(rowKey(feature.id, property.id));
                  return (
                    <PropertyRow
                      key={property.id}
                      featureId={feature.id}
                      featureName={feature.name}
                      property={property}
                      entry={entry}
                      isChanged={!isSameValue(base.get(property.id), entry)}
                      isChecked={props.isChecked}
                      refusal={refusal !== undefined && refusal.entry === entry ? refusal.errors : undefined}
                      dispatch={dispatch}
                    />
                  );
                })}
              </table>
            </>
          ) : (
            <div style={{ height: lastHeight.current ?? estimateHeight(values, properties.length) }} />
          )}
        </div>
      )}
    </section>
  );
});

interface SectionNotesProps {
  readonly feature: Feature;
  readonly values: FeatureDraft;
  readonly dropped: FeatureDraft | undefined;
  readonly dispatch: EditorDispatch;
}

function SectionNotes({ feature, values, dropped, dispatch }: SectionNotesProps) {
  if (dropped !== undefined && countChanges(dropped, values) > 0) {
    return (
      <div className={classes.note}>
        <span>The feature was taken out and starts anew.</span>
        <Button
          variant="default"
          onClick={() => dispatch({ type: 'restore-feature', featureId: feature.id })}
        >
          Restore its values
        </Button>
      </div>
    );
  }
  if (values.size > 0) return null;
  return (
    <p className={classes.note}>Nothing of this feature is configured, so it is not part of the plan.</p>
  );
}

function countChanges(before: FeatureDraft, after: FeatureDraft): number {
  if (before === after) return 0;
  const ids = new Set([...before.keys(), ...after.keys()]);
  return [...ids].filter((id) => !isSameValue(before.get(id), after.get(id))).length;
}

/** An estimate of the rows' height, so that the page hardly moves when they are rendered. */
function estimateHeight(values: FeatureDraft, properties: number): number {
  const meters = [...values.values()].filter(
    ({ value }) => typeof value === 'object' && value?.state === 'metered',
  ).length;
  return HEAD_HEIGHT + properties * ROW_HEIGHT + meters * METER_HEIGHT;
}
