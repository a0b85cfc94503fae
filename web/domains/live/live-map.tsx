/** A map of the world on which the places of arriving events light up. The list of places says the same in words. */
import { memo } from 'react';
import classes from './live.module.css';
import type { LivePlace } from './live-feed.ts';
import { coordinatesOf } from './place-coordinates.ts';
import { landPath, MAP_HEIGHT, MAP_WIDTH, project } from './world-projection.ts';

const LAND = landPath();

/** @param props.places the newest last */
export function LiveMap({ places }: { places: readonly LivePlace[] }) {
  return (
    <svg className={classes.map} viewBox={`0 0 ${MAP_WIDTH} ${MAP_HEIGHT}`} aria-hidden="true">
      <Land />
      {places.map((place) => (
        <Light key={place.key} place={place} />
      ))}
    </svg>
  );
}

const Land = memo(function Land() {
  return <path className={classes.land} d={LAND} />;
});

const Light = memo(function Light({ place }: { place: LivePlace }) {
  const coordinates = coordinatesOf(place.countryCode, place.city);
  if (coordinates === null) return null;
  const { x, y } = project(coordinates);
  return (
    <g
      className={classes.light}
      data-outcome={place.outcome}
      transform={`translate(${x.toFixed(1)} ${y.toFixed(1)})`}
    >
      <circle r={0.9} />
      {/* A new key starts the ring again. */}
      <circle key={place.count} className={classes.ring} r={1} />
    </g>
  );
});
