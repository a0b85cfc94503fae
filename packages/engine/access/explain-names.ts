/** By which names a call found its customer, and who else has the name: the answer to “why are these two customers?”. */
import type { ExplainedNames } from '#contracts/public/access';
import { factsForIdentifier } from '../entitlements/namesakes.ts';
import type { ResolvedSubject } from './resolve-subject.ts';

/** @returns undefined for an anonymous subject */
export function explainNames({
  identity: { identifier },
  customer,
  facts,
}: Pick<ResolvedSubject, 'identity' | 'customer' | 'facts'>): ExplainedNames | undefined {
  if (identifier === null || customer === null) return undefined;
  const { stripe, provisioned, namesakes = [], userIds = [] } = facts;
  const aliases = [
    stripe?.isNamedByEmail ? stripe.email : null,
    provisioned?.email,
    ...namesakes.map(({ aliasEmail }) => aliasEmail),
    ...userIds.map(({ id }) => id),
  ].flatMap((name) => name ?? []);
  const others = (factsForIdentifier(facts, identifier).namesakes ?? []).map(({ customerId }) => customerId);
  const distinct = (names: readonly string[]) => [...new Set(names)].filter((name) => name !== customer);
  return { asked: identifier, customer, aliases: distinct(aliases), sharedWith: distinct(others) };
}
