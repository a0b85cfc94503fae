/** A webhook's signing secret: revealed on request, and replaced while both the old and the new one sign for a day. */
import { Button, Group, Stack } from '@mantine/core';
import { IconClock } from '@tabler/icons-react';
import { useState } from 'react';
import { FORMER_SECRET_HOURS, type Webhook } from '#contracts/console/webhooks';
import { useOrgId } from '#web/session/organisation.tsx';
import { CopyLater } from '#web/ui/copy/copy-later.tsx';
import { ConfirmDialog } from '#web/ui/dialogs/confirm-dialog.tsx';
import { formatInstant } from '#web/ui/format.ts';
import { useHasEnded } from '#web/ui/labels/age.tsx';
import { Section } from '#web/ui/page/section.tsx';
import { Notice } from '#web/ui/states/notice.tsx';
import { useRevealSecret, useRotateSecret } from './mutations.ts';
import { NewSecret } from './new-secret.tsx';
import classes from './webhooks.module.css';

const MASKED = 'whsec_••••••••••••••••';

export function SecretSection({ webhook }: { readonly webhook: Webhook }) {
  const orgId = useOrgId();
  const { id, formerSecretUntil } = webhook;
  const { data, isPending, mutate, reset } = useRevealSecret(orgId, id);
  const copying = useRevealSecret(orgId, id);
  const rotation = useRotateSecret(orgId, id);
  const [isAsking, setIsAsking] = useState(false);
  const hasFormer = !useHasEnded(formerSecretUntil) && formerSecretUntil !== null;
  const rotate = () => {
    reset();
    rotation.mutate(undefined, { onSettled: () => setIsAsking(false) });
  };
  return (
    <>
      {rotation.data !== undefined && (
        <NewSecret
          title="The webhook’s new secret"
          secret={rotation.data.secret}
          onDone={() => rotation.reset()}
        />
      )}
      <Section
        isSplit
        title="Signing secret"
        description="Your server uses it to verify that a request comes from Tessera."
        footer={
          <Button variant="default" onClick={() => setIsAsking(true)}>
            Replace secret
          </Button>
        }
      >
        <Stack gap={16} align="flex-start">
          <Group gap="6px 12px">
            <code className="shrink small breaks">{data?.secret ?? MASKED}</code>
            <span className={`inline-row gap-6 ${classes.secretActions}`}>
              <CopyLater
                label="the secret"
                read={async () => (data ?? (await copying.mutateAsync())).secret}
                onDone={copying.reset}
              />
              <Button
                variant="default"
                size="compact-xs"
                disabled={isPending}
                onClick={() => (data === undefined ? mutate() : reset())}
              >
                {isPending ? 'Loading...' : data === undefined ? 'Reveal' : 'Hide'}
              </Button>
            </span>
          </Group>
          {hasFormer && (
            <Notice
              tone="neutral"
              icon={IconClock}
              role="note"
              title={`Both secrets sign until ${formatInstant(formerSecretUntil)}`}
            >
              Each request has a signature of the new secret and one of the former. Use the new one on your
              server before then.
            </Notice>
          )}
        </Stack>
      </Section>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
        title="Replace the signing secret?"
        confirmLabel="Replace secret"
        onConfirm={rotate}
        isBusy={rotation.isPending}
        isDanger={false}
      >
        {`The new secret and the current one both sign for ${FORMER_SECRET_HOURS} hours, so no event is refused while you update your server.`}
        {hasFormer && ' The secret before the current one stops signing at once.'}
      </ConfirmDialog>
    </>
  );
}
