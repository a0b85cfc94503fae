/**
 * The nine data regions as switches beside a map. Enabling takes effect immediately; disabling asks first and names the
 * region that takes over. At least one region stays enabled.
 */
import { Group, Skeleton, Stack, Switch, Text } from '@mantine/core';
import { useMemo, useState } from 'react';
import type { Location, LocationFlags } from '#contracts/public/locations';
import { homeLocation, locationName } from '#engine/regions/data-locations';
import { placedIn } from '#engine/regions/placement';
import { useOrgId } from '#web/session/organisation.tsx';
import { ConfirmDialog } from '#web/ui/dialogs/confirm-dialog.tsx';
import { Section } from '#web/ui/page/section.tsx';
import { useSwitchRegion } from './mutations.ts';
import { answeredBy, enabledOf, REGION_GROUPS } from './region-groups.ts';
import { RegionMap } from './region-map.tsx';
import classes from './regions.module.css';

export interface RegionsSectionProps {
  /** Undefined while loading. */
  readonly flags: LocationFlags | undefined;
  readonly canEdit: boolean;
}

const NONE: readonly Location[] = [];

export function RegionsSection({ flags, canEdit }: RegionsSectionProps) {
  const orgId = useOrgId();
  const change = useSwitchRegion(orgId);
  const [lit, setLit] = useState<Location | null>(null);
  const [leaving, setLeaving] = useState<Location | null>(null);
  const [isAsking, setIsAsking] = useState(false);
  const enabled = useMemo(() => (flags === undefined ? NONE : enabledOf(flags)), [flags]);
  const home = homeLocation(enabled);
  const toggle = (location: Location, isOn: boolean) => {
    if (isOn) return change.mutate({ location, isOn });
    setLeaving(location);
    setIsAsking(true);
  };
  return (
    <Section
      title="Data regions"
      description="Regions that store copies of your environments. The nearest one serves each access check."
      isFlush
    >
      <div className={classes.layout}>
        <div className={`divided ${classes.list}`}>
          {REGION_GROUPS.map(({ name, locations }) => (
            <fieldset key={name} className="plain shrink">
              <legend className={classes.groupName}>{name}</legend>
              {locations.map((location) => {
                const isOn = enabled.includes(location);
                const isLast = canEdit && isOn && enabled.length === 1;
                const isChanging = change.isPending && change.variables.location === location;
                return (
                  // biome-ignore lint/a11y/noStaticElementInteractions: highlights the map, which is decorative.
                  <div
                    key={location}
                    className={classes.row}
                    data-lit={location === lit || undefined}
                    onPointerEnter={() => setLit(location)}
                    onPointerLeave={() => setLit(null)}
                    onFocus={() => setLit(location)}
                    onBlur={() => setLit(null)}
                  >
                    <div className="fill">
                      <Group gap={8} wrap="nowrap" className="medium">
                        <label htmlFor={`region-${location}`}>{locationName(location)}</label>
                        {location === home && (
                          <Text span fw={500} bdrs="sm" px={6} fz="0.6875rem" lh="18px" className="accent">
                            Home
                          </Text>
                        )}
                      </Group>
                      <div id={`region-${location}-detail`} className="muted tiny">
                        {flags === undefined ? (
                          <Skeleton height={10} width={120} my={4} />
                        ) : isLast ? (
                          'Enable another region before you disable the last one'
                        ) : (
                          detailOf(location, enabled)
                        )}
                      </div>
                    </div>
                    <Switch
                      id={`region-${location}`}
                      aria-describedby={`region-${location}-detail`}
                      classNames={{ track: classes.track }}
                      checked={isChanging ? change.variables.isOn : isOn}
                      disabled={!canEdit || flags === undefined || isLast || change.isPending}
                      onChange={(event) => toggle(location, event.currentTarget.checked)}
                    />
                  </div>
                );
              })}
            </fieldset>
          ))}
        </div>
        <div className={classes.picture}>
          <RegionMap enabled={enabled} home={home} lit={lit} />
          <ul className={classes.legend} aria-hidden="true">
            <li>
              <span className={classes.key} /> Enabled
            </li>
            <li>
              <span className={classes.key} data-kind="home" /> Home
            </li>
            <li>
              <span className={classes.key} data-kind="off" /> Disabled
            </li>
            <li>
              <span className={classes.key} data-kind="served" /> Served by the region you point at
            </li>
          </ul>
          <Stack gap={8} maw="62ch" className="muted small">
            <p className="flush">
              <strong className="strong medium">Enabling a region</strong> copies every environment there. It
              serves nearby requests once the copies are complete.
            </p>
            <p className="flush">
              <strong className="strong medium">Disabling a region</strong> loses no data. The nearest enabled
              region serves its requests, with more latency.
            </p>
            <p className="flush">
              <strong className="strong medium">Home</strong> is the first enabled region in a fixed order
              {home && `, currently ${locationName(home)}`}. Checks with strict consistency read usage there.
            </p>
          </Stack>
        </div>
      </div>
      {leaving && (
        <ConfirmDialog
          isOpen={isAsking}
          onClose={() => setIsAsking(false)}
          title={`Disable ${locationName(leaving)}?`}
          confirmLabel={`Disable ${locationName(leaving)}`}
          isBusy={change.isPending}
          onConfirm={() =>
            change.mutate({ location: leaving, isOn: false }, { onSettled: () => setIsAsking(false) })
          }
        >
          {disablingConsequences(leaving, enabled)}
        </ConfirmDialog>
      )}
    </Section>
  );
}

function detailOf(location: Location, enabled: readonly Location[]): string {
  const answering = answeredBy(location, enabled);
  if (answering === null) return 'Disabled';
  const place = placedIn(answering);
  if (answering !== location) return `Served from ${locationName(answering)}`;
  return place === null ? 'Served from here' : `Served from ${place}: Cloudflare keeps no data here yet`;
}

/** The consequences of disabling `location`. */
function disablingConsequences(location: Location, enabled: readonly Location[]): string {
  const rest = enabled.filter((each) => each !== location);
  const answering = answeredBy(location, rest);
  const nextHome = homeLocation(rest);
  const sentences = [
    `It stops serving access checks. Requests from there go to ${answering ? locationName(answering) : 'no region'}, with more latency. Responses stay the same.`,
  ];
  if (homeLocation(enabled) === location && nextHome !== null)
    sentences.push(
      `Home moves to ${locationName(nextHome)}. Checks with strict consistency read usage there.`,
    );
  return sentences.join(' ');
}
