/** The way to delete a feature from its own page: last and apart. */
import { Button } from '@mantine/core';
import { useState } from 'react';
import type { Feature } from '#contracts/features';
import { Section } from '../../ui/section.tsx';
import { DeleteFeatureDialog } from './delete-feature-dialog.tsx';

export interface DeleteFeatureSectionProps {
  readonly orgId: string;
  readonly feature: Feature;
  readonly onDeleted: () => void;
}

export function DeleteFeatureSection({ orgId, feature, onDeleted }: DeleteFeatureSectionProps) {
  const [isAsking, setIsAsking] = useState(false);
  return (
    <>
      <Section
        title="Delete this feature"
        description="It leaves the workspace with all its properties. Environments keep the versions they run until you deploy another one."
        isDanger
        footer={
          <Button color="red" variant="outline" onClick={() => setIsAsking(true)}>
            Delete {feature.name}
          </Button>
        }
      />
      <DeleteFeatureDialog
        orgId={orgId}
        feature={isAsking ? feature : null}
        onClose={() => setIsAsking(false)}
        onDeleted={onDeleted}
      />
    </>
  );
}
