/** An environment's API keys: create, reveal, copy, limit, revoke. */
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { toast } from 'sonner';
import type { ApiKey } from '#contracts/console/api-keys';
import type { Environment } from '#contracts/console/environments';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { ErrorState } from '#web/ui/error-state.tsx';
import { Section } from '#web/ui/section.tsx';
import { useLastValue } from '#web/ui/use-last-value.ts';
import { CreateKeyButtons } from './create-key-buttons.tsx';
import { KeyLimitsDialog } from './key-limits.tsx';
import { KeysTable } from './keys-table.tsx';
import { useCreateKey, useRevokeKey } from './mutations.ts';
import { NewKey } from './new-key.tsx';
import { apiKeysQuery } from './queries.ts';

export function KeysPanel({ orgId, environment }: { orgId: string; environment: Environment }) {
  const { id: environmentId, name } = environment;
  const { data, error, refetch } = useQuery(apiKeysQuery(orgId, environmentId));
  const create = useCreateKey(orgId, environmentId);
  const [edited, setEdited] = useState<ApiKey | null>(null);
  const [doomed, setDoomed] = useState<ApiKey | null>(null);
  const limited = useLastValue(edited);
  const made = create.data;
  if (error !== null && data === undefined) {
    return <ErrorState title="The keys could not be loaded" error={error} onRetry={() => void refetch()} />;
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
      <KeysSection
        actions={
          <CreateKeyButtons
            remaining={data && { secret: data.secretRemaining, public: data.publicRemaining }}
            pending={create.isPending ? create.variables : null}
            onCreate={(type) => create.mutate(type)}
          />
        }
      >
        <KeysTable orgId={orgId} keys={data?.keys} onEdit={setEdited} onRevoke={setDoomed} />
      </KeysSection>
      {limited !== null && (
        <KeyLimitsDialog
          key={`${limited.id} ${limited.rateLimit} ${limited.allowanceShare}`}
          orgId={orgId}
          apiKey={limited}
          isOpen={edited !== null}
          onClose={() => setEdited(null)}
        />
      )}
      <RevokeKey orgId={orgId} environment={environment} apiKey={doomed} onClose={() => setDoomed(null)} />
    </>
  );
}

/** Shown while the environment loads. */
export function KeysPanelSkeleton({ orgId }: { orgId: string }) {
  return (
    <KeysSection actions={<CreateKeyButtons remaining={undefined} pending={null} onCreate={() => {}} />}>
      <KeysTable orgId={orgId} keys={undefined} onEdit={() => {}} onRevoke={() => {}} />
    </KeysSection>
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
  readonly orgId: string;
  readonly environment: Environment;
  readonly apiKey: ApiKey | null;
  readonly onClose: () => void;
}

function RevokeKey({ orgId, environment, apiKey, onClose }: RevokeKeyProps) {
  const revoke = useRevokeKey(orgId, environment.id);
  const shown = useLastValue(apiKey);
  return (
    <ConfirmDialog
      isOpen={apiKey !== null}
      onClose={onClose}
      title={`Revoke this ${shown?.type ?? ''} key?`}
      confirmLabel={`Revoke …${shown?.maskedValue.slice(-4) ?? ''}`}
      isBusy={revoke.isPending}
      onConfirm={() => {
        if (apiKey === null) return;
        revoke.mutate(apiKey.id, { onSuccess: () => toast.success('Key revoked'), onSettled: onClose });
      }}
    >
      <code>{shown?.maskedValue}</code> {`of ${environment.name}`} stops working everywhere. Requests using
      this key will fail within 5 seconds. This cannot be undone. If the key is in use, create another one
      first.
    </ConfirmDialog>
  );
}
