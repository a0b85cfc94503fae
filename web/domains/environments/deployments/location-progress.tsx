/** Progress of a deployment: one tile per data location, filled once the location serves the new version. */
import { Box, Tooltip } from '@mantine/core';
import type { EnvironmentStatus } from '#contracts/console/artifacts';
import { locationName } from '#engine/regions/data-locations';
import classes from './deployments.module.css';

type Locations = EnvironmentStatus['locations'];

export function LocationProgress({ locations }: { locations: Locations }) {
  const done = locations.filter(({ isUpToDate }) => isUpToDate).length;
  return (
    <Box component="span" c="dimmed" fz="sm" className="inline-row wrap figures" style={{ gap: '4px 8px' }}>
      <LocationTiles locations={locations} />
      <span>{`${done} of ${locations.length} data ${locations.length === 1 ? 'location' : 'locations'}`}</span>
    </Box>
  );
}

function LocationTiles({ locations }: { locations: Locations }) {
  return (
    <Box component="span" className="inline-flex wrap" style={{ gap: '3px' }} aria-hidden>
      {locations.map(({ location, isUpToDate }) => (
        <Tooltip
          key={location}
          label={`${locationName(location)}: ${isUpToDate ? 'up to date' : 'updating'}`}
          openDelay={200}
        >
          <span className={classes.locationTile} data-done={isUpToDate || undefined} />
        </Tooltip>
      ))}
    </Box>
  );
}
