/** A feature's page while it loads: sections and rows of the final shape. */
import { Skeleton, Stack } from '@mantine/core';
import { Section } from '#web/ui/section.tsx';
import classes from './features.module.css';

const ROWS = ['first', 'second', 'third'];

export function FeatureSkeleton() {
  return (
    <div className="column gap-24" role="status" aria-label="Loading">
      <Section
        title="Properties"
        description="Values your app receives for this feature. Plans override the default."
        isFlush
      >
        <div className="divided">
          {ROWS.map((row) => (
            <SkeletonRow key={row} />
          ))}
        </div>
      </Section>
      <Section
        title="System properties"
        description="Every feature has these. Choose their default, and which value wins when several plans set one."
        isFlush
      >
        <SkeletonRow />
      </Section>
      <Section isSplit title="Definition" description="The feature’s name, and the slug your code uses.">
        <Stack gap={20} maw={480}>
          <Skeleton height={32} />
          <Skeleton height={32} />
          <Skeleton height={60} />
        </Stack>
      </Section>
    </div>
  );
}

function SkeletonRow() {
  return (
    <div className={classes.skeletonRow}>
      <Skeleton height={14} width="24%" />
      <Skeleton height={14} width="14%" />
      <Skeleton height={14} width="20%" />
    </div>
  );
}
