/** /o/{orgId}/customers: all known customers. The URL has search, filter and the customer in the side sheet. */
import { useQuery } from '@tanstack/react-query';
import { MAX_IDENTIFIER } from '#contracts/public/identifiers';
import { isSettled } from '#web/api/is-settled.ts';
import { CustomersList, filterNamed } from '#web/domains/customers/list/customers-list.tsx';
import { environmentsQuery } from '#web/domains/environments/queries.ts';
import { plansQuery } from '#web/domains/plans/queries.ts';
import { useOrgId } from '#web/session/organisation.tsx';
import { Page } from '#web/ui/page/page.tsx';
import { useAddressParams } from '#web/ui/page/use-address-params.ts';
import { useAddressSearch } from '#web/ui/page/use-address-search.ts';

export function CustomersPage() {
  const orgId = useOrgId();
  const { text, setText, search: query } = useAddressSearch('query', MAX_IDENTIFIER);
  const [params, changeParams] = useAddressParams();
  const plans = useQuery(plansQuery(orgId));
  const environments = useQuery(environmentsQuery(orgId));
  const openId = params.get('customer');
  return (
    <Page>
      <CustomersList
        plans={plans.data ?? (isSettled(plans) ? [] : undefined)}
        environments={environments}
        text={text}
        onText={setText}
        query={query}
        filter={filterNamed(params.get('filter'))}
        onFilter={(filter) => changeParams({ filter: filter ?? null })}
        openId={openId}
        onOpen={(identifier) => changeParams({ customer: identifier }, { replace: openId !== null })}
      />
    </Page>
  );
}
