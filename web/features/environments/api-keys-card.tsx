/** The dashboard's way to the keys of an environment. */
import { Button, NativeSelect } from '@mantine/core';
import { IconArrowRight } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router';
import type { Environment } from '#contracts/environments';
import { paths } from '../../paths.ts';
import { Section } from '../../ui/section.tsx';

export interface ApiKeysCardProps {
  readonly orgId: string;
  /** Undefined while loading. */
  readonly environments: readonly Environment[] | undefined;
}

export function ApiKeysCard({ orgId, environments }: ApiKeysCardProps) {
  const [chosen, setChosen] = useState<string | null>(null);
  const environmentId = chosen ?? environments?.[0]?.id ?? null;
  return (
    <Section
      title="API Keys"
      description="Your application asks with a key of the environment it runs in."
      footer={
        <Button
          component={Link}
          variant="default"
          to={
            environmentId === null
              ? paths.environments(orgId, 'environments')
              : paths.environment(orgId, environmentId, 'keys')
          }
          rightSection={<IconArrowRight size={15} aria-hidden />}
        >
          {environmentId === null ? 'Choose an environment' : 'Manage API keys'}
        </Button>
      }
    >
      <NativeSelect
        label="Environment"
        data={
          environmentId === null
            ? [{ value: '', label: environments === undefined ? 'Loading...' : 'Select an environment' }]
            : (environments ?? []).map(({ id, name }) => ({ value: id, label: name }))
        }
        value={environmentId ?? ''}
        onChange={(event) => setChosen(event.currentTarget.value)}
      />
    </Section>
  );
}
