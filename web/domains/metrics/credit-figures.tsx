/** What was given, used and ended of balances in the range, by meter and source. Absent where nobody ever had a balance. */
import { useQuery } from '@tanstack/react-query';
import {
  type CreditFigure,
  type CreditSource,
  creditMetricsEndpoints,
  MAX_CREDIT_BALANCES,
} from '#contracts/console/credit-metrics';
import { endpointQuery } from '#web/api/endpoint-query.ts';
import { useOrgId } from '#web/session/organisation.tsx';
import { formatInstant, formatNumber } from '#web/ui/format.ts';
import { Section } from '#web/ui/page/section.tsx';
import { ErrorState } from '#web/ui/states/error-state.tsx';
import { RANGES } from '#web/values/time-ranges.ts';
import classes from './credit-figures.module.css';
import type { MetricsCriteria } from './queries.ts';

const STALE_MS = 60_000;

const SOURCES: Readonly<Record<CreditSource, string>> = {
  'top-up': 'Top-ups',
  api: 'API',
  manual: 'Console',
  rollover: 'Rollover',
  other: 'Other balances',
};

export const creditMetricsQuery = (orgId: string, { environment, range }: MetricsCriteria) =>
  endpointQuery(
    creditMetricsEndpoints.read,
    { orgId },
    {
      query: { criteria: JSON.stringify({ environment, range } satisfies MetricsCriteria) },
      staleTime: STALE_MS,
    },
  );

export function CreditFigures({ environment, range }: MetricsCriteria) {
  const orgId = useOrgId();
  const { data, error, refetch } = useQuery(creditMetricsQuery(orgId, { environment, range }));
  if (data === undefined && error === null) return null;
  if (data?.hasBalances === false) return null;
  const description =
    'Amounts of balances. Drawn is what calls used. Ended is what reached its end, used or not.';
  return (
    <Section title="Balances" description={description} isFlush>
      {data === undefined ? (
        <ErrorState title="The balances could not be loaded" error={error} onRetry={refetch} />
      ) : data.figures.length === 0 ? (
        <p className="note">
          No balance was given, drawn from or ended in the {RANGES[range].label.toLowerCase()}.
        </p>
      ) : (
        <>
          <CreditTable figures={data.figures} />
          {data.drawnFrom !== null && (
            <p className="note">Drawn is counted since {formatInstant(data.drawnFrom)}.</p>
          )}
          {!data.isComplete && (
            <p className="note">
              Given and ended are those of the newest {formatNumber(MAX_CREDIT_BALANCES)} balances.
            </p>
          )}
        </>
      )}
    </Section>
  );
}

function CreditTable({ figures }: { readonly figures: readonly CreditFigure[] }) {
  const meters = Map.groupBy(figures, ({ feature, property }) =>
    feature === null ? null : `${feature}.${property}`,
  );
  return (
    <table className={classes.table} aria-label="Balances by meter and source">
      <thead>
        <tr>
          <th scope="col">Source</th>
          <th scope="col">Given</th>
          <th scope="col">Drawn</th>
          <th scope="col">Ended</th>
        </tr>
      </thead>
      {[...meters].map(([meter, own]) => (
        <tbody key={meter}>
          <tr>
            <th scope="rowgroup" colSpan={4}>
              {meter === null ? 'Deleted meters' : <code className="breaks">{meter}</code>}
            </th>
          </tr>
          {own.map(({ source, given, drawn, ended }) => (
            <tr key={source}>
              <td className="muted">{SOURCES[source]}</td>
              {[given, drawn, ended].map((amount, index) => (
                <td key={['given', 'drawn', 'ended'][index]} className={amount === 0 ? 'faint' : undefined}>
                  {formatNumber(amount)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      ))}
    </table>
  );
}
