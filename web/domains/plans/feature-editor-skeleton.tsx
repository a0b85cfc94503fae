/** The feature editor while the plan and the features load. */
import { Skeleton } from '@mantine/core';
import classes from './feature-editor.module.css';

const NAMES = [150, 110, 180, 130, 160, 100, 140, 120];
const SECTIONS = [3, 4, 2];

export function FeatureEditorSkeleton() {
  return (
    <div className={classes.editor} aria-busy="true">
      <div className={classes.skeleton}>
        <Skeleton height={32} radius="md" />
        {NAMES.map((width) => (
          <Skeleton key={width} height={14} width={width} />
        ))}
      </div>
      <div className="column shrink gap-12">
        {SECTIONS.map((rows) => (
          <div key={rows} className={classes.skeleton}>
            <Skeleton height={18} width={180} />
            {NAMES.slice(0, rows).map((width) => (
              <div key={width} className={classes.skeletonRow}>
                <Skeleton height={14} width={width} />
                <Skeleton height={18} width={96} />
                <Skeleton height={22} width={width / 1.5} />
              </div>
            ))}
          </div>
        ))}
      </div>
    </div>
  );
}
