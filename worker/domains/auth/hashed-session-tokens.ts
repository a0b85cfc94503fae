/**
 * Wraps Better Auth's database adapter so that session tokens are stored hashed. The library looks sessions up by token and
 * sets the cookie from the row, so a row that was found by its token carries the token again. Rows found otherwise show the hash.
 */
import type { DBAdapter, Where } from 'better-auth';
import { hashSessionToken, storedFormsOf } from '#worker/domains/sessions/session-token-hash';

type Row = Record<string, unknown>;

export function withHashedSessionTokens(adapter: DBAdapter): DBAdapter {
  const wrapped: DBAdapter = {
    ...adapter,
    async create(call) {
      const { token } = call.data as Row;
      if (call.model !== 'session' || typeof token !== 'string') return adapter.create(call);
      const data = { ...call.data, token: await hashSessionToken(token) };
      return withToken(await adapter.create({ ...call, data }), token);
    },
    async findOne<T>(call: Parameters<DBAdapter['findOne']>[0]) {
      return withToken(
        await adapter.findOne<T>({ ...call, where: await hashed(call, call.where) }),
        tokenIn(call),
      );
    },
    findMany: async (call) =>
      adapter.findMany({ ...call, ...(call.where && { where: await hashed(call, call.where) }) }),
    async count(call) {
      return adapter.count({ ...call, ...(call.where && { where: await hashed(call, call.where) }) });
    },
    async update<T>(call: Parameters<DBAdapter['update']>[0]) {
      const token = tokenIn(call);
      const update = token === null ? call.update : { ...call.update, token: await hashSessionToken(token) };
      return withToken(
        await adapter.update<T>({ ...call, where: await hashed(call, call.where), update }),
        token,
      );
    },
    async updateMany(call) {
      return adapter.updateMany({ ...call, where: await hashed(call, call.where) });
    },
    async delete(call) {
      return adapter.delete({ ...call, where: await hashed(call, call.where) });
    },
    async deleteMany(call) {
      return adapter.deleteMany({ ...call, where: await hashed(call, call.where) });
    },
    // D1 has no interactive transactions: the library's runs are single statements, which must be wrapped too.
    transaction: (run) => run(wrapped),
  };
  return wrapped;
}

interface ModelCall {
  readonly model: string;
  readonly where?: Where[];
}

/** The token by which a call looks for one session, or null. */
function tokenIn({ model, where = [] }: ModelCall): string | null {
  const value = model === 'session' ? where.find(({ field }) => field === 'token')?.value : undefined;
  return typeof value === 'string' ? value : null;
}

async function hashed({ model }: ModelCall, where: Where[]): Promise<Where[]> {
  if (model !== 'session') return where;
  return Promise.all(
    where.map(async (condition): Promise<Where> => {
      const { field, value } = condition;
      if (field !== 'token') return condition;
      const tokens = (Array.isArray(value) ? value : [value]).map(String);
      const forms = await Promise.all(tokens.map(storedFormsOf));
      return { ...condition, operator: 'in', value: forms.flat() };
    }),
  );
}

function withToken<T>(row: T, token: string | null): T {
  return row === null || token === null ? row : { ...row, token };
}
