/** Runs the code as it is in the editor, saved or not, for a customer or for an input. */

import { Autocomplete, Box, Button, Group, Kbd, Stack, Textarea } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconPlayerPlay } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { workflowRunEndpoints } from '#contracts/console/workflow-runs';
import type { Workflow } from '#contracts/console/workflows';
import type { BodyInputOf } from '#contracts/public/endpoint';
import { MAX_IDENTIFIER } from '#contracts/public/identifiers';
import { ApiError } from '#web/api/api-error.ts';
import { toastError } from '#web/api/error-notice.ts';
import { useFormChange } from '#web/api/use-change.ts';
import { useKeptDraft } from '#web/forms/use-kept-draft.ts';
import { useOrgId } from '#web/session/organisation.tsx';
import { ChoiceField } from '#web/values/choice-field.tsx';
import { customerSuggestionsQuery } from '../queries.ts';
import type { Compilation } from './compilation.ts';
import type { WorkflowDependencies } from './declarations.ts';
import { RunResult } from './run-result.tsx';
import { sampleInputOf } from './sample-input.ts';

const SUBJECTS = [
  { value: 'customer', label: 'Customer' },
  { value: 'input', label: 'Input' },
] as const;

/** Milliseconds without an edit after which customers are searched. */
const SEARCH_DELAY = 250;

export interface RunPaneProps {
  readonly workflow: Workflow;
  readonly dependencies: WorkflowDependencies;
  /** Compiles the editor's current text. Null until the editor is loaded. */
  readonly compile: () => Promise<Compilation | null>;
}

export function RunPane({ workflow, dependencies, compile }: RunPaneProps) {
  const orgId = useOrgId();
  const run = useFormChange(workflowRunEndpoints.run, { orgId, workflowId: workflow.id });
  const [subject, setSubject] = useState<(typeof SUBJECTS)[number]['value']>('customer');
  const [identifier, setIdentifier] = useState('');
  const [sample] = useState(() => JSON.stringify(sampleInputOf(dependencies), null, 2));
  const [inputText, setInputText] = useState(sample);
  useKeptDraft({
    name: 'run subject,identifier,inputText',
    read: () => (identifier !== '' || inputText !== sample ? { subject, identifier, inputText } : null),
    restore: (typed) => {
      setSubject(typed.subject ?? 'customer');
      setIdentifier(typed.identifier ?? '');
      setInputText(typed.inputText ?? sample);
    },
  });
  const [searched] = useDebouncedValue(identifier.trim(), SEARCH_DELAY);
  const suggestions = useQuery(customerSuggestionsQuery(orgId, searched)).data ?? [];
  /** What is wrong with the customer or the typed input. */
  const [problem, setProblem] = useState<string | null>(null);
  const [codeProblem, setCodeProblem] = useState<string | null>(null);

  const start = async () => {
    setProblem(null);
    const input = subject === 'input' ? parsed(inputText) : null;
    if (input?.error !== undefined) return setProblem(input.error);
    const compilation = await compile();
    if (compilation === null) return;
    setCodeProblem(compilation.javascript === null ? 'Fix the errors in the code first.' : null);
    if (compilation.javascript === null) return;
    const { javascript: compiled } = compilation;
    const userIdentifier = identifier.trim();
    run.mutate(
      {
        compiled,
        ...(input !== null ? { input: input.value } : userIdentifier !== '' && { userIdentifier }),
      },
      {
        onError: (error) => {
          const [issue] = error instanceof ApiError ? error.issues : [];
          if (issue?.path === 'compiled') return setCodeProblem(`The compiled code: ${issue.message}`);
          if (issue !== undefined) return setProblem(`${issue.path.replace('input.', '')}: ${issue.message}`);
          const isLimit = error instanceof ApiError && error.errorType === 'rate-limited';
          if (isLimit) return setCodeProblem(error.message);
          toastError(error);
        },
      },
    );
  };
  return (
    <Stack
      component="form"
      gap={16}
      py={12}
      aria-label="Run"
      onSubmit={(event) => {
        event.preventDefault();
        void start();
      }}
    >
      <Stack gap={12} px={16}>
        <ChoiceField label="Run for" choices={SUBJECTS} value={subject} onChange={setSubject} />
        {subject === 'customer' ? (
          <Autocomplete
            label="Customer"
            description="Email, Stripe customer ID or your own user ID, in the preview environment. Leave empty for an anonymous session."
            placeholder="ada@example.com"
            value={identifier}
            error={problem}
            data={suggestions}
            // The server has searched.
            filter={({ options }) => options}
            maxLength={MAX_IDENTIFIER}
            onChange={setIdentifier}
          />
        ) : (
          <Textarea
            label="Input"
            description="What the workflow receives, as JSON."
            autosize
            minRows={8}
            maxRows={16}
            spellCheck={false}
            classNames={{ input: 'mono tiny' }}
            value={inputText}
            error={problem}
            onChange={(event) => setInputText(event.currentTarget.value)}
          />
        )}
        <Group gap={8} wrap="nowrap">
          <Button
            type="submit"
            variant="default"
            className="rigid"
            leftSection={<IconPlayerPlay size={15} aria-hidden />}
            loading={run.isPending}
          >
            Run
          </Button>
          <span className="faint tiny">
            Runs the code in the editor, saved or not. <Kbd size="xs">⌘/Ctrl S</Kbd> updates it.
          </span>
        </Group>
        {codeProblem !== null && (
          <Box component="p" c="var(--denied)" className="small flush" role="alert">
            {codeProblem}
          </Box>
        )}
      </Stack>
      {run.data !== undefined && <RunResult run={run.data} />}
    </Stack>
  );
}

type RunInput = BodyInputOf<typeof workflowRunEndpoints.run>['input'];
type Parsed = { readonly value: RunInput; readonly error?: undefined } | { readonly error: string };

function parsed(text: string): Parsed {
  try {
    const value: unknown = JSON.parse(text);
    // The server checks the fields.
    return typeof value === 'object' && value !== null
      ? { value: value as RunInput }
      : { error: 'Must be a JSON object' };
  } catch (error) {
    return { error: `Not valid JSON: ${error instanceof Error ? error.message : ''}` };
  }
}
