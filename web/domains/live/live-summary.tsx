/** The counters of the live view beside its map. They go on while the list is paused. Takes the focus when it appears. */
import { Box } from '@mantine/core';
import { useEffect, useRef } from 'react';
import type { EventOutcome } from '#contracts/console/events';
import { formatNumber } from '#web/ui/format.ts';
import { Hint } from '#web/ui/labels/hint.tsx';
import { useNow } from '#web/ui/use-now.ts';
import { countryName } from '#web/values/countries.ts';
import { OUTCOME_LABELS } from '#web/values/event-labels.ts';
import { OutcomeTile } from '#web/values/outcome-tile.tsx';
import classes from './live.module.css';
import { type LiveFeed, rateOf, topPlaces } from './live-feed.ts';
import { LiveMap } from './live-map.tsx';

const OUTCOMES: readonly EventOutcome[] = ['allowed', 'warning', 'denied', 'error'];
const PLACES = 6;

export function LiveSummary({ feed }: { feed: LiveFeed }) {
  const now = useNow(1_000);
  const places = topPlaces(feed, PLACES);
  const summary = useRef<HTMLElement>(null);
  // Away from the button that has become Stop, which Space would press.
  useEffect(() => summary.current?.focus({ preventScroll: true }), []);
  return (
    <section ref={summary} tabIndex={-1} className={classes.summary} aria-label="Since you pressed Start">
      <div className={classes.figures}>
        <p className={`column muted small flush ${classes.rate}`}>
          <strong>{rateLabel(rateOf(feed, now))}</strong>
          <span>events per second</span>
        </p>
        <p className={classes.total}>
          {formatNumber(feed.total)} {feed.total === 1 ? 'event' : 'events'} since you pressed Start
          {feed.leftOut > 0 && (
            <Hint label="Above 200 events a second, the live view shows an even sample. The Events tab has all of them.">
              <Box component="span" c="var(--warning)">
                {formatNumber(feed.leftOut)} not shown
              </Box>
            </Hint>
          )}
        </p>
        <dl className={`facts column gap-6 small figures ${classes.outcomes}`}>
          {OUTCOMES.map((outcome) => (
            <div key={outcome} className={`row between gap-12 ${classes.count}`}>
              <dt>
                <OutcomeTile outcome={outcome} isNamed={false} />
                {OUTCOME_LABELS[outcome]}
              </dt>
              <dd>{formatNumber(feed.outcomes[outcome])}</dd>
            </div>
          ))}
        </dl>
      </div>
      <div className={classes.places}>
        <span className="muted small">Top places</span>
        {places.length === 0 ? (
          <span className="faint small">None yet</span>
        ) : (
          <dl className={`facts column gap-6 small figures ${classes.outcomes}`}>
            {places.map(({ key, city, countryCode, count }) => (
              <div key={key} className={`row between gap-12 ${classes.count}`}>
                <dt>
                  <bdi className="truncate">{city ?? countryName(countryCode)}</bdi>
                  {city !== null && <span className="faint mono tiny">{countryCode}</span>}
                </dt>
                <dd>{formatNumber(count)}</dd>
              </div>
            ))}
          </dl>
        )}
      </div>
      <LiveMap places={[...feed.places.values()]} />
    </section>
  );
}

function rateLabel(rate: number): string {
  return rate < 100 ? rate.toFixed(1) : formatNumber(Math.round(rate));
}
