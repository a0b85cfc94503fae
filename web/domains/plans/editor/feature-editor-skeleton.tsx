/** The feature editor while the plan and the features load. */
import { Skeleton, Stack } from '@mantine/core';
import classes from './feature-editor.module.css';

const NAMES = [150, 110, 180, 130, 160, 100, 140, 120];
const SECTIONS = [3, 4, 2];

export function FeatureEditorSkeleton() {
  return (
    <>
      <div className={classes.bar}>
        <span className="grow">
          <Skeleton height={12} width={72} />
        </span>
        <Skeleton height="var(--control-height)" width={70} />
        <Skeleton height="var(--control-height)" width={102} />
      </div>
      <div className={classes.editor} aria-busy="true">
        <Stack gap={18} pt={14} px={16} pb={18} className={`card ${classes.skeletonPicker}`}>
          <Skeleton height={32} radius="md" />
          {NAMES.map((width) => (
            <Skeleton key={width} height={14} width={width} />
          ))}
        </Stack>
        <Stack gap={12} miw={0}>
          {SECTIONS.map((rows) => (
            <Stack key={rows} gap={18} pt={14} px={16} pb={18} className="card">
              <Skeleton height={18} width={180} />
              {NAMES.slice(0, rows).map((width) => (
                <div key={width} className={classes.skeletonRow}>
                  <Skeleton height={14} width={width} />
                  <Skeleton height={18} width={96} />
                  <Skeleton height={22} width={width / 1.5} />
                </div>
              ))}
            </Stack>
          ))}
        </Stack>
      </div>
    </>
  );
}
