/** Dashboard card: an environment's number of API keys, a link to them, and a call that uses one. */
import { Box, Button, NativeSelect, Skeleton, Text } from '@mantine/core';
import { IconArrowRight } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import type { ApiKey } from '#contracts/console/api-keys';
import type { Environment } from '#contracts/console/environments';
import type { ApiKeyType } from '#contracts/public/api-key-type';
import { paths } from '#web/paths.ts';
import { CodeBlock } from '#web/ui/code/code-block.tsx';
import { Section } from '#web/ui/page/section.tsx';
import { curlFor } from './curl-for.ts';
import { apiKeysQuery } from './queries.ts';
import { shownEnvironment } from './shown-environment.ts';

export interface ApiKeysCardProps {
  readonly orgId: string;
  /** Undefined while loading. */
  readonly environments: readonly Environment[] | undefined;
}

export function ApiKeysCard({ orgId, environments }: ApiKeysCardProps) {
  const [chosen, setChosen] = useState<string | null>(null);
  const environment = shownEnvironment(environments ?? [], chosen);
  const environmentId = environment?.id ?? null;
  return (
    <Section
      title="API Keys"
      description="Authenticate access checks with a key from the environment your app runs in."
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
      {/* A native select: Mantine's Select would add a tenth to the first screen's JavaScript. */}
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
      {environments?.length !== 0 && (
        <>
          <KeyCount orgId={orgId} environmentId={environmentId} />
          <Box mt={16}>
            <CodeBlock
              label="an access check"
              head={
                environment === undefined ? (
                  <Skeleton height={12} width={160} />
                ) : (
                  <span className="muted small truncate">{`Check access in ${environment.name}`}</span>
                )
              }
              code={curlFor(window.location.origin, 'secret')}
            />
          </Box>
        </>
      )}
    </Section>
  );
}

/** @param props.environmentId null while the environments load */
function KeyCount({ orgId, environmentId }: { orgId: string; environmentId: string | null }) {
  const { data, isError } = useQuery({
    ...apiKeysQuery(orgId, environmentId ?? ''),
    enabled: environmentId !== null,
  });
  if (isError && data === undefined) return null;
  if (data === undefined) return <Skeleton height={12} width={160} mt={12} mb={2} />;
  return (
    <Text c="dimmed" size="sm" mt={8}>
      {data.keys.length === 0
        ? 'No keys yet. Create one to run access checks here.'
        : `${counted(data.keys, 'secret')}, ${counted(data.keys, 'public')}.`}
    </Text>
  );
}

function counted(keys: readonly ApiKey[], type: ApiKeyType): string {
  const number = keys.filter((key) => key.type === type).length;
  return number === 1 ? `1 ${type} key` : `${number} ${type} keys`;
}
