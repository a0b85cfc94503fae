/** What was sent to a webhook, and what came back. */
import { Button, Stack, Text } from '@mantine/core';
import { IconRepeat } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Delivery } from '#contracts/console/webhooks';
import { CodeBlock } from '#web/ui/code/code-block.tsx';
import { CopyId } from '#web/ui/copy/copy-id.tsx';
import { formatInstant, formatNumber } from '#web/ui/format.ts';
import { answerLabel } from './webhook-labels.ts';
import classes from './webhooks.module.css';

export interface DeliveryDetailsProps {
  readonly delivery: Delivery;
  /** Undefined: not while the webhook is disabled. */
  readonly onResend: (() => void) | undefined;
  readonly isResending: boolean;
}

export function DeliveryDetails({ delivery, onResend, isResending }: DeliveryDetailsProps) {
  const { eventId, createdAt, attempts, lastAt, nextAt, body } = delivery;
  return (
    <Stack gap={16} className={classes.details}>
      <dl className={`facts small ${classes.facts}`}>
        <Fact term="Event">
          <CopyId value={eventId} label="event ID" />
        </Fact>
        <Fact term="Happened">{formatInstant(createdAt)}</Fact>
        {lastAt !== null && <Fact term="Answer">{answerLabel(delivery)}</Fact>}
        <Fact term="Attempts">{formatNumber(attempts)}</Fact>
        {lastAt !== null && <Fact term="Last attempt">{formatInstant(lastAt)}</Fact>}
        {nextAt !== null && <Fact term="Next attempt">{formatInstant(nextAt)}</Fact>}
      </dl>
      <CodeBlock label="the event" code={indented(body)} head="Event" />
      <DeliveryAnswer delivery={delivery} />
      <div>
        <Button
          variant="default"
          leftSection={<IconRepeat size={15} aria-hidden />}
          disabled={onResend === undefined}
          loading={isResending}
          onClick={onResend}
        >
          Resend
        </Button>
      </div>
    </Stack>
  );
}

/** Why it was no success, and the start of the answer. */
export function DeliveryAnswer({ delivery: { problem, answer } }: Pick<DeliveryDetailsProps, 'delivery'>) {
  return (
    <>
      {problem !== null && (
        <Text size="sm" c="var(--denied)">
          {problem}
        </Text>
      )}
      {answer !== null && answer !== '' && (
        <CodeBlock label="the answer" code={answer} head="Start of the answer" />
      )}
    </>
  );
}

function Fact({ term, children }: { readonly term: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{term}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** The server stores the JSON as it was signed. */
const indented = (body: string) => JSON.stringify(JSON.parse(body), null, 2);
