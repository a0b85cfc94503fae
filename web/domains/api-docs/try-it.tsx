/** Sends an access check to the preview environment, and shows the response with its reasons. */
import { Box, Button, MultiSelect, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconPlayerPlay } from '@tabler/icons-react';
import { accessCheckRequestSchema } from '#contracts/public/access';
import { checkForm, errorsOf, type FormErrors } from '#web/api/check-form.ts';
import { useKeptForm } from '#web/forms/use-kept-draft.ts';
import { CodeBlock } from '#web/ui/code/code-block.tsx';
import { Fields } from '#web/ui/inputs/fields.tsx';
import { SegmentedInput } from '#web/ui/inputs/segmented-input.tsx';
import { Section } from '#web/ui/page/section.tsx';
import { ErrorState } from '#web/ui/states/error-state.tsx';
import { useTestCheck } from './mutations.ts';
import { EMPTY_TRIAL, requestOf, type Trial } from './trial.ts';
import { TrialReasons } from './trial-reasons.tsx';
import classes from './try-it.module.css';

const SUBJECTS = [
  { value: 'anonymous', label: 'Anonymous' },
  { value: 'identifier', label: 'Identifier' },
  { value: 'token', label: 'Token' },
];
const KEY_TYPES = [
  { value: 'secret', label: 'Secret' },
  { value: 'public', label: 'Public' },
];

export interface TryItProps {
  readonly orgId: string;
  /** The feature slugs that can be selected. */
  readonly features: readonly string[];
}

export function TryIt({ orgId, features }: TryItProps) {
  const check = useTestCheck(orgId);
  const form = useForm<Trial>({ initialValues: EMPTY_TRIAL, validate: (trial) => refusals(trial) });
  useKeptForm('try it', form);
  const { subject } = form.values;
  const refused = check.error === null ? {} : fieldErrors(errorsOf(check.error));
  const errorOf = (field: keyof Trial) => form.errors[field] ?? refused[field];
  const run = form.onSubmit((trial) =>
    check.mutate({ request: requestOf(trial), apiKeyType: trial.apiKeyType }),
  );
  return (
    <div className={classes.columns}>
      <Section>
        <form onSubmit={run} noValidate>
          <Fields isDisabled={check.isPending}>
            <SegmentedInput label="Customer" data={SUBJECTS} fullWidth {...form.getInputProps('subject')} />
            {subject === 'identifier' && (
              <TextInput
                label="userIdentifier"
                placeholder="ada@example.com"
                spellCheck={false}
                {...form.getInputProps('userIdentifier')}
                error={errorOf('userIdentifier')}
              />
            )}
            {subject === 'token' && (
              <TextInput
                label="userJwt"
                placeholder="eyJ…"
                spellCheck={false}
                autoComplete="off"
                {...form.getInputProps('userJwt')}
                error={errorOf('userJwt')}
              />
            )}
            <SegmentedInput
              label="Key type"
              aria-label="Type of key"
              data={KEY_TYPES}
              fullWidth
              {...form.getInputProps('apiKeyType')}
            />
            <MultiSelect
              label="Features"
              placeholder={form.values.features.length === 0 ? 'All' : ''}
              data={features}
              searchable
              clearable
              {...form.getInputProps('features')}
            />
            <div>
              <Button
                type="submit"
                loading={check.isPending}
                leftSection={<IconPlayerPlay size={15} aria-hidden />}
              >
                Run access check
              </Button>
            </div>
          </Fields>
        </form>
      </Section>
      <Stack gap={16} miw={0} aria-live="polite">
        {check.data !== undefined ? (
          <CodeBlock
            label="the check’s response"
            code={JSON.stringify(check.data.response, null, 2)}
            head={<span>Response from the preview environment</span>}
          />
        ) : check.error !== null && Object.keys(refused).length === 0 ? (
          <ErrorState title="The check failed" error={check.error} onRetry={() => run()} />
        ) : (
          <CodeBlock
            label="the check’s request"
            code={JSON.stringify(requestOf(form.values), null, 2)}
            head={<span>Request</span>}
          />
        )}
      </Stack>
      {check.data !== undefined && (
        <Box style={{ gridColumn: '1 / -1' }}>
          <TrialReasons explanation={check.data.diagnostics.explanation} />
        </Box>
      )}
    </div>
  );
}

/** Validates with the request schema that the Worker uses. */
function refusals(trial: Trial): FormErrors {
  return checkForm(accessCheckRequestSchema)(requestOf(trial));
}

function fieldErrors(errors: FormErrors): FormErrors {
  return Object.fromEntries(
    Object.entries(errors).map(([path, message]) => [path.replace(/^request\./, ''), message]),
  );
}
