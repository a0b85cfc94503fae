/** The three checks of a template with their answers, and where to go from there. */
import { Anchor, Box, Button, Group, Stack, Text } from '@mantine/core';
import { IconCheck, IconX } from '@tabler/icons-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { Link } from 'react-router';
import { paths } from '#web/paths.ts';
import { Section } from '#web/ui/page/section.tsx';
import { denialWords } from '#web/values/denial-words.ts';
import type { CheckedTemplate, FeatureAnswer } from './kept-template.ts';
import classes from './templates.module.css';

export interface TemplateResultProps {
  readonly orgId: string;
  readonly applied: CheckedTemplate;
  /** False after a reload. */
  readonly isNew: boolean;
  readonly onAgain: () => void;
  /** The code that makes the check. */
  readonly children: ReactNode;
}

export function TemplateResult({ orgId, applied, isNew, onAgain, children }: TemplateResultProps) {
  const { customer, customerWithoutPlan, checks, answers, environments } = applied;
  const [production, test] = environments;
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // The pressed button is gone, so keyboard focus moves to the outcome.
    if (isNew) box.current?.focus();
  }, [isNew]);
  return (
    <div ref={box} tabIndex={-1} className={classes.result} role="status" aria-label="It works">
      <Section
        title="It works"
        description={
          <>
            Three access checks that ran in {production?.name}, for the customer <code>{customer}</code>.
          </>
        }
        actions={
          <Button variant="default" onClick={onAgain}>
            Choose another example
          </Button>
        }
      >
        <Stack gap={16}>
          <Box component="ul" className={classes.checks} aria-label="Access checks">
            {checks.map(({ feature, featureName }) => (
              <Check key={feature} slug={feature} name={featureName} answer={answers[feature]} />
            ))}
          </Box>
          {children}
          <Text fz="sm" c="dimmed">
            <code>{customerWithoutPlan}</code> has no plan: put it in place of <code>{customer}</code> and
            every feature is denied. {test?.name} runs the same version with a key of its own. Look at{' '}
            <Anchor
              inherit
              underline="always"
              component={Link}
              to={paths.customer(orgId, customer, production?.id)}
            >
              the customer
            </Anchor>
            ,{' '}
            <Anchor inherit underline="always" component={Link} to={paths.features(orgId)}>
              features
            </Anchor>{' '}
            or{' '}
            <Anchor inherit underline="always" component={Link} to={paths.plans(orgId)}>
              plans
            </Anchor>
            , and change or delete what you like.
          </Text>
          {applied.template === 'ai-credits' && (
            <Text fz="sm" c="dimmed">
              A token of chat costs 0.1 credits, an image 4, a second of video 20. The month’s 100 credits are
              used first, then the 500 bought. A reply can cost more than is left: take its tokens before the
              call, and settle what it used, with a{' '}
              <Anchor
                inherit
                underline="always"
                component={Link}
                to={{ pathname: paths.docs('usage'), hash: '#holds' }}
              >
                hold
              </Anchor>
              .
            </Text>
          )}
        </Stack>
      </Section>
    </div>
  );
}

interface CheckProps {
  readonly slug: string;
  readonly name: string;
  readonly answer: FeatureAnswer | undefined;
}

function Check({ slug, name, answer }: CheckProps) {
  const isAllowed = answer?.allowed === true;
  const Icon = isAllowed ? IconCheck : IconX;
  return (
    <Group component="li" gap={12} wrap="nowrap" className={classes.check} data-allowed={isAllowed}>
      <Icon size={18} aria-hidden className={classes.mark} />
      <Group gap="0 8px" flex={1} miw={0}>
        <Text span fw={500}>
          {name}
        </Text>
        <code>{slug}</code>
      </Group>
      <Text span fw={500} className={classes.verdict}>
        {verdictOf(answer)}
      </Text>
    </Group>
  );
}

/** 'Allowed', 'Not in plan', 'Limit reached (3 of 3)'. */
function verdictOf(answer: FeatureAnswer | undefined): string {
  if (answer === undefined || answer.allowed) return 'Allowed';
  const { reason: cause = 'not-in-plan', properties } = answer;
  const meters = Object.values(properties).flatMap((value) =>
    typeof value === 'object' && 'limit' in value
      ? [value as { used: number; held?: number; limit: number }]
      : [],
  );
  return denialWords({ cause, meter: cause === 'limit-reached' ? (meters[0] ?? null) : null });
}
