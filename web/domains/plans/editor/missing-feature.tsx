/** A deleted feature that the plan still has values for. */
import { Box } from '@mantine/core';
import { useEffect, useRef } from 'react';
import classes from './feature-editor.module.css';
import type { Reveal } from './feature-section.tsx';
import { RemovedNotice } from './removed-notice.tsx';

export interface MissingFeatureProps {
  readonly featureId: string;
  readonly isMarked: boolean;
  readonly reveal: Reveal | null;
  readonly onRemove: () => void;
}

export function MissingFeature({ featureId, isMarked, reveal, onRemove }: MissingFeatureProps) {
  const section = useRef<HTMLElement>(null);
  useEffect(() => {
    if (reveal === null) return;
    section.current?.scrollIntoView({ block: 'start' });
    section.current?.querySelector<HTMLElement>('button')?.focus({ preventScroll: true });
  }, [reveal]);
  return (
    <section ref={section} className={classes.section} aria-label={`Missing Feature ${featureId}`}>
      <div className={classes.sectionHead}>
        <Box component="h2" py={10} px={16} fz="0.9375rem" className="flush breaks">
          Missing Feature <code className="small regular">{featureId}</code>
        </Box>
      </div>
      <RemovedNotice
        text="This plan references a feature which has been removed"
        isMarked={isMarked}
        onRemove={onRemove}
      />
    </section>
  );
}
