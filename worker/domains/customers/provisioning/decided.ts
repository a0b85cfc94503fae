/** What a call about a customer comes to, before it is committed. */
import type { ChangeMade } from '#contracts/public/customers';
import type { CustomerScope } from '#worker/http/request-context';

/** What there is to do; null: nothing. @param scope with the receipt, if there is one */
export type Commit = ((scope: CustomerScope) => Promise<unknown>) | null;

export interface Decided {
  readonly commit: Commit;
  /** What the answer says beside whether anything changed. */
  readonly answer?: Pick<ChangeMade, 'applied' | 'balance' | 'ignored'>;
}
