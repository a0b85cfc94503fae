/**
 * The last step: an access check against the preview environment, with its response. The same call is shown as code,
 * with a real key.
 */
import { Button, Group, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconPlayerPlay } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { TestCheckAnswer } from '#contracts/console/test-access';
import type { AccessCheckRequest } from '#contracts/public/access';
import type { ApiKeyType } from '#contracts/public/api-key-type';
import { useKeptDraft } from '#web/forms/use-kept-draft.ts';
import { Fields } from '#web/ui/inputs/fields.tsx';
import { SegmentedInput } from '#web/ui/inputs/segmented-input.tsx';
import { Section } from '#web/ui/page/section.tsx';
import { allowedCount } from './allowed-features.ts';
import { ApiAnswer, type ApiAnswerProps, ApiFailure } from './api-result.tsx';
import { ApiSnippet, type PreviewKey, type SnippetLanguage } from './api-snippet.tsx';
import { type ApiStepValues, checkIdentity, requestOf } from './identity.ts';

const KINDS = [
  { value: 'identifier', label: 'User identifier' },
  { value: 'jwt', label: 'JWT' },
];
const KEY_TYPES = [
  { value: 'secret', label: 'Secret key' },
  { value: 'public', label: 'Public key' },
];

/** The mutation that runs a check against the preview environment. */
export interface TestCheck {
  readonly mutate: (
    body: { request: AccessCheckRequest; apiKeyType: ApiKeyType },
    options?: { onSuccess?: (answer: TestCheckAnswer) => void },
  ) => void;
  readonly reset: () => void;
  readonly data: TestCheckAnswer | undefined;
  readonly error: Error | null;
  readonly isPending: boolean;
}

export interface ApiStepProps {
  readonly check: TestCheck;
  /** Identifiers of customers who have a plan, to fill in with one click. */
  readonly suggestions: readonly string[];
  readonly keys: Readonly<Record<ApiKeyType, PreviewKey>>;
  readonly languages: readonly SnippetLanguage[];
  readonly snippetOf: (
    language: string,
    request: AccessCheckRequest,
    type: ApiKeyType,
    key: string | undefined,
  ) => string;
  /** What to create next, below a response. */
  readonly noteOf: ApiAnswerProps['noteOf'];
  /** The calls of the reader's own code, below it. @param next what they can do once one has arrived; null: another response is on screen */
  readonly calls: (next: ReactNode) => ReactNode;
  readonly isFinished: boolean;
  /** A change of the status is being saved. */
  readonly isBusy: boolean;
  /** A feature was allowed. */
  readonly onCelebrate: () => void;
  readonly onSkip: () => void;
  readonly onFinish: () => void;
}

export function ApiStep(props: ApiStepProps) {
  const { check, suggestions, keys, languages, snippetOf, noteOf, calls, isFinished, isBusy } = props;
  const { onCelebrate, onSkip, onFinish } = props;
  const form = useForm<ApiStepValues>({
    initialValues: { kind: 'identifier', input: '', apiKeyType: 'secret' },
    validate: checkIdentity,
  });
  const { kind, input, apiKeyType } = form.values;
  useKeptDraft<ApiStepValues>({
    name: 'api step kind,input,apiKeyType',
    // A token is a secret.
    read: () => (form.isDirty() ? { kind, apiKeyType, ...(kind === 'identifier' && { input }) } : null),
    restore: (typed) => form.setValues({ ...form.values, ...typed }),
  });
  const request = requestOf({ kind, input: input || (kind === 'jwt' ? 'eyJ…' : 'ada@example.com') });
  const run = form.onSubmit((values) =>
    check.mutate(
      { request: requestOf(values), apiKeyType: values.apiKeyType },
      {
        onSuccess: ({ response }) => {
          if (response.status === 'success' && allowedCount(response.features) > 0) onCelebrate();
        },
      },
    ),
  );
  const actions = { isFinished, isBusy, onRetry: check.reset, onSkip, onFinish };
  return (
    <Stack gap={16}>
      {check.error !== null ? (
        <ApiFailure error={check.error} {...actions} />
      ) : check.data !== undefined ? (
        <ApiAnswer
          answer={check.data}
          subject={input.trim()}
          isToken={kind === 'jwt'}
          noteOf={noteOf}
          {...actions}
        />
      ) : (
        <Section
          title="5. Call our API"
          description="Run an access check against your preview environment, which always has your latest changes. Nothing is counted."
        >
          <form onSubmit={run} noValidate>
            <Fields isWide isDisabled={check.isPending}>
              <SimpleGrid minColWidth="220px" autoFlow="auto-fit" spacing={16}>
                <SegmentedInput
                  label="Identify the user by"
                  data={KINDS}
                  fullWidth
                  {...form.getInputProps('kind')}
                />
                <SegmentedInput
                  label="Key type"
                  data={KEY_TYPES}
                  fullWidth
                  {...form.getInputProps('apiKeyType')}
                />
              </SimpleGrid>
              <TextInput
                label={kind === 'jwt' ? 'JWT' : 'User identifier'}
                description={
                  kind === 'jwt'
                    ? 'A token signed by your auth provider.'
                    : 'Any ID works: an email, a Stripe customer ID or your own user ID.'
                }
                placeholder={kind === 'jwt' ? 'eyJ…' : 'ada@example.com'}
                required
                spellCheck={false}
                autoComplete="off"
                autoCapitalize="off"
                {...form.getInputProps('input')}
              />
              {kind === 'identifier' && suggestions.length > 0 && (
                <Group gap={8}>
                  <span className="muted small">Try</span>
                  {suggestions.map((each) => (
                    <Button
                      key={each}
                      variant="default"
                      size="compact-sm"
                      onClick={() => form.setFieldValue('input', each)}
                    >
                      {each}
                    </Button>
                  ))}
                </Group>
              )}
              {kind === 'identifier' && apiKeyType === 'public' && (
                <Text c="dimmed" fz="sm">
                  Public keys only accept signed tokens. The check treats the user as anonymous.
                </Text>
              )}
              <Group gap={8}>
                <Button
                  type="submit"
                  loading={check.isPending}
                  leftSection={<IconPlayerPlay size={15} aria-hidden />}
                >
                  Run access check
                </Button>
                {!isFinished && (
                  <Button variant="subtle" color="gray" onClick={onSkip} disabled={isBusy}>
                    Skip
                  </Button>
                )}
              </Group>
            </Fields>
          </form>
        </Section>
      )}
      <ApiSnippet
        apiKeyType={apiKeyType}
        apiKey={keys[apiKeyType]}
        languages={languages}
        codeOf={(language) => snippetOf(language, request, apiKeyType, keys[apiKeyType].value ?? undefined)}
      >
        {calls(
          check.data === undefined && check.error === null ? (
            <Button size="xs" onClick={onFinish} disabled={isBusy}>
              {isFinished ? 'Go to Dashboard' : 'Finish'}
            </Button>
          ) : null,
        )}
      </ApiSnippet>
    </Stack>
  );
}
