/** The Details tab: what happened in a sentence, the fields with links, and why each value was answered. */
import { Anchor, Box, Flex, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { type Event, NO_ENVIRONMENT } from '#contracts/console/events';
import { locationName } from '#engine/regions/data-locations';
import { paths } from '#web/paths.ts';
import { useCustomerNames } from '#web/session/customer-names.ts';
import { useOrgId } from '#web/session/organisation.tsx';
import { ChartLegend } from '#web/ui/charts/chart-legend.tsx';
import { CopyId } from '#web/ui/copy/copy-id.tsx';
import { formatInstant, formatLatency, formatNumber } from '#web/ui/format.ts';
import { denialsOf, denialWords, type ExplainedDenial } from '#web/values/denial-words.ts';
import { fieldOf } from '#web/values/event-fields.ts';
import { OUTCOME_LABELS, placeLabel, reasonLabel } from '#web/values/event-labels.ts';
import { useCustomerName } from '#web/values/use-customer-name.ts';
import { DENIAL_LABELS } from '#web/values/verdict.tsx';
import { drawsOf } from './event-draws.ts';
import type { EventNames } from './event-names.ts';
import { eventSentence, featuresOf, limitedLabel } from './event-sentence.ts';
import { exactTime } from './exact-time.ts';
import { holdCallOf } from './hold-call.ts';
import classes from './viewer.module.css';
import { WhyPanel } from './why-panel.tsx';

export interface EventDetailsProps {
  readonly event: Event;
  readonly names: EventNames;
}

/** More are in the response. */
const MAX_FEATURES = 12;

export function EventDetails({ event, names }: EventDetailsProps) {
  const { subjectIdentifier } = event;
  const name = useCustomerNames(useOrgId(), [subjectIdentifier]).get(subjectIdentifier ?? '');
  return (
    <>
      <Box component="p" fz="0.9375rem" className="flush breaks">
        {eventSentence(event, name ?? subjectIdentifier)}
      </Box>
      <Fields event={event} names={names} />
      {event.type === 'ac' && !event.isError && <WhyPanel eventId={event.id} />}
    </>
  );
}

function Fields({ event, names }: EventDetailsProps) {
  const orgId = useOrgId();
  const { subjectIdentifier, secondarySubjectIdentifiers, detail, key, latency } = event;
  const place = placeLabel(event);
  // A check of all features is allowed although some are not.
  const isDenied = event.outcome === 'denied';
  const isBlocked = reasonLabel(event) === DENIAL_LABELS.blocked;
  const allowed = featuresOf(event).filter((slug) => !event.deniedFeatures.includes(slug));
  return (
    <dl className={classes.fields}>
      {event.type !== 'se' && (
        <Field name="Outcome">
          {isBlocked ? DENIAL_LABELS.blocked : OUTCOME_LABELS[event.outcome]}{' '}
          {event.isError && !isBlocked && <code className={classes.slug}>{reasonLabel(event)}</code>}
        </Field>
      )}
      <Field name="Time">{exactTime(event.time)}</Field>
      {subjectIdentifier !== null && (
        <Field name="Customer">
          <CustomerLink identifier={subjectIdentifier} environmentId={event.envId} />
        </Field>
      )}
      {secondarySubjectIdentifiers.length > 0 && (
        <Field name="Also known as">
          {secondarySubjectIdentifiers.map((identifier) => (
            <div key={identifier}>
              <CustomerLink identifier={identifier} environmentId={event.envId} />
            </div>
          ))}
        </Field>
      )}
      <Field name="Environment">
        <EnvironmentName event={event} names={names} />
      </Field>
      <Version event={event} />
      {key !== null && (
        <Field name="API key">
          {event.envId === NO_ENVIRONMENT ? (
            key.id
          ) : (
            <Anchor component={Link} to={paths.environment(orgId, event.envId, 'keys')} inherit>
              {key.type === 'secret' ? 'Secret key' : 'Public key'}
            </Anchor>
          )}{' '}
          <CopyId value={key.id} label="key ID" />
        </Field>
      )}
      {detail.planSlugs.length > 0 && (
        <Field name="Plans">
          <Flex component="span" align="center" gap={4} wrap="wrap">
            {detail.planSlugs.map((slug) => (
              <SlugLink
                key={slug}
                slug={slug}
                to={linkTo(names.plans, 'planSlug', slug, ({ planId }) => paths.plan(orgId, planId))}
              />
            ))}
          </Flex>
        </Field>
      )}
      <Features name="Features" slugs={allowed} names={names} />
      {denialGroupsOf(event).map(({ note, slugs }) => (
        <Features
          key={note}
          name={isDenied ? 'Denied' : limitedLabel(event)}
          slugs={slugs}
          names={names}
          isDenied={isDenied}
          note={note}
        />
      ))}
      <Hold event={event} />
      <Draws event={event} />
      <Warnings event={event} />
      {place !== '' && <Field name="Place">{place}</Field>}
      <Locations name="Read from" locations={event.readDataLocations} />
      <Locations name="Written to" locations={event.writeDataLocations} />
      {event.answered ? (
        <Field name="Client caches">
          {formatNumber(event.answered)} answers since the client’s last call
        </Field>
      ) : null}
      {latency !== null && (
        <Field name="Latency">
          <LatencyParts latency={latency} />
          {event.isCold === true && (
            <span className="muted">Cold start: the environment was loaded first.</span>
          )}
        </Field>
      )}
      {event.stripeEventType !== null && <Field name="Stripe event">{event.stripeEventType}</Field>}
      {event.integrationId !== null && (
        <Field name="Integration">
          <Anchor component={Link} to={paths.stripeIntegration(orgId, event.integrationId, 'manage')} inherit>
            Stripe integration
          </Anchor>{' '}
          <CopyId value={event.integrationId} label="integration ID" />
        </Field>
      )}
      <Field name="Event ID">
        <CopyId value={event.id} label="event ID" />
      </Field>
      {typeof fieldOf(event.response, 'requestId') === 'string' && (
        <Field name="Request ID">
          <CopyId value={String(fieldOf(event.response, 'requestId'))} label="request ID" />
        </Field>
      )}
      {event.cfRay !== null && (
        <Field name="Ray ID">
          <CopyId value={event.cfRay} label="Ray ID" />
        </Field>
      )}
    </dl>
  );
}

interface FeaturesProps extends Pick<EventDetailsProps, 'names'> {
  readonly name: string;
  readonly slugs: readonly string[];
  readonly isDenied?: boolean;
  /** What the name means. */
  readonly note?: string | undefined;
}

/** The denied features, by reason. Events of earlier releases have none. */
function denialGroupsOf(event: Event): { note: string | undefined; slugs: string[] }[] {
  const denials = denialsOf(event);
  if (denials === null) {
    const note = event.outcome === 'denied' ? undefined : 'A value is off or a limit is reached.';
    return [{ note, slugs: event.deniedFeatures }];
  }
  return [...Map.groupBy(denials, denialNote)].map(([note, those]) => ({
    note,
    slugs: those.map(({ feature }) => feature),
  }));
}

function denialNote(denial: ExplainedDenial): string {
  const resetsAt = denial.meter?.resetsAt;
  return `${denialWords(denial)}${resetsAt === undefined ? '' : `. Resets ${formatInstant(resetsAt)}.`}`;
}

function Features({ name, slugs, names, isDenied = false, note }: FeaturesProps) {
  const orgId = useOrgId();
  if (slugs.length === 0) return null;
  return (
    <Field name={name}>
      <Flex component="span" align="center" gap={4} wrap="wrap">
        {slugs.slice(0, MAX_FEATURES).map((slug) => (
          <SlugLink
            key={slug}
            slug={slug}
            isDenied={isDenied}
            to={linkTo(names.features, 'slug', slug, ({ id }) => paths.feature(orgId, id))}
          />
        ))}
        {slugs.length > MAX_FEATURES && (
          <span className="muted tiny">and {formatNumber(slugs.length - MAX_FEATURES)} more</span>
        )}
      </Flex>
      {note !== undefined && <span className="muted">{note}</span>}
    </Field>
  );
}

function Field({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

function CustomerLink(props: { identifier: string; environmentId: string }) {
  const orgId = useOrgId();
  const { identifier, environmentId } = props;
  const environment = environmentId === NO_ENVIRONMENT ? undefined : environmentId;
  return (
    <>
      <Anchor component={Link} to={paths.customer(orgId, identifier, environment)} inherit>
        <bdi>{useCustomerName(orgId, identifier)}</bdi>
      </Anchor>{' '}
      <CopyId value={identifier} label="customer ID" />
    </>
  );
}

function EnvironmentName({ event: { envId }, names: { environments } }: EventDetailsProps) {
  const orgId = useOrgId();
  if (envId === NO_ENVIRONMENT) return 'All environments';
  const environment = environments?.find(({ id }) => id === envId);
  if (environment === undefined) return environments === undefined ? envId : 'Deleted environment';
  return (
    <Anchor component={Link} to={paths.environment(orgId, envId)} inherit>
      {environment.name}
    </Anchor>
  );
}

function Version({ event }: Pick<EventDetailsProps, 'event'>) {
  const orgId = useOrgId();
  const version = fieldOf(event.response, 'version');
  if (typeof version !== 'object' || version === null) return null;
  const number = fieldOf(version, 'number');
  return (
    <Field name="Version">
      <Anchor component={Link} to={paths.environments(orgId)} inherit>
        {typeof number === 'number' ? `v${number}` : 'The workspace at that time'}
      </Anchor>
    </Field>
  );
}

function Hold({ event }: Pick<EventDetailsProps, 'event'>) {
  const orgId = useOrgId();
  const call = holdCallOf(event);
  if (call?.hold == null) return null;
  const { hold, settled } = call;
  return (
    <Field name="Hold">
      <CopyId value={hold.id} label="hold ID" />
      <div className="figures">
        {formatNumber(hold.amount)}
        {settled === null
          ? hold.expiresAt !== null && ` until ${formatInstant(hold.expiresAt)}`
          : `, settled with ${formatNumber(settled.applied)}`}
      </div>
      <div>
        <Anchor component={Link} to={paths.events(orgId, { q: hold.id, environment: event.envId })} inherit>
          All its events
        </Anchor>
      </div>
    </Field>
  );
}

function Draws({ event }: Pick<EventDetailsProps, 'event'>) {
  const orgId = useOrgId();
  const draws = drawsOf(event);
  if (draws.length === 0) return null;
  return (
    <Field name={draws.length === 1 ? 'Balance' : 'Balances'}>
      {draws.map(({ from, words }) => (
        <div key={`${from} ${words}`} className="figures">
          {words}{' '}
          <Anchor
            component={Link}
            to={paths.events(orgId, { drew: `balance:${from}`, environment: event.envId })}
            inherit
          >
            <code className={classes.slug}>{from}</code>
          </Anchor>
        </div>
      ))}
    </Field>
  );
}

function Warnings({ event }: Pick<EventDetailsProps, 'event'>) {
  const listed = fieldOf(event.response, 'warnings');
  const warnings = Array.isArray(listed) ? (listed as unknown[]) : [];
  if (warnings.length === 0) return null;
  return (
    <Field name={warnings.length === 1 ? 'Warning' : 'Warnings'}>
      {warnings.map((warning) => {
        const code = String(fieldOf(warning, 'code') ?? '');
        return (
          <div key={`${code} ${String(fieldOf(warning, 'message'))}`}>
            <code className={classes.slug}>{code}</code> {String(fieldOf(warning, 'message') ?? '')}
          </div>
        );
      })}
    </Field>
  );
}

function Locations({ name, locations }: { name: string; locations: Event['readDataLocations'] }) {
  if (locations.length === 0) return null;
  return <Field name={name}>{locations.map(locationName).join(', ')}</Field>;
}

const PARTS = [
  ['auth', 'Key', '--series-2'],
  ['snapshot', 'Environment', '--series-4'],
  ['ledger', 'Usage', '--series-1'],
  ['workflows', 'Workflows', '--series-3'],
  ['evaluate', 'Decision', '--series-rest'],
] as const;
/** Shorter parts would read '0.0 ms'. */
const SHORTEST_MS = 0.05;

function LatencyParts({ latency }: { latency: NonNullable<Event['latency']> }) {
  const parts = PARTS.map(([name, label, colour]) => ({ label, colour, ms: latency[name] })).filter(
    ({ ms }) => ms >= SHORTEST_MS,
  );
  return (
    <Stack gap={6}>
      <strong className="medium">{formatLatency(latency.total)}</strong>
      {parts.length > 0 && (
        <>
          <Flex component="span" h={6} bdrs="sm" bg="var(--pressed)" className="full-width clip" aria-hidden>
            {parts.map(({ label, colour, ms }) => (
              <Box
                key={label}
                component="span"
                miw={1}
                w={`${(ms / latency.total) * 100}%`}
                bg={`var(${colour})`}
              />
            ))}
          </Flex>
          <ChartLegend entries={parts.map(({ ms, ...part }) => ({ ...part, figure: formatLatency(ms) }))} />
        </>
      )}
    </Stack>
  );
}

interface SlugLinkProps {
  readonly slug: string;
  /** Undefined if the item no longer exists. */
  readonly to: string | undefined;
  readonly isDenied?: boolean;
}

function SlugLink({ slug, to, isDenied }: SlugLinkProps) {
  const look = { className: classes.slug, 'data-denied': isDenied || undefined };
  return to === undefined ? (
    <code {...look}>{slug}</code>
  ) : (
    <Link to={to} {...look}>
      {slug}
    </Link>
  );
}

function linkTo<Name extends string, Item extends Readonly<Record<Name, string>>>(
  items: readonly Item[] | undefined,
  name: Name,
  slug: string,
  pathOf: (item: Item) => string,
): string | undefined {
  const item = items?.find((each) => each[name] === slug);
  return item === undefined ? undefined : pathOf(item);
}
