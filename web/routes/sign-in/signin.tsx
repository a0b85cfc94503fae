/** /signin: sign-in with email and password behind human verification, or with a social account. */
import { Anchor, Button, PasswordInput, TextInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import { ATTEMPTS_USED_CODE } from '#contracts/console/auth';
import { ownPageOf } from '#contracts/console/own-page';
import classes from '#web/domains/auth/auth.module.css';
import { useSignIn } from '#web/domains/auth/auth-calls.ts';
import { AuthCard } from '#web/domains/auth/auth-card.tsx';
import { checkSignIn } from '#web/domains/auth/check-fields.ts';
import { GuidesLink } from '#web/domains/auth/guides-link.tsx';
import { HumanVerification } from '#web/domains/auth/human-verification.tsx';
import { Notice } from '#web/domains/auth/notice.tsx';
import { Problem } from '#web/domains/auth/problem.tsx';
import { isVerificationFailure, problemOfSignIn } from '#web/domains/auth/problem-of-failure.ts';
import { problemOfReturn } from '#web/domains/auth/problem-of-return.ts';
import { emailOfQuery, emailOfState } from '#web/domains/auth/read-email.ts';
import { SocialButtons } from '#web/domains/auth/social-buttons.tsx';
import { useHumanVerification } from '#web/domains/auth/use-human-verification.ts';
import { paths } from '#web/paths.ts';
import {
  forgetReturnUrl,
  pageAfterSignIn,
  rememberReturnUrl,
  returnSearch,
} from '#web/session/return-url.ts';
import { selectOrganisation } from '#web/session/selected-organisation.ts';
import { arriveAtSignIn, endSession, isEnding, useSession } from '#web/session/session.ts';
import { Fields } from '#web/ui/inputs/fields.tsx';
import { useFields } from '#web/ui/inputs/use-fields.ts';
import { codeApart, LoadedApart, useOptionalCode } from '#web/ui/loading/loaded-apart.tsx';
import {
  navigateSite,
  SiteLink,
  SiteRedirect,
  useSiteLocation,
  useSiteQuery,
} from '#web/ui/page/site-history.tsx';

/** Few links are opened while somebody else is signed in. */
const otherAccount = codeApart(
  async () => (await import('#web/domains/auth/other-account.tsx')).OtherAccount,
);

/** Few people come with an invitation. */
const invitation = codeApart(
  async () => (await import('#web/domains/auth/invitation-card.tsx')).InvitationCard,
);

/** Few people try ten wrong passwords. */
const newAttempts = codeApart(
  async () => (await import('#web/domains/auth/new-attempts-offer.tsx')).NewAttemptsOffer,
);

/** Router state from the previous page, beside `email`. */
interface SignInState {
  readonly hasChangedPassword?: boolean;
  /** While a page of the console was open. */
  readonly hasSessionEnded?: boolean;
}

export function SignInPage() {
  const query = useSiteQuery();
  const { state } = useSiteLocation();
  const { user } = useSession();
  useEffect(arriveAtSignIn, []);
  const returnUrl = ownPageOf(query.get('returnUrl') ?? '');
  const target = pageAfterSignIn(returnUrl);
  const search = returnSearch(returnUrl);

  const verification = useHumanVerification();
  const signIn = useSignIn();
  const [problem, setProblem] = useState(() => problemOfReturn(query.get('error')));
  /** The email for which too many passwords were tried. */
  const [locked, setLocked] = useState<string | null>(null);
  /** The invitation to accept first. */
  const [asked, setAsked] = useState(query.get('invitation'));
  const canOffer = useOptionalCode(newAttempts, locked !== null, () => setLocked(null));
  const invited = emailOfQuery(query.get('email'));
  const form = useFields({ email: emailOfState(state) ?? invited ?? '', password: '' }, checkSignIn);

  const submit = form.onSubmit(async (values) => {
    setProblem(null);
    setLocked(null);
    const captcha = await verification.takeToken();
    if (captcha === null) return;
    const { error } = await signIn.run({ ...values, captcha });
    if (error === null) {
      selectOrganisation(null);
      if (target !== paths.postSignIn) forgetReturnUrl();
      navigateSite(target);
      return;
    }
    if (error.status === 403 && !isVerificationFailure(error)) {
      rememberReturnUrl(returnUrl);
      const page = error.code === 'disabled' ? paths.awaitingAdmission : paths.emailVerification;
      navigateSite(page, { state: { email: values.email } });
      return;
    }
    endSession();
    setProblem(problemOfSignIn(error));
    if (error.code === ATTEMPTS_USED_CODE) {
      rememberReturnUrl(returnUrl);
      setLocked(values.email);
    }
    verification.reset();
  });

  const { hasChangedPassword, hasSessionEnded } = (state ?? {}) as SignInState;
  if (user !== null && !isEnding() && !signIn.isPending) {
    if (!invited || invited.toLowerCase() === user.email.toLowerCase()) return <SiteRedirect to={target} />;
    return (
      <LoadedApart
        code={otherAccount}
        props={{ email: user.email, invited, onContinue: () => navigateSite(target) }}
      />
    );
  }

  if (asked !== null)
    return (
      <LoadedApart code={invitation} props={{ invitationId: asked, onContinue: () => setAsked(null) }} />
    );

  const isBusy = signIn.isPending;
  return (
    <AuthCard
      title="Sign in to Tessera"
      footer={
        <>
          New to Tessera?{' '}
          <Anchor component={SiteLink} to={paths.signUp + search} state={{ email: form.values.email }}>
            Sign up
          </Anchor>
          <GuidesLink />
        </>
      }
    >
      {hasChangedPassword && problem === null && (
        <Notice title="Password changed">Sign in with your new password.</Notice>
      )}
      {hasSessionEnded && problem === null && (
        <Notice title="Your session has ended" isNeutral>
          Sign in to continue where you were. What you typed into forms is kept, except passwords and secrets.
        </Notice>
      )}
      <form onSubmit={submit} noValidate>
        <Fields isDisabled={isBusy}>
          <TextInput
            label="Email"
            type="email"
            autoComplete="username"
            autoFocus={!form.values.email}
            required
            {...form.propsOf('email')}
          />
          <div>
            <PasswordInput
              label="Password"
              autoComplete="current-password"
              autoFocus={!!form.values.email}
              required
              {...form.propsOf('password')}
            />
            <Anchor
              component={SiteLink}
              to={paths.forgotPassword + search}
              state={{ email: form.values.email }}
              className={classes.forgot}
              mt={6}
              display="inline-block"
            >
              Forgot password?
            </Anchor>
          </div>
          <HumanVerification verification={verification} />
          <Problem>{problem}</Problem>
          {locked !== null && canOffer && (
            <LoadedApart code={newAttempts} props={{ email: locked, verification }} />
          )}
          <Button type="submit" loading={isBusy} disabled={!verification.isSolved}>
            Sign in
          </Button>
        </Fields>
      </form>
      <SocialButtons isDisabled={isBusy} onStart={() => rememberReturnUrl(returnUrl)} />
    </AuthCard>
  );
}
