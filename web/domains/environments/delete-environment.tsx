/** Danger section of an environment's page. Deletion requires typing the name. The preview environment cannot be deleted. */
import { Button, Flex, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { toast } from 'sonner';
import type { Environment } from '#contracts/console/environments';
import { paths } from '#web/paths.ts';
import { DangerSection } from '#web/ui/danger-section.tsx';
import { useDeleteEnvironment } from './mutations.ts';

export interface DeleteEnvironmentProps {
  readonly orgId: string;
  readonly environment: Environment;
  /** Called before navigation leaves the page. */
  readonly onDeleted: () => void;
}

export function DeleteEnvironment({ orgId, environment, onDeleted }: DeleteEnvironmentProps) {
  const { id, name, type, artifactNumber } = environment;
  const [isOpen, setOpen] = useState(false);
  const isPreview = type === 'preview';
  return (
    <>
      <DangerSection
        title="Delete this environment"
        description={
          isPreview
            ? 'The preview environment always runs your workspace and can’t be deleted.'
            : 'Its keys stop working immediately. Access checks that use them will fail.'
        }
        label={`Delete ${name}`}
        isDisabled={isPreview}
        onAct={() => setOpen(true)}
      />
      {isOpen && (
        <Confirmation
          orgId={orgId}
          environmentId={id}
          name={name}
          artifactNumber={artifactNumber}
          onClose={() => setOpen(false)}
          onDeleted={onDeleted}
        />
      )}
    </>
  );
}

interface ConfirmationProps {
  readonly orgId: string;
  readonly environmentId: string;
  readonly name: string;
  readonly artifactNumber: number | null;
  readonly onClose: () => void;
  readonly onDeleted: () => void;
}

function Confirmation(props: ConfirmationProps) {
  const { orgId, environmentId, name, artifactNumber, onClose, onDeleted } = props;
  const remove = useDeleteEnvironment(orgId);
  const navigate = useNavigate();
  const [typed, setTyped] = useState('');
  const submit = () =>
    remove.mutate(environmentId, {
      onSuccess: () => {
        onDeleted();
        toast.success(`${name} deleted`);
        void navigate(paths.environments(orgId, 'environments'), { replace: true });
      },
    });
  return (
    <Modal opened onClose={onClose} title={`Delete ${name}?`} size={460} closeOnEscape={!remove.isPending}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (typed === name) submit();
        }}
      >
        <Stack gap={16}>
          <Text c="dimmed">
            All keys of {name} stop working at once: access checks made with them are refused everywhere
            within five seconds.
            {artifactNumber !== null &&
              ` Version ${artifactNumber} can still be deployed to other environments.`}{' '}
            This cannot be undone.
          </Text>
          <TextInput
            label={`Type ${name} to confirm`}
            value={typed}
            autoComplete="off"
            data-autofocus
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
        </Stack>
        <Flex gap={8} wrap="wrap" justify="flex-end" mt={24}>
          <Button variant="default" onClick={onClose} disabled={remove.isPending}>
            Cancel
          </Button>
          <Button type="submit" color="red" disabled={typed !== name} loading={remove.isPending}>
            {`Delete ${name}`}
          </Button>
        </Flex>
      </form>
    </Modal>
  );
}
