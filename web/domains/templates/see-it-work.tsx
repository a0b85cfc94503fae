/** "See it work first": three templates, and what the API answers once one is chosen. Before the quick start, no step of it. */
import { Box, SimpleGrid, Stack, Text } from '@mantine/core';
import { IconBolt, IconCoins, IconSparkles, IconUsers } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { TemplateId } from '#contracts/console/templates';
import { ApiError } from '#web/api/api-error.ts';
import { Section } from '#web/ui/page/section.tsx';
import { Notice } from '#web/ui/states/notice.tsx';
import type { CheckedTemplate } from './kept-template.ts';
import { TEMPLATE_CHOICES } from './template-list.ts';
import { TemplateResult } from './template-result.tsx';
import classes from './templates.module.css';
import { useTemplate } from './use-template.ts';

const ICONS = {
  seats: IconUsers,
  'api-limits': IconBolt,
  'ai-tokens': IconSparkles,
  'ai-credits': IconCoins,
} as const;

export interface SeeItWorkProps {
  readonly orgId: string;
  /** The same check from the reader's own code. */
  readonly snippetOf: (applied: CheckedTemplate) => ReactNode;
}

export function SeeItWork({ orgId, snippetOf }: SeeItWorkProps) {
  const { apply, applied, again } = useTemplate(orgId);
  if (applied !== undefined) {
    return (
      <TemplateResult orgId={orgId} applied={applied} isNew={apply.isSuccess} onAgain={again}>
        {snippetOf(applied)}
      </TemplateResult>
    );
  }
  return (
    <Section
      title="See it work first"
      description="Add an example to your workspace: features, plans, a version in Production and Test, and a customer. The steps below don’t need it."
    >
      <Stack gap={12}>
        <SimpleGrid type="container" cols={{ base: 1, '420px': 2 }} spacing={12}>
          {TEMPLATE_CHOICES.map(({ id, title, description }) => (
            <Choice
              key={id}
              id={id}
              title={title}
              isBusy={apply.isPending}
              isChosen={apply.isPending && apply.variables === id}
              onChoose={() => apply.mutate(id)}
            >
              {description}
            </Choice>
          ))}
        </SimpleGrid>
        <Text fz="sm" c="dimmed" role="status">
          {apply.isPending
            ? 'Creating, deploying and checking…'
            : 'Takes a few seconds. You can change or delete all of it. Choose an example again to see its answers and key again.'}
        </Text>
        {apply.error !== null && <Refusal error={apply.error} />}
      </Stack>
    </Section>
  );
}

interface ChoiceProps {
  readonly id: TemplateId;
  readonly title: string;
  readonly isBusy: boolean;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
  readonly children: ReactNode;
}

function Choice({ id, title, isBusy, isChosen, onChoose, children }: ChoiceProps) {
  const Icon = ICONS[id];
  return (
    <button
      type="button"
      className={classes.choice}
      // A disabled button would lose the keyboard focus.
      aria-disabled={isBusy || undefined}
      aria-busy={isChosen || undefined}
      onClick={() => !isBusy && onChoose()}
    >
      <Box component="span" className={classes.icon}>
        <Icon size={18} aria-hidden />
      </Box>
      <Text span fw={600}>
        {title}
      </Text>
      <Text span fz="sm" c="dimmed">
        {children}
      </Text>
    </button>
  );
}

/** A conflict has to be solved first; its message says how. */
function Refusal({ error }: { error: Error }) {
  const { errorType, requestId }: Partial<ApiError> = error instanceof ApiError ? error : {};
  const mayRepeat = errorType !== 'conflict' && errorType !== 'forbidden';
  return (
    <Notice role="alert" title="The example could not be added" requestId={requestId}>
      {error.message || 'Something went wrong on our side.'}
      {mayRepeat && ' You can try again: what was added already is kept and used.'}
    </Notice>
  );
}
