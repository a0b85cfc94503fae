/**
 * Names of customers for lists that have identifiers only. Each is asked for once, all that a list lacks together. Lists whose own query
 * awaits `loadCustomerNames` show names at once; where names come later or not at all, the identifier is shown.
 */
import { type QueryClient, skipToken, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { customerEndpoints, MAX_NAMED_CUSTOMERS } from '#contracts/console/customers';
import { call } from '#web/api/call.ts';
import { endpointKey } from '#web/api/endpoint-query.ts';

/** Null: the customer has no name. */
type Names = ReadonlyMap<string, string | null>;

/** An identifier, or what has one, such as an event. Null: nobody. */
type Naming =
  | string
  | null
  | { readonly identifier: string | null }
  | { readonly subjectIdentifier: string | null };

function identifierOf(naming: Naming): string | null {
  if (naming === null || typeof naming === 'string') return naming;
  return 'identifier' in naming ? naming.identifier : naming.subjectIdentifier;
}

const keyOf = (orgId: string) => endpointKey(customerEndpoints.listNames, { orgId });

const NONE: Names = new Map();
/** A live view sees new customers for hours. */
const MAX_KEPT = 2_000;

/** Never fails. @param naming may repeat customers */
export async function loadCustomerNames(
  client: QueryClient,
  orgId: string,
  naming: readonly Naming[],
): Promise<void> {
  const key = keyOf(orgId);
  const known = client.getQueryData<Names>(key) ?? NONE;
  const missing = [...new Set(naming.map(identifierOf))].filter(
    (each) => each !== null && !known.has(each),
  ) as string[];
  for (let start = 0; start < missing.length; start += MAX_NAMED_CUSTOMERS) {
    const part = missing.slice(start, start + MAX_NAMED_CUSTOMERS);
    const query = { identifiers: JSON.stringify(part) };
    const answer = await call(customerEndpoints.listNames, { params: { orgId }, query }).catch(() => null);
    if (answer === null) return;
    const named = new Map(Object.entries(answer.names));
    const found = part.map((each): [string, string | null] => [each, named.get(each) ?? null]);
    client.setQueryData<Names>(
      key,
      (before = NONE) => new Map(before.size > MAX_KEPT ? found : [...before, ...found]),
    );
  }
}

/** @returns the names that are known, by identifier */
export function useCustomerNames(orgId: string, naming: readonly Naming[]): Names {
  const client = useQueryClient();
  const { data } = useQuery<Names>({ queryKey: keyOf(orgId), queryFn: skipToken });
  const wanted = JSON.stringify([...new Set(naming.map(identifierOf))]);
  useEffect(() => void loadCustomerNames(client, orgId, JSON.parse(wanted)), [client, orgId, wanted]);
  return data ?? NONE;
}
