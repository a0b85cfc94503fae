/** One feature in the plan editor: a collapsible table of its properties. */
import { ActionIcon, Box, Button, Flex, Tooltip, UnstyledButton } from '@mantine/core';
import { IconChevronDown, IconX } from '@tabler/icons-react';
import { memo, useEffect, useRef } from 'react';
import type { Feature } from '#contracts/console/features';
import { counted } from '#web/ui/format.ts';
import { propertiesOf, removedProperties } from './check-draft.ts';
import type { EditorDispatch } from './editor-state.ts';
import classes from './feature-editor.module.css';
import { type FeatureDraft, isSameValue, NO_VALUES } from './plan-draft.ts';
import { estimateTableHeight, PropertiesTable, type Refusals } from './properties-table.tsx';
import { RemovedNotice } from './removed-notice.tsx';

/** An element to scroll to and focus. A new object for each request. */
export interface Reveal {
  readonly featureId: string;
  /** Null for the section itself. */
  readonly propertyId: string | null;
}

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
  /** The section's distance from the top of the page. Undefined if the whole plan is rendered. */
  readonly top: number | undefined;
  readonly dispatch: EditorDispatch;
}

const HEAD_HEIGHT = 45;

export const FeatureSection = memo(function FeatureSection(props: FeatureSectionProps) {
  const { feature, values, base = NO_VALUES, dropped, isCollapsed, onToggle, reveal, dispatch } = props;
  const section = useRef<HTMLElement>(null);

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
      target.querySelector<HTMLElement>(row === null ? 'button' : 'td :is(input, textarea, select, button)');
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
        <Box component="h2" flex={1} miw={0} m={0} fz="0.9375rem">
          <UnstyledButton
            className={classes.sectionToggle}
            aria-expanded={!isCollapsed}
            aria-controls={bodyId}
            onClick={() => onToggle(feature.id)}
          >
            <IconChevronDown size={16} aria-hidden className={classes.chevron} />
            <span className="bold breaks">{feature.name}</span>
            <code className={`truncate muted tiny regular ${classes.slug}`}>{feature.slug}</code>
          </UnstyledButton>
        </Box>
        <Flex component="span" align="center" gap={10} flex="none" className="muted tiny figures">
          {changes > 0 && (
            <Box component="span" py={1} px={6} className="accent medium round-4">
              {counted(changes, 'change')}
            </Box>
          )}
          <span>
            {values.size - removed.length} of {properties.length}
            <span className={classes.configuredWord}> configured</span>
          </span>
        </Flex>
        <Tooltip label="Remove from the plan">
          <ActionIcon
            aria-label={`Remove ${feature.name} from the plan`}
            onClick={() => dispatch({ type: 'deselect-feature', featureId: feature.id })}
          >
            <IconX size={15} aria-hidden />
          </ActionIcon>
        </Tooltip>
      </div>
      {!isCollapsed && (
        <div id={bodyId}>
          {removed.length > 0 && (
            <RemovedNotice
              text="This plan references a feature properties which has been removed"
              isMarked={props.isChecked}
              onRemove={() =>
                dispatch({ type: 'remove-properties', featureId: feature.id, propertyIds: removed })
              }
            />
          )}
          <SectionNotes feature={feature} values={values} dropped={dropped} dispatch={dispatch} />
          <PropertiesTable
            feature={feature}
            properties={properties}
            values={values}
            base={base}
            isChecked={props.isChecked}
            refusals={props.refusals}
            revealedId={reveal?.propertyId ?? null}
            top={props.top === undefined ? undefined : props.top + HEAD_HEIGHT}
            dispatch={dispatch}
          />
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
        <span>The feature was removed and starts from its defaults.</span>
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
    <p className={classes.note}>No property of this feature is configured, so it is not part of the plan.</p>
  );
}

function countChanges(before: FeatureDraft, after: FeatureDraft): number {
  if (before === after) return 0;
  const ids = new Set([...before.keys(), ...after.keys()]);
  return [...ids].filter((id) => !isSameValue(before.get(id), after.get(id))).length;
}

/** The section's height before it is measured. */
export function estimateHeight(
  { properties, systemFeatureProperties }: Feature,
  values: FeatureDraft,
): number {
  return HEAD_HEIGHT + estimateTableHeight(properties.length + systemFeatureProperties.length, values);
}
