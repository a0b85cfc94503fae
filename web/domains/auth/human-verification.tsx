/**
 * Human verification: Cloudflare Turnstile when the server has a site key, otherwise a placeholder that always passes.
 * The server accepts the placeholder's token in development only.
 */
import { Loader, Stack } from '@mantine/core';
import { IconShieldCheck } from '@tabler/icons-react';
import { useEffect } from 'react';
import { DEVELOPMENT_CAPTCHA_TOKEN } from '#contracts/console/auth';
import { InlinePart } from '#web/ui/loading/inline-part.tsx';
import { codeApart } from '#web/ui/loading/loaded-apart.tsx';
import classes from './auth.module.css';
import { useFrontendConfig } from './frontend-config.ts';
import { Problem } from './problem.tsx';
import type { HumanVerification as Verification } from './use-human-verification.ts';

const turnstileWidget = codeApart(async () => (await import('./turnstile-widget.tsx')).TurnstileWidget);

export function HumanVerification({ verification }: { verification: Verification }) {
  const { config, hasFailed } = useFrontendConfig();
  const { setStatus } = verification;
  useEffect(() => {
    if (hasFailed) setStatus('error');
  }, [hasFailed, setStatus]);

  return (
    <Stack gap={6}>
      {config?.turnstileSiteKey ? (
        <InlinePart
          code={turnstileWidget}
          props={{ siteKey: config.turnstileSiteKey.key, verification }}
          loading={<Checking />}
        />
      ) : config ? (
        <DevelopmentStandIn verification={verification} />
      ) : (
        !hasFailed && <Checking />
      )}
      <Problem>{verification.problem}</Problem>
    </Stack>
  );
}

function Checking() {
  return (
    <div className={classes.box} role="status">
      <Loader size={15} aria-hidden />
      Checking that you are human
    </div>
  );
}

function DevelopmentStandIn({ verification }: { verification: Verification }) {
  const { attach, setStatus } = verification;
  useEffect(() => {
    attach({ getToken: async () => DEVELOPMENT_CAPTCHA_TOKEN, reset: () => setStatus('solved') });
    setStatus('solved');
    return () => attach(null);
  }, [attach, setStatus]);
  return (
    <div className={classes.box} data-status="solved">
      <IconShieldCheck size={17} aria-hidden />
      Human check: passed automatically in development
    </div>
  );
}
