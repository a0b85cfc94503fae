/**
 * An account is deleted with its password or a mailed link, never with the session alone. The right password is exchanged for the
 * token that a link carries; without password and token, Better Auth mails the link.
 */
import type { AuthContext, BetterAuthPlugin } from 'better-auth';
import { APIError, createAuthMiddleware, getSessionFromCtx } from 'better-auth/api';
import type { Db } from '#worker/db/database';
import { refuseAfter } from './account-limits.ts';
import { comparePassword } from './compare-password.ts';

/** Whether it is the user's password; false for an account without one. @throws {APIError} 503 if the hasher is busy */
export async function isPasswordOf(
  {
    internalAdapter,
    password: hasher,
  }: {
    readonly internalAdapter: Pick<AuthContext['internalAdapter'], 'findCredentialAccount'>;
    readonly password: Pick<AuthContext['password'], 'verify'>;
  },
  userId: string,
  password: string,
): Promise<boolean> {
  const account = await internalAdapter.findCredentialAccount(userId);
  return Boolean(account?.password) && (await hasher.verify({ hash: account?.password ?? '', password }));
}

const TOKEN_MS = 60_000;

export function accountDeletion(db: Db): BetterAuthPlugin {
  return {
    id: 'account-deletion',
    hooks: {
      before: [
        {
          // With a token too: Better Auth would compare the password first, without a limit.
          matcher: ({ path, body }) => path === '/delete-user' && Boolean(body?.password),
          handler: createAuthMiddleware(async (ctx) => {
            const session = await getSessionFromCtx(ctx);
            if (session === null) throw new APIError('UNAUTHORIZED');
            const { id: userId } = session.user;
            const compare = () => isPasswordOf(ctx.context, userId, ctx.body.password);
            const comparison = await comparePassword(db, userId, compare, Date.now());
            if (comparison.kind === 'refused') refuseAfter(comparison.waitS);
            if (comparison.kind !== 'right') {
              throw new APIError('BAD_REQUEST', { code: 'INVALID_PASSWORD', message: 'Invalid password' });
            }
            const token = crypto.randomUUID();
            await ctx.context.internalAdapter.createVerificationValue({
              identifier: `delete-account-${token}`,
              value: userId,
              expiresAt: new Date(Date.now() + TOKEN_MS),
            });
            // Without its password, which Better Auth would compare again.
            return { context: { body: { token, password: '' } } };
          }),
        },
      ],
    },
  };
}
