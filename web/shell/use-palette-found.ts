/** What only a search finds: customers by part of an identifier, email or name, and an event by its id. */
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { foundCustomersQuery } from '#web/domains/customers/list/found-customers-query.ts';
import { useOrganisation } from '#web/session/organisation.tsx';
import { type Found, foundBy, isSearched } from './palette-found.ts';

const DEBOUNCE_MS = 200;

export function useFound(query: string): Found {
  const { orgId } = useOrganisation();
  const text = query.trim();
  const [settled] = useDebouncedValue(text, DEBOUNCE_MS);
  const { data, error, refetch } = useQuery({
    ...foundCustomersQuery(orgId ?? '', settled),
    enabled: orgId !== null && isSearched(settled),
  });
  return foundBy({
    orgId,
    query,
    customers: settled === text ? data : undefined,
    hasFailed: settled === text && data === undefined && error !== null,
    isSearching: orgId !== null && isSearched(text),
    onRetry: () => void refetch(),
  });
}
