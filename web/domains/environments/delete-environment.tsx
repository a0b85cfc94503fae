/**
 * Danger section of an environment's page. An environment with keys or a deployed version is deleted by typing its name. The
 * preview environment cannot be deleted.
 */
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { type Environment, environmentEndpoints } from '#contracts/console/environments';
import { useChange } from '#web/api/use-change.ts';
import { paths } from '#web/paths.ts';
import { useOrgId } from '#web/session/organisation.tsx';
import { toast } from '#web/toast.ts';
import { ConfirmDialog } from '#web/ui/dialogs/confirm-dialog.tsx';
import { sentence } from '#web/ui/format.ts';
import { RemovalSection } from '#web/ui/page/removal-section.tsx';
import { apiKeysQuery } from './keys/queries.ts';

export interface DeleteEnvironmentProps {
  readonly environment: Environment;
  /** Called before navigation leaves the page. */
  readonly onDeleted: () => void;
}

export function DeleteEnvironment({ environment, onDeleted }: DeleteEnvironmentProps) {
  const { name, type } = environment;
  const isPreview = type === 'preview';
  return (
    <RemovalSection
      title="Delete this environment"
      description={
        isPreview
          ? 'The preview environment always runs your workspace and can’t be deleted.'
          : 'Its keys stop working immediately. Access checks that use them will fail.'
      }
      label={sentence`Delete ${name}`}
      isDisabled={isPreview}
    >
      {(isOpen, close) => (
        <Confirmation environment={environment} isOpen={isOpen} onClose={close} onDeleted={onDeleted} />
      )}
    </RemovalSection>
  );
}

interface ConfirmationProps extends DeleteEnvironmentProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

function Confirmation({ environment, isOpen, onClose, onDeleted }: ConfirmationProps) {
  const orgId = useOrgId();
  const { id, name, artifactId, artifactNumber } = environment;
  const keys = useQuery({ ...apiKeysQuery(orgId, id), enabled: isOpen });
  const remove = useChange(environmentEndpoints.remove, (environmentId: string) => ({
    params: { orgId, environmentId },
  }));
  const navigate = useNavigate();
  /** Until the keys are known, there may be some. */
  const isEmpty = artifactId === null && keys.data?.keys.length === 0;
  const confirm = () =>
    remove.mutate(id, {
      onSuccess: () => {
        onDeleted();
        toast.success(sentence`${name} deleted`);
        void navigate(paths.environments(orgId, 'environments'), { replace: true });
      },
    });
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      title={sentence`Delete ${name}?`}
      confirmLabel={sentence`Delete ${name}`}
      typedName={isEmpty ? undefined : name}
      onConfirm={confirm}
      isBusy={remove.isPending}
      size={460}
    >
      {isEmpty
        ? 'It has no API keys, and nothing is deployed to it.'
        : `Requests with ${keysLabel(keys.data?.keys.length)} fail everywhere within five seconds.`}
      {artifactNumber !== null && ` Version ${artifactNumber} can still be deployed to other environments.`}{' '}
      This cannot be undone.
    </ConfirmDialog>
  );
}

const keysLabel = (count: number | undefined) =>
  count === undefined || count === 0 ? 'its keys' : count === 1 ? 'its API key' : `its ${count} API keys`;
