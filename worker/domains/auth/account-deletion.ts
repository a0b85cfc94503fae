/**
 * An account is deleted with its password or a mailed link, never with the session alone. The right password is exchanged for the
 * token that a link carries; without password and token, Better Auth mails the link.
 */
import type { BetterAuthPlugin } from 'better-auth';
import { APIError, createAuthMiddleware, getSessionFromCtx } from 'better-auth/api';

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
            const { internalAdapter, password } = ctx.context;
            const account = await internalAdapter.findCredentialAccount(session.user.id);
            const isRight =
              account?.password &&
              (await password.verify({ hash: account.password, password: ctx.body.password }));
            if (!isRight) {
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
