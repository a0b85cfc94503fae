/** How far a deploy has come: one tile for each data location, filled once it has what is deployed. */
import { Tooltip } from '@mantine/core';
import type { EnvironmentStatus } from '#contracts/artifacts';
import { locationName } from '#engine/regions/data-locations';
import classes from './environments.module.css';

type Locations = EnvironmentStatus['locations'];

export function LocationProgress({ locations }: { locations: Locations }) {
  const done = locations.filter(({ isUpToDate }) => isUpToDate).length;
  return (
    <span className={classes.progress}>
      <LocationTiles locations={locations} />
      <span>{`${done} of ${locations.length} data ${locations.length === 1 ? 'location' : 'locations'}`}</span>
    </span>
  );
}

function LocationTiles({ locations }: { locations: Locations }) {
  return (
    <span className={classes.locationTiles} aria-hidden>
      {locations.map(({ location, isUpToDate }) => (
        <Tooltip
          key={location}
          label={`${locationName(location)}: ${isUpToDate ? 'up to date' : 'updating'}`}
          openDelay={200}
        >
          <span className={classes.locationTile} data-done={isUpToDate || undefined} />
        </Tooltip>
      ))}
    </span>
  );
}
