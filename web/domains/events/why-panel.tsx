/** For each property of an access check: its value, what decided it, and what the same check would answer now. */

import { Button, Flex, Skeleton, Switch } from '@mantine/core';
import { useState } from 'react';
import type { Decider, EventExplanation, ExplainedValue } from '#contracts/console/event-explanation';
import { eventExplanationEndpoints } from '#contracts/console/event-explanation';
import { useEndpoint } from '#web/api/endpoint-query.ts';
import { useOrgId } from '#web/session/organisation.tsx';
import { SheetSection } from '#web/ui/dialogs/sheet-section.tsx';
import { useFirstItems } from '#web/ui/lists/use-first-items.tsx';
import { AnswerValue } from '#web/values/kinds/answer-value.tsx';
import classes from './viewer.module.css';

type Explained = EventExplanation['properties'][number];

export function WhyPanel({ eventId }: { eventId: string }) {
  const orgId = useOrgId();
  const { data, error, refetch } = useEndpoint(eventExplanationEndpoints.explain, { orgId, eventId });
  const [onlyChanged, setOnlyChanged] = useState(false);
  if (data === undefined) {
    return (
      <SheetSection title="Why">
        {error === null ? (
          <Skeleton height={120} />
        ) : (
          <div className="small muted" role="alert">
            The reasons could not be loaded. {error.message}{' '}
            <Button size="compact-sm" variant="default" onClick={() => void refetch()}>
              Try again
            </Button>
          </div>
        )}
      </SheetSection>
    );
  }
  const changed = data.properties.filter(({ isChanged }) => isChanged);
  return (
    <SheetSection
      title="Why"
      aside={
        changed.length > 0 && (
          <Switch
            size="xs"
            label="Only changed values"
            checked={onlyChanged}
            onChange={(event) => setOnlyChanged(event.currentTarget.checked)}
          />
        )
      }
    >
      <p className="flush small muted">
        {nowSentence(data, changed.length)}
        {data.properties.some(({ recorded }) => recorded?.decidedBy === null) &&
          ' The check ran on unversioned workspace changes, so the reasons for these values are unknown.'}
      </p>
      <Values properties={onlyChanged ? changed : data.properties} />
    </SheetSection>
  );
}

function Values({ properties }: { properties: readonly Explained[] }) {
  const { shown, more } = useFirstItems(properties);
  if (properties.length === 0) return null;
  return (
    <>
      <ul className="list card clip divided small">
        {shown.map((each) => (
          <Value key={`${each.feature} ${each.property}`} {...each} />
        ))}
      </ul>
      {more}
    </>
  );
}

function Value({ feature, property, recorded, now, isChanged }: Explained) {
  return (
    <li className={classes.value}>
      <span className="breaks">
        <span className="medium">{feature}</span> <code className="muted tiny">{property}</code>
      </span>
      <span>
        {recorded === null ? (
          <span className="muted">Not in the response</span>
        ) : (
          <AnswerValue value={recorded.value} />
        )}
      </span>
      {recorded !== null && <span className="muted tiny breaks whole-line">{decidedLabel(recorded)}</span>}
      {isChanged && (
        <Flex
          component="span"
          wrap="wrap"
          align="baseline"
          gap="2px 10px"
          mt={2}
          py={4}
          px={8}
          bdrs="sm"
          bg="var(--warning-soft)"
          className="tiny whole-line"
        >
          <strong className="medium">Now</strong>
          {now === null ? 'No longer exists' : <AnswerValue value={now.value} />}
          {now !== null && <span className="muted">{decidedLabel(now)}</span>}
        </Flex>
      )}
    </li>
  );
}

function decidedLabel({ decidedBy, reason }: ExplainedValue): string {
  return reason === '' ? deciderLabel(decidedBy) : reason;
}

function deciderLabel(decidedBy: Decider | null): string {
  if (decidedBy === null) return '';
  if (decidedBy === 'default') return 'Default';
  if (decidedBy === 'other') return 'An override or a workflow';
  return Array.isArray(decidedBy) ? decidedBy.join(', ') : decidedBy.override;
}

function nowSentence({ now, version, properties }: EventExplanation, changed: number): string {
  if (now === null) return 'The environment was deleted, so there is nothing to compare with.';
  const label = (each: EventExplanation['version']) =>
    each === null ? 'nothing deployed' : each.number === null ? 'the workspace' : `v${each.number}`;
  const versions =
    version?.artifactId === now.version?.artifactId
      ? `Re-checked with the same version (${label(now.version)}).`
      : `Re-checked with ${label(now.version)} instead of ${label(version)}.`;
  if (properties.length === 0) return versions;
  if (changed === 0) return `${versions} All values are the same.`;
  return `${versions} ${changed === 1 ? '1 value differs' : `${changed} values differ`}.`;
}
