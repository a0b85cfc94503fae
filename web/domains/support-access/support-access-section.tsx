/** Settings section: owners grant and end support access; other members see it, and platform staff request it. */

import { Button, Group, Select, Skeleton, Stack, Switch, Text } from '@mantine/core';
import { IconLifebuoy } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import {
  SUPPORT_ACCESS_HOURS,
  type SupportAccess,
  supportAccessEndpoints,
} from '#contracts/console/support-access';
import { useEndpoint } from '#web/api/endpoint-query.ts';
import { useOrgId } from '#web/session/organisation.tsx';
import { ownOrganisationsQuery } from '#web/session/queries.ts';
import { useSession } from '#web/session/session.ts';
import { Section } from '#web/ui/page/section.tsx';
import { ErrorState } from '#web/ui/states/error-state.tsx';
import { Notice } from '#web/ui/states/notice.tsx';
import { accessState } from './access-state.ts';
import { useChangeSupportReading, useEndSupportAccess, useGrantSupportAccess } from './mutations.ts';
import { RequestSupportAccess } from './request-support-access.tsx';

const TITLE = 'Support access';
const DESCRIPTION =
  'Tessera support can view your organisation. To make changes, support needs an owner’s permission, which ends automatically. Activity shows when support viewed or changed something.';

export function SupportAccessSection() {
  const orgId = useOrgId();
  const { isSudoAccess } = useSession();
  const { data, error, refetch } = useEndpoint(supportAccessEndpoints.get, { orgId });
  const own = useQuery(ownOrganisationsQuery).data?.find(({ id }) => id === orgId);
  if (data === undefined && error !== null) {
    return <ErrorState title="Support access could not be loaded" error={error} onRetry={refetch} />;
  }
  return (
    <Section title={TITLE} description={DESCRIPTION} isSplit>
      {data === undefined ? (
        <Skeleton height={36} maw={480} role="status" aria-label="Loading" />
      ) : (
        <Stack gap={16}>
          {data.request !== null && (
            <Notice title="Support requests access" tone="neutral" icon={IconLifebuoy}>
              {data.request.reason}
            </Notice>
          )}
          <Text>{accessState(data)}</Text>
          {own?.role === 'owner' && <OwnerActions access={data} />}
          {own?.role === 'owner' && <ReadingSwitch needsConsent={data.needsConsentToRead} />}
          {isSudoAccess && own === undefined && data.grant === null && (
            <RequestSupportAccess isRepeated={data.request !== null} />
          )}
        </Stack>
      )}
    </Section>
  );
}

function ReadingSwitch({ needsConsent }: { needsConsent: boolean }) {
  const change = useChangeSupportReading(useOrgId());
  return (
    <Switch
      label="Require permission to view customers and events"
      description="Support then sees them only while an owner allows changes."
      checked={change.isPending ? change.variables : needsConsent}
      disabled={change.isPending}
      onChange={({ currentTarget }) => change.mutate(currentTarget.checked)}
    />
  );
}

const HOURS = SUPPORT_ACCESS_HOURS.map((hours) => ({
  value: String(hours),
  label: hours === 1 ? '1 hour' : hours > 24 ? `${hours / 24} days` : `${hours} hours`,
}));

function OwnerActions({ access }: { access: SupportAccess }) {
  const orgId = useOrgId();
  const [hours, setHours] = useState<(typeof SUPPORT_ACCESS_HOURS)[number]>(4);
  const grant = useGrantSupportAccess(orgId);
  const end = useEndSupportAccess(orgId);
  const isBusy = grant.isPending || end.isPending;
  const canEnd = access.grant !== null || access.request !== null;
  return (
    <Group align="end" gap={8}>
      <Select
        label="Allow for"
        data={HOURS}
        value={String(hours)}
        allowDeselect={false}
        w={140}
        onChange={(value) => setHours(SUPPORT_ACCESS_HOURS.find((each) => String(each) === value) ?? hours)}
      />
      <Button loading={grant.isPending} disabled={isBusy} onClick={() => grant.mutate(hours)}>
        Allow changes
      </Button>
      {canEnd && (
        <Button variant="default" loading={end.isPending} disabled={isBusy} onClick={() => end.mutate()}>
          {access.grant === null ? 'Decline' : 'End access'}
        </Button>
      )}
    </Group>
  );
}
