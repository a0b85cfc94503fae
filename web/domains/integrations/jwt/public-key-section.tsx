/** The trusted public keys, abbreviated, and a form that replaces them. A new key applies within five seconds. */
import { Button, Fieldset, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { z } from 'zod';
import {
  type JwtIntegration,
  jwtIntegrationSchema,
  updateJwtIntegrationSchema,
} from '#contracts/console/integrations';
import { ApiError } from '#web/api/api-error.ts';
import { checkForm } from '#web/api/check-form.ts';
import { showFormError } from '#web/forms/show-form-error.ts';
import { useKeptForm } from '#web/forms/use-kept-draft.ts';
import { useOrgId } from '#web/session/organisation.tsx';
import { toast } from '#web/toast.ts';
import { ConfirmDialog } from '#web/ui/dialogs/confirm-dialog.tsx';
import { UnsavedChanges } from '#web/ui/dialogs/unsaved-changes.tsx';
import { sentence } from '#web/ui/format.ts';
import { Section } from '#web/ui/page/section.tsx';
import { Notice } from '#web/ui/states/notice.tsx';
import classes from './jwt.module.css';
import { KeyAddress } from './key-address.tsx';
import { useUpdateJwtIntegration } from './mutations.ts';
import { PublicKeyField } from './public-key-field.tsx';

const newKeySchema = z.object({ publicKey: updateJwtIntegrationSchema.shape.publicKey.unwrap() });

export function PublicKeySection({ integration }: { readonly integration: JwtIntegration }) {
  const orgId = useOrgId();
  const { id, name, publicKeys } = integration;
  const update = useUpdateJwtIntegration(orgId, id);
  /** The keys being replaced. Somebody else may have replaced them meanwhile. */
  const [isAsking, setIsAsking] = useState(false);
  const [isOvertaken, setIsOvertaken] = useState(false);
  const form = useForm({ initialValues: { publicKey: '' }, validate: checkForm(newKeySchema) });
  useKeptForm('new key', form);
  const isDirty = form.values.publicKey !== '';

  const save = (updatedAt: number) =>
    update.mutate(
      { publicKey: form.values.publicKey, updatedAt },
      {
        onSuccess: () => {
          form.reset();
          setIsOvertaken(false);
          toast.success('Public key updated', {
            description: 'It applies everywhere within 5 seconds.',
          });
        },
        onError: (error) => {
          const current =
            error instanceof ApiError ? jwtIntegrationSchema.safeParse(error.current).data : undefined;
          if (current !== undefined) {
            // Only the key is compared: a concurrent change of the name is no conflict.
            if (fingerprints(current) === fingerprints(integration)) save(current.updatedAt);
            else setIsOvertaken(true);
            return;
          }
          showFormError(form, error);
        },
        onSettled: () => setIsAsking(false),
      },
    );
  return (
    <form onSubmit={form.onSubmit(() => setIsAsking(true))} noValidate>
      <UnsavedChanges isDirty={() => isDirty} />
      <Section
        isSplit
        title="Public key"
        description="Tokens are only accepted if one of these keys verifies their signature."
        footer={
          <Button type="submit" disabled={!isDirty} loading={update.isPending}>
            Update public key
          </Button>
        }
      >
        <KeyAddress integration={integration} now={Date.now()} />
        <ul className={classes.keys} aria-label="Trusted keys">
          {publicKeys.map(({ kid, anonymized }) => (
            <li key={`${kid} ${anonymized}`}>
              <code className="small breaks">{anonymized}</code>
              {kid !== null && (
                <span className="muted tiny">
                  kid <code className="strong breaks">{kid}</code>
                </span>
              )}
            </li>
          ))}
        </ul>
        <Stack gap={16}>
          {isOvertaken && (
            <Notice role="alert">
              Someone else replaced the public key in the meantime. Yours is not saved yet. Compare it with
              the key above, then choose “Update public key” again to replace it.
            </Notice>
          )}
          <Fieldset maw={640} disabled={update.isPending}>
            <PublicKeyField
              label={publicKeys.length === 1 ? 'New public key or address' : 'New public keys or address'}
              {...form.getInputProps('publicKey')}
            />
          </Fieldset>
        </Stack>
        <ConfirmDialog
          isOpen={isAsking}
          onClose={() => setIsAsking(false)}
          title={sentence`Replace the public key of ${name}?`}
          confirmLabel="Update public key"
          onConfirm={() => save(integration.updatedAt)}
          isBusy={update.isPending}
        >
          Within 5 seconds, tokens signed with the old key are treated as anonymous. To rotate keys without a
          gap, use the address of your provider’s JWKS, or paste a JWKS with the old and the new key.
        </ConfirmDialog>
      </Section>
    </form>
  );
}

const fingerprints = ({ publicKeys }: JwtIntegration) => JSON.stringify(publicKeys);
