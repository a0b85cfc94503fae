/** Runs an access check for the customer, as an application with a secret key would, and explains the answer. */
import { Button, Group, MultiSelect, Skeleton } from '@mantine/core';
import { IconPlayerPlay } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Environment } from '#contracts/console/environments';
import type { TestCheckAnswer } from '#contracts/console/test-access';
import { CodeBlock } from '#web/ui/code/code-block.tsx';
import { SheetSection } from '#web/ui/dialogs/sheet-section.tsx';
import { SideSheet } from '#web/ui/dialogs/side-sheet.tsx';
import { sentence } from '#web/ui/format.ts';
import { usePageKeys } from '#web/ui/keyboard/use-page-keys.ts';
import { useFirstItems } from '#web/ui/lists/use-first-items.tsx';
import { ErrorState } from '#web/ui/states/error-state.tsx';
import { AnswerValue } from '#web/values/kinds/answer-value.tsx';
import { shownIdentifier } from '#web/values/shown-identifier.ts';
import { useCustomerName } from '#web/values/use-customer-name.ts';
import { VerdictMark } from '#web/values/verdict.tsx';
import classes from '../list/customer-sheet.module.css';
import { testCheckQuery } from '../queries.ts';

export interface TestCheckSheetProps {
  readonly orgId: string;
  readonly identifier: string;
  readonly environment: Environment;
  /** Slugs and names of the environment's features. */
  readonly features: readonly { readonly slug: string; readonly name: string }[];
  readonly onClose: () => void;
}

export function TestCheckSheet({ orgId, identifier, environment, features, onClose }: TestCheckSheetProps) {
  const customer = useCustomerName(orgId, identifier);
  const [slugs, setSlugs] = useState<string[]>([]);
  const check = useQuery(testCheckQuery(orgId, identifier, environment.id, slugs));
  usePageKeys({ Escape: onClose });
  const { data, error, isFetching, refetch } = check;
  return (
    <SideSheet label="Test a check" title={sentence`Test a check in ${environment.name}`} onClose={onClose}>
      <p className="flush small muted">
        The response to an access check for <bdi>{customer}</bdi> with a secret key. Nothing is recorded or
        counted.
      </p>
      <Group gap={8} wrap="nowrap" align="flex-start">
        <MultiSelect
          aria-label="Features"
          placeholder={slugs.length === 0 ? 'All features' : ''}
          data={features.map(({ slug, name }) => ({ value: slug, label: name }))}
          value={slugs}
          onChange={setSlugs}
          searchable
          clearable
          flex={1}
          miw={0}
        />
        <Button
          leftSection={<IconPlayerPlay size={15} aria-hidden />}
          loading={isFetching}
          onClick={() => void refetch()}
        >
          Run again
        </Button>
      </Group>
      {data === undefined ? (
        error === null ? (
          <Skeleton height={320} radius={8} />
        ) : (
          <ErrorState title="The check could not be run" error={error} onRetry={refetch} />
        )
      ) : (
        <>
          {data.diagnostics.names !== undefined && <Names names={data.diagnostics.names} />}
          <Explained
            values={data.diagnostics.explanation.filter(
              ({ feature }) => slugs.length === 0 || slugs.includes(feature),
            )}
            response={data.response}
          />
          <CodeBlock
            label="the response"
            code={JSON.stringify(data.response, null, 2)}
            head={<h3 className="flush small bold">Response</h3>}
          />
        </>
      )}
    </SideSheet>
  );
}

type ExplainedNames = NonNullable<TestCheckAnswer['diagnostics']['names']>;

/** Who the customer is by its names, as a check with ?explain=1 says it. */
function Names({ names: { asked, customer, aliases, sharedWith } }: { readonly names: ExplainedNames }) {
  const lines = [
    ['Customer', [customer]],
    ['Other names', aliases.filter((alias) => alias !== asked)],
    ['Plans shared with', sharedWith],
  ] as const;
  return (
    <SheetSection title="Names">
      <ul className="list card divided small">
        {lines
          .filter(([, names]) => names.length > 0)
          .map(([label, names]) => (
            <li key={label} className={classes.reason}>
              <span className="muted">{label}</span>
              <span className="shrink breaks">
                <bdi>{names.map(shownIdentifier).join(', ')}</bdi>
              </span>
            </li>
          ))}
      </ul>
    </SheetSection>
  );
}

type Explanation = TestCheckAnswer['diagnostics']['explanation'][number];

interface ExplainedProps {
  readonly values: readonly Explanation[];
  readonly response: TestCheckAnswer['response'];
}

function Explained({ values, response }: ExplainedProps) {
  const { shown, more } = useFirstItems(values);
  return (
    <SheetSection title="Explanation">
      {values.length === 0 ? (
        <p className="flush small muted">The response has no values.</p>
      ) : (
        <ul className="list card divided small">
          {shown.map((each, index) => (
            <li key={`${each.feature} ${each.property}`} className={classes.reason}>
              <span className="shrink breaks">
                <span className="medium">{each.feature}</span>{' '}
                <code className="muted tiny">{each.property}</code>{' '}
                {verdictOfFirst(each, shown[index - 1], response)}
              </span>
              <Value explanation={each} response={response} />
              <span className="muted tiny breaks whole-line">{each.reason}</span>
            </li>
          ))}
        </ul>
      )}
      {more}
    </SheetSection>
  );
}

/** The feature's verdict, beside its first value. */
function verdictOfFirst(
  { feature }: Explanation,
  before: Explanation | undefined,
  response: ExplainedProps['response'],
) {
  if (before?.feature === feature || !('features' in response)) return null;
  return <VerdictMark verdict={response.features[feature]} />;
}

/** The answered value, with usage; otherwise the configured one. */
function Value({
  explanation,
  response,
}: {
  explanation: Explanation;
  response: ExplainedProps['response'];
}) {
  const { feature, property, value } = explanation;
  const answered = 'features' in response ? response.features[feature]?.properties[property] : undefined;
  return answered === undefined ? <code>{JSON.stringify(value)}</code> : <AnswerValue value={answered} />;
}
