/** Does the next of the dashboard's first steps in place: its button, and the dialog that it opens. */
import { Button, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Environment } from '#contracts/console/environments';
import { deploymentStatusQuery } from '#web/domains/environments/deployments/queries.ts';
import type { useCreateKey } from '#web/domains/environments/keys/mutations.ts';
import { apiKeysQuery } from '#web/domains/environments/keys/queries.ts';
import { DeployPart, type Move } from '#web/domains/environments/versions/deploy/deploy-part.tsx';
import { artifactsQuery } from '#web/domains/environments/versions/queries.ts';
import { type FirstStep, targetOf } from '#web/domains/quickstart/first-steps.ts';
import { InlinePart } from '#web/ui/loading/inline-part.tsx';
import { codeApart } from '#web/ui/loading/loaded-apart.tsx';
import { OptionalPart } from '#web/ui/loading/optional-part.tsx';

const createFeature = codeApart(
  async () => (await import('#web/domains/features/create-feature-dialog.tsx')).CreateFeatureDialog,
);
const createPlan = codeApart(
  async () => (await import('#web/domains/plans/create-plan-dialog.tsx')).CreatePlanDialog,
);
const createVersion = codeApart(
  async () => (await import('#web/domains/environments/versions/panels/create-version.tsx')).CreateVersion,
);
const createEnvironment = codeApart(
  async () =>
    (await import('#web/domains/environments/create-environment-dialog.tsx')).CreateEnvironmentDialog,
);
const createKey = codeApart(
  async () => (await import('#web/domains/environments/keys/create-key-dialog.tsx')).CreateKeyDialog,
);

type Dialog = 'feature' | 'plan' | 'environment' | 'deploy' | 'key';

export interface FirstStepActionProps {
  readonly orgId: string;
  /** Undefined once all are done: a dialog that is still open stays. */
  readonly step: FirstStep | undefined;
  readonly environments: readonly Environment[];
  /** Creates keys of `keyEnvironmentId`. */
  readonly keyCreation: ReturnType<typeof useCreateKey>;
  readonly keyEnvironmentId: string | undefined;
}

export function FirstStepAction(props: FirstStepActionProps) {
  const { orgId, step, environments, keyCreation, keyEnvironmentId } = props;
  const [opened, setOpened] = useState<Dialog | null>(null);
  const [move, setMove] = useState<Move | null>(null);
  const newest = useQuery({ ...artifactsQuery(orgId), enabled: step?.id === 'deploy' }).data?.[0];
  const statuses = useQuery(deploymentStatusQuery(orgId)).data?.environments;
  const keys = useQuery({
    ...apiKeysQuery(orgId, keyEnvironmentId ?? ''),
    enabled: step?.id === 'key' && keyEnvironmentId !== undefined,
  }).data;
  const target = targetOf(environments);
  const status = statuses?.find(({ environmentId }) => environmentId === target?.id);
  const close = () => setOpened(null);
  const open = (asked: Dialog) => {
    if (asked !== 'deploy') setOpened(asked);
    else if (newest !== undefined && status !== undefined) setMove({ version: newest, chosen: status });
  };
  const dialog = (name: Dialog) => ({ orgId, isOpen: opened === name, onClose: close });
  const part = (name: Dialog) => ({ isNeeded: opened === name, onFailure: close });
  const canOpen: Record<Dialog, boolean> = {
    feature: true,
    plan: true,
    environment: true,
    deploy: newest !== undefined && status !== undefined,
    key: keys !== undefined,
  };
  const isDeployedNowhere = step?.id === 'deploy' && target === undefined;
  const asked =
    step === undefined || step.id === 'version' ? null : isDeployedNowhere ? 'environment' : step.id;
  return (
    <>
      {step?.id === 'version' && (
        <InlinePart
          code={createVersion}
          props={{ orgId, isDeployOffered: false }}
          loading={<Skeleton height={36} width={180} />}
        />
      )}
      {step !== undefined && asked !== null && (
        <div>
          <Button variant="default" disabled={!canOpen[asked]} onClick={() => open(asked)}>
            {step.action}
          </Button>
        </div>
      )}
      <OptionalPart code={createFeature} props={dialog('feature')} {...part('feature')} />
      <OptionalPart code={createPlan} props={dialog('plan')} {...part('plan')} />
      <OptionalPart code={createEnvironment} props={dialog('environment')} {...part('environment')} />
      <DeployPart orgId={orgId} move={move} onClose={() => setMove(null)} />
      {opened === 'key' && keys !== undefined && (
        <OptionalPart
          code={createKey}
          props={{
            remaining: { secret: keys.secretRemaining, public: keys.publicRemaining },
            create: keyCreation,
            isOpen: true,
            onClose: close,
          }}
          onFailure={close}
        />
      )}
    </>
  );
}
