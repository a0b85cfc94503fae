/** What the Stripe customers of a page's name are to it in one environment, as checks there use them. */
import type { Customer, CustomerEntitlements } from '#contracts/console/customers';
import type { Environment } from '#contracts/console/environments';
import type { LinkedCustomer } from '#contracts/console/linked-customer';
import { readIdentifier } from '#contracts/public/identifiers';
import { sentence } from '#web/ui/format.ts';
import { joinIn } from './join-in.ts';

export interface StripeCustomersOf {
  readonly title: string;
  readonly description: string;
  /** Customers created by API can be joined with Stripe customers. */
  readonly isCreated: boolean;
  readonly isEmail: boolean;
  /** The environment uses the Stripe customer: live environments use those of live mode only. */
  readonly isSeen: (customer: LinkedCustomer) => boolean;
  /** Checks by the Stripe customer’s ID are checks of the page's customer. */
  readonly isSame: (customer: LinkedCustomer) => boolean;
}

const SHARED = 'Checks by each of its IDs share plans, usage, grants and overrides.';
const OTHER_MODE = 'Test mode only. Live environments don’t use test-mode customers.';

/** Of these, a created customer can be one. */
export const isOfSameMode = (one: LinkedCustomer, other: LinkedCustomer): boolean =>
  one.integrationId === other.integrationId && one.testMode === other.testMode;

/** @param entitled what a check by the name is answered for in the environment, with all aliases of that customer */
export function stripeCustomersOf(
  { identifier, linked, created }: Pick<Customer, 'identifier' | 'linked' | 'created'>,
  entitled: Pick<CustomerEntitlements, 'identifier' | 'viaUserIds'>,
  environment: Pick<Environment, 'id' | 'type'>,
): StripeCustomersOf {
  const ids = new Set([identifier, entitled.identifier, ...entitled.viaUserIds.map(({ userId }) => userId)]);
  const isSame = ({ id }: LinkedCustomer) => ids.has(id);
  const isSeen = ({ testMode }: LinkedCustomer) => environment.type !== 'live' || !testMode;
  const read = readIdentifier(identifier);
  const isEmail = read.ok && read.kind === 'email';
  const here = created.find(({ environmentId }) => environmentId === environment.id);
  const seen = linked.filter(isSeen);
  const same = seen.filter(isSame);
  const others = seen.filter((each) => !isSame(each));
  const isOfOther = entitled.identifier !== identifier;
  const carries = ({ userId }: LinkedCustomer) => userId === identifier;
  const isUserId = here === undefined && !isEmail && seen.some(carries);

  const descriptionHere = () => {
    if (seen.length === 0) return OTHER_MODE;
    if (isEmail) return emailDescription();
    if (here !== undefined) return createdDescription(here);
    if (isUserId && others.length > 0)
      return isOfOther
        ? sentence`Checks by this user ID also get their plans. Usage, grants and overrides belong to ${entitled.identifier}.`
        : 'Checks by this user ID get the plans of all of them. Usage, grants and overrides stay with the user ID until one customer is left with it.';
    if (same.length === 0)
      return linked.some(isSame)
        ? OTHER_MODE
        : 'Checks by this ID don’t use their plans in this environment.';
    const ofEmail = others.length === 0 ? '' : ' Checks by the email get the plans of all of them.';
    return ids.size > 1 ? `${SHARED}${ofEmail}` : ofEmail.trim() || 'As last read from Stripe.';
  };

  const emailDescription = () => {
    if (here !== undefined && same.length > 0)
      return others.length === 0 ? SHARED : `${SHARED} Checks by this email get the plans of all of them.`;
    if (isOfOther && others.length === 0)
      return sentence`Checks by this email and by ${entitled.identifier} share plans, usage, grants and overrides.`;
    const plans =
      seen.length > 1
        ? 'Checks by this email get the plans of all of them.'
        : 'Checks by this email get this customer’s plans.';
    if (isOfOther) return sentence`${plans} Usage, grants and overrides belong to ${entitled.identifier}.`;
    return `${plans} Usage, grants and overrides stay with the email${here === undefined ? ' until you link it to a customer' : ''}.`;
  };

  const createdDescription = ({ email, userId: ownId }: Customer['created'][number]) => {
    // Of each account and mode, one Stripe customer is the created one, and no other counts by its metadata.
    const isReplaced = (one: LinkedCustomer) => same.some((each) => isOfSameMode(each, one));
    const carriers = others.filter(
      (each) => carries(each) && joinIn(each, environment.id) === undefined && !isReplaced(each),
    );
    const ofOwnId = others.filter(({ id, userId }) => ownId !== null && userId === ownId && !ids.has(id));
    const named = others.filter(
      (each) => ![...carriers, ...ofOwnId].includes(each) && email !== null && each.email === email,
    );
    const isFirst = same.length + carriers.length + ofOwnId.length === 0;
    const parts = [
      same.length > 0 && SHARED,
      carriers.length > 0 &&
        'Checks by this ID also get the plans of those that have it in their metadata, but not their usage, grants and overrides.',
      ofOwnId.length > 0 &&
        sentence`Checks by ${ownId ?? ''} also get the plans of those that have it in their metadata, but not their usage, grants and overrides.`,
      named.length > 0 &&
        (!isFirst
          ? 'Others only have the same email: their plans don’t apply.'
          : named.length > 1
            ? 'Same email. The plans of one apply once you confirm that it is the same customer.'
            : 'Same email. Its plans apply once you confirm that both are the same customer.'),
      isFirst && named.length === 0 && 'Checks by this ID don’t use their plans in this environment.',
    ];
    return parts.filter((part) => part !== false).join(' ');
  };

  const shared = isEmail ? ' with this email' : isUserId ? ' with this user ID' : '';
  return {
    title: linked.length > 1 ? `Stripe customers${shared}` : 'Stripe customer',
    description: descriptionHere(),
    isCreated: here !== undefined,
    isEmail: isEmail && here === undefined,
    isSeen,
    isSame,
  };
}
