/** Shows a new secret in full, with the code that verifies what it signs. */
import { Button, Stack, Text } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import { CodeBlock } from '#web/ui/code/code-block.tsx';
import { CopyBadge } from '#web/ui/copy/copy-badge.tsx';
import { Section } from '#web/ui/page/section.tsx';
import classes from './webhooks.module.css';

const CODE = `import { readWebhook } from 'tessera-sdk/webhooks';

const secrets = process.env.TESSERA_WEBHOOK_SECRETS!.split(',');

export async function POST(request: Request) {
  const event = await readWebhook(request, secrets).catch(() => null);
  if (event === null) return new Response('Not signed by Tessera', { status: 401 });
  console.log(event.type, event.data);
  return new Response(null, { status: 204 });
}`;

export interface NewSecretProps {
  readonly title: string;
  readonly secret: string;
  /** Besides 'Done'. */
  readonly action?: ReactNode;
  readonly onDone: () => void;
}

export function NewSecret({ title, secret, action, onDone }: NewSecretProps) {
  const section = useRef<HTMLDivElement>(null);
  // It was asked for further down, perhaps.
  useEffect(() => section.current?.scrollIntoView({ block: 'center' }), []);
  return (
    <div role="status" ref={section}>
      <Section
        title={title}
        description="Copy it to your server’s secret store. You can reveal it again at any time."
        actions={
          <>
            {action}
            <Button variant="default" onClick={onDone}>
              Done
            </Button>
          </>
        }
      >
        <Stack gap={16}>
          <div className={classes.secret}>
            <code className="shrink small breaks" data-testid="webhook-secret">
              {secret}
            </code>
            <CopyBadge value={secret} label="the secret" />
          </div>
          <CodeBlock label="the code" code={CODE} head="Verify each request before you trust it" />
          <Text size="sm" c="dimmed">
            Requests are signed by{' '}
            <a href="https://www.standardwebhooks.com" target="_blank" rel="noreferrer">
              Standard Webhooks
            </a>
            , so its libraries for other languages work, too. An event can arrive twice and in any order: use
            its ID to ignore repeats.
          </Text>
        </Stack>
      </Section>
    </div>
  );
}
