/**
 * The sections of the plan editor: deleted features first, then the selected ones. Of a large plan only the sections near
 * the screen are rendered.
 */
import { Box } from '@mantine/core';
import type { Feature } from '#contracts/console/features';
import { useVirtualRows } from '#web/ui/lists/use-virtual-rows.ts';
import { missingFeatures } from './check-draft.ts';
import classes from './feature-editor.module.css';
import { estimateHeight, FeatureSection, type Reveal } from './feature-section.tsx';
import { MissingFeature } from './missing-feature.tsx';
import { NO_VALUES } from './plan-draft.ts';
import type { PlanEdit } from './use-plan-edit.ts';

export interface FeatureSectionsProps {
  readonly features: readonly Feature[];
  readonly edit: PlanEdit;
  readonly collapsed: ReadonlySet<string>;
  readonly onToggle: (featureId: string) => void;
  readonly reveal: Reveal | null;
}

interface SectionEntry {
  readonly id: string;
  /** Null if the feature is deleted. */
  readonly feature: Feature | null;
}

const COLLAPSED_HEIGHT = 46;
const MISSING_HEIGHT = 100;
const GAP = 12;
/** Plans with at most this many properties are rendered as a whole. */
const WHOLE_UP_TO = 100;

export function FeatureSections({ features, edit, collapsed, onToggle, reveal }: FeatureSectionsProps) {
  const { state, dispatch } = edit;
  const sections: SectionEntry[] = [
    ...missingFeatures(state.draft, features).map((id) => ({ id, feature: null })),
    ...features.filter(({ id }) => state.draft.has(id)).map((feature) => ({ id: feature.id, feature })),
  ];
  const revealed = reveal === null ? -1 : sections.findIndex(({ id }) => id === reveal.featureId);
  const shown = useVirtualRows<SectionEntry, HTMLUListElement>({
    items: sections,
    keyOf: ({ id }) => (collapsed.has(id) ? `${id} collapsed` : id),
    heightOf: ({ id, feature }) => {
      if (feature === null) return MISSING_HEIGHT + GAP;
      if (collapsed.has(id)) return COLLAPSED_HEIGHT + GAP;
      return estimateHeight(feature, state.draft.get(id) ?? NO_VALUES) + GAP;
    },
    isWhole:
      sections.reduce((sum, { feature }) => sum + (feature?.properties.length ?? 0) + 1, 0) <= WHOLE_UP_TO,
    pinned: revealed < 0 ? undefined : revealed,
  });
  if (sections.length === 0) {
    return (
      <Box
        component="p"
        m={0}
        c="dimmed"
        ta="center"
        bdrs="lg"
        py={56}
        px={24}
        bd="1px dashed var(--line-strong)"
      >
        No features are in this plan yet. Choose some from the list, then set their values.
      </Box>
    );
  }
  return (
    <ul ref={shown.container} className={classes.sections}>
      {shown.rows.flatMap(({ item: { id, feature }, index, spaceBefore, top }) => {
        const values = state.draft.get(id) ?? NO_VALUES;
        const ownReveal = reveal?.featureId === id ? reveal : null;
        return [
          spaceBefore > 0 && <li key={`before ${id}`} aria-hidden style={{ height: spaceBefore }} />,
          <li
            key={id}
            ref={shown.measure}
            data-index={index}
            className={classes.listed}
            aria-setsize={sections.length}
            aria-posinset={index + 1}
          >
            {feature === null ? (
              <MissingFeature
                featureId={id}
                isMarked={edit.isChecked}
                reveal={ownReveal}
                onRemove={() =>
                  dispatch({ type: 'remove-properties', featureId: id, propertyIds: [...values.keys()] })
                }
              />
            ) : (
              <FeatureSection
                feature={feature}
                values={values}
                base={state.base.get(id)}
                dropped={state.dropped.get(id)}
                isCollapsed={collapsed.has(id)}
                onToggle={onToggle}
                isChecked={edit.isChecked}
                refusals={edit.refusals}
                reveal={ownReveal}
                top={top}
                dispatch={dispatch}
              />
            )}
          </li>,
        ];
      })}
      {shown.spaceAfter > 0 && <li aria-hidden style={{ height: shown.spaceAfter }} />}
    </ul>
  );
}
