/** /o/{orgId}/customers: all known customers. The URL has search, filter and the customer in the side sheet. */
import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { customerFilterSchema } from '#contracts/console/customer-list';
import { isSettled } from '#web/api/is-settled.ts';
import { CustomersList } from '#web/domains/customers/customers-list.tsx';
import { environmentsQuery } from '#web/domains/environments/queries.ts';
import { plansQuery } from '#web/domains/plans/queries.ts';
import { paths } from '#web/paths.ts';
import { useOrgId } from '#web/session/organisation.tsx';
import { Page } from '#web/ui/page.tsx';
import { useAddressSearch } from '#web/ui/use-address-search.ts';

export function CustomersPage() {
  const orgId = useOrgId();
  const { text, setText, search: query } = useAddressSearch('query');
  const [params, setParams] = useSearchParams();
  const plans = useQuery(plansQuery(orgId));
  const { data: environments } = useQuery(environmentsQuery(orgId));
  const set = (name: string, value: string | null | undefined, isReplaced: boolean) =>
    setParams(
      (before) => {
        const changed = new URLSearchParams(before);
        if (value == null) changed.delete(name);
        else changed.set(name, value);
        return changed;
      },
      { preventScrollReset: true, replace: isReplaced },
    );
  const openId = params.get('customer');
  return (
    <Page
      title="Customers"
      subtitle="See what a customer can do and has used, grant plans and override values."
      crumbs={[{ label: 'Dashboard', to: paths.dashboard(orgId) }, { label: 'Customers' }]}
    >
      <CustomersList
        orgId={orgId}
        plans={plans.data ?? (isSettled(plans) ? [] : undefined)}
        environments={environments}
        text={text}
        onText={setText}
        query={query}
        filter={customerFilterSchema.safeParse(params.get('filter')).data}
        onFilter={(filter) => set('filter', filter, false)}
        openId={openId}
        onOpen={(identifier) => set('customer', identifier, openId !== null)}
      />
    </Page>
  );
}
