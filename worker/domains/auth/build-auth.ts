/**
 * Better Auth as Tessera uses it: accounts, sessions, email verification, password reset, social sign-in. Built once
 * per isolate on first use; nothing on the public API's path imports this file. Organisations and members are kept by
 * domains/organisations instead, each change in one batch with its audit row.
 */
import { waitUntil } from 'cloudflare:workers';
import { drizzleAdapter } from 'better-auth/adapters/drizzle';
import { APIError } from 'better-auth/api';
import { type BetterAuthOptions, betterAuth } from 'better-auth/minimal';
import type { GithubProfile, GoogleProfile } from 'better-auth/social-providers';
import { eq } from 'drizzle-orm';
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from '#contracts/console/auth';
import { type IdPrefix, newId } from '#runtime/ids';
import { log } from '#runtime/log';
import { type Db, openDatabase, schema } from '#worker/db/database';
import { user } from '#worker/db/schema/auth';
import { leaveOrganisations } from '#worker/domains/organisations/leave-organisations';
import { endUnusableWatches } from '#worker/domains/watch-sessions/end-watches';
import { type Env, settingsOf } from '#worker/env';
import { workContext } from '#worker/http/make-work-context';
import { allowedOrigins } from '#worker/http/same-origin';
import { sendMail } from '#worker/platform/mail';
import type { MailMessage } from '#worker/platform/mail-message';
import type { Settings } from '#worker/settings';
import { accountDeletion, isPasswordOf } from './account-deletion.ts';
import {
  accountLimits,
  DISABLED_CODE,
  forgetFailedSignIns,
  mayMail,
  mayMailDeletionLink,
} from './account-limits.ts';
import {
  deletionMail,
  existingAccountMail,
  newAttemptsMail,
  type Recipient,
  resetMail,
  verificationMail,
} from './account-mail.ts';
import { type EmailLink, findOwner, signEmailLink } from './email-link.ts';
import { emailSignUp } from './email-sign-up.ts';
import { withHashedSessionTokens } from './hashed-session-tokens.ts';
import { humanVerification } from './human-verification.ts';
import { newAttempts } from './new-attempts.ts';
import { passwordHashing } from './password-hashing.ts';
import { passwordReset } from './password-reset.ts';
import { acceptProviderEmail } from './provider-email.ts';
import { profileOfProvider } from './provider-profile.ts';
import { authorizationEndpointOf, redirectToStandIns } from './provider-stand-ins.ts';
import { renewSignatures } from './renew-signatures.ts';
import { emailVerification } from './verify-email.ts';

const HOUR_S = 60 * 60;

const idPrefixes = new Map<string, IdPrefix>([
  ['user', 'usr'],
  ['session', 'ses'],
  ['account', 'acc'],
  ['verification', 'ver'],
]);

export interface Auth {
  readonly handler: (request: Request) => Promise<Response>;
  /** Whether it is the user's password; false for an account without one. @throws {APIError} 503 if the hasher is busy */
  readonly isPassword: (userId: string, password: string) => Promise<boolean>;
}

const instances = new WeakMap<Env, Auth>();

export function authOf(env: Env): Auth {
  let auth = instances.get(env);
  if (auth === undefined) {
    auth = buildAuth(env);
    instances.set(env, auth);
  }
  return auth;
}

