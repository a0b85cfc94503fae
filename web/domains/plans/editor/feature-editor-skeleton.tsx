/** The feature editor while the plan and the features load. */
import { Skeleton, Stack } from '@mantine/core';
import { EditorBar } from './editor-bar.tsx';
import classes from './feature-editor.module.css';
import { FeaturePicker } from './feature-picker.tsx';

const NAMES = [150, 110, 180, 130];
const SECTIONS = [3, 4, 2];
const NONE: ReadonlySet<string> = new Set();
const ignore = () => {};

export function FeatureEditorSkeleton({ onCancel }: { readonly onCancel: () => void }) {
  return (
    <>
      <EditorBar
        changes={[]}
        isSaving={false}
        isAllCollapsed={false}
        onToggleAll={undefined}
        onImpact={ignore}
        onCancel={onCancel}
        onSave={ignore}
      />
      <div className={classes.editor} aria-busy="true" inert>
        <FeaturePicker features={undefined} selected={NONE} dispatch={ignore} onReveal={ignore} />
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
