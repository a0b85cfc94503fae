/** An environment's API keys: create, name, copy, reveal, limit, revoke. */

import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { ApiKey } from '#contracts/console/api-keys';
import { apiKeyEndpoints } from '#contracts/console/api-keys';
import type { Environment } from '#contracts/console/environments';
import { useEndpoint } from '#web/api/endpoint-query.ts';
import { useOrgId } from '#web/session/organisation.tsx';
import { toast } from '#web/toast.ts';
import { ConfirmDialog } from '#web/ui/dialogs/confirm-dialog.tsx';
import { useLastValue } from '#web/ui/dialogs/use-last-value.ts';
import { sentence } from '#web/ui/format.ts';
import { Section } from '#web/ui/page/section.tsx';
import { ErrorState } from '#web/ui/states/error-state.tsx';
import { CreateKeyDialog } from './create-key-dialog.tsx';
import { EditKeyDialog, keyLabel } from './key-limits.tsx';
import { KeysTable } from './keys-table.tsx';
import { useCreateKey, useRevokeKey } from './mutations.ts';
import { NewKey } from './new-key.tsx';
import { apiKeysQuery } from './queries.ts';

export function KeysPanel({ environment }: { environment: Environment }) {
  const orgId = useOrgId();
  const { id: environmentId, name } = environment;
  const { data, error, refetch } = useQuery(apiKeysQuery(orgId, environmentId));
  const uses = useEndpoint(apiKeyEndpoints.uses, { orgId, environmentId });
  const create = useCreateKey(orgId, environmentId, true);
  const [isCreating, creating] = useDisclosure();
  const [edited, setEdited] = useState<ApiKey | null>(null);
  const [doomed, setDoomed] = useState<ApiKey | null>(null);
  const limited = useLastValue(edited);
  const made = create.data;
  if (error !== null && data === undefined) {
    return <ErrorState title="The keys could not be loaded" error={error} onRetry={refetch} />;
  }
  return (
    <>
      {made !== undefined && data?.keys.some(({ id }) => id === made.id) && (
        <NewKey
          type={made.type}
          value={made.value}
          environmentName={name}
          isDeployed={environment.artifactId !== null}
          onDone={create.reset}
        />
      )}
      <KeysSection actions={<CreateButton onClick={data && creating.open} />}>
        <KeysTable
          keys={data?.keys}
          uses={uses.data?.uses}
          hasUsesFailed={uses.isError}
          onEdit={setEdited}
          onRevoke={setDoomed}
        />
      </KeysSection>
      {data !== undefined && isCreating && (
        <CreateKeyDialog
          remaining={{ secret: data.secretRemaining, public: data.publicRemaining }}
          create={create}
          isOpen
          onClose={creating.close}
        />
      )}
      {limited !== null && (
        <EditKeyDialog
          key={`${limited.id} ${limited.name} ${limited.rateLimit} ${limited.allowanceShare}`}
          apiKey={limited}
          isOpen={edited !== null}
          onClose={() => setEdited(null)}
        />
      )}
      <RevokeKey environment={environment} apiKey={doomed} onClose={() => setDoomed(null)} />
    </>
  );
}

/** Shown while the environment loads. */
export function KeysPanelSkeleton() {
  return (
    <KeysSection actions={<CreateButton onClick={undefined} />}>
      <KeysTable keys={undefined} uses={undefined} onEdit={() => {}} onRevoke={() => {}} />
    </KeysSection>
  );
}

/** @param onClick undefined while the keys load */
function CreateButton({ onClick }: { readonly onClick: (() => void) | undefined }) {
  return (
    <Button
      leftSection={<IconPlus size={16} aria-hidden />}
      disabled={onClick === undefined}
      {...(onClick && { onClick })}
    >
      Create a key
    </Button>
  );
}

function KeysSection({ actions, children }: { actions: ReactNode; children: ReactNode }) {
  return (
    <Section
      title="API keys"
      description="Use secret keys on your server. Public keys are safe in clients and only accept signed user tokens."
      actions={actions}
      isFlush
    >
      {children}
    </Section>
  );
}

interface RevokeKeyProps {
  readonly environment: Environment;
  readonly apiKey: ApiKey | null;
  readonly onClose: () => void;
}

function RevokeKey({ environment, apiKey, onClose }: RevokeKeyProps) {
  const orgId = useOrgId();
  const revoke = useRevokeKey(orgId);
  const shown = useLastValue(apiKey);
  return (
    <ConfirmDialog
      isOpen={apiKey !== null}
      onClose={onClose}
      title={`Revoke this ${shown?.type ?? ''} key?`}
      confirmLabel={`Revoke ${shown === null ? '' : keyLabel(shown)}`}
      isBusy={revoke.isPending}
      onConfirm={() => {
        if (apiKey === null) return;
        revoke.mutate(apiKey.id, { onSuccess: () => toast.success('Key revoked'), onSettled: onClose });
      }}
    >
      <code>{shown?.maskedValue}</code> {sentence`of ${environment.name}`} stops working everywhere. Requests
      using this key will fail within 5 seconds. This cannot be undone. If the key is in use, create another
      one first.
    </ConfirmDialog>
  );
}
