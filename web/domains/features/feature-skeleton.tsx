/** A feature's page while it loads: sections and rows of the final shape. */
import { Box, Button, Skeleton, Stack } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { Section } from '#web/ui/page/section.tsx';
import classes from './features.module.css';
import { PropertiesHead } from './properties-table.tsx';

const ROWS = ['first', 'second', 'third'];

const FIELDS = [
  ['name', 32],
  ['slug', 32],
  ['description', 58],
] as const;

export function FeatureSkeleton() {
  return (
    <Stack gap={24} role="status" aria-label="Loading">
      <Section
        title="Properties"
        description="Values your app receives for this feature. Plans override the default."
        isFlush
        actions={
          <Button variant="default" leftSection={<IconPlus size={15} aria-hidden />} disabled>
            Add a property
          </Button>
        }
      >
        <SkeletonTable rows={ROWS} />
      </Section>
      <Section
        title="System properties"
        description="Every feature has these. Choose their default, and which value wins when several plans set one."
        isFlush
      >
        <SkeletonTable rows={ROWS.slice(0, 1)} />
      </Section>
      <Section
        isSplit
        title="Definition"
        description="The feature’s name, and the slug your code uses."
        footer={<Skeleton height={32} width={124} />}
      >
        <Stack gap={16} maw={480}>
          {FIELDS.map(([field, height]) => (
            <Stack key={field} gap={6}>
              <Skeleton height={12} width={72} />
              <Skeleton height={height} />
            </Stack>
          ))}
        </Stack>
      </Section>
    </Stack>
  );
}

function SkeletonTable({ rows }: { rows: readonly string[] }) {
  return (
    <Box style={{ containerType: 'inline-size' }}>
      <table className={`table data-table fixed-columns ${classes.table}`} aria-hidden>
        <PropertiesHead />
      </table>
      <div className="divided">
        {rows.map((row) => (
          <div key={row} className={classes.skeletonRow}>
            <Skeleton height={14} width="24%" />
            <Skeleton height={14} width="14%" />
            <Skeleton height={14} width="20%" />
          </div>
        ))}
      </div>
    </Box>
  );
}
