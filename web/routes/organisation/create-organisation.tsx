/** /create-organisation: creates an organisation, owned by the user. The user's first one opens the quick start. */
import { Button, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useNavigate } from 'react-router';
import { createOrganisationSchema } from '#contracts/console/organisations';
import { checkForm } from '#web/api/check-form.ts';
import { useCreateOrganisation } from '#web/domains/organisations/mutations.ts';
import { useKeptForm } from '#web/forms/use-kept-draft.ts';
import { paths } from '#web/paths.ts';
import { useOrganisation } from '#web/session/organisation.tsx';
import { Fields } from '#web/ui/inputs/fields.tsx';
import { Page } from '#web/ui/page/page.tsx';
import { Section } from '#web/ui/page/section.tsx';

export function CreateOrganisationPage() {
  const create = useCreateOrganisation();
  const navigate = useNavigate();
  const { ownOrganisations } = useOrganisation();
  const form = useForm({ initialValues: { name: '' }, validate: checkForm(createOrganisationSchema) });
  useKeptForm('create', form);
  const submit = form.onSubmit(({ name }) =>
    create.mutate(name.trim(), {
      onSuccess: ({ id }) => navigate(ownOrganisations.length === 0 ? paths.quickstart : paths.dashboard(id)),
    }),
  );
  return (
    <Page subtitle="An organisation contains one product’s features, plans and environments, and its team.">
      <form onSubmit={submit} noValidate>
        <Section
          isSplit
          title="Name"
          description="Usually your company or product. You can change it later."
          footer={
            <Button type="submit" loading={create.isPending}>
              Create organisation
            </Button>
          }
        >
          <Fields isDisabled={create.isPending}>
            <TextInput
              label="Organisation name"
              placeholder="Acme Analytics"
              autoComplete="organization"
              autoFocus
              required
              {...form.getInputProps('name')}
            />
          </Fields>
        </Section>
      </form>
    </Page>
  );
}
