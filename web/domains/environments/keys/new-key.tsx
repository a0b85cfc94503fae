/** Shows a newly created key in full, with an example access check. */
import { Button, Group, Stack, Text } from '@mantine/core';
import { useEffect, useRef } from 'react';
import type { ApiKeyType } from '#contracts/public/api-key-type';
import { CopyBadge } from '#web/ui/copy/copy-badge.tsx';
import { sentence } from '#web/ui/format.ts';
import { Section } from '#web/ui/page/section.tsx';
import { clientExample } from '#web/values/client-example.ts';
import { curlFor } from './curl-for.ts';
import classes from './keys.module.css';

export interface NewKeyProps {
  readonly type: ApiKeyType;
  readonly value: string;
  readonly environmentName: string;
  /** Whether the environment runs a version. */
  readonly isDeployed: boolean;
  readonly onDone: () => void;
}

export function NewKey({ type, value, environmentName, isDeployed, onDone }: NewKeyProps) {
  const { origin } = window.location;
  const command = curlFor(origin, type, value);
  const code = clientExample({ origin, type, key: value, subject: { user: 'ada@example.com' } });
  const section = useRef<HTMLDivElement>(null);
  // It was created further down, perhaps.
  useEffect(() => section.current?.scrollIntoView({ block: 'center' }), []);
  return (
    <div role="status" ref={section}>
      <Section
        title={sentence`Your new ${type} key for ${environmentName}`}
        description={
          type === 'secret'
            ? 'Copy it to your server’s secret store. You can reveal it again at any time.'
            : 'Copy it into your app. You can reveal it again at any time.'
        }
        actions={
          <Button variant="default" onClick={onDone}>
            Done
          </Button>
        }
      >
        <Stack gap={16}>
          <div className={classes.line}>
            <code className="shrink small breaks" data-testid="new-key">
              {value}
            </code>
            <CopyBadge value={value} label="the key" />
          </div>
          <Example title="Install the client and ask" what="the code" text={code} />
          <div>
            <Example title="Try an access check" what="the command" text={command} />
            {!isDeployed && (
              <Text size="sm" c="dimmed" mt={8}>
                {sentence`Nothing is deployed to ${environmentName} yet, so access checks return no features.`}
              </Text>
            )}
          </div>
        </Stack>
      </Section>
    </div>
  );
}

function Example({ title, what, text }: { title: string; what: string; text: string }) {
  return (
    <div>
      <Group gap={12} wrap="nowrap" justify="space-between" mb={6}>
        <Text size="sm" fw={500}>
          {title}
        </Text>
        <CopyBadge value={text} label={what} />
      </Group>
      <pre className={classes.command}>{text}</pre>
    </div>
  );
}
