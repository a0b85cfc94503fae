/** /o/{orgId}/customers: finds a customer by identifier, and lists those of whom something was said by hand. */
import { useQuery } from '@tanstack/react-query';
import { CustomerFinder } from '../features/customers/customer-finder.tsx';
import { plansQuery } from '../features/plans/queries.ts';
import { paths } from '../paths.ts';
import { useOrgId } from '../session/organisation.tsx';
import { Page } from '../ui/page.tsx';
import { useAddressSearch } from '../ui/use-address-search.ts';

export function CustomersPage() {
  const orgId = useOrgId();
  const { text, setText, search: query } = useAddressSearch('query');
  const { data: plans } = useQuery(plansQuery(orgId));
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
