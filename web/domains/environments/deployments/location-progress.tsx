/** Progress of a deployment: one tile per data location, filled once the location serves the new version. */
import { Box, Tooltip } from '@mantine/core';
import type { EnvironmentStatus } from '#contracts/console/artifacts';
import { locationName } from '#engine/regions/data-locations';
import { regionsLabel } from './deployment-progress.ts';
import classes from './deployments.module.css';

type Locations = EnvironmentStatus['locations'];

/** What a region has confirmed, in words. A failed one is tried again. */
export function locationState({
  isUpToDate,
  failedAt,
}: Pick<Locations[number], 'isUpToDate' | 'failedAt'>): string {
  if (isUpToDate) return 'up to date';
  return failedAt === null ? 'updating' : 'not confirmed, retrying';
}

export function LocationProgress({ locations }: { locations: Locations }) {
  const done = locations.filter(({ isUpToDate }) => isUpToDate).length;
  return (
    <Box component="span" c="dimmed" fz="sm" className="inline-row wrap figures" style={{ gap: '4px 8px' }}>
      <LocationTiles locations={locations} />
      <span>{regionsLabel(done, locations.length)}</span>
    </Box>
  );
}

function LocationTiles({ locations }: { locations: Locations }) {
  return (
    <Box component="span" className="inline-flex wrap" style={{ gap: '3px' }} aria-hidden>
      {locations.map(({ location, isUpToDate, failedAt }) => (
        <Tooltip
          key={location}
          label={`${locationName(location)}: ${locationState({ isUpToDate, failedAt })}`}
          openDelay={200}
        >
          <span
            className={classes.locationTile}
            data-done={isUpToDate || undefined}
            data-failed={failedAt !== null || undefined}
          />
        </Tooltip>
      ))}
    </Box>
  );
}
