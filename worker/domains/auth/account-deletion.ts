/**
 * An account is deleted with its password or a mailed link, never with the session alone. The right password is exchanged for the
 * token that a link carries; without password and token, Better Auth mails the link.
 */
import type { AuthContext, BetterAuthPlugin } from 'better-auth';
import { APIError, createAuthMiddleware, getSessionFromCtx } from 'better-auth/api';

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

export function accountDeletion(): BetterAuthPlugin {
  return {
    id: 'account-deletion',
    hooks: {
      before: [
        {
          matcher: ({ path, body }) => path === '/delete-user' && Boolean(body?.password) && !body?.token,
          handler: createAuthMiddleware(async (ctx) => {
            const session = await getSessionFromCtx(ctx);
            if (session === null) throw new APIError('UNAUTHORIZED');
            const { internalAdapter } = ctx.context;
            if (!(await isPasswordOf(ctx.context, session.user.id, ctx.body.password))) {
              throw new APIError('BAD_REQUEST', { code: 'INVALID_PASSWORD', message: 'Invalid password' });
            }
            const token = crypto.randomUUID();
            await internalAdapter.createVerificationValue({
              identifier: `delete-account-${token}`,
              value: session.user.id,
              expiresAt: new Date(Date.now() + TOKEN_MS),
            });
            return { context: { body: { token } } };
          }),
        },
      ],
    },
  };
}
