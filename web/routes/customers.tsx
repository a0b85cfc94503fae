/** /o/{orgId}/customers: finds a customer by identifier, and lists those of whom something was said by hand. */
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useSearchParams } from 'react-router';
import { CustomerFinder } from '../features/customers/customer-finder.tsx';
import { plansQuery } from '../features/plans/queries.ts';
import { paths } from '../paths.ts';
import { useOrgId } from '../session/organisation.tsx';
import { Page } from '../ui/page.tsx';

const PAUSE_MS = 250;

export function CustomersPage() {
  const orgId = useOrgId();
  const [search, setSearch] = useSearchParams();
  const [text, setText] = useState(search.get('query') ?? '');
  const [query] = useDebouncedValue(text.trim(), PAUSE_MS);
  const { data: plans } = useQuery(plansQuery(orgId));
  useEffect(() => {
    setSearch(query === '' ? {} : { query }, { replace: true });
  }, [query, setSearch]);
  return (
    <Page
      title="Customers"
      subtitle="What a customer may do and has used, and what you grant them by hand."
      crumbs={[{ label: 'Dashboard', to: paths.dashboard(orgId) }, { label: 'Customers' }]}
    >
      <CustomerFinder orgId={orgId} plans={plans} text={text} onText={setText} query={query} />
    </Page>
  );
}
