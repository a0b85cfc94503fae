/** The access check as code in several languages. A key of the preview environment is created or revealed in place. */
import { Button, Group, Stack, Text } from '@mantine/core';
import { IconEye, IconPlus } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import type { ApiKeyType } from '#contracts/public/api-key-type';
import { CodeBlock } from '#web/ui/code/code-block.tsx';
import { CopyBadge } from '#web/ui/copy/copy-badge.tsx';
import { ChoiceBar } from '#web/ui/inputs/choice-bar.tsx';
import { Section } from '#web/ui/page/section.tsx';
import { keyVariable } from '#web/values/client-example.ts';

/** A key of one type in the preview environment. */
export interface PreviewKey {
  /** The full key. Null until it was created or revealed on this page. */
  readonly value: string | null;
  /** Whether the environment has such a key. Undefined while loading, and if that failed. */
  readonly exists: boolean | undefined;
  /** Loads the environment's keys again after a failure. Null without one. */
  readonly retry: (() => void) | null;
  /** Creates a key, or reveals the existing one. */
  readonly obtain: () => void;
  readonly isPending: boolean;
}

export interface SnippetLanguage {
  readonly id: string;
  readonly label: string;
}

export interface ApiSnippetProps {
  readonly apiKeyType: ApiKeyType;
  readonly apiKey: PreviewKey;
  readonly languages: readonly SnippetLanguage[];
  readonly codeOf: (language: string) => string;
  /** Below the code: the calls that it makes. */
  readonly children: ReactNode;
}

export function ApiSnippet({ apiKeyType, apiKey, languages, codeOf, children }: ApiSnippetProps) {
  const [chosen, setChosen] = useState(languages[0]?.id ?? '');
  return (
    <Section
      title="From your code"
      description={descriptionOf(apiKeyType, apiKey)}
      actions={<KeyAction type={apiKeyType} apiKey={apiKey} />}
    >
      <CodeBlock
        label="the code"
        code={codeOf(chosen)}
        head={<ChoiceBar label="Language" choices={languages} chosen={chosen} onChoose={setChosen} />}
      />
      {apiKey.value !== null && (
        <KeyLine variable={keyVariable(apiKeyType)} value={apiKey.value}>
          {apiKeyType === 'secret' && 'Keep secret keys on your server.'}
        </KeyLine>
      )}
      {children}
    </Section>
  );
}

/** What the code reads from its environment. */
function KeyLine({ variable, value, children }: { variable: string; value: string; children: ReactNode }) {
  const line = `${variable}=${value}`;
  return (
    <Stack gap={4} mt={8}>
      <Group gap={8} wrap="nowrap" align="flex-start">
        <code className="small breaks">{line}</code>
        <CopyBadge value={line} label="the key" />
      </Group>
      <Text c="dimmed" fz="sm">
        {children}
      </Text>
    </Stack>
  );
}

function descriptionOf(type: ApiKeyType, { value, retry }: PreviewKey): string {
  if (retry !== null) return 'The keys of the preview environment could not be loaded.';
  return value === null
    ? `The same call from your application. Add a ${type} key to run it as it is.`
    : 'The same call from your application. A new key works within 5 seconds.';
}

function KeyAction({ type, apiKey }: { type: ApiKeyType; apiKey: PreviewKey }) {
  const { value, exists, retry, obtain, isPending } = apiKey;
  if (retry !== null) {
    return (
      <Button variant="default" onClick={retry}>
        Try again
      </Button>
    );
  }
  if (value !== null) return null;
  return (
    <Button
      variant="default"
      leftSection={exists ? <IconEye size={15} aria-hidden /> : <IconPlus size={15} aria-hidden />}
      disabled={exists === undefined}
      loading={isPending}
      onClick={obtain}
    >
      {exists ? `Reveal ${type} key` : `Create ${type} key`}
    </Button>
  );
}
