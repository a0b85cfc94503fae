/** A customer's meters: usage, limit and reset time, with a dialog to correct the usage. */
import { Box, Button } from '@mantine/core';
import { type RefCallback, useState } from 'react';
import type { CustomerEntitlements, Entitlement } from '#contracts/console/customers';
import { locationName } from '#engine/regions/data-locations';
import { formatAge, formatInstant, formatNumber } from '#web/ui/format.ts';
import { Hint } from '#web/ui/hint.tsx';
import { Meter, MeterMark, meterLevel } from '#web/ui/meter.tsx';
import { Section } from '#web/ui/section.tsx';
import { useVirtualRows } from '#web/ui/use-virtual-rows.ts';
import { windowLabel } from '#web/values/value-labels.ts';
import { CorrectMeterDialog } from './correct-meter-dialog.tsx';
import classes from './customers.module.css';

export interface MetersCardProps {
  readonly orgId: string;
  readonly identifier: string;
  readonly customer: CustomerEntitlements;
}

/** A row's height before it is measured. */
const ROW_HEIGHT = 70;

export function MetersCard({ orgId, identifier, customer }: MetersCardProps) {
  const [corrected, setCorrected] = useState<Entitlement | null>(null);
  const metered = customer.entitlements.filter(({ meter }) => meter?.state === 'metered');
  const shown = useVirtualRows<Entitlement, HTMLUListElement>({
    items: metered,
    keyOf: ({ propertyId }) => propertyId,
    heightOf: () => ROW_HEIGHT,
  });
  if (metered.length === 0) return null;
  const { readLocation } = customer;
  return (
    <Section
      title="Meters"
      description={readLocation === null ? undefined : `As counted in ${locationName(readLocation)}.`}
      isFlush
    >
      <ul ref={shown.container} className={classes.meters} aria-label="Meters">
        {shown.rows.flatMap(({ item: entitlement, index, spaceBefore }) => [
          spaceBefore > 0 && (
            <li key={`before ${entitlement.propertyId}`} aria-hidden style={{ height: spaceBefore }} />
          ),
          <MeterRow
            key={entitlement.propertyId}
            entitlement={entitlement}
            index={index}
            count={metered.length}
            measure={shown.measure}
            now={customer.asOf}
            onCorrect={() => setCorrected(entitlement)}
          />,
        ])}
        {shown.spaceAfter > 0 && <li aria-hidden style={{ height: shown.spaceAfter }} />}
      </ul>
      <CorrectMeterDialog
        orgId={orgId}
        identifier={identifier}
        environmentId={customer.environmentId}
        entitlement={corrected}
        onClose={() => setCorrected(null)}
      />
    </Section>
  );
}

interface MeterRowProps {
  readonly entitlement: Entitlement;
  readonly index: number;
  /** The number of meters. */
  readonly count: number;
  readonly measure: RefCallback<Element> | undefined;
  readonly now: number;
  readonly onCorrect: () => void;
}

function MeterRow({ entitlement, index, count, measure, now, onCorrect }: MeterRowProps) {
  const { meter, value, featureName, property } = entitlement;
  if (meter?.state !== 'metered' || typeof value !== 'object' || value.state !== 'metered') return null;
  const { used, limit, resetsAt, allowed } = meter;
  const level = allowed ? meterLevel(used, limit) : 'reached';
  const name = `${featureName} ${property}`;
  return (
    <li
      ref={measure}
      data-index={index}
      aria-setsize={count}
      aria-posinset={index + 1}
      className={classes.meter}
    >
      <div className="column shrink">
        <span className={classes.feature}>{featureName}</span>
        <code className={classes.key}>{property}</code>
      </div>
      <div className={classes.meterUse}>
        <div className={classes.figures}>
          <span>
            <strong>{formatNumber(used)}</strong> of {formatNumber(limit)}{' '}
            <span className={classes.faint}>{windowLabel(value.meter)}</span>
          </span>
          <MeterMark level={level} />
          {resetsAt !== null && (
            <Hint label={formatInstant(resetsAt)}>
              <span className={classes.faint}>
                {value.meter.periodType === 'fixed' ? 'Eases' : 'Resets'} {soon(formatAge(resetsAt, now))}
              </span>
            </Hint>
          )}
        </div>
        <Box mt={7}>
          <Meter used={used} limit={limit} level={level} isThin />
        </Box>
      </div>
      {value.meter.uniqueResourceIds ? (
        <Box component="span" style={{ justifySelf: 'end' }}>
          <Hint label="Counts unique resources. Release them one by one with counter updates">
            <span className={classes.faint}>Unique ids</span>
          </Hint>
        </Box>
      ) : (
        <Button
          variant="default"
          size="xs"
          style={{ justifySelf: 'end' }}
          aria-label={`Correct ${name}`}
          onClick={onCorrect}
        >
          Correct
        </Button>
      )}
    </li>
  );
}

const soon = (age: string) => (age === 'just now' ? 'within a minute' : age);
