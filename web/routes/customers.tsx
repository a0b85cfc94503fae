/** /o/{orgId}/customers: finds a customer by identifier, and lists customers with manual grants or overrides. */
import { useQuery } from '@tanstack/react-query';
import { CustomerFinder } from '#web/domains/customers/customer-finder.tsx';
import { plansQuery } from '#web/domains/plans/queries.ts';
import { paths } from '#web/paths.ts';
import { useOrgId } from '#web/session/organisation.tsx';
import { Page } from '#web/ui/page.tsx';
import { useAddressSearch } from '#web/ui/use-address-search.ts';

export function CustomersPage() {
  const orgId = useOrgId();
  const { text, setText, search: query } = useAddressSearch('query');
  const { data: plans } = useQuery(plansQuery(orgId));
  return (
    <Page
      title="Customers"
      subtitle="See what a customer can do and has used, grant plans and override values."
      crumbs={[{ label: 'Dashboard', to: paths.dashboard(orgId) }, { label: 'Customers' }]}
    >
      <CustomerFinder orgId={orgId} plans={plans} text={text} onText={setText} query={query} />
    </Page>
  );
}