function buildAuth(env: Env): Auth {
  const settings = settingsOf(env);
  const db = openDatabase(env.DB);
  const send = (message: MailMessage) => sendMail(env, settings, message, Date.now(), log);
  const { baseUrl } = settings;
  redirectToStandIns(settings);
  const mailLink = async (to: Recipient, link: EmailLink) =>
    send(verificationMail(to, baseUrl, await signEmailLink(link, settings.authSecret)));
  const endWatches = (userId: string) =>
    waitUntil(endUnusableWatches(workContext(env, Date.now), { userId }));
  const { authSecret, previousAuthSecret } = settings;
  const proofs = {
    db,
    secrets: previousAuthSecret === null ? [authSecret] : [authSecret, previousAuthSecret],
    async onNewPassword({ id, email }: { readonly id: string; readonly email: string }) {
      endWatches(id);
      await forgetFailedSignIns(db, email);
    },
  };

  const auth = betterAuth({
    appName: 'Tessera',
    baseURL: baseUrl,
    secret: settings.authSecret,
    trustedOrigins: (request) => (request ? [...allowedOrigins(settings, request)] : [baseUrl]),
    database: (options: BetterAuthOptions) =>
      withHashedSessionTokens(drizzleAdapter(db, { provider: 'sqlite', schema })(options)),
    logger: {
      level: 'error',
      log: (_level, message, ...details) => log.error(`auth: ${message}`, { details }),
    },
    telemetry: { enabled: false },

    emailAndPassword: {
      enabled: true,
      requireEmailVerification: true,
      minPasswordLength: MIN_PASSWORD_LENGTH,
      maxPasswordLength: MAX_PASSWORD_LENGTH,
      password: passwordHashing(env),
      // In the background: an answer that waited for the mail would tell known addresses from unknown ones.
      sendResetPassword: async ({ user: to, token }) => {
        const sendOne = async () => {
          if (await mayMail(db, 'password-reset', to.email)) await send(resetMail(to, baseUrl, token));
        };
        waitUntil(sendOne());
      },
    },
    emailVerification: {
      sendOnSignIn: true,
      // With a link of our own instead of Better Auth's, which anyone's password would survive.
      sendVerificationEmail: async ({ user: to }, request) => {
        if (!(await mayMail(db, 'verification', to.email, request))) return;
        const owner = await findOwner(db, to.email);
        if (owner !== null) await mailLink(to, { email: to.email, credentialId: owner.credentialId });
      },
    },
    socialProviders: socialProviders(settings),
    // `acceptProviderEmail` removes what a stranger may have added to an unverified account.
    account: { accountLinking: { requireLocalEmailVerified: false } },
    onAPIError: {
      errorURL: `${baseUrl}/signin`,
      onError: (error) => {
        if (error instanceof APIError && error.statusCode < 500) return;
        log.error('auth: a call failed', { error });
      },
    },

    user: {
      validateUserInfo: acceptProviderEmail(db),
      additionalFields: {
        sudo: { type: 'boolean', input: false, defaultValue: false },
        enabled: { type: 'boolean', input: false, defaultValue: settings.isSignUpOpen },
      },
      deleteUser: {
        enabled: true,
        deleteTokenExpiresIn: HOUR_S,
        sendDeleteAccountVerification: async ({ user: to, token }) => {
          if (await mayMailDeletionLink(db, to.id)) await send(deletionMail(to, baseUrl, token));
        },
        beforeDelete: ({ id }) => leaveOrFail(db, id),
      },
    },
    // With a cookie cache, revoked sessions and disabled users would stay signed in for minutes.
    session: { cookieCache: { enabled: false } },
    databaseHooks: {
      session: {
        create: {
          // Every sign-in ends here, after the password or the provider was checked, so strangers learn nothing.
          async before({ userId }) {
            const [row] = await db.select({ enabled: user.enabled }).from(user).where(eq(user.id, userId));
            if (row?.enabled) return;
            throw new APIError('FORBIDDEN', {
              code: DISABLED_CODE,
              message: 'This account is on the waiting list',
            });
          },
        },
        delete: {
          after: async ({ userId }) => endWatches(userId),
        },
      },
    },

    plugins: [
      humanVerification(settings),
      accountLimits(db),
      accountDeletion(db),
      {
        id: 'account-proofs',
        // Under the names of Better Auth's own endpoints, which these replace: each commits its step in one batch.
        endpoints: {
          signUpEmail: emailSignUp({
            db,
            isOpen: settings.isSignUpOpen,
            mailLink,
            mailExisting: (to) => send(existingAccountMail(to, baseUrl)),
          }),
          ...emailVerification({ ...proofs, mailLink }),
          resetPassword: passwordReset(proofs),
          ...newAttempts(db, proofs.secrets, async (to, token) => send(newAttemptsMail(to, baseUrl, token))),
        },
      },
    ],
    // In development every call comes from one address: the limits only stop runaway loops.
    rateLimit: {
      enabled: true,
      storage: 'database',
      customRules: {
        '/get-session': false,
        ...(settings.isDevelopment
          ? { '/**': { window: 10, max: 1000 } }
          : {
              '/send-verification-email': { window: 60, max: 3 },
              '/request-new-attempts': { window: 60, max: 3 },
              '/delete-user': { window: 60, max: 5 },
            }),
      },
    },
    advanced: {
      ipAddress: { ipAddressHeaders: ['cf-connecting-ip'] },
      database: { generateId: ({ model }) => newId(idPrefixes.get(model) ?? 'id', Date.now()) },
    },
  });
  return {
    handler: async (request) => auth.handler(await renewSignatures(request, settings)),
    isPassword: async (userId, password) => isPasswordOf(await auth.$context, userId, password),
  };
}

type SocialProviders = NonNullable<BetterAuthOptions['socialProviders']>;

/** The providers with configured keys. */
function socialProviders({ github, google }: Settings): SocialProviders {
  const providers: SocialProviders = {};
  if (github !== null) {
    providers.github = {
      clientId: github.clientId,
      clientSecret: github.clientSecret,
      authorizationEndpoint: authorizationEndpointOf('github', github),
      mapProfileToUser: ({ name, login, avatar_url }: GithubProfile) =>
        profileOfProvider(name, login, avatar_url),
    };
  }
  if (google !== null) {
    providers.google = {
      clientId: google.clientId,
      clientSecret: google.clientSecret,
      authorizationEndpoint: authorizationEndpointOf('google', google),
      mapProfileToUser: ({ name, email, picture }: GoogleProfile) => profileOfProvider(name, email, picture),
    };
  }
  return providers;
}

/** @throws {APIError} 400, naming an organisation that would be left without an owner */
async function leaveOrFail(db: Db, userId: string): Promise<void> {
  const now = Date.now();
  const orphan = await leaveOrganisations({ db, now, newId: (prefix) => newId(prefix, now) }, userId);
  if (orphan === null) return;
  const message = `You are the only owner of ${orphan}. Make someone else an owner first, or delete the organisation.`;
  throw new APIError('BAD_REQUEST', { code: 'SOLE_OWNER', message });
}
