/** Who would gain and lose by a plan's values, before they are saved. */
import { Modal, Select, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { PlanProperties } from '#contracts/console/plans';
import { useOrgId } from '#web/session/organisation.tsx';
import { environmentsQuery } from '../../queries.ts';
import { planImpactQuery } from '../queries.ts';
import { ImpactCard } from './impact-section.tsx';

export interface PlanImpactDialogProps {
  readonly planId: string;
  readonly planName: string;
  /** As they would be saved. */
  readonly properties: PlanProperties;
  readonly onClose: () => void;
}

/** Customers and their grants are an environment's: live ones come first. */
export function PlanImpactDialog({ planId, planName, properties, onClose }: PlanImpactDialogProps) {
  const environments = useQuery(environmentsQuery(useOrgId())).data ?? [];
  const [chosenId, setChosenId] = useState<string | null>(null);
  const ordered = [...environments].sort((one, other) => rankOf(one.type) - rankOf(other.type));
  const environmentId = chosenId ?? ordered[0]?.id;
  return (
    <Modal opened onClose={onClose} title={`Impact of your changes to ${planName}`} size={720}>
      <Stack gap="md">
        <Text c="dimmed">
          Nothing is saved yet. Customers of deployed environments get these values with the next version that
          you deploy there.
        </Text>
        <Select
          label="Customers of"
          maw={320}
          data={ordered.map(({ id, name }) => ({ value: id, label: name }))}
          value={environmentId ?? null}
          onChange={setChosenId}
          allowDeselect={false}
        />
        {environmentId !== undefined && (
          <PlanImpact environmentId={environmentId} planId={planId} properties={properties} />
        )}
      </Stack>
    </Modal>
  );
}

interface PlanImpactProps extends Pick<PlanImpactDialogProps, 'planId' | 'properties'> {
  readonly environmentId: string;
}

function PlanImpact({ environmentId, planId, properties }: PlanImpactProps) {
  const read = useQuery(planImpactQuery(useOrgId(), environmentId, planId, properties));
  return <ImpactCard environmentId={environmentId} read={read} base="the saved values" />;
}

function rankOf(type: string): number {
  return ['live', 'test', 'preview'].indexOf(type);
}
