/** 'Create New Version' with an optional note. Enabled when the workspace differs from the last version. */
import { Button, Text, TextInput } from '@mantine/core';
import { IconCheck, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useNavigate } from 'react-router';
import { MAX_NOTE_LENGTH } from '#contracts/console/artifacts';
import { useKeptDraft } from '#web/forms/use-kept-draft.ts';
import { paths } from '#web/paths.ts';
import { toast } from '#web/toast.ts';
import { useCreateVersion } from '../mutations.ts';
import { artifactsQuery, lastDiffQuery } from '../queries.ts';
import { newVersionButton } from '../version-move.ts';
import classes from '../versions.module.css';
import { LostNames } from './lost-names.tsx';

export interface CreateVersionProps {
  readonly orgId: string;
  /** Whether the toast offers to deploy it. The workspace's popover does that itself. */
  readonly isDeployOffered?: boolean;
  /** A link was followed. */
  readonly onLeave?: () => void;
}

export function CreateVersion({ orgId, isDeployOffered = true, onLeave }: CreateVersionProps) {
  const [note, setNote] = useState('');
  useKeptDraft({
    name: 'new version note',
    read: () => (note === '' ? null : { note }),
    restore: ({ note: typed = '' }) => setNote(typed),
  });
  const diff = useQuery(lastDiffQuery(orgId));
  const versions = useQuery(artifactsQuery(orgId));
  const create = useCreateVersion(orgId);
  const navigate = useNavigate();
  const { label, isEnabled, reason } = newVersionButton({
    itemCount: diff.data?.items.length,
    headNumber: diff.data?.toArtifactNumber ?? null,
    isLoading: diff.isFetching || versions.isPending || create.isPending,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isEnabled) return;
    create.mutate(note, {
      onSuccess: ({ artifactNumber }) => {
        setNote('');
        toast.success(`Version ${artifactNumber} created`, {
          description: 'Deploy it to an environment to use it.',
          ...(isDeployOffered && {
            action: {
              label: 'Deploy it',
              onClick: () => void navigate(paths.environments(orgId, 'versions')),
            },
          }),
        });
      },
    });
  };
  const isUpToDate = diff.data?.items.length === 0;
  const hasNote = diff.data !== undefined && !isUpToDate && reason === null;
  return (
    <form className={classes.create} onSubmit={submit}>
      <LostNames orgId={orgId} diff={diff.data} onLeave={onLeave} />
      {reason !== null && (
        <Text size="sm" c="dimmed">
          {reason}
        </Text>
      )}
      {hasNote && (
        <TextInput
          className={classes.note}
          aria-label="Note for the new version"
          placeholder="Note (optional)"
          maxLength={MAX_NOTE_LENGTH}
          disabled={create.isPending}
          value={note}
          onChange={(event) => setNote(event.currentTarget.value)}
        />
      )}
      <Button
        type="submit"
        leftSection={isUpToDate ? <IconCheck size={16} aria-hidden /> : <IconPlus size={16} aria-hidden />}
        disabled={!isEnabled && !create.isPending}
        loading={create.isPending}
      >
        {label}
      </Button>
    </form>
  );
}
