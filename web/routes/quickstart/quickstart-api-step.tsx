/** The quick start's API step with its data: the test check, keys of the preview environment, and customers who have a plan. */
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Environment } from '#contracts/console/environments';
import type { StripeIntegration } from '#contracts/console/stripe';
import { type AccessCheckRequest, accessEndpoints } from '#contracts/public/access';
import type { ApiKeyType } from '#contracts/public/api-key-type';
import { codeSample, LANGUAGES, readLanguage } from '#web/domains/api-docs/code-samples.ts';
import { useTestCheck } from '#web/domains/api-docs/mutations.ts';
import { useCreateKey, useRevealKey } from '#web/domains/environments/keys/mutations.ts';
import { apiKeysQuery } from '#web/domains/environments/keys/queries.ts';
import { environmentsQuery } from '#web/domains/environments/queries.ts';
import { featuresQuery } from '#web/domains/features/queries.ts';
import { plansByProduct, plansOfCustomer } from '#web/domains/integrations/stripe/linked-plans.ts';
import { stripeCustomersQuery } from '#web/domains/integrations/stripe/queries.ts';
import { ArrivingCalls } from '#web/domains/live/arriving-calls.tsx';
import { plansQuery } from '#web/domains/plans/queries.ts';
import type { PreviewKey } from '#web/domains/quickstart/api-snippet.tsx';
import { ApiStep } from '#web/domains/quickstart/api-step.tsx';
import { seenIn } from '#web/domains/quickstart/missing-part.ts';
import { fireConfetti } from '#web/ui/fire-confetti.ts';
import { clientExample } from '#web/values/client-example.ts';
import { shownText } from '#web/values/customer-title.ts';
import { MissingPartNote } from './missing-part-note.tsx';

const MAX_SUGGESTIONS = 3;
const CLIENT = { id: 'client', label: 'Client' };

export interface QuickstartApiStepProps {
  readonly orgId: string;
  readonly stripe: StripeIntegration | null;
  readonly isFinished: boolean;
  readonly isBusy: boolean;
  readonly onSkip: () => void;
  readonly onFinish: () => void;
}

export function QuickstartApiStep({ orgId, stripe, ...step }: QuickstartApiStepProps) {
  const environments = useQuery(environmentsQuery(orgId));
  const secret = usePreviewKey(orgId, environments, 'secret');
  const publicKey = usePreviewKey(orgId, environments, 'public');
  const { data: features = [] } = useQuery(featuresQuery(orgId));
  const { origin } = window.location;
  return (
    <ApiStep
      {...step}
      check={useTestCheck(orgId)}
      suggestions={useSuggestions(orgId, stripe)}
      keys={{ secret, public: publicKey }}
      languages={[CLIENT, ...LANGUAGES]}
      snippetOf={(language, value, type, key) =>
        language === CLIENT.id
          ? clientExample({ origin, type, key, feature: features[0]?.slug, subject: subjectOf(value) })
          : codeSample(readLanguage(language), origin + accessEndpoints.check.path, {
              value,
              'x-key': type,
            })
      }
      noteOf={(response) => <MissingPartNote orgId={orgId} response={response} />}
      calls={(next) => (
        <ArrivingCalls
          orgId={orgId}
          next={next}
          noteOf={(call) =>
            next !== null && !call.isError && <MissingPartNote orgId={orgId} response={seenIn(call)} />
          }
        />
      )}
      onCelebrate={() => void fireConfetti()}
    />
  );
}

const subjectOf = ({ userIdentifier, userJwt = '' }: AccessCheckRequest) =>
  userIdentifier === undefined ? { token: userJwt } : { user: userIdentifier };

/** Emails, or ids, of the newest synced customers whose subscriptions grant a plan. */
function useSuggestions(orgId: string, stripe: StripeIntegration | null): readonly string[] {
  const page = { query: '', cursor: null, isUnderWay: false, syncedAt: stripe?.lastSyncJobTime ?? 0 };
  const { data } = useQuery({
    ...stripeCustomersQuery(orgId, stripe?.id ?? '', page),
    enabled: stripe !== null,
  });
  const { data: plans = [] } = useQuery(plansQuery(orgId));
  const linked = plansByProduct(plans, stripe?.id ?? '');
  const withPlan = (data?.items ?? []).filter((customer) => plansOfCustomer(customer, linked).length > 0);
  const identifiers = withPlan.map(({ id, email }) => shownText(email) ?? id);
  return [...new Set(identifiers)].slice(0, MAX_SUGGESTIONS);
}

function usePreviewKey(
  orgId: string,
  environments: UseQueryResult<readonly Environment[]>,
  type: ApiKeyType,
): PreviewKey {
  const environmentId = environments.data?.find((each) => each.type === 'preview')?.id;
  const keys = useQuery({
    ...apiKeysQuery(orgId, environmentId ?? ''),
    enabled: environmentId !== undefined,
  });
  const failed = [environments, keys].find(({ data, error }) => data === undefined && error !== null);
  const create = useCreateKey(orgId, environmentId ?? '');
  const reveal = useRevealKey(orgId);
  const [value, setValue] = useState<string | null>(null);
  const existing = keys.data?.keys.find((key) => key.type === type);
  const show = { onSuccess: (key: { readonly value: string }) => setValue(key.value) };
  return {
    value,
    exists: keys.data === undefined ? undefined : existing !== undefined,
    retry: failed === undefined ? null : () => void failed.refetch(),
    obtain: () => (existing === undefined ? create.mutate({ type }, show) : reveal.mutate(existing.id, show)),
    isPending: create.isPending || reveal.isPending,
  };
}
