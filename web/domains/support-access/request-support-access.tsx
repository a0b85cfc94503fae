/** For platform staff: requests support access from an organisation's owners, with a reason. */
import { Button, Stack, Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import { requestSupportAccessSchema } from '#contracts/console/support-access';
import { checkForm } from '#web/api/check-form.ts';
import { useKeptForm } from '#web/forms/use-kept-draft.ts';
import { useOrgId } from '#web/session/organisation.tsx';
import { useRequestSupportAccess } from './mutations.ts';

export function RequestSupportAccess({ isRepeated }: { isRepeated: boolean }) {
  const orgId = useOrgId();
  const ask = useRequestSupportAccess(orgId);
  const form = useForm({ initialValues: { reason: '' }, validate: checkForm(requestSupportAccessSchema) });
  useKeptForm('support access', form);
  const submit = form.onSubmit(({ reason }) => ask.mutate(reason, { onSuccess: () => form.reset() }));
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap={16}>
        <Textarea
          label="Reason"
          description="Owners see it in an email and here."
          autosize
          minRows={2}
          maw={560}
          {...form.getInputProps('reason')}
        />
        <div>
          <Button type="submit" variant="default" loading={ask.isPending}>
            {isRepeated ? 'Request again' : 'Request access'}
          </Button>
        </div>
      </Stack>
    </form>
  );
}
