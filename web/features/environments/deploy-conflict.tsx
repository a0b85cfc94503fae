/** Tells that somebody else deployed between what the user saw and what the user did: nothing of theirs was deployed. */
import { Alert } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { environmentStatusSchema } from '#contracts/artifacts';
import { ApiError } from '../../api/api-error.ts';

export function DeployConflict({ error, environmentName }: { error: Error | null; environmentName: string }) {
  if (!(error instanceof ApiError) || error.errorType !== 'conflict') return null;
  const current = environmentStatusSchema.safeParse(error.current).data;
  const runs = current?.artifactNumber == null ? 'nothing' : `version ${current.artifactNumber}`;
  return (
    <Alert
      color="amber"
      icon={<IconAlertTriangle size={18} aria-hidden />}
      title={`${environmentName} was changed meanwhile`}
    >
      {`Somebody else deployed to it: ${environmentName} runs ${runs} now, and nothing of yours was deployed. What would change is calculated anew below.`}
    </Alert>
  );
}
