/** The last section of a feature's page: deletes the feature. */
import { useState } from 'react';
import type { Feature } from '#contracts/console/features';
import { sentence } from '#web/ui/format.ts';
import { DangerSection } from '#web/ui/page/danger-section.tsx';
import { DeleteFeatureDialog } from './delete-feature-dialog.tsx';

export interface DeleteFeatureSectionProps {
  readonly feature: Feature;
  readonly onDeleted: () => void;
}

export function DeleteFeatureSection({ feature, onDeleted }: DeleteFeatureSectionProps) {
  const [isAsking, setIsAsking] = useState(false);
  return (
    <>
      <DangerSection
        title="Delete this feature"
        description="Removes the feature and its properties from the workspace. Environments keep their current version until you deploy a new one."
        label={sentence`Delete ${feature.name}`}
        onAct={() => setIsAsking(true)}
      />
      <DeleteFeatureDialog
        feature={isAsking ? feature : null}
        onClose={() => setIsAsking(false)}
        onDeleted={onDeleted}
      />
    </>
  );
}
