/** Sign-in buttons for Google and GitHub. A provider that the server has no keys for is disabled and explains why. */
import { Box, Button, Divider, Text } from '@mantine/core';
import { IconBrandGithub, IconBrandGoogle } from '@tabler/icons-react';
import { useState } from 'react';
import type { SocialProvider } from '#web/api/auth-client.ts';
import { useSocialSignIn } from './auth-calls.ts';
import { useFrontendConfig } from './frontend-config.ts';
import { Problem } from './problem.tsx';
import { problemOfFailure } from './problem-of-failure.ts';

const PROVIDERS = [
  { id: 'google', label: 'Google', Icon: IconBrandGoogle },
  { id: 'github', label: 'GitHub', Icon: IconBrandGithub },
] as const;

export interface SocialButtonsProps {
  readonly isDisabled: boolean;
  /** Called before the browser leaves for the provider. */
  readonly onStart: () => void;
}

export function SocialButtons({ isDisabled, onStart }: SocialButtonsProps) {
  const configured = useFrontendConfig().config?.socialProviders;
  const signIn = useSocialSignIn();
  const [problem, setProblem] = useState<string | null>(null);
  const [started, setStarted] = useState<SocialProvider | null>(null);
  const start = async (provider: SocialProvider) => {
    onStart();
    setStarted(provider);
    const { error } = await signIn.run(provider);
    if (error !== null) setProblem(problemOfFailure(error));
  };
  const missing = PROVIDERS.filter(({ id }) => configured && !configured[id]).map(({ label }) => label);
  return (
    <>
      <Divider label="or" labelPosition="center" />
      <Box className="grid gap-8" style={{ gridTemplateColumns: '1fr 1fr' }}>
        {PROVIDERS.map(({ id, label, Icon }) => (
          <Button
            key={id}
            variant="default"
            leftSection={<Icon size={16} aria-hidden />}
            disabled={isDisabled || configured?.[id] !== true || signIn.isPending}
            loading={signIn.isPending && started === id}
            onClick={() => void start(id)}
          >
            {label}
          </Button>
        ))}
        {missing.length > 0 && (
          <Text c="dimmed" fz="xs" style={{ gridColumn: '1 / -1' }}>
            {missing.join(' and ')} sign-in is not configured on this server.
          </Text>
        )}
      </Box>
      <Problem>{problem}</Problem>
    </>
  );
}
