/** Sign-in buttons for Google and GitHub. A provider that the server has no keys for is disabled and explains why. */
import { Button, Divider } from '@mantine/core';
import { IconBrandGithub, IconBrandGoogle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { SocialProvider } from '#web/api/auth-client.ts';
import classes from './auth.module.css';
import { useSocialSignIn } from './mutations.ts';
import { Problem } from './problem.tsx';
import { frontendConfigQuery } from './queries.ts';

const PROVIDERS = [
  { id: 'google', label: 'Google', Icon: IconBrandGoogle },
  { id: 'github', label: 'GitHub', Icon: IconBrandGithub },
] as const;

export function SocialButtons({ isDisabled }: { isDisabled: boolean }) {
  const configured = useQuery(frontendConfigQuery).data?.socialProviders;
  const signIn = useSocialSignIn();
  const [problem, setProblem] = useState<string | null>(null);
  const start = (provider: SocialProvider) =>
    signIn.mutate(provider, {
      onSuccess: ({ error }) => {
        if (error) setProblem(error.message || 'Something went wrong, try again later.');
      },
    });
  const missing = PROVIDERS.filter(({ id }) => configured && !configured[id]).map(({ label }) => label);
  return (
    <>
      <Divider label="or" labelPosition="center" />
      <div className={classes.social}>
        {PROVIDERS.map(({ id, label, Icon }) => (
          <Button
            key={id}
            variant="default"
            leftSection={<Icon size={16} aria-hidden />}
            disabled={isDisabled || configured?.[id] !== true || signIn.isPending}
            loading={signIn.isPending && signIn.variables === id}
            onClick={() => start(id)}
          >
            {label}
          </Button>
        ))}
        {missing.length > 0 && (
          <p className={classes.note}>{missing.join(' and ')} sign-in is not configured on this server.</p>
        )}
      </div>
      <Problem>{problem}</Problem>
    </>
  );
}
