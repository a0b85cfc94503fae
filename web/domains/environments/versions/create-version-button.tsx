/** 'Create New Version' button. Enabled when the workspace differs from the last version. */
import { Button, Text } from '@mantine/core';
import { IconCheck, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { toast } from 'sonner';
import { paths } from '#web/paths.ts';
import { useCreateVersion } from './mutations.ts';
import { artifactsQuery, lastDiffQuery } from './queries.ts';
import { newVersionButton } from './version-move.ts';

export function CreateVersionButton({ orgId }: { orgId: string }) {
  const diff = useQuery(lastDiffQuery(orgId));
  const versions = useQuery(artifactsQuery(orgId));
  const create = useCreateVersion(orgId);
  const navigate = useNavigate();
  const { label, isEnabled, reason } = newVersionButton({
    itemCount: diff.data?.items.length,
    headNumber: diff.data?.toArtifactNumber ?? null,
    isLoading: diff.isFetching || versions.isPending || create.isPending,
  });
  const submit = () =>
    create.mutate(undefined, {
      onSuccess: ({ artifactNumber }) =>
        toast.success(`Version ${artifactNumber} created`, {
          description: 'Deploy it to an environment to use it.',
          action: { label: 'Deploy it', onClick: () => void navigate(paths.environments(orgId, 'versions')) },
        }),
    });
  const isUpToDate = diff.data?.items.length === 0;
  return (
    <>
      {reason !== null && (
        <Text size="sm" c="dimmed">
          {reason}
        </Text>
      )}
      <Button
        leftSection={isUpToDate ? <IconCheck size={16} aria-hidden /> : <IconPlus size={16} aria-hidden />}
        disabled={!isEnabled && !create.isPending}
        loading={create.isPending}
        onClick={submit}
      >
        {label}
      </Button>
    </>
  );
}
